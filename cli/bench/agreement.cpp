#include "cli/bench/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "trntensor/support/error.hpp"
#include "trntensor/support/random.hpp"
#include "trntensor/tensor/bfloat16.hpp"

namespace trntensor::cli::bench {
namespace {

constexpr double kRoundoff64 = 0x1p-53;
constexpr double kRoundoff32 = 0x1p-24;
constexpr double kRoundoffBf16 = 0x1p-8;

/// Calls function with a null pointer of the C++ type.
template <typename Function>
decltype(auto) with_type(DType dtype, const Function& function) {
  if (dtype == DType::kFloat64) return function(static_cast<double*>(nullptr));
  if (dtype == DType::kFloat32) return function(static_cast<float*>(nullptr));
  if (dtype == DType::kBFloat16) return function(static_cast<bfloat16*>(nullptr));
  throw_unsupported(fmt::format("contractions of {} are not measured", to_string(dtype)), {},
                    "use float64, float32 or bfloat16");
}

template <typename T>
void fill_values(T* values, std::int64_t count, Filling filling, std::uint64_t seed) {
  constexpr std::uint64_t kChoices = 7;
  Random random(seed);
  for (std::int64_t i = 0; i < count; ++i) {
    values[i] = filling == Filling::kReals ? static_cast<T>(random.uniform(-1, 1))
                                           : static_cast<T>(static_cast<double>(random() % kChoices) - 3.0);
  }
}

}  // namespace

void fill(void* data, DType dtype, std::int64_t count, Filling filling, std::uint64_t seed) {
  with_type(dtype, [&](auto* type) { fill_values(static_cast<decltype(type)>(data), count, filling, seed); });
}

double difference_bound(DType dtype, std::int64_t terms) {
  const auto count = static_cast<double>(terms);
  return difference_bound(dtype, count + 2, count);
}

double difference_bound(DType dtype, double roundings, double moduli) {
  return 2 * roundings * (dtype == DType::kFloat64 ? kRoundoff64 : kRoundoff32) * moduli;
}

std::optional<std::string> first_difference(const void* ours, const void* theirs, DType dtype, std::int64_t count,
                                            Filling filling, double bound) {
  if (filling == Filling::kWholeNumbers) bound = 0;
  const double rounding = filling == Filling::kReals && dtype == DType::kBFloat16 ? 2 * kRoundoffBf16 : 0;
  return with_type(dtype, [&](auto* type) -> std::optional<std::string> {
    const auto* x = static_cast<decltype(type)>(const_cast<void*>(ours));
    const auto* y = static_cast<decltype(type)>(const_cast<void*>(theirs));
    for (std::int64_t i = 0; i < count; ++i) {
      const auto one = static_cast<double>(x[i]);
      const auto other = static_cast<double>(y[i]);
      const double allowed = bound + rounding * std::max(std::abs(one), std::abs(other));
      if (std::abs(one - other) <= allowed) continue;
      return fmt::format("element {} is {} and {}, and may differ by {:.1e}", i, one, other, allowed);
    }
    return std::nullopt;
  });
}

std::optional<std::string> disagreement_of_fillings(
    const std::function<std::optional<std::string>(Filling)>& disagreement_of, std::span<const Contestant> contestants,
    bool has_reference, std::vector<std::string>& compared) {
  for (const Filling filling : {Filling::kWholeNumbers, Filling::kReals}) {
    if (auto text = disagreement_of(filling)) return text;
  }
  for (const Contestant& contestant : contestants.subspan(1)) compared.push_back(contestant.name);
  if (has_reference) compared.emplace_back("reference");
  return std::nullopt;
}

}  // namespace trntensor::cli::bench
