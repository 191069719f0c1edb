// What a caller may ask of a plan.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "trntensor/tensor/dtype.hpp"

namespace trntensor {

/// How products are accumulated; docs/precision.md says what each mode holds.
enum class Precision : std::uint8_t {
  kFast,          ///< in accumulator_type(dtype)
  kKahan,         ///< each step in float64 for float32 and narrower, as if in twice the digits for float64
  kDoubleDouble,  ///< within 2^-100 sum |a b| before the result is rounded, intermediates included
  kStochastic,    ///< sums as in kKahan or wider, the result rounded to one of its two neighbours at random
};

/// "fast", "kahan", "dd", "sr".
std::string_view to_string(Precision precision) noexcept;
/// Reads the names above. Throws InvalidArgument that lists them.
Precision parse_precision(std::string_view name);

/// Which path finder orders the binary steps.
enum class PathMethod : std::uint8_t {
  kAuto,     ///< optimal where it is quick, greedy beyond
  kGreedy,   ///< cheapest pair first (memory removed)
  kOptimal,  ///< fewest multiply-adds, by dynamic programming
};

/// "auto", "greedy", "optimal".
std::string_view to_string(PathMethod method) noexcept;
/// Reads the names above. Throws InvalidArgument that lists them.
PathMethod parse_path_method(std::string_view name);

/// One entry per step: the positions of its operands in the current list. Both are removed, the result is appended.
using ContractionPath = std::vector<std::vector<int>>;

struct PlanOptions {
  PathMethod method = PathMethod::kAuto;
  std::optional<ContractionPath> path = {};  ///< run exactly this path instead of searching
  std::optional<DType> dtype = {};           ///< compute and return in this type instead of the promoted one
  std::optional<DType> output_dtype = {};    ///< type the result is rounded to, if not the compute type
  Precision precision = Precision::kFast;
  std::optional<double> target_forward_error = {};  ///< choose the precision: see EinsumOptions
  std::optional<std::int64_t> memory_limit =
      {};                     ///< bytes for intermediates and result alive at once; a plan that needs more is refused
  std::stop_token stop = {};  ///< ends a long search
};

}  // namespace trntensor
