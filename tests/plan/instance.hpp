// The stored networks.
#pragma once

#include <string>

#include "trntensor/einsum/spec.hpp"

namespace trntensor::testing {

/// A network of tests/data/paths with what others found for it; 0 where nothing is recorded.
struct Instance {
  Spec spec;
  double optimum_log10_macs = 0;
  double best_log10_macs = 0;
  double greedy_log10_macs = 0;
};
/// Throws Io when there is none of this name.
Instance read_instance(const std::string& name);

}  // namespace trntensor::testing
