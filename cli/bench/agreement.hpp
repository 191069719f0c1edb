// Whether two results of the same contraction agree.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/bench/measure.hpp"
#include "trntensor/tensor/dtype.hpp"

namespace trntensor::cli::bench {

enum class Filling : std::uint8_t {
  kWholeNumbers,  ///< -3 to 3: sums are exact in any order, as long as they stay below 2^24
  kReals,         ///< uniform in [-1, 1)
};

/// Operations that plain loops do in an instant.
inline constexpr double kFewFlops = 4e6;

/// Fills `count` elements of float64, float32 or bfloat16, the same for the same seed.
void fill(void* data, DType dtype, std::int64_t count, Filling filling, std::uint64_t seed);

/// The largest difference that two correct sums of `terms` products of values up to 1 in modulus may show, before
/// they are rounded to a narrower type: each is within (terms + 2) u of the exact one, relative to the sum of the
/// moduli, u being the unit roundoff of the type that sums are held in.
double difference_bound(DType dtype, std::int64_t terms);

/// The same where each passes through `roundings` roundings, relative to a sum of moduli of at most `moduli`.
double difference_bound(DType dtype, double roundings, double moduli);

/// Results of `count` elements: the first that differ by more than the bound (and one rounding each to `dtype`), as
/// text, or nothing. Of whole numbers none may differ.
std::optional<std::string> first_difference(const void* ours, const void* theirs, DType dtype, std::int64_t count,
                                            Filling filling, double bound);

/// Asks for both fillings what differs. Where nothing does, appends what ours, the first contestant, was compared with:
/// the others, and the reference if it took part.
std::optional<std::string> disagreement_of_fillings(
    const std::function<std::optional<std::string>(Filling)>& disagreement_of, std::span<const Contestant> contestants,
    bool has_reference, std::vector<std::string>& compared);

}  // namespace trntensor::cli::bench
