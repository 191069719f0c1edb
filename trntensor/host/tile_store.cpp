#include "trntensor/host/tile_store.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace trntensor::host {

/// out[i] = alpha * sums[i] + beta * old[i]; steps in bytes; `old` may be out.
struct TileStore::Run {
  const std::byte* sums = nullptr;
  const std::byte* old = nullptr;  ///< null: there is none
  std::int64_t old_step = 0;
  std::byte* out = nullptr;
  std::int64_t out_step = 0;
  std::int64_t count = 0;
  const std::byte* alpha = nullptr;
  const std::byte* beta = nullptr;
};

namespace {

template <typename T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <typename T>
void store(const T& value, std::byte* to) {
  std::memcpy(to, &value, sizeof(T));
}

template <typename T>
T product(T factor, T value) {
  return factor * value;
}

/// A factor without imaginary part scales the parts apart: as a full product it would turn infinity into NaN.
template <typename Real>
std::complex<Real> product(std::complex<Real> factor, std::complex<Real> value) {
  if (factor.imag() == Real{0}) return {factor.real() * value.real(), factor.real() * value.imag()};
  return {factor.real() * value.real() - factor.imag() * value.imag(),
          factor.real() * value.imag() + factor.imag() * value.real()};
}

/// `kSideBySide`: steps the compiler knows, so that it can use vectors.
template <typename T, bool kSideBySide, typename Run>
void combine_run(const Run& run) {
  constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
  const T alpha = load<T>(run.alpha);
  const T beta = load<T>(run.beta);
  const std::int64_t out_step = kSideBySide ? kSize : run.out_step;
  const std::int64_t old_step = kSideBySide ? kSize : run.old_step;
  if (run.old == nullptr) {
    for (std::int64_t i = 0; i < run.count; ++i) {
      store(product(alpha, load<T>(run.sums + i * kSize)), run.out + i * out_step);
    }
    return;
  }
  for (std::int64_t i = 0; i < run.count; ++i) {
    const T value = product(alpha, load<T>(run.sums + i * kSize));
    store(static_cast<T>(value + product(beta, load<T>(run.old + i * old_step))), run.out + i * out_step);
  }
}

template <typename T, typename Run>
void combine(const Run& run) {
  constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
  if (run.out_step == kSize && (run.old == nullptr || run.old_step == kSize)) {
    combine_run<T, true>(run);
  } else {
    combine_run<T, false>(run);
  }
}

template <typename T>
void add_elements(std::byte* tile, const std::byte* other, std::int64_t count) {
  constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
  for (std::int64_t i = 0; i < count; ++i) {
    store(static_cast<T>(load<T>(tile + i * kSize) + load<T>(other + i * kSize)), tile + i * kSize);
  }
}

/// Sums and corrections, `count` numbers each: TwoSum (Knuth, TAOCP vol. 2, section 4.2.2), its error to the
/// corrections.
void add_compensated(std::byte* tile, const std::byte* other, std::int64_t count) {
  auto* sums = reinterpret_cast<double*>(tile);
  const auto* other_sums = reinterpret_cast<const double*>(other);
  for (std::int64_t i = 0; i < count; ++i) {
    const double total = sums[i] + other_sums[i];
    const double moved = total - sums[i];
    const double error = (sums[i] - (total - moved)) + (other_sums[i] - moved);
    sums[i] = total;
    sums[count + i] += other_sums[count + i] + error;
  }
}

void add_compensated_complex(std::byte* tile, const std::byte* other, std::int64_t count) {
  add_compensated(tile, other, 2 * count);
}

/// The value of a compensated sum. Of an infinite one the correction is NaN and says nothing.
void add_corrections(std::byte* tile, std::int64_t numbers) {
  auto* sums = reinterpret_cast<double*>(tile);
  for (std::int64_t i = 0; i < numbers; ++i) {
    if (std::isfinite(sums[i])) sums[i] += sums[numbers + i];
  }
}

void to_one_if_not_zero(std::byte* elements, std::int64_t count) {
  auto* counts = reinterpret_cast<std::int32_t*>(elements);
  for (std::int64_t i = 0; i < count; ++i) counts[i] = counts[i] != 0 ? 1 : 0;
}

std::uint64_t to_wrapped_integer(double factor) {
  return factor < 0 ? ~static_cast<std::uint64_t>(-factor) + 1 : static_cast<std::uint64_t>(factor);
}

void write_factor(std::complex<double> factor, DType accumulator, std::byte* to) {
  switch (kernel_dtype(accumulator)) {
    case DType::kFloat32:
      store(static_cast<float>(factor.real()), to);
      break;
    case DType::kFloat64:
      store(factor.real(), to);
      break;
    case DType::kComplex64:
      store(std::complex<float>(factor), to);
      break;
    case DType::kComplex128:
      store(factor, to);
      break;
    case DType::kInt32:
      store(accumulator == DType::kBool ? std::uint32_t{factor != 0.0 ? 1U : 0U}
                                        : static_cast<std::uint32_t>(to_wrapped_integer(factor.real())),
            to);
      break;
    default:
      store(to_wrapped_integer(factor.real()), to);
      break;
  }
}

}  // namespace

