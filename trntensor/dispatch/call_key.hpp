// All that decides what a call of einsum runs, as words that are quick to compare.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "trntensor/dispatch/options.hpp"

namespace trntensor::dispatch {

/// The subscripts, the element types, extents and strides of the operands and of `out`, and the options that plans
/// depend on. Built without an allocation. Data, alpha, beta, the seed, threads and the stop token do not belong to it.
class CallKey {
 public:
  CallKey(std::string_view subscripts, std::span<const TensorView> operands, const EinsumOptions& options) noexcept;

  /// False for calls that have no key: those with a path or an executor of their own, with operands that are not in
  /// host memory, and very long ones.
  [[nodiscard]] bool is_complete() const noexcept { return is_complete_; }

  [[nodiscard]] std::uint64_t hash() const noexcept { return hash_; }
  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept { return {words_.data(), size_}; }

 private:
  void add(std::uint64_t word) noexcept;
  void add(std::string_view text) noexcept;
  template <bool kMutable>
  void add(const BasicTensorView<kMutable>& tensor) noexcept;
  void add(const EinsumOptions& options) noexcept;

  std::array<std::uint64_t, 96> words_;
  std::size_t size_ = 0;
  std::uint64_t hash_ = 0;
  bool is_complete_ = true;
};

}  // namespace trntensor::dispatch
