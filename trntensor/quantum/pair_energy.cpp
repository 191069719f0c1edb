#include "trntensor/quantum/pair_energy.hpp"

#include <algorithm>

// This file is compiled once per vector instruction set; the CPU's best is chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trntensor/quantum/pair_energy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace trntensor::quantum {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<double>;
using Vec = hn::Vec<Tag>;

// T_ba is read in tiles of this edge: a tile and its transpose stay in the first-level cache.
constexpr std::int64_t kTile = 32;

struct Sums {
  Vec opposite_spin;
  Vec same_spin;
};

HWY_INLINE Sums no_terms() { return {hn::Zero(Tag()), hn::Zero(Tag())}; }

HWY_INLINE double total(Vec lanes) { return hn::GetLane(hn::SumOfLanes(Tag(), lanes)); }

HWY_INLINE Vec load(const double* from) { return hn::LoadU(Tag(), from); }
HWY_INLINE Vec load(const float* from) { return hn::PromoteTo(Tag(), hn::LoadU(hn::Rebind<float, Tag>(), from)); }

/// The first `count` lanes from memory, zero in the others.
template <typename T>
HWY_INLINE Vec load_some(const T* from, std::size_t count) {
  HWY_ALIGN T lanes[hn::MaxLanes(Tag())] = {};
  for (std::size_t lane = 0; lane < count; ++lane) lanes[lane] = from[lane];
  return load(lanes);
}

HWY_INLINE void add(Sums& sums, Vec t_ab, Vec t_ba, Vec denominator) {
  const Vec inverse = hn::Div(hn::Set(Tag(), 1.0), denominator);
  const Vec difference = hn::Sub(t_ab, t_ba);
  const Vec squares = hn::MulAdd(t_ab, t_ab, hn::Mul(t_ba, t_ba));
  sums.opposite_spin = hn::MulAdd(squares, inverse, sums.opposite_spin);
  sums.same_spin = hn::MulAdd(hn::Mul(difference, difference), inverse, sums.same_spin);
}

/// Adds the terms of one row of a tile: T_ab in `row`, T_ba in `mirror`, D_ab = e_ij_a - eps.
template <typename T>
HWY_INLINE void add_row(const T* row, const double* mirror, double e_ij_a, const double* eps, std::size_t count,
                        Sums& sums) {
  const std::size_t lanes = hn::Lanes(Tag());
  const Vec energy = hn::Set(Tag(), e_ij_a);
  std::size_t y = 0;
  for (; y + lanes <= count; y += lanes) {
    add(sums, load(row + y), load(mirror + y), hn::Sub(energy, load(eps + y)));
  }
  if (y == count) return;
  // Lanes beyond the end hold T = 0; their denominator only has to differ from 0.
  const Vec in_range = hn::Sub(energy, load_some(eps + y, count - y));
  const Vec denominator = hn::IfThenElse(hn::FirstN(Tag(), count - y), in_range, hn::Set(Tag(), 1.0));
  add(sums, load_some(row + y, count - y), load_some(mirror + y, count - y), denominator);
}

/// tile[x * kTile + y] = T[b0 + y][a0 + x].
template <typename T>
HWY_INLINE void load_transposed(const PairBlock<T>& block, std::int64_t a0, std::int64_t a_count, std::int64_t b0,
                                std::int64_t b_count, double* tile) {
  for (std::int64_t y = 0; y < b_count; ++y) {
    const T* const row = block.data + (b0 + y) * block.row_stride + a0;
    for (std::int64_t x = 0; x < a_count; ++x) tile[x * kTile + y] = static_cast<double>(row[x]);
  }
}

template <typename T>
HWY_INLINE PairEnergy sum_block(const PairBlock<T>& block) {
  HWY_ALIGN double tile[kTile * kTile];
  Sums above = no_terms();  // tiles above the diagonal stand for their mirror images too
  Sums on = no_terms();     // tiles on the diagonal: every term is added twice
  for (std::int64_t a0 = 0; a0 < block.nvir; a0 += kTile) {
    const std::int64_t a_count = std::min(kTile, block.nvir - a0);
    for (std::int64_t b0 = a0; b0 < block.nvir; b0 += kTile) {
      const std::int64_t b_count = std::min(kTile, block.nvir - b0);
      load_transposed(block, a0, a_count, b0, b_count, tile);
      Sums sums = a0 == b0 ? on : above;
      for (std::int64_t x = 0; x < a_count; ++x) {
        add_row(block.data + (a0 + x) * block.row_stride + b0, tile + x * kTile, block.e_ij - block.eps_vir[a0 + x],
                block.eps_vir + b0, static_cast<std::size_t>(b_count), sums);
      }
      (a0 == b0 ? on : above) = sums;
    }
  }
  return {total(above.opposite_spin) + 0.5 * total(on.opposite_spin),
          total(above.same_spin) + 0.5 * total(on.same_spin)};
}

PairEnergy sum_block_f32(const PairBlock<float>& block) { return sum_block(block); }
PairEnergy sum_block_f64(const PairBlock<double>& block) { return sum_block(block); }

}  // namespace HWY_NAMESPACE
}  // namespace trntensor::quantum
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trntensor::quantum {

HWY_EXPORT(sum_block_f32);
HWY_EXPORT(sum_block_f64);

PairEnergy pair_energy(const PairBlock<float>& block) noexcept { return HWY_DYNAMIC_DISPATCH(sum_block_f32)(block); }

PairEnergy pair_energy(const PairBlock<double>& block) noexcept { return HWY_DYNAMIC_DISPATCH(sum_block_f64)(block); }

}  // namespace trntensor::quantum
#endif  // HWY_ONCE
