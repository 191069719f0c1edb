#include "cli/bench/pair_terms.hpp"

#include <algorithm>

// Plain loops, compiled once for each vector instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cli/bench/pair_terms.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace trntensor::cli::bench::HWY_NAMESPACE {

/// Sums over whole rows of a tile, side by side so that compilers make vectors of them; elements beyond the matrix
/// are 0 over 1.
struct Lanes {
  double opposite[kPairTile] = {};
  double same[kPairTile] = {};
};

inline void add_row(const double* here, const double* mirror, const double* denominator, Lanes& sums) {
  for (std::int64_t y = 0; y < kPairTile; ++y) {
    const double inverse = 1.0 / denominator[y];
    const double difference = here[y] - mirror[y];
    sums.opposite[y] += (here[y] * here[y] + mirror[y] * mirror[y]) * inverse;
    sums.same[y] += difference * difference * inverse;
  }
}

template <typename T>
void add_tile(const PairT<T>& pair, std::int64_t a0, std::int64_t b0, Lanes& sums) {
  const std::int64_t rows = std::min(kPairTile, pair.nvir - a0);
  const std::int64_t columns = std::min(kPairTile, pair.nvir - b0);
  alignas(64) double mirror[kPairTile * kPairTile] = {};
  for (std::int64_t y = 0; y < columns; ++y) {
    const T* const row = pair.data + (b0 + y) * pair.row_stride + a0;
    for (std::int64_t x = 0; x < rows; ++x) mirror[x * kPairTile + y] = static_cast<double>(row[x]);
  }
  alignas(64) double here[kPairTile] = {};
  alignas(64) double denominator[kPairTile];
  std::fill_n(denominator, kPairTile, 1.0);
  for (std::int64_t x = 0; x < rows; ++x) {
    const T* const row = pair.data + (a0 + x) * pair.row_stride + b0;
    const double e = pair.e_ij - pair.eps_vir[a0 + x];
    for (std::int64_t y = 0; y < columns; ++y) here[y] = static_cast<double>(row[y]);
    for (std::int64_t y = 0; y < columns; ++y) denominator[y] = e - pair.eps_vir[b0 + y];
    add_row(here, mirror + x * kPairTile, denominator, sums);
  }
}

template <typename T>
PairTerms terms_of(const PairT<T>& pair, std::int64_t tile) {
  const std::int64_t a0 = tile * kPairTile;
  Lanes on;  // the tile on the diagonal has every term twice
  add_tile(pair, a0, a0, on);
  Lanes above;
  for (std::int64_t b0 = a0 + kPairTile; b0 < pair.nvir; b0 += kPairTile) add_tile(pair, a0, b0, above);
  PairTerms terms;
  for (std::int64_t y = 0; y < kPairTile; ++y) {
    terms.opposite_spin += above.opposite[y] + 0.5 * on.opposite[y];
    terms.same_spin += above.same[y] + 0.5 * on.same[y];
  }
  return terms;
}

PairTerms terms_f64(const PairT<double>& pair, std::int64_t tile) { return terms_of(pair, tile); }
PairTerms terms_f32(const PairT<float>& pair, std::int64_t tile) { return terms_of(pair, tile); }

}  // namespace trntensor::cli::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trntensor::cli::bench {
namespace {

HWY_EXPORT(terms_f64);
HWY_EXPORT(terms_f32);

}  // namespace

PairTerms pair_terms(const PairT<double>& pair, std::int64_t tile) {
  return HWY_DYNAMIC_DISPATCH(terms_f64)(pair, tile);
}
PairTerms pair_terms(const PairT<float>& pair, std::int64_t tile) {
  return HWY_DYNAMIC_DISPATCH(terms_f32)(pair, tile);
}

}  // namespace trntensor::cli::bench
#endif
