// Cases that are one contraction of two tensors.
#pragma once

#include "cli/bench/case.hpp"
#include "cli/bench/gemm_road.hpp"

namespace trntensor::cli::bench {

/// How ours is called.
enum class Door : std::uint8_t {
  kContraction,  ///< planned once, result in place
  kEinsum,       ///< from text, its plan in the cache, result in a new tensor; peers have nothing like it
};

/// The case of a contraction. Its operands, and the result that all contestants write, are dense, in memory of huge
/// pages where they are large.
Case contraction_case(std::string suite, std::string name, const Contracted& contracted, int threads,
                      Door door = Door::kContraction);

}  // namespace trntensor::cli::bench
