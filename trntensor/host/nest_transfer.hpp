// Runs of elements between operands of any type and strides and the buffers that kernels work on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "trntensor/host/conversion.hpp"
#include "trntensor/host/kernels/vector_table.hpp"

namespace trntensor::host {

/// Converts blocks of runs in one direction. Run r begins `offsets[r]` elements behind a base and goes on in steps of
/// `stride` elements; in the buffer runs are contiguous. Where runs step but their beginnings are neighbours, memory
/// is walked along the neighbours and the block transposed in registers.
class RunTransfer {
 public:
  /// Bytes of scratch memory that `load` and `store` need.
  static constexpr std::size_t kScratchBytes = std::size_t{4096} * 16;

  RunTransfer(Conversion conversion, DType source, const VectorTable& table);

  /// True when elements keep their bits.
  [[nodiscard]] bool is_identity() const noexcept { return conversion_.is_identity(); }

  [[nodiscard]] std::int64_t source_size() const noexcept { return source_size_; }  ///< bytes of an element
  [[nodiscard]] std::int64_t target_size() const noexcept { return target_size_; }  ///< bytes of an element

  /// buffer[r * n + j] = memory[offsets[r] + j * stride].
  void load(const std::byte* memory, std::span<const std::int64_t> offsets, std::int64_t stride, std::int64_t n,
            std::byte* buffer, std::byte* scratch) const noexcept;

  /// memory[offsets[r] + j * stride] = buffer[r][j], where run r of the buffer begins r * buffer_step bytes behind it.
  /// `stream`: past the caches where runs are long enough; a vector_fence must follow.
  void store(const std::byte* buffer, std::int64_t buffer_step, std::byte* memory,
             std::span<const std::int64_t> offsets, std::int64_t stride, std::int64_t n, bool stream,
             std::byte* scratch) const noexcept;

 private:
  void convert(const std::byte* source, std::int64_t source_stride, std::byte* target, std::int64_t target_stride,
               std::int64_t count) const noexcept;
  void load_across(const std::byte* memory, std::int64_t stride, std::int64_t rows, std::int64_t n, std::byte* buffer,
                   std::byte* scratch) const noexcept;
  void store_across(const std::byte* buffer, std::int64_t buffer_step, std::byte* memory, std::int64_t stride,
                    std::int64_t rows, std::int64_t n, bool stream, std::byte* scratch) const noexcept;
  void stream_run(const std::byte* source, std::byte* target, std::int64_t count, std::byte* scratch) const noexcept;

  Conversion conversion_;
  ConvertRun copy_;
  std::int64_t source_size_;
  std::int64_t target_size_;
  const VectorTable* table_;
};

}  // namespace trntensor::host
