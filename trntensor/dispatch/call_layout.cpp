#include "trntensor/dispatch/call_layout.hpp"

#include <bit>

namespace trntensor::dispatch {
namespace {

/// Whether the extents and strides are those in `dims`. Two axes at a time: most tensors have two, and a loop with an
/// exit is not turned into vectors, for which ranks are too small. Inlined, since a call would cost as much as it does.
[[gnu::always_inline]] inline bool has_dims(const std::int64_t* extents, const std::int64_t* strides,
                                            const std::int64_t* dims, std::uint32_t rank) noexcept {
  const auto difference = [&](std::uint32_t d) { return (extents[d] ^ dims[d]) | (strides[d] ^ dims[rank + d]); };
  std::uint32_t d = 0;
  for (; d + 2 <= rank; d += 2) {
    if ((difference(d) | difference(d + 1)) != 0) return false;
  }
  return d == rank || difference(d) == 0;
}

template <bool kMutable>
[[gnu::always_inline]] inline bool is_like(const BasicTensorView<kMutable>& tensor, DType dtype, std::uint32_t rank,
                                           const std::int64_t* dims) noexcept {
  return tensor.dtype() == dtype && tensor.shape().size() == rank && tensor.device().type == DeviceType::kHost &&
         has_dims(tensor.shape().data(), tensor.strides().data(), dims, rank);
}

}  // namespace

CallLayout::CallLayout(std::span<const TensorView> operands, const MutableTensorView& out) {
  for (const TensorView& operand : operands) add(operand);
  add(out);
}

template <bool kMutable>
void CallLayout::add(const BasicTensorView<kMutable>& tensor) {
  Memory memory{tensor.dtype(), static_cast<std::uint32_t>(tensor.shape().size()), 0, 0};
  const auto item = static_cast<std::int64_t>(size_of(tensor.dtype()));
  for (const Dims* dims : {&tensor.shape(), &tensor.strides()}) {
    for (const std::int64_t dim : *dims) dims_.push_back(dim);
  }
  for (std::size_t d = 0; d < tensor.shape().size(); ++d) {
    const std::int64_t last = (tensor.shape()[d] - 1) * tensor.strides()[d] * item;
    if (tensor.shape()[d] > 1) (last < 0 ? memory.low : memory.high) += last;
  }
  memory.high += item;
  if (tensor.size() == 0) memory.low = memory.high = 0;
  tensors_.push_back(memory);
}

bool CallLayout::matches(std::span<const TensorView> operands, const MutableTensorView& out) const noexcept {
  if (operands.size() + 1 != tensors_.size()) return false;
  const std::int64_t* dims = dims_.data();
  const Memory* known = tensors_.data();
  for (const TensorView& operand : operands) {
    if (!is_like(operand, known->dtype, known->rank, dims)) return false;
    dims += 2 * std::size_t{known->rank};
    ++known;
  }
  return is_like(out, known->dtype, known->rank, dims);
}

bool CallLayout::are_apart(std::span<const TensorView> operands, const MutableTensorView& out) const noexcept {
  const auto address = [](const std::byte* pointer) {
    return static_cast<std::int64_t>(std::bit_cast<std::uintptr_t>(pointer));
  };
  const Memory& result = tensors_.back();
  const std::int64_t low = address(out.bytes()) + result.low;
  const std::int64_t high = address(out.bytes()) + result.high;
  const Memory* known = tensors_.data();
  for (const TensorView& operand : operands) {
    const std::int64_t first = address(operand.bytes());
    if (first + known->low < high && low < first + known->high) return false;
    ++known;
  }
  return true;
}

}  // namespace trntensor::dispatch
