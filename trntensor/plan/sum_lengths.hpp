// How long executors let a sum of products run before it is cut: what they keep to, and error bounds count on.
#pragma once

#include <algorithm>
#include <cstdint>

namespace trntensor::plan {

/// Packed products: blocks of at most `kc` terms, whatever the caches ask for between these two, then block after
/// block.
inline constexpr std::int64_t kLeastKc = 128;
inline constexpr std::int64_t kMostKc = 512;

/// Terms of a slice at least, where a long sum is cut into one for each thread.
inline constexpr std::int64_t kStepsOfSlice = 256;

/// Products that are not packed: parts of as many terms at most, and of at least half as many where there are several.
inline constexpr std::int64_t kMostUncutTerms = 256;

/// Runs of elements: a leaf of a sum, whose leaves are added in pairs, holds one of these at most, one after another.
inline constexpr std::int64_t kRowsPerLeaf = 64;
inline constexpr std::int64_t kShortRowsPerLeaf = 512;  ///< rows that follow each other, spread over a vector's lanes
inline constexpr std::int64_t kTermsPerLeaf = 1024;     ///< of runs, spread over the lanes of two vectors at least
inline constexpr std::int64_t kRunsPerLeaf = 64;

/// Roundings that a term of a leaf goes through at most, for elements of `item` bytes in vectors of `vector` bytes:
/// those of its lane, of the tree over the lanes (8 are enough for any vector), and of the runs that follow. Products
/// of complex numbers are two multiply-adds across rows; along runs their parts are summed apart.
constexpr double leaf_roundings(double item, double vector, bool is_complex) {
  constexpr double kTree = 8;
  const double across = static_cast<double>(kRowsPerLeaf) * (is_complex ? 2 : 1);
  const double short_rows = static_cast<double>(kShortRowsPerLeaf) * item / vector + kTree;
  const double along =
      static_cast<double>(kTermsPerLeaf) * item / (2 * vector) + kTree + static_cast<double>(kRunsPerLeaf);
  return std::max({across, short_rows, along});
}

}  // namespace trntensor::plan
