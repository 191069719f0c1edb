// What kernels of the route "small" have in common: rests of vectors, and the walk over blocks. Compiled once per
// instruction set.
#if defined(TRNTENSOR_HOST_KERNELS_SMALL_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TRNTENSOR_HOST_KERNELS_SMALL_INL_HPP
#undef TRNTENSOR_HOST_KERNELS_SMALL_INL_HPP
#else
#define TRNTENSOR_HOST_KERNELS_SMALL_INL_HPP
#endif

#include <algorithm>
#include <utility>

#include "hwy/highway.h"
#include "trntensor/host/kernels/first_lanes-inl.hpp"
#include "trntensor/host/kernels/small.hpp"
#include "trntensor/host/kernels/small_export.hpp"

#if TRNTENSOR_HOST_HAS_SIMD
HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The value that changes no sum.
template <typename T>
constexpr T nothing() {
  if constexpr (hwy::IsFloat<T>()) {
    return -T{0};
  } else {
    return T{0};
  }
}

/// Sums of a block that are to be scaled.
template <typename T>
struct Tile {
  const T* sums;     ///< aligned for vectors
  std::int64_t row;  ///< numbers from one row to the next, a multiple of a vector's
  std::int64_t rows;
  std::int64_t columns;  ///< numbers of a row
};

/// The functions of all block sizes. `Block` gives T, kParts (numbers of T in an element) and the function
/// run<rows, vectors>, which computes `columns` columns of the rows of a block.
template <class Block, class Limits>
struct SmallBlocks {
  using T = typename Block::T;
  using Limit = Limits;
  using Run = void (*)(const SmallShape& shape, const SmallData& data, const T* a, const T* b, T* out,
                       std::int64_t columns);
  static constexpr std::int64_t kParts = Block::kParts;
  /// Elements of a vector.
  static constexpr std::int64_t kLanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<T>())) / kParts;

  template <typename Indices>
  struct Table;
  template <int... kPlace>
  struct Table<std::integer_sequence<int, kPlace...>> {
    static constexpr Run kRuns[] = {&Block::template run<Limits::rows_of(kPlace), Limits::vectors_of(kPlace)>...};
  };
  static constexpr const Run* kTable = Table<std::make_integer_sequence<int, Limits::kCount>>::kRuns;
};

/// Runs through the blocks of one product.
template <class Blocks, typename T>
void run_blocks(const SmallShape& shape, const SmallData& data, const T* a, const T* b, T* out) {
  constexpr std::int64_t kParts = Blocks::kParts;
  const auto run_block = [&](std::int64_t row, std::int64_t column) {
    const std::int64_t rows = std::min(shape.block_rows, shape.m - row);
    const std::int64_t columns = std::min(shape.block_columns, shape.n - column);
    const std::int64_t vectors = (columns + Blocks::kLanes - 1) / Blocks::kLanes;
    Blocks::kTable[Blocks::Limit::place_of(rows, vectors)](shape, data, a + kParts * row * shape.a_row,
                                                           b + kParts * column,
                                                           out + kParts * (row * shape.out_row + column), columns);
  };
  if (shape.goes_along_rows) {
    for (std::int64_t row = 0; row < shape.m; row += shape.block_rows) {
      for (std::int64_t column = 0; column < shape.n; column += shape.block_columns) run_block(row, column);
    }
    return;
  }
  for (std::int64_t column = 0; column < shape.n; column += shape.block_columns) {
    for (std::int64_t row = 0; row < shape.m; row += shape.block_rows) run_block(row, column);
  }
}

/// The most rows of a block of 1, 2 and 3 vectors; 0: no block is so wide.
template <int kRows1, int kRows2, int kRows3>
struct Limits {
  static constexpr int kRows[] = {kRows1, kRows2, kRows3};
  static constexpr int kVectors = kRows2 == 0 ? 1 : kRows3 == 0 ? 2 : 3;
  /// Functions of a table, the rows of a width side by side.
  static constexpr int kCount = kVectors * kRows1;
  static constexpr int vectors_of(int place) { return place / kRows1 + 1; }
  /// Places beyond a limit repeat the largest block.
  static constexpr int rows_of(int place) {
    return place % kRows1 + 1 < kRows[place / kRows1] ? place % kRows1 + 1 : kRows[place / kRows1];
  }
  static constexpr std::int64_t place_of(std::int64_t rows, std::int64_t vectors) {
    return (vectors - 1) * kRows1 + rows - 1;
  }
};

/// Runs through all products.
template <class Blocks>
void run_small(const SmallShape& shape, const SmallData& data) {
  using T = typename Blocks::T;
  const T* a = static_cast<const T*>(data.a);
  const T* b = static_cast<const T*>(data.b);
  T* out = static_cast<T*>(data.out);
  const typename Blocks::Run whole = shape.only_block >= 0 ? Blocks::kTable[shape.only_block] : nullptr;
  for (std::int64_t item = data.items;;) {
    if (whole != nullptr) {
      whole(shape, data, a, b, out, shape.n);
    } else {
      run_blocks<Blocks>(shape, data, a, b, out);
    }
    if (--item == 0) return;
    a += Blocks::kParts * shape.a_item;
    b += Blocks::kParts * shape.b_item;
    out += Blocks::kParts * shape.out_item;
  }
}

template <class Block, class Limits>
SmallKernel small_kernel() {
  using Blocks = SmallBlocks<Block, Limits>;
  return {&run_small<Blocks>, Blocks::kLanes, {Limits::kRows[0], Limits::kRows[1], Limits::kRows[2]}, {}};
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // TRNTENSOR_HOST_HAS_SIMD

#endif  // per-target include guard
