#include "trntensor/dispatch/call_key.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace trntensor::dispatch {

CallKey::CallKey(std::string_view subscripts, std::span<const TensorView> operands,
                 const EinsumOptions& options) noexcept {
  is_complete_ = !options.path && options.executor == nullptr;
  add(subscripts);
  add(operands.size());
  for (const TensorView& operand : operands) add(operand);
  add(options);
}

void CallKey::add(std::uint64_t word) noexcept {
  if (size_ == words_.size()) {
    is_complete_ = false;
    return;
  }
  words_[size_++] = word;
  // A bijective step for each word (the multiplier is odd), mixed downwards where the table takes its index from.
  hash_ = (std::rotl(hash_, 29) ^ word) * 0x9e3779b97f4a7c15U;
}

void CallKey::add(std::string_view text) noexcept {
  add(text.size());
  while (!text.empty()) {
    std::uint64_t word = 0;
    const std::size_t bytes = std::min(text.size(), sizeof(word));
    std::memcpy(&word, text.data(), bytes);
    add(word);
    text.remove_prefix(bytes);
    if (!is_complete_) return;
  }
}

template <bool kMutable>
void CallKey::add(const BasicTensorView<kMutable>& tensor) noexcept {
  is_complete_ &= tensor.device().type == DeviceType::kHost;
  const std::size_t rank = tensor.shape().size();
  add(static_cast<std::uint64_t>(tensor.dtype()) | std::uint64_t{rank} << 8);
  const std::int64_t* extents = tensor.shape().data();
  const std::int64_t* strides = tensor.strides().data();
  for (std::size_t d = 0; d < rank && is_complete_; ++d) {
    add(static_cast<std::uint64_t>(extents[d]));
    add(static_cast<std::uint64_t>(strides[d]));
  }
}

void CallKey::add(const EinsumOptions& options) noexcept {
  const auto byte = [](auto value, int place) { return static_cast<std::uint64_t>(value) << (8 * place); };
  add(byte(options.precision, 0) | byte(options.optimize, 1) | byte(options.dtype.has_value(), 2) |
      byte(options.dtype.value_or(DType::kBool), 3) | byte(options.memory_limit.has_value(), 4) |
      byte(options.out.has_value(), 5) | byte(options.target_forward_error.has_value(), 6));
  if (options.target_forward_error) add(std::bit_cast<std::uint64_t>(*options.target_forward_error));
  if (options.memory_limit) add(static_cast<std::uint64_t>(*options.memory_limit));
  if (options.out) add(options.out->mutable_view());
}

}  // namespace trntensor::dispatch
