// Chains of element conversions: from storage to panels, and from sums to the result.
#pragma once

#include "trntensor/host/classify.hpp"
#include "trntensor/tensor/convert.hpp"

namespace trntensor::host {

/// Converts runs of elements through one or more types; each step is what `convert_element` does.
class Conversion {
 public:
  /// Storage -> load_as -> type of the kernel for `accumulator`. For bool any element that is not 0 counts as 1.
  static Conversion loading(const InputType& input, DType accumulator);

  /// Type of the kernel -> accumulator (integers wrap, bool is "not 0") -> `out`.
  static Conversion storing(DType accumulator, DType out);

  /// `from` -> `via` -> `to`, without `via` where integers only lose bits that `to` does not have either.
  static Conversion through(DType from, DType via, DType to);

  /// True when an element keeps its bits.
  [[nodiscard]] bool is_identity() const noexcept { return stages_.empty(); }

  /// True when an element becomes another in one step.
  [[nodiscard]] bool is_one_step() const noexcept { return stages_.size() == 1; }

  [[nodiscard]] std::int64_t source_size() const noexcept { return source_size_; }  ///< bytes of an element
  [[nodiscard]] std::int64_t target_size() const noexcept { return target_size_; }  ///< bytes of an element

  /// Converts `count` elements; steps in bytes. The two may not overlap.
  void run(const std::byte* source, std::int64_t source_step, std::byte* target, std::int64_t target_step,
           std::int64_t count) const noexcept;

 private:
  explicit Conversion(DType source) noexcept;
  void then(DType next);

  struct Stage {
    ConvertRun convert = nullptr;
    void (*convert_adjacent)(const std::byte* source, std::byte* target, std::int64_t count) = nullptr;  ///< if faster
    std::int64_t source_size = 0;
    std::int64_t target_size = 0;

    void run(const std::byte* source, std::int64_t source_step, std::byte* target, std::int64_t target_step,
             std::int64_t count) const noexcept;
  };

  DType current_;
  std::int64_t source_size_;
  std::int64_t target_size_;
  InlineVector<Stage, 3> stages_;
};

}  // namespace trntensor::host
