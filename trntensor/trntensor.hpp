// Everything a user of the library needs: #include <trntensor/trntensor.hpp>, link trntensor::trntensor.
#pragma once

#include "trntensor/dispatch/einsum.hpp"
#include "trntensor/dispatch/epilogue.hpp"
#include "trntensor/einsum/spec.hpp"
#include "trntensor/plan/plan.hpp"
#include "trntensor/plan/plan_cache.hpp"
#include "trntensor/quantum/mp2.hpp"
#include "trntensor/quantum/sos_mp2.hpp"
#include "trntensor/quantum/transform.hpp"
#include "trntensor/support/environment.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/tensor/convert.hpp"
#include "trntensor/tensor/dlpack.hpp"
#include "trntensor/tensor/files.hpp"
#include "trntensor/tensor/tensor.hpp"
#include "trntensor/version.hpp"
