// How the tensors of a call lie in memory: what another call must have in common with it to run what was prepared for
// it.
#pragma once

#include <cstdint>
#include <span>

#include "trntensor/support/inline_vector.hpp"
#include "trntensor/tensor/tensor_view.hpp"

namespace trntensor::dispatch {

/// Element types, extents and strides of operands and result.
class CallLayout {
 public:
  CallLayout(std::span<const TensorView> operands, const MutableTensorView& out);

  /// True when there are as many tensors, all in host memory, with the same element types, extents and strides.
  [[nodiscard]] bool matches(std::span<const TensorView> operands, const MutableTensorView& out) const noexcept;

  /// True when the addresses that the result reaches lie apart from those of each operand; else they may still be
  /// interleaved without sharing one. The call must match.
  [[nodiscard]] bool are_apart(std::span<const TensorView> operands, const MutableTensorView& out) const noexcept;

 private:
  struct Memory {
    DType dtype = DType::kFloat64;
    std::uint32_t rank = 0;
    std::int64_t low = 0;   ///< bytes from the first element to the lowest one
    std::int64_t high = 0;  ///< to the end of the highest one
  };

  template <bool kMutable>
  void add(const BasicTensorView<kMutable>& tensor);

  InlineVector<Memory, 4> tensors_;      // operands, then the result
  InlineVector<std::int64_t, 16> dims_;  // of each tensor in turn: extents, then strides
};

}  // namespace trntensor::dispatch
