// Compiled without contraction of a * b + c: the compensated functions rely on every rounding.
#include "trntensor/host/tile_combine.hpp"

#include <complex>

#include "trntensor/host/kernels/scaled.hpp"
#include "trntensor/host/kernels/two_sum.hpp"
#include "trntensor/tensor/convert_element.hpp"

namespace trntensor::host {
namespace {

/// `kSideBySide`: steps the compiler knows, so that it can use vectors.
template <typename T, bool kSideBySide>
void combine_run(const CombineArgs& args) {
  constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
  const T alpha = load_element<T>(args.alpha);
  const T beta = load_element<T>(args.beta);
  const std::int64_t out_step = kSideBySide ? kSize : args.out_step;
  const std::int64_t old_step = kSideBySide ? kSize : args.old_step;
  if (args.old == nullptr) {
    for (std::int64_t i = 0; i < args.count; ++i) {
      store_element(args.out + i * out_step, scaled(alpha, load_element<T>(args.sums + i * kSize)));
    }
    return;
  }
  for (std::int64_t i = 0; i < args.count; ++i) {
    const T value = scaled(alpha, load_element<T>(args.sums + i * kSize));
    store_element(args.out + i * out_step,
                  static_cast<T>(value + scaled(beta, load_element<T>(args.old + i * old_step))));
  }
}

template <typename T>
void combine(const CombineArgs& args) {
  constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
  if (args.out_step == kSize && (args.old == nullptr || args.old_step == kSize)) {
    combine_run<T, true>(args);
  } else {
    combine_run<T, false>(args);
  }
}

template <typename T>
void add_elements(std::byte* tile, const std::byte* other, std::int64_t count) {
  constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
  for (std::int64_t i = 0; i < count; ++i) {
    store_element(tile + i * kSize,
                  static_cast<T>(load_element<T>(tile + i * kSize) + load_element<T>(other + i * kSize)));
  }
}

/// Sum i of a run; `Sum` is CompensatedSum or TripleSum.
template <class Sum>
Sum load_sum(const CombineArgs& args, std::int64_t i) {
  constexpr auto kSize = static_cast<std::int64_t>(sizeof(double));
  return Sum::load(reinterpret_cast<const double*>(args.sums) + i, args.corrections_distance / kSize);
}

template <class Sum>
void combine_compensated(const CombineArgs& args) {
  const auto alpha = load_element<double>(args.alpha);
  const auto beta = load_element<double>(args.beta);
  for (std::int64_t i = 0; i < args.count; ++i) {
    Sum total;
    total.multiply_add(alpha, load_sum<Sum>(args, i));
    if (args.old != nullptr) total.multiply_add(beta, load_element<double>(args.old + i * args.old_step));
    store_element(args.out + i * args.out_step, total.value());
  }
}

template <class Sum>
void combine_compensated_complex(const CombineArgs& args) {
  const auto alpha = load_element<std::complex<double>>(args.alpha);
  const auto beta = load_element<std::complex<double>>(args.beta);
  for (std::int64_t i = 0; i < args.count; ++i) {
    Sum re;
    Sum im;
    multiply_add(re, im, alpha, load_sum<Sum>(args, 2 * i), load_sum<Sum>(args, 2 * i + 1));
    if (args.old != nullptr) {
      const auto old = load_element<std::complex<double>>(args.old + i * args.old_step);
      multiply_add(re, im, beta, old.real(), old.imag());
    }
    store_element(args.out + i * args.out_step, std::complex<double>(re.value(), im.value()));
  }
}

/// `kParts` numbers an element.
template <class Sum, int kParts>
void add_compensated(std::byte* tile, const std::byte* other, std::int64_t count) {
  const std::int64_t numbers = kParts * count;
  auto* sums = reinterpret_cast<double*>(tile);
  const auto* other_sums = reinterpret_cast<const double*>(other);
  for (std::int64_t i = 0; i < numbers; ++i) {
    Sum total = Sum::load(sums + i, numbers);
    total.add(Sum::load(other_sums + i, numbers));
    total.store(sums + i, numbers);
  }
}

template <class Sum>
TileArithmetic compensated_arithmetic(DType dtype) {
  if (dtype == DType::kFloat64) return {&combine_compensated<Sum>, &add_compensated<Sum, 1>};
  return {&combine_compensated_complex<Sum>, &add_compensated<Sum, 2>};
}

}  // namespace

TileArithmetic tile_arithmetic(DType dtype, int compensated) {
  if (compensated == 1) return compensated_arithmetic<CompensatedSum>(dtype);
  if (compensated == 2) return compensated_arithmetic<TripleSum>(dtype);
  switch (dtype) {
    case DType::kFloat32:
      return {&combine<float>, &add_elements<float>};
    case DType::kFloat64:
      return {&combine<double>, &add_elements<double>};
    case DType::kComplex64:
      return {&combine<std::complex<float>>, &add_elements<std::complex<float>>};
    case DType::kComplex128:
      return {&combine<std::complex<double>>, &add_elements<std::complex<double>>};
    case DType::kInt32:
      return {&combine<std::uint32_t>, &add_elements<std::uint32_t>};
    default:
      return {&combine<std::uint64_t>, &add_elements<std::uint64_t>};
  }
}

}  // namespace trntensor::host
