#include "trntensor/host/unary_move.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "trntensor/host/block_index.hpp"
#include "trntensor/host/integer_math.hpp"
#include "trntensor/host/parallel.hpp"
#include "trntensor/host/streaming.hpp"
#include "trntensor/host/workspace.hpp"

namespace trntensor::host {
namespace {

constexpr std::int64_t kLine = 64;
constexpr std::int64_t kBytesPerTask = std::int64_t{256} << 10;
constexpr std::int64_t kBytesWorthThreads = std::int64_t{512} << 10;
constexpr std::int64_t kTransposeRows = 128;     // a long way along the lines of out, and 128 x 128 elements in the
constexpr std::int64_t kTransposeColumns = 128;  // second-level cache
constexpr std::int64_t kPlaneBytes = 4096;       // of a row or column of runs: a page
constexpr std::int64_t kRunWorthStreaming = 256;
constexpr std::int64_t kStretch = 64;  // indices of the other loops whose places are found together

void copy_short(const std::byte* source, std::byte* target, std::int64_t bytes) {
  constexpr std::int64_t kPiece = 16;
  if (bytes < kPiece) {
    std::memcpy(target, source, static_cast<std::size_t>(bytes));
    return;
  }
  for (std::int64_t i = 0; i + kPiece <= bytes; i += kPiece) std::memcpy(target + i, source + i, kPiece);
  std::memcpy(target + bytes - kPiece, source + bytes - kPiece, kPiece);
}

template <std::size_t kItem>
void move_strided(const std::byte* source, std::int64_t source_step, std::byte* target, std::int64_t target_step,
                  std::int64_t count) {
  if (source_step == 0 && target_step == kItem) {  // one value all over: the compiler makes vectors of it
    std::array<std::byte, kItem> value;
    std::memcpy(value.data(), source, kItem);
    for (std::int64_t i = 0; i < count; ++i) std::memcpy(target + i * std::int64_t{kItem}, value.data(), kItem);
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) std::memcpy(target + i * target_step, source + i * source_step, kItem);
}

using MoveStrided = void (*)(const std::byte*, std::int64_t, std::byte*, std::int64_t, std::int64_t);
constexpr std::array<MoveStrided, 5> kMoveStrided = {&move_strided<1>, &move_strided<2>, &move_strided<4>,
                                                     &move_strided<8>, &move_strided<16>};

// Takes the loop with the smallest stride that is not 0, or one of extent 1 if there is none.
GroupAxis take_nearest(Group& group, OperandStride stride) {
  auto nearest = group.end();
  for (auto axis = group.begin(); axis != group.end(); ++axis) {
    if ((*axis).*stride == 0) continue;
    if (nearest == group.end() || std::abs((*axis).*stride) <= std::abs((*nearest).*stride)) nearest = axis;
  }
  if (nearest == group.end()) return {};
  const GroupAxis axis = *nearest;
  group.erase(nearest);
  return axis;
}

}  // namespace

UnaryMove::UnaryMove(const NestProblem& problem, const Origins& origins, const VectorTable& table)
    : table_(&table),
      item_(static_cast<std::int64_t>(size_of(problem.a.dtype))),
      origins_{origins.a * item_, 0, origins.out * item_} {
  const std::int64_t size = size_of(problem.kept);
  if (size == 0) {
    others_size_ = 0;
    return;
  }
  streams_ = is_worth_streaming_apart(size * item_);
  choose_loops(problem.kept);
  choose_blocks();
}

void UnaryMove::choose_loops(Group loops) {
  if (!loops.empty() && loops.back().a == 1 && loops.back().out == 1) {
    run_ = loops.back().extent;
    loops.pop_back();
    const bool fits_element = std::has_single_bit(static_cast<std::uint64_t>(run_)) && run_ * item_ <= 16;
    const bool divides = std::all_of(loops.begin(), loops.end(),
                                     [&](const GroupAxis& axis) { return axis.a % run_ == 0 && axis.out % run_ == 0; });
    if (fits_element && divides) {  // moved as one larger element
      for (GroupAxis& axis : loops) axis = {axis.extent, axis.a / run_, 0, axis.out / run_};
      item_ *= run_;
      run_ = 1;
    }
  }
  rows_ = take_nearest(loops, &GroupAxis::out);
  const bool is_near_both = std::all_of(loops.begin(), loops.end(), [&](const GroupAxis& axis) {
    return axis.a == 0 || std::abs(axis.a) >= std::abs(rows_.a);
  });
  if (!is_near_both || rows_.a == 0) columns_ = take_nearest(loops, &GroupAxis::a);
  others_ = loops;
  others_size_ = size_of(others_);
  transposes_ = run_ == 1 && rows_.out == 1 && columns_.a == 1 && columns_.extent > 1 && rows_.a != 0;
  const std::int64_t adjacent = run_ > 1 ? run_ : rows_.extent;
  streams_ = streams_ && (run_ > 1 || rows_.out == 1) && adjacent * item_ >= kRunWorthStreaming;
}

void UnaryMove::choose_blocks() {
  run_block_ = std::clamp<std::int64_t>(run_, 1, kBytesPerTask / item_);
  if (transposes_) {
    row_block_ = kTransposeRows;
    column_block_ = kTransposeColumns;
  } else {
    row_block_ = column_block_ = std::max<std::int64_t>(1, kPlaneBytes / (run_block_ * item_));
    if (columns_.extent == 1) row_block_ = std::max<std::int64_t>(1, kBytesPerTask / (run_block_ * item_));
  }
  row_block_ = std::clamp<std::int64_t>(rows_.extent, 1, row_block_);
  column_block_ = std::clamp<std::int64_t>(columns_.extent, 1, column_block_);
}

// Straight from registers to whole lines of memory if they lie so, else by way of a buffer.
void UnaryMove::transpose(const Block& block, bool lines) const {
  const std::size_t kind = size_log2(item_);
  const std::int64_t a_step = rows_.a * item_;
  const std::int64_t out_step = columns_.out * item_;
  if (!streams_) return table_->transpose[kind](block.a, a_step, block.out, out_step, block.rows, block.columns);
  if (lines) return table_->stream_transpose[kind](block.a, a_step, block.out, out_step, block.rows, block.columns);
  const std::int64_t bytes = block.rows * item_;
  const Workspace buffer(static_cast<std::size_t>(bytes * block.columns));
  table_->transpose[kind](block.a, a_step, buffer.data(), bytes, block.rows, block.columns);
  for (std::int64_t c = 0; c < block.columns; ++c) {
    table_->stream_run(buffer.data() + c * bytes, block.out + c * out_step, bytes);
  }
}

// One value for a whole row, from a page of it.
void UnaryMove::fill_row(const std::byte* value, std::byte* out, std::int64_t count) const {
  alignas(kLine) std::array<std::byte, 4096> page;
  const std::int64_t page_count = std::min<std::int64_t>(count, std::ssize(page) / item_);
  kMoveStrided[size_log2(item_)](value, 0, page.data(), item_, page_count);
  for (std::int64_t i = 0; i < count; i += page_count) {
    table_->stream_run(page.data(), out + i * item_, std::min(page_count, count - i) * item_);
  }
}

void UnaryMove::copy_runs(const Block& block) const {
  const std::int64_t bytes = block.run * item_;
  for (std::int64_t c = 0; c < block.columns; ++c) {
    const std::byte* a = block.a + c * columns_.a * item_;
    std::byte* out = block.out + c * columns_.out * item_;
    for (std::int64_t r = 0; r < block.rows; ++r, a += rows_.a * item_, out += rows_.out * item_) {
      if (streams_) {
        table_->stream_run(a, out, bytes);
      } else if (bytes <= 128) {
        copy_short(a, out, bytes);
      } else {
        std::memcpy(out, a, static_cast<std::size_t>(bytes));
      }
    }
  }
}

void UnaryMove::move(const Block& block, bool lines) const {
  if (transposes_) return transpose(block, lines);
  if (run_ > 1) return copy_runs(block);
  const MoveStrided move_row = kMoveStrided[size_log2(item_)];
  for (std::int64_t c = 0; c < block.columns; ++c) {
    const std::byte* const a = block.a + c * columns_.a * item_;
    std::byte* const out = block.out + c * columns_.out * item_;
    if (streams_ && rows_.a == 0) {
      fill_row(a, out, block.rows);
    } else {
      move_row(a, rows_.a * item_, out, rows_.out * item_, block.rows);
    }
  }
}

UnaryMove::Cut UnaryMove::cut_up(bool lines) const {
  Cut cut;
  cut.runs = ceil_div(run_, run_block_);
  cut.rows = ceil_div(rows_.extent, row_block_);
  cut.columns = ceil_div(columns_.extent, column_block_);
  cut.block_bytes = row_block_ * column_block_ * run_block_ * item_;
  cut.stretch = std::clamp<std::int64_t>(kBytesPerTask / cut.block_bytes, 1, kStretch);
  cut.stretches = ceil_div(others_size_, cut.stretch);
  cut.lines = lines;
  return cut;
}

void UnaryMove::run_task(std::int64_t index, const Cut& cut, const std::byte* a, std::byte* out) const {
  const auto take = [&](std::int64_t blocks, std::int64_t block) {
    const std::int64_t begin = index % blocks * block;
    index /= blocks;
    return begin;
  };
  const std::int64_t run = take(cut.runs, run_block_);
  const std::int64_t column = take(cut.columns, column_block_);
  const std::int64_t row = take(cut.rows, row_block_);
  const std::int64_t first = index * cut.stretch;
  std::array<std::int64_t, kStretch> a_offsets;
  std::array<std::int64_t, kStretch> out_offsets;
  const auto count = static_cast<std::size_t>(std::min(cut.stretch, others_size_ - first));
  fill_offsets(others_, &GroupAxis::a, first, {a_offsets.data(), count});
  fill_offsets(others_, &GroupAxis::out, first, {out_offsets.data(), count});
  Block block{nullptr, nullptr, std::min(row_block_, rows_.extent - row),
              std::min(column_block_, columns_.extent - column), std::min(run_block_, run_ - run)};
  for (std::size_t i = 0; i < count; ++i) {
    block.a = a + (a_offsets[i] + row * rows_.a + column * columns_.a + run) * item_;
    block.out = out + (out_offsets[i] + row * rows_.out + column * columns_.out + run) * item_;
    move(block, cut.lines);
  }
}

// True when every block of a transposed result begins with a line of memory and has whole lines beside each other.
bool UnaryMove::lies_in_lines(const std::byte* out) const {
  const auto in_lines = [&](std::int64_t stride) { return stride * item_ % kLine == 0; };
  return streams_ && table_->stream_transpose[0] != nullptr && reinterpret_cast<std::uintptr_t>(out) % kLine == 0 &&
         (rows_.extent <= row_block_ || in_lines(row_block_)) && in_lines(columns_.out) &&
         std::all_of(others_.begin(), others_.end(), [&](const GroupAxis& x) { return in_lines(x.out); });
}

void UnaryMove::run(const void* a, void* out, const RunContext& context) const {
  check_stop(context.stop);
  if (others_size_ == 0) return;
  const std::byte* const a_origin = static_cast<const std::byte*>(a) + origins_.a;
  std::byte* const out_origin = static_cast<std::byte*>(out) + origins_.out;
  const Cut pieces = cut_up(lies_in_lines(out_origin));
  const std::int64_t tasks = pieces.tasks();
  const bool parallel =
      context.num_threads > 1 && tasks > 1 && tasks * pieces.stretch * pieces.block_bytes >= kBytesWorthThreads;
  const auto task = [&](std::int64_t index) {
    check_stop(context.stop);
    run_task(index, pieces, a_origin, out_origin);
    if (streams_) vector_fence();
  };
  with_threads(parallel ? context.num_threads : 1, [&] { parallel_for(parallel, tasks, task); });
}

std::string UnaryMove::describe() const {
  if (transposes_) return fmt::format("transpose {}-byte elements", item_);
  if (run_ > 1) return fmt::format("copy runs of {} bytes", run_ * item_);
  return fmt::format("move {}-byte elements", item_);
}

}  // namespace trntensor::host