KernelScale to_kernel_scale(const Scale& scale, DType accumulator) {
  KernelScale result;
  write_factor(scale.alpha, accumulator, result.alpha.data());
  write_factor(scale.beta, accumulator, result.beta.data());
  write_factor(1.0, accumulator, result.one.data());
  result.reads_out = scale.beta != 0.0;
  return result;
}

TileStore::TileStore(const BinaryProblem& problem, const GemmKernel& kernel)
    : loading_(Conversion::loading({problem.out_dtype, problem.accumulator}, problem.accumulator)),
      storing_(Conversion::storing(problem.accumulator, problem.out_dtype)),
      element_size_(static_cast<std::int64_t>(size_of(kernel.dtype))),
      tile_elements_(std::int64_t{kernel.functions.mr} * kernel.functions.nr),
      tile_bytes_(tile_elements_ * element_size_ * (kernel.compensated ? 2 : 1)),
      nr_(kernel.functions.nr),
      compensated_(kernel.compensated),
      is_bool_(problem.accumulator == DType::kBool),
      out_holds_sums_(storing_.is_identity() && !kernel.compensated) {
  const auto use = [this]<typename T>(std::type_identity<T>) {
    combine_ = &combine<T, Run>;
    add_ = &add_elements<T>;
  };
  switch (kernel.dtype) {
    case DType::kFloat32:
      use(std::type_identity<float>{});
      break;
    case DType::kFloat64:
      use(std::type_identity<double>{});
      break;
    case DType::kComplex64:
      use(std::type_identity<std::complex<float>>{});
      break;
    case DType::kComplex128:
      use(std::type_identity<std::complex<double>>{});
      break;
    case DType::kInt32:
      use(std::type_identity<std::uint32_t>{});
      break;
    default:
      use(std::type_identity<std::uint64_t>{});
      break;
  }
  if (compensated_) add_ = kernel.dtype == DType::kFloat64 ? &add_compensated : &add_compensated_complex;
}

void TileStore::clamp(std::byte* tile) const {
  if (is_bool_) to_one_if_not_zero(tile, tile_elements_);
}

void TileStore::finish(std::byte* tile, const TileTarget& target, const KernelScale& scale, bool beta_is_one) const {
  if (compensated_) add_corrections(tile, tile_elements_ * element_size_ / static_cast<std::int64_t>(sizeof(double)));
  clamp(tile);
  const std::byte* beta = beta_is_one ? scale.one.data() : scale.reads_out ? scale.beta.data() : nullptr;
  const std::int64_t out_size = storing_.target_size();
  const BlockIndex& columns = *target.columns;
  for (std::int64_t i = 0; i < target.rows; ++i) {
    for (std::int64_t j = 0; j < target.column_count;) {
      const std::int64_t run = std::min(columns.run_length(target.first_column + j), target.column_count - j);
      std::byte* out = target.out + (target.row_offsets[i] + columns.offsets[target.first_column + j]) * out_size;
      finish_run(tile + (i * nr_ + j) * element_size_, out, columns.inner_stride * out_size, run, scale, beta);
      j += run;
    }
  }
}

void TileStore::finish_run(std::byte* sums, std::byte* out, std::int64_t out_step, std::int64_t count,
                           const KernelScale& scale, const std::byte* beta) const {
  Run run{sums, nullptr, 0, out, out_step, count, scale.alpha.data(), beta != nullptr ? beta : scale.zero.data()};
  if (storing_.is_identity()) {
    if (beta != nullptr) run.old = out;
    run.old_step = out_step;
    combine_(run);
    return;
  }
  constexpr std::int64_t kLargestTileRow = 64;
  alignas(64) std::array<std::byte, kLargestTileRow * 16> old;
  if (beta != nullptr) {
    loading_.run(out, out_step, old.data(), element_size_, count);
    run.old = old.data();
    run.old_step = element_size_;
  }
  run.out = sums;
  run.out_step = element_size_;
  combine_(run);
  if (is_bool_) to_one_if_not_zero(sums, count);
  storing_.run(sums, element_size_, out, out_step, count);
}

}  // namespace trntensor::host
