#include "trntensor/host/tile_store.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trntensor/support/error.hpp"
#include "trntensor/tensor/convert_element.hpp"

namespace trntensor::host {
namespace {

/// Columns that the buffer of `finish_run` holds.
constexpr std::int64_t kLargestNR = 64;

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
      store_element(to, static_cast<float>(factor.real()));
      break;
    case DType::kFloat64:
      store_element(to, factor.real());
      break;
    case DType::kComplex64:
      store_element(to, std::complex<float>(factor));
      break;
    case DType::kComplex128:
      store_element(to, factor);
      break;
    case DType::kInt32:
      store_element(to, accumulator == DType::kBool ? std::uint32_t{factor != 0.0 ? 1U : 0U}
                                                    : static_cast<std::uint32_t>(to_wrapped_integer(factor.real())));
      break;
    default:
      store_element(to, to_wrapped_integer(factor.real()));
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
      arithmetic_(tile_arithmetic(kernel.dtype, kernel.compensated)),
      element_size_(static_cast<std::int64_t>(size_of(kernel.dtype))),
      tile_elements_(std::int64_t{kernel.functions.mr} * kernel.functions.nr),
      tile_bytes_(tile_elements_ * element_size_ * (1 + kernel.compensated)),
      nr_(kernel.functions.nr),
      compensated_(kernel.compensated),
      is_bool_(problem.accumulator == DType::kBool),
      out_holds_sums_(storing_.is_identity() && kernel.compensated == 0) {
  if (nr_ > kLargestNR) {
    throw Error(ErrorKind::kInternal, fmt::format("tiles of {} have {} columns, more than the {} that are stored",
                                                  kernel.name, nr_, kLargestNR));
  }
}

void TileStore::clamp(std::byte* tile) const {
  if (is_bool_) to_one_if_not_zero(tile, tile_elements_);
}

void TileStore::finish(std::byte* tile, const TileTarget& target, const KernelScale& scale, bool beta_is_one) const {
  clamp(tile);
  const std::byte* beta = beta_is_one ? scale.one.data() : scale.reads_out ? scale.beta.data() : nullptr;
  const std::int64_t out_size = storing_.target_size();
  const BlockIndex& columns = *target.columns;
  for (std::int64_t j = 0; j < target.column_count;) {
    const std::int64_t run = std::min(columns.run_length(target.first_column + j), target.column_count - j);
    const std::int64_t column = columns.offsets[target.first_column + j];
    for (std::int64_t i = 0; i < target.rows; ++i) {
      finish_run(tile + (i * nr_ + j) * element_size_, target.out + (target.row_offsets[i] + column) * out_size,
                 columns.inner_stride * out_size, run, scale, beta);
    }
    j += run;
  }
}

void TileStore::finish_run(std::byte* sums, std::byte* out, std::int64_t out_step, std::int64_t count,
                           const KernelScale& scale, const std::byte* beta) const {
  CombineArgs args;
  args.sums = sums;
  args.corrections_distance = compensated_ != 0 ? tile_elements_ * element_size_ : 0;
  args.count = count;
  args.alpha = scale.alpha.data();
  args.beta = beta != nullptr ? beta : scale.zero.data();
  if (storing_.is_identity()) {
    args.old = beta != nullptr ? out : nullptr;
    args.old_step = out_step;
    args.out = out;
    args.out_step = out_step;
    arithmetic_.combine(args);
    return;
  }
  if (compensated_ == 0 && !is_bool_ && beta == nullptr && scale.alpha == scale.one) {  // sums as they are
    storing_.run(sums, element_size_, out, out_step, count);
    return;
  }
  alignas(64) std::array<std::byte, kLargestNR * 16> old;
  if (beta != nullptr) {
    loading_.run(out, out_step, old.data(), element_size_, count);
    args.old = old.data();
    args.old_step = element_size_;
  }
  args.out = sums;
  args.out_step = element_size_;
  arithmetic_.combine(args);
  if (is_bool_) to_one_if_not_zero(sums, count);
  storing_.run(sums, element_size_, out, out_step, count);
}

}  // namespace trntensor::host
