#include "trntensor/host/conversion.hpp"

#include <algorithm>
#include <array>

#include "trntensor/host/kernels/table.hpp"
#include "trntensor/host/kernels/vector_table.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::host {
namespace {

bool same_bits(DType a, DType b) { return a == b || (is_integer(a) && is_integer(b) && size_of(a) == size_of(b)); }

/// Integers that lose only high bits that the last type does not have either.
bool is_detour(DType from, DType via, DType to) {
  return is_integer(from) && is_integer(via) && is_integer(to) && size_of(via) >= size_of(to);
}

constexpr std::int64_t kPiece = 128;

using ConvertAdjacent = decltype(HalfConversions::widen);

/// Null for all but the 16-bit floats.
ConvertAdjacent vector_conversion(DType from, DType to) {
  if (from != DType::kFloat32 && to != DType::kFloat32) return nullptr;
  const bool widens = to == DType::kFloat32;
  const DType half = widens ? from : to;
  if (half != DType::kBFloat16 && half != DType::kFloat16) return nullptr;
  const VectorTable& table = vector_table();
  const HalfConversions& conversions = half == DType::kBFloat16 ? table.bfloat16s : table.float16s;
  return widens ? conversions.widen : conversions.narrow;
}

}  // namespace

void Conversion::Stage::run(const std::byte* source, std::int64_t source_step, std::byte* target,
                            std::int64_t target_step, std::int64_t count) const noexcept {
  if (convert_adjacent != nullptr && source_step == source_size && target_step == target_size) {
    convert_adjacent(source, target, count);
  } else {
    convert(source, source_step, target, target_step, count);
  }
}

Conversion::Conversion(DType source) noexcept
    : current_(source),
      source_size_(static_cast<std::int64_t>(size_of(source))),
      target_size_(static_cast<std::int64_t>(size_of(source))) {}

void Conversion::then(DType next) {
  target_size_ = static_cast<std::int64_t>(size_of(next));
  if (!same_bits(current_, next)) {
    stages_.push_back({convert_run_function(current_, next), vector_conversion(current_, next),
                       static_cast<std::int64_t>(size_of(current_)), target_size_});
  }
  current_ = next;
}

Conversion Conversion::loading(const InputType& input, DType accumulator) {
  const DType target = kernel_dtype(accumulator);
  Conversion conversion(input.dtype);
  if (!is_detour(input.dtype, input.load_as, target)) conversion.then(input.load_as);
  if (accumulator == DType::kBool) conversion.then(DType::kBool);
  conversion.then(target);
  return conversion;
}

Conversion Conversion::storing(DType accumulator, DType out) {
  Conversion conversion(kernel_dtype(accumulator));
  conversion.then(accumulator);
  conversion.then(out);
  return conversion;
}

Conversion Conversion::through(DType from, DType via, DType to) {
  Conversion conversion(from);
  if (!is_detour(from, via, to)) conversion.then(via);
  conversion.then(to);
  return conversion;
}

void Conversion::run(const std::byte* source, std::int64_t source_step, std::byte* target, std::int64_t target_step,
                     std::int64_t count) const noexcept {
  TRNTENSOR_ASSERT(!is_identity());  // callers use such elements where they lie
  if (stages_.size() == 1) {
    stages_[0].run(source, source_step, target, target_step, count);
    return;
  }
  alignas(64) std::array<std::array<std::byte, kPiece * 16>, 2> buffers;
  for (std::int64_t done = 0; done < count; done += kPiece) {
    const std::int64_t piece = std::min(kPiece, count - done);
    const std::byte* from = source + done * source_step;
    std::int64_t step = source_step;
    for (std::size_t s = 0; s < stages_.size(); ++s) {
      const bool is_last = s + 1 == stages_.size();
      std::byte* to = is_last ? target + done * target_step : buffers[s].data();
      const std::int64_t to_step = is_last ? target_step : stages_[s].target_size;
      stages_[s].run(from, step, to, to_step, piece);
      from = to;
      step = to_step;
    }
  }
}

}  // namespace trntensor::host
