// Compiled without contraction of a * b + c: the sums of three numbers rely on every rounding.
#include "trntensor/host/stochastic_rounding.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "trntensor/host/kernels/two_sum.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/support/philox.hpp"
#include "trntensor/tensor/convert_element.hpp"

namespace trntensor::host {
namespace {

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

/// A format of IEEE's kind. Without infinity the pattern of all ones is NaN and what is too large becomes the largest.
template <int kExponents, int kMantissas, bool kInfinity>
struct Format {
  static constexpr int kMantissaBits = kMantissas;
  static constexpr int kBias = (1 << (kExponents - 1)) - 1;
  static constexpr std::uint64_t kAllOnes = (std::uint64_t{1} << (kExponents + kMantissas)) - 1;
  static constexpr std::uint64_t kInfinite = kAllOnes >> kMantissas << kMantissas;
  static constexpr std::uint64_t kLargest = kInfinity ? kInfinite - 1 : kAllOnes - 1;
  static constexpr std::uint64_t kOverflow = kInfinity ? kInfinite : kLargest;
  static constexpr int kSignPlace = kExponents + kMantissas;
};

template <typename To>
struct FormatOf;
template <>
struct FormatOf<double> : Format<11, 52, true> {};
template <>
struct FormatOf<float> : Format<8, 23, true> {};
template <>
struct FormatOf<bfloat16> : Format<8, 7, true> {};
template <>
struct FormatOf<float16> : Format<5, 10, true> {};
template <>
struct FormatOf<float8_e4m3> : Format<4, 3, true> {};
template <>
struct FormatOf<float8_e4m3fn> : Format<4, 3, false> {};
template <>
struct FormatOf<float8_e5m2> : Format<5, 2, true> {};

/// A magnitude of 117 bits at most: digits * 2^exponent.
struct Magnitude {
  Wide digits = 0;
  int exponent = 0;
};

/// 64 bits behind the last one of |value| hold the rest, rounded down. |rest| is at most half of that last bit.
Magnitude magnitude_of(double value, double rest) noexcept {
  constexpr int kBehind = 64;
  const auto word = std::bit_cast<std::uint64_t>(value) << 1 >> 1;
  const auto field = static_cast<int>(word >> 52);
  const std::uint64_t mantissa = word & 0x000f'ffff'ffff'ffffU;
  const std::uint64_t significand = field == 0 ? mantissa : mantissa | std::uint64_t{1} << 52;
  const int exponent = std::max(field, 1) - 1075 - kBehind;
  Wide digits = Wide{significand} << kBehind;
  if (rest != 0.0) {
    const double behind = std::floor(std::ldexp(std::signbit(value) ? -rest : rest, -exponent));
    digits += static_cast<Wide>(static_cast<SignedWide>(behind));
  }
  return {digits, exponent};
}

int bit_width(Wide digits) noexcept {
  const auto high = static_cast<std::uint64_t>(digits >> 64);
  return high != 0 ? 64 + static_cast<int>(std::bit_width(high))
                   : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(digits)));
}

/// The pattern of the magnitude in a format; it goes up if `random` is below 2^64 times what lies beyond the last
/// place.
template <typename Format>
std::uint64_t round_magnitude(const Magnitude& magnitude, std::uint64_t random) noexcept {
  const Wide digits = magnitude.digits;
  const int leading = magnitude.exponent + bit_width(digits) - 1;
  constexpr int kLeast = 1 - Format::kBias;
  const int last = std::max(leading, kLeast) - Format::kMantissaBits;
  const int dropped = last - magnitude.exponent;  // 63 at least: the digits reach that far behind a double's
  const std::uint64_t kept = dropped < 128 ? static_cast<std::uint64_t>(digits >> dropped) : 0;
  std::uint64_t beyond = 0;
  if (dropped < 64) {
    beyond = static_cast<std::uint64_t>(digits << (64 - dropped));
  } else if (dropped < 192) {
    beyond = static_cast<std::uint64_t>(digits >> (dropped - 64));
  }
  // A normal number's leading bit, and a carry out of rounding, add one to the exponent field by themselves.
  const std::uint64_t field =
      leading < kLeast ? 0 : static_cast<std::uint64_t>(leading - kLeast) << Format::kMantissaBits;
  const std::uint64_t pattern = field + kept + (random < beyond ? 1 : 0);
  return pattern > Format::kLargest ? Format::kOverflow : pattern;
}

template <typename To>
void store_pattern(std::byte* to, std::uint64_t pattern) noexcept {
  using Bits = std::conditional_t<sizeof(To) == 8, std::uint64_t,
                                  std::conditional_t<sizeof(To) == 4, std::uint32_t,
                                                     std::conditional_t<sizeof(To) == 2, std::uint16_t, std::uint8_t>>>;
  store_element(to, static_cast<Bits>(pattern));
}

