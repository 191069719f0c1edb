#include "trntensor/host/nest_transfer.hpp"

#include <algorithm>

#include "trntensor/host/integer_math.hpp"

namespace trntensor::host {
namespace {

constexpr std::int64_t kBlock = 64;  // 64 x 64 elements fill the scratch memory
constexpr std::int64_t kBytesWorthStreaming = 256;
constexpr std::int64_t kFewRows = 4;  // too few neighbours to walk along

struct Strip {
  std::int64_t length = 1;
  std::int64_t step = 1;
};

// The runs from `first` on whose beginnings lie evenly spaced.
Strip strip_at(std::span<const std::int64_t> offsets, std::size_t first) {
  if (first + 1 >= offsets.size()) return {};
  const std::int64_t step = offsets[first + 1] - offsets[first];
  std::size_t end = first + 2;
  while (end < offsets.size() && offsets[end] - offsets[end - 1] == step) ++end;
  return {static_cast<std::int64_t>(end - first), step};
}

}  // namespace

RunTransfer::RunTransfer(Conversion conversion, DType source, const VectorTable& table)
    : conversion_(std::move(conversion)),
      copy_(convert_run_function(source, source)),
      source_size_(conversion_.source_size()),
      target_size_(conversion_.target_size()),
      table_(&table) {}

void RunTransfer::convert(const std::byte* source, std::int64_t source_stride, std::byte* target,
                          std::int64_t target_stride, std::int64_t count) const noexcept {
  if (is_identity()) {
    copy_(source, source_stride * source_size_, target, target_stride * target_size_, count);
  } else {
    conversion_.run(source, source_stride * source_size_, target, target_stride * target_size_, count);
  }
}

void RunTransfer::load(const OperandRuns<const std::byte>& runs, std::byte* buffer, std::byte* scratch) const noexcept {
  const auto& [memory, offsets, stride, n] = runs;
  for (std::size_t r = 0; r < offsets.size();) {
    const Strip strip = stride == 1 && n > 1 ? Strip{} : strip_at(offsets, r);
    const std::byte* const first = memory + offsets[r] * source_size_;
    std::byte* const target = buffer + static_cast<std::int64_t>(r) * n * target_size_;
    if (n == 1) {
      convert(first, strip.step, target, 1, strip.length);
    } else if (strip.step == 1 && strip.length >= kFewRows && stride != 0) {
      load_across({first, strip.length, stride, n}, target, scratch);
    } else {
      for (std::int64_t i = 0; i < strip.length; ++i) {
        convert(first + i * strip.step * source_size_, stride, target + i * n * target_size_, 1, n);
      }
    }
    r += static_cast<std::size_t>(strip.length);
  }
}

void RunTransfer::load_across(const Neighbours<const std::byte>& runs, std::byte* buffer,
                              std::byte* scratch) const noexcept {
  const auto [memory, rows, stride, n] = runs;
  const Transpose transpose = table_->transpose[size_log2(target_size_)];
  const std::int64_t row_step = n * target_size_;
  for (std::int64_t r = 0; r < rows; r += kBlock) {
    const std::int64_t count = std::min(kBlock, rows - r);
    for (std::int64_t j = 0; j < n; j += kBlock) {
      const std::int64_t columns = std::min(kBlock, n - j);
      const std::byte* source = memory + (r + j * stride) * source_size_;
      std::int64_t step = stride * source_size_;
      if (!is_identity()) {
        for (std::int64_t i = 0; i < columns; ++i) {
          conversion_.run(source + i * step, source_size_, scratch + i * count * target_size_, target_size_, count);
        }
        source = scratch;
        step = count * target_size_;
      }
      transpose(source, step, buffer + r * row_step + j * target_size_, row_step, columns, count);
    }
  }
}

// Adjacent elements, past the caches.
void RunTransfer::stream_run(const std::byte* source, std::byte* target, std::int64_t count,
                             std::byte* scratch) const noexcept {
  if (is_identity()) return table_->stream_run(source, target, count * target_size_);
  const auto most = static_cast<std::int64_t>(kScratchBytes) / target_size_;
  for (std::int64_t i = 0; i < count; i += most) {
    const std::int64_t piece = std::min(most, count - i);
    conversion_.run(source + i * source_size_, source_size_, scratch, target_size_, piece);
    table_->stream_run(scratch, target + i * target_size_, piece * target_size_);
  }
}

void RunTransfer::store(const std::byte* buffer, std::int64_t buffer_step, const OperandRuns<std::byte>& runs,
                        bool stream, std::byte* scratch) const noexcept {
  const auto& [memory, offsets, stride, n] = runs;
  for (std::size_t r = 0; r < offsets.size();) {
    const Strip strip = stride == 1 && n > 1 ? Strip{} : strip_at(offsets, r);
    std::byte* const first = memory + offsets[r] * target_size_;
    const std::byte* const source = buffer + static_cast<std::int64_t>(r) * buffer_step;
    if (n == 1 && buffer_step == source_size_) {
      convert(source, 1, first, strip.step, strip.length);
    } else if (strip.step == 1 && strip.length >= kFewRows) {
      store_across(source, buffer_step, {first, strip.length, stride, n}, stream, scratch);
    } else {
      const bool stream_runs = stream && stride == 1 && n * target_size_ >= kBytesWorthStreaming;
      for (std::int64_t i = 0; i < strip.length; ++i) {
        if (stream_runs) {
          stream_run(source + i * buffer_step, first + i * strip.step * target_size_, n, scratch);
          continue;
        }
        convert(source + i * buffer_step, 1, first + i * strip.step * target_size_, stride, n);
      }
    }
    r += static_cast<std::size_t>(strip.length);
  }
}

void RunTransfer::store_across(const std::byte* buffer, std::int64_t buffer_step, const Neighbours<std::byte>& runs,
                               bool stream, std::byte* scratch) const noexcept {
  const auto [memory, rows, stride, n] = runs;
  const Transpose transpose = table_->transpose[size_log2(source_size_)];
  for (std::int64_t r = 0; r < rows; r += kBlock) {
    const std::int64_t count = std::min(kBlock, rows - r);
    for (std::int64_t j = 0; j < n; j += kBlock) {
      const std::int64_t columns = std::min(kBlock, n - j);
      const std::byte* const source = buffer + r * buffer_step + j * source_size_;
      std::byte* const target = memory + (r + j * stride) * target_size_;
      const std::int64_t step = stride * target_size_;
      const bool stream_runs = stream && is_identity() && count * target_size_ >= kBytesWorthStreaming;
      if (is_identity() && !stream_runs) {
        transpose(source, buffer_step, target, step, count, columns);
        continue;
      }
      transpose(source, buffer_step, scratch, count * source_size_, count, columns);
      for (std::int64_t i = 0; i < columns; ++i) {
        const std::byte* const values = scratch + i * count * source_size_;
        if (stream_runs) {
          table_->stream_run(values, target + i * step, count * target_size_);
        } else {
          conversion_.run(values, source_size_, target + i * step, target_size_, count);
        }
      }
    }
  }
}

}  // namespace trntensor::host
