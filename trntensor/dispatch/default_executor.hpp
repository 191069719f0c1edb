// Which executor runs a contraction when the caller names none.
#pragma once

#include "trntensor/plan/executor.hpp"

namespace trntensor {

/// The host engine.
const Executor& default_executor();

}  // namespace trntensor
