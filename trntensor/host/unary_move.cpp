#include "trntensor/host/unary_move.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>

#include "trntensor/host/block_index.hpp"
#include "trntensor/host/parallel.hpp"
#include "trntensor/tensor/convert.hpp"

namespace trntensor::host {
namespace {

constexpr std::int64_t kBytesPerTask = std::int64_t{256} << 10;
constexpr std::int64_t kBytesWorthThreads = std::int64_t{512} << 10;
constexpr std::int64_t kBlockRows = 256;    // a long way along the lines of out
constexpr std::int64_t kBlockColumns = 64;  // so many pages of out are written at a time
constexpr std::int64_t kStretch = 64;       // indices of the other loops whose places are found together

void copy_short(const std::byte* source, std::byte* target, std::int64_t bytes) {
  constexpr std::int64_t kPiece = 16;
  if (bytes < kPiece) {
    std::memcpy(target, source, static_cast<std::size_t>(bytes));
    return;
  }
  for (std::int64_t i = 0; i + kPiece <= bytes; i += kPiece) std::memcpy(target + i, source + i, kPiece);
  std::memcpy(target + bytes - kPiece, source + bytes - kPiece, kPiece);
}

void copy_run(const std::byte* source, std::byte* target, std::int64_t bytes) {
  if (bytes <= 128) return copy_short(source, target, bytes);
  std::memcpy(target, source, static_cast<std::size_t>(bytes));
}

template <std::size_t kItem>
void move_strided(const std::byte* source, std::int64_t source_step, std::byte* target, std::int64_t target_step,
                  std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) std::memcpy(target + i * target_step, source + i * source_step, kItem);
}

using MoveStrided = void (*)(const std::byte*, std::int64_t, std::byte*, std::int64_t, std::int64_t);
constexpr std::array<MoveStrided, 5> kMoveStrided = {&move_strided<1>, &move_strided<2>, &move_strided<4>,
                                                     &move_strided<8>, &move_strided<16>};

std::size_t size_log2(std::int64_t size) {
  return static_cast<std::size_t>(std::countr_zero(static_cast<std::uint64_t>(size)));
}

}  // namespace

UnaryMove::UnaryMove(const NestProblem& problem, const Origins& origins, const VectorTable& table)
    : item_(static_cast<std::int64_t>(size_of(problem.a.dtype))),
      origins_{origins.a * item_, 0, origins.out * item_},
      transposes_(table.transpose),
      others_(problem.kept) {
  widen_elements();
  choose_way();
}

// A run that is itself as large as an element of another type is moved as one.
void UnaryMove::widen_elements() {
  if (others_.empty() || others_.back().a != 1 || others_.back().out != 1) return;
  const std::int64_t factor = others_.back().extent;
  const bool is_power = std::has_single_bit(static_cast<std::uint64_t>(factor));
  if (!is_power || factor * item_ > 16) return;
  Group wider;
  for (std::size_t i = 0; i + 1 < others_.size(); ++i) {
    const GroupAxis& axis = others_[i];
    if (axis.a % factor != 0 || axis.out % factor != 0) return;
    wider.push_back({axis.extent, axis.a / factor, 0, axis.out / factor});
  }
  others_ = wider;
  item_ *= factor;
}

void UnaryMove::choose_way() {
  if (!others_.empty()) {
    rows_ = others_.back();
    others_.pop_back();
  } else {
    rows_ = {1, 1, 0, 1};
  }
  if (rows_.out == 1 && rows_.a == 1) {
    others_size_ = size_of(others_);
    return;
  }
  const auto nearest = std::min_element(others_.begin(), others_.end(), [](const GroupAxis& x, const GroupAxis& y) {
    return x.a != 0 && (y.a == 0 || std::abs(x.a) < std::abs(y.a));
  });
  if (nearest != others_.end()) {
    columns_ = *nearest;
    others_.erase(nearest);
  }
  way_ = rows_.out == 1 && columns_.a == 1 && rows_.a != 0 ? Way::kTranspose : Way::kStrided;
  others_size_ = size_of(others_);
}

void UnaryMove::move_block(const Place& place, std::int64_t row, std::int64_t rows, std::int64_t column,
                           std::int64_t columns) const {
  const std::byte* const a = place.a + (row * rows_.a + column * columns_.a) * item_;
  std::byte* const out = place.out + (row * rows_.out + column * columns_.out) * item_;
  switch (way_) {
    case Way::kRuns:
      copy_run(a, out, rows * item_);
      return;
    case Way::kTranspose:
      transposes_[size_log2(item_)](a, rows_.a * item_, out, columns_.out * item_, rows, columns);
      return;
    case Way::kStrided:
      for (std::int64_t c = 0; c < columns; ++c) {
        kMoveStrided[size_log2(item_)](a + c * columns_.a * item_, rows_.a * item_, out + c * columns_.out * item_,
                                       rows_.out * item_, rows);
      }
      return;
  }
}

void UnaryMove::run(const void* a, void* out, const RunContext& context) const {
  check_stop(context.stop);
  const std::int64_t plane = rows_.extent * columns_.extent;
  if (plane == 0 || others_size_ == 0) return;
  const Place origin{static_cast<const std::byte*>(a) + origins_.a, static_cast<std::byte*>(out) + origins_.out};
  const std::int64_t row_block = way_ == Way::kRuns ? std::max<std::int64_t>(1, kBytesPerTask / item_) : kBlockRows;
  const std::int64_t row_blocks = (rows_.extent + row_block - 1) / row_block;
  const std::int64_t column_blocks = (columns_.extent + kBlockColumns - 1) / kBlockColumns;
  const std::int64_t block_bytes = std::min(row_block, rows_.extent) * std::min(kBlockColumns, columns_.extent) * item_;
  const std::int64_t stretch = std::clamp<std::int64_t>(kBytesPerTask / block_bytes, 1, kStretch);
  const std::int64_t stretches = (others_size_ + stretch - 1) / stretch;
  const auto task = [&](std::int64_t index) {
    check_stop(context.stop);
    const std::int64_t row = index % row_blocks * row_block;
    const std::int64_t column = index / row_blocks % column_blocks * kBlockColumns;
    const std::int64_t first = index / (row_blocks * column_blocks) * stretch;
    std::array<std::int64_t, kStretch> a_offsets;
    std::array<std::int64_t, kStretch> out_offsets;
    const auto count = static_cast<std::size_t>(std::min(stretch, others_size_ - first));
    fill_offsets(others_, &GroupAxis::a, first, {a_offsets.data(), count});
    fill_offsets(others_, &GroupAxis::out, first, {out_offsets.data(), count});
    for (std::size_t i = 0; i < count; ++i) {
      move_block({origin.a + a_offsets[i] * item_, origin.out + out_offsets[i] * item_}, row,
                 std::min(row_block, rows_.extent - row), column, std::min(kBlockColumns, columns_.extent - column));
    }
  };
  const std::int64_t tasks = row_blocks * column_blocks * stretches;
  const bool parallel = context.num_threads > 1 && tasks > 1 && tasks * stretch * block_bytes >= kBytesWorthThreads;
  with_threads(parallel ? context.num_threads : 1, [&] { parallel_for(parallel, tasks, task); });
}

std::string UnaryMove::describe() const {
  switch (way_) {
    case Way::kRuns:
      return fmt::format("copy runs of {} bytes", rows_.extent * item_);
    case Way::kTranspose:
      return fmt::format("transpose {}-byte elements", item_);
    case Way::kStrided:
      break;
  }
  return fmt::format("move {}-byte elements", item_);
}

}  // namespace trntensor::host
