// Runs of elements between operands of any type and strides and the buffers that kernels work on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "trntensor/host/conversion.hpp"
#include "trntensor/host/kernels/vector_table.hpp"

namespace trntensor::host {

/// Runs of elements of an operand: run r has n of them, `stride` apart, and begins offsets[r] elements behind `memory`.
template <typename Byte>
struct OperandRuns {
  Byte* memory;
  std::span<const std::int64_t> offsets;
  std::int64_t stride;
  std::int64_t n;
};

/// Converts blocks of runs in one direction between an operand and a buffer, in which runs are contiguous. Where runs
/// step but their beginnings are neighbours, memory is walked along the neighbours and the block transposed in
/// registers.
class RunTransfer {
 public:
  /// Bytes of scratch memory that `load` and `store` need.
  static constexpr std::size_t kScratchBytes = std::size_t{4096} * 16;

  RunTransfer(Conversion conversion, DType source, const VectorTable& table);

  /// True when elements keep their bits.
  [[nodiscard]] bool is_identity() const noexcept { return conversion_.is_identity(); }

  [[nodiscard]] std::int64_t source_size() const noexcept { return source_size_; }  ///< bytes of an element
  [[nodiscard]] std::int64_t target_size() const noexcept { return target_size_; }  ///< bytes of an element

  /// buffer[r * n + j] = element j of run r.
  void load(const OperandRuns<const std::byte>& runs, std::byte* buffer, std::byte* scratch) const noexcept;

  /// Element j of run r = buffer[r][j], where run r of the buffer begins r * buffer_step bytes behind it.
  /// `stream`: past the caches where runs are long enough; a vector_fence must follow.
  void store(const std::byte* buffer, std::int64_t buffer_step, const OperandRuns<std::byte>& runs, bool stream,
             std::byte* scratch) const noexcept;

 private:
  /// `rows` runs whose beginnings are neighbours; the first is at `memory`.
  template <typename Byte>
  struct Neighbours {
    Byte* memory;
    std::int64_t rows;
    std::int64_t stride;
    std::int64_t n;
  };

  void convert(const std::byte* source, std::int64_t source_stride, std::byte* target, std::int64_t target_stride,
               std::int64_t count) const noexcept;
  void load_across(const Neighbours<const std::byte>& runs, std::byte* buffer, std::byte* scratch) const noexcept;
  void store_across(const std::byte* buffer, std::int64_t buffer_step, const Neighbours<std::byte>& runs, bool stream,
                    std::byte* scratch) const noexcept;
  void stream_run(const std::byte* source, std::byte* target, std::int64_t count, std::byte* scratch) const noexcept;

  Conversion conversion_;
  ConvertRun copy_;
  std::int64_t source_size_;
  std::int64_t target_size_;
  const VectorTable* table_;
};

}  // namespace trntensor::host