/// Any number.
template <typename To>
void store_rounded(std::byte* to, double value, double rest, std::uint64_t random) noexcept {
  const WithError sum = two_sum(value, rest);
  if (!std::isfinite(sum.value) || (sum.value == 0.0 && sum.error == 0.0)) {
    store_element(to, convert_element<To>(rest == 0.0 ? value : sum.value));
    return;
  }
  const std::uint64_t sign = std::signbit(sum.value) ? 1 : 0;
  const std::uint64_t pattern = round_magnitude<FormatOf<To>>(magnitude_of(sum.value, sum.error), random);
  store_pattern<To>(to, pattern | sign << FormatOf<To>::kSignPlace);
}

/// Doubles without a rest in the normal range of a narrower type, which most are, take few steps.
template <typename To>
bool store_if_simple(std::byte* to, double value, std::uint64_t random) noexcept {
  constexpr int kDropped = 52 - FormatOf<To>::kMantissaBits;
  constexpr std::uint64_t kLast = (std::uint64_t{1} << kDropped) - 1;
  constexpr auto kLeast = static_cast<std::uint64_t>(1 - FormatOf<To>::kBias + 1023) << 52;
  constexpr auto kInfinite = std::uint64_t{0x7ff} << 52;
  const auto word = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t magnitude = word << 1 >> 1;
  if (magnitude - kLeast >= kInfinite - kLeast) return false;
  // Carries into the bits that are kept if the random ones are less than those that are dropped.
  const std::uint64_t raised = word + (kLast - (random >> (64 - kDropped)));
  store_element(to, convert_element<To>(std::bit_cast<double>(raised & ~kLast)));
  return true;
}

template <typename To>
void store_part(std::byte* to, double value, double rest, std::uint64_t random) noexcept {
  if constexpr (!std::is_same_v<To, double>) {
    if (rest == 0.0 && store_if_simple<To>(to, value, random)) return;
  }
  store_rounded<To>(to, value, rest, random);
}

/// Random words in the order of their numbers.
class Words {
 public:
  Words(std::uint64_t seed, std::uint64_t number) noexcept : seed_(seed), number_(number) {
    if (number % 2 != 0) pair_ = random_pair(seed, number / 2);
  }
  std::uint64_t next() noexcept {
    if (number_ % 2 == 0) pair_ = random_pair(seed_, number_ / 2);
    return pair_[number_++ % 2];
  }

 private:
  std::uint64_t seed_;
  std::uint64_t number_;
  std::array<std::uint64_t, 2> pair_{};
};

struct Part {
  double value = 0.0;
  double rest = 0.0;
};

Part part_of(const TripleSum& total) noexcept {
  const double value = total.value();
  if (!std::isfinite(value)) return {value, 0.0};
  TripleSum left = total;
  left.add(-value);
  return {value, left.value()};
}

/// The numbers with beta times the old ones.
template <bool kComplex>
std::array<Part, 2> number(const StochasticRun& run, std::int64_t i) noexcept {
  constexpr std::int64_t kParts = kComplex ? 2 : 1;
  std::array<Part, 2> parts;
  for (std::int64_t p = 0; p < kParts; ++p) {
    const std::int64_t at = i * kParts + p;
    parts[static_cast<std::size_t>(p)] = {run.values[at], run.rests != nullptr ? run.rests[at] : 0.0};
  }
  if (run.beta == 0.0) return parts;
  constexpr auto kSize = static_cast<std::int64_t>(sizeof(double));
  std::array<double, 2> old{};
  for (std::int64_t p = 0; p < kParts; ++p) {
    old[static_cast<std::size_t>(p)] = load_element<double>(run.old + (i * kParts + p) * kSize);
  }
  for (std::size_t p = 0; p < static_cast<std::size_t>(kParts); ++p) {
    TripleSum total;
    total.add(parts[p].value, parts[p].rest);
    total.multiply_add(run.beta.real(), old[p]);
    if (run.beta.imag() != 0.0) total.multiply_add(p == 0 ? -run.beta.imag() : run.beta.imag(), old[1 - p]);
    parts[p] = part_of(total);
  }
  return parts;
}

template <typename To, bool kFromComplex>
void round_run(const StochasticRun& run) noexcept {
  constexpr bool kToComplex = trntensor::detail::kIsComplex<To>;
  Words words(run.seed, kToComplex ? 2 * run.first : run.first);
  for (std::int64_t i = 0; i < run.count; ++i) {
    const std::array<Part, 2> parts = number<kFromComplex>(run, i);
    std::byte* const to = run.out + i * run.out_step;
    if constexpr (kToComplex) {
      using Real = typename To::value_type;
      store_part<Real>(to, parts[0].value, parts[0].rest, words.next());
      store_part<Real>(to + sizeof(Real), parts[1].value, parts[1].rest, words.next());
    } else {
      store_part<To>(to, parts[0].value, parts[0].rest, words.next());
    }
  }
}

}  // namespace

RoundStochastically stochastic_rounding(DType out, bool from_complex) {
  return visit_dtype(out, [&]<typename To>(std::type_identity<To>) -> RoundStochastically {
    if constexpr (std::is_integral_v<To>) {
      throw Error(ErrorKind::kInternal, "stochastic rounding to a type of whole numbers");
    } else {
      return from_complex ? &round_run<To, true> : &round_run<To, false>;
    }
  });
}

}  // namespace trntensor::host
