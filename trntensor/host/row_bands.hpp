// Short rows of a result that leave past the caches, several in one run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "trntensor/host/kernels/vector_table.hpp"

namespace trntensor::host {

/// Two bands by turns: one is written by the kernels while the other, no longer in the store buffer, is copied out.
class RowBands {
 public:
  /// `memory`: two bands of `bytes` bytes; null: there are none.
  RowBands(std::byte* memory, std::int64_t bytes, StreamRun stream) noexcept
      : now_(memory), before_(memory == nullptr ? nullptr : memory + bytes), bytes_(bytes), stream_(stream) {}
  ~RowBands() { copy_out(); }
  RowBands(const RowBands&) = delete;
  RowBands& operator=(const RowBands&) = delete;

  /// The band to be written.
  [[nodiscard]] std::byte* now() const noexcept { return now_; }

  /// The band has been written, and belongs at `to`.
  void finish(std::byte* to) noexcept {
    copy_out();
    std::swap(now_, before_);
    to_ = to;
  }

 private:
  void copy_out() noexcept {
    if (to_ != nullptr) stream_(before_, to_, bytes_);
    to_ = nullptr;
  }

  std::byte* now_;
  std::byte* before_;
  std::byte* to_ = nullptr;  ///< of the band before
  std::int64_t bytes_;
  StreamRun stream_;
};

}  // namespace trntensor::host
