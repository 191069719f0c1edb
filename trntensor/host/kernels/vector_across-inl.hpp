// Kernels that keep n sums side by side and add whole rows to them. Compiled once per instruction set.
#if defined(TRNTENSOR_HOST_VECTOR_ACROSS_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TRNTENSOR_HOST_VECTOR_ACROSS_INL_HPP_
#undef TRNTENSOR_HOST_VECTOR_ACROSS_INL_HPP_
#else
#define TRNTENSOR_HOST_VECTOR_ACROSS_INL_HPP_
#endif

#include <algorithm>
#include <type_traits>

#include "trntensor/host/kernels/vector_sums-inl.hpp"
#include "trntensor/host/kernels/vector_table.hpp"

HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {

// Complex numbers lie as (re, im) pairs, so a run of n of them is a run of 2n reals to load, store and add.
template <typename T>
HWY_INLINE const T* row(const Rows& rows, std::int64_t r, std::int64_t parts) {
  return static_cast<const T*>(rows.base) + parts * rows.offsets[r];
}

// A factor by which elements are multiplied: real numbers as they are; complex ones as the pair of vectors with
// v * w = v * re + swap(v) * im, where im = (-im, +im).
template <class Sums, bool kComplex>
struct Factor {
  using D = typename Sums::D;
  using V = typename Sums::V;
  using T = typename Sums::Scalar;

  V re;
  V im;

  HWY_INLINE void set(const T* w) {
    re = hn::Set(D(), w[0]);
    if constexpr (kComplex) im = negate_even(hn::Set(D(), w[1]));
  }
  HWY_INLINE void from(V w) {
    if constexpr (kComplex) {
      re = hn::DupEven(w);
      im = negate_even(hn::DupOdd(w));
    } else {
      re = w;
    }
  }
  HWY_INLINE void multiply_add(V v, Sums& sums) const {
    sums.multiply_add(v, re);
    if constexpr (kComplex) sums.multiply_add(hn::Reverse2(D(), v), im);
  }

 private:
  static HWY_INLINE V negate_even(V v) { return hn::OddEven(v, hn::Neg(v)); }
};

// Terms of kRows rows at one place of the row. The number of rows is known to the compiler so that their pointers
// stay in registers.
template <class Sums, bool kComplex, int kRows>
struct AddTerms {
  static constexpr bool kNeedsB = false;
  using T = typename Sums::Scalar;
  const T* a[kRows];
  HWY_INLINE AddTerms(const Rows& a_rows, const Rows&, std::int64_t r) {
    for (int i = 0; i < kRows; ++i) a[i] = row<T>(a_rows, r + i, kComplex ? 2 : 1);
  }
  template <class Extent>
  HWY_INLINE void operator()(Extent extent, std::int64_t j, Sums& sums) const {
    for (int i = 0; i < kRows; ++i) sums.add(extent.load(typename Sums::D(), a[i] + j));
  }
};

template <class Sums, bool kComplex, int kRows>
struct ScaleTerms {
  using T = typename Sums::Scalar;
  const T* a[kRows];
  Factor<Sums, kComplex> factor[kRows];
  HWY_INLINE ScaleTerms(const Rows& a_rows, const Rows& b_rows, std::int64_t r) {
    for (int i = 0; i < kRows; ++i) {
      a[i] = row<T>(a_rows, r + i, kComplex ? 2 : 1);
      factor[i].set(row<T>(b_rows, r + i, kComplex ? 2 : 1));
    }
  }
  template <class Extent>
  HWY_INLINE void operator()(Extent extent, std::int64_t j, Sums& sums) const {
    for (int i = 0; i < kRows; ++i) factor[i].multiply_add(extent.load(typename Sums::D(), a[i] + j), sums);
  }
};

template <class Sums, bool kComplex, int kRows>
struct MultiplyTerms {
  using T = typename Sums::Scalar;
  const T* a[kRows];
  const T* b[kRows];
  HWY_INLINE MultiplyTerms(const Rows& a_rows, const Rows& b_rows, std::int64_t r) {
    for (int i = 0; i < kRows; ++i) {
      a[i] = row<T>(a_rows, r + i, kComplex ? 2 : 1);
      b[i] = row<T>(b_rows, r + i, kComplex ? 2 : 1);
    }
  }
  template <class Extent>
  HWY_INLINE void operator()(Extent extent, std::int64_t j, Sums& sums) const {
    for (int i = 0; i < kRows; ++i) {
      Factor<Sums, kComplex> factor;
      factor.from(extent.load(typename Sums::D(), b[i] + j));
      factor.multiply_add(extent.load(typename Sums::D(), a[i] + j), sums);
    }
  }
};

template <class Sums, class Terms, class Extent>
HWY_INLINE void accumulate_at(Extent extent, std::int64_t j, typename Sums::Scalar* acc, std::size_t distance,
                              bool fresh, const Terms& terms) {
  Sums sums;
  if (!fresh) sums.load(extent, acc + j, distance);
  terms(extent, j, sums);
  sums.store(extent, acc + j, distance);
}

// Streams a few rows through all n sums: long runs of memory for the prefetcher, sums in the first-level cache.
template <class Sums, class Terms>
HWY_INLINE void accumulate(typename Sums::Scalar* acc, std::int64_t reals, bool fresh, const Terms& terms) {
  const auto distance = static_cast<std::size_t>(reals);
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(typename Sums::D()));
  std::int64_t j = 0;
  if (fresh) {
    for (; j + lanes <= reals; j += lanes) accumulate_at<Sums>(Whole(), j, acc, distance, true, terms);
  } else {
    for (; j + lanes <= reals; j += lanes) accumulate_at<Sums>(Whole(), j, acc, distance, false, terms);
  }
  if (j < reals) accumulate_at<Sums>(Part{static_cast<std::size_t>(reals - j)}, j, acc, distance, fresh, terms);
}

template <template <class, bool, int> class Terms, class Sums, bool kComplex>
HWY_INLINE void across(void* acc_block, std::int64_t n, bool fresh, const Rows& a, const Rows& b, std::int64_t rows) {
  auto* acc = static_cast<typename Sums::Scalar*>(acc_block);
  const std::int64_t reals = kComplex ? 2 * n : n;
  for (std::int64_t r = 0; r < rows;) {
    const std::int64_t left = rows - r;
    if (left >= 4) {
      accumulate<Sums>(acc, reals, fresh, Terms<Sums, kComplex, 4>(a, b, r));
      r += 4;
    } else if (left >= 2) {
      accumulate<Sums>(acc, reals, fresh, Terms<Sums, kComplex, 2>(a, b, r));
      r += 2;
    } else {
      accumulate<Sums>(acc, reals, fresh, Terms<Sums, kComplex, 1>(a, b, r));
      r += 1;
    }
    fresh = false;
  }
}

// Rows of kReals elements, one behind the other, are one long run: kReals vectors of sums take as many rows at a time
// as a vector has lanes, and are folded into one row at the end.
template <class Sums, int kReals>
HWY_INLINE void add_short_rows(typename Sums::Scalar* acc, bool fresh, const typename Sums::Scalar* run,
                               std::int64_t rows) {
  using T = typename Sums::Scalar;
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(typename Sums::D()));
  Sums sums[kReals];
  std::int64_t r = 0;
  for (; r + kLanes <= rows; r += kLanes) {
    for (int i = 0; i < kReals; ++i) sums[i].add(hn::LoadU(typename Sums::D(), run + r * kReals + i * kLanes));
  }
  HWY_ALIGN T folded[kReals * kLanes];
  for (int i = 0; i < kReals; ++i) sums[i].store(Whole(), folded + i * kLanes, 0);
  for (std::int64_t half = kLanes / 2 * kReals; half >= kReals; half /= 2) {
    for (std::int64_t i = 0; i < half; ++i) folded[i] += folded[i + half];
  }
  for (; r < rows; ++r) {
    for (int i = 0; i < kReals; ++i) folded[i] += run[r * kReals + i];
  }
  for (int i = 0; i < kReals; ++i) acc[i] = fresh ? folded[i] : acc[i] + folded[i];
}

template <class Sums>
HWY_INLINE bool add_if_short(typename Sums::Scalar* acc, std::int64_t reals, bool fresh,
                             const typename Sums::Scalar* run, std::int64_t rows) {
  switch (reals) {
    case 2:
      add_short_rows<Sums, 2>(acc, fresh, run, rows);
      return true;
    case 3:
      add_short_rows<Sums, 3>(acc, fresh, run, rows);
      return true;
    case 4:
      add_short_rows<Sums, 4>(acc, fresh, run, rows);
      return true;
    case 5:
      add_short_rows<Sums, 5>(acc, fresh, run, rows);
      return true;
    case 6:
      add_short_rows<Sums, 6>(acc, fresh, run, rows);
      return true;
    case 7:
      add_short_rows<Sums, 7>(acc, fresh, run, rows);
      return true;
    case 8:
      add_short_rows<Sums, 8>(acc, fresh, run, rows);
      return true;
    default:
      return false;
  }
}

HWY_INLINE bool follow_each_other(const std::int64_t* offsets, std::int64_t rows, std::int64_t n) {
  std::int64_t gaps = 0;
  for (std::int64_t r = 0; r < rows; ++r) gaps |= offsets[r] - offsets[0] - r * n;
  return gaps == 0;
}

template <class Sums, bool kComplex>
void add_rows(void* acc, std::int64_t n, bool fresh, Rows a, std::int64_t rows) {
  if constexpr (Sums::kSums == 1) {
    constexpr std::int64_t kParts = kComplex ? 2 : 1;
    constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(typename Sums::D()));
    auto* const sums = static_cast<typename Sums::Scalar*>(acc);
    if (kParts * n <= 8 && rows >= kLanes && follow_each_other(a.offsets, rows, n) &&
        add_if_short<Sums>(sums, kParts * n, fresh, row<typename Sums::Scalar>(a, 0, kParts), rows)) {
      return;
    }
  }
  across<AddTerms, Sums, kComplex>(acc, n, fresh, a, a, rows);
}
template <class Sums, bool kComplex>
void multiply_rows(void* acc, std::int64_t n, bool fresh, Rows a, Rows b, std::int64_t rows) {
  across<MultiplyTerms, Sums, kComplex>(acc, n, fresh, a, b, rows);
}
template <class Sums, bool kComplex>
void scale_rows(void* acc, std::int64_t n, bool fresh, Rows a, Rows b, std::int64_t rows) {
  across<ScaleTerms, Sums, kComplex>(acc, n, fresh, a, b, rows);
}

template <class Sums, bool kComplex>
void combine(void* acc_block, const void* other_block, std::int64_t n) {
  auto* acc = static_cast<typename Sums::Scalar*>(acc_block);
  const auto* other = static_cast<const typename Sums::Scalar*>(other_block);
  const std::int64_t reals = kComplex ? 2 * n : n;
  const auto distance = static_cast<std::size_t>(reals);
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(typename Sums::D()));
  const auto step = [&](auto extent, std::int64_t j) HWY_ATTR {
    Sums sums;
    Sums more;
    sums.load(extent, acc + j, distance);
    more.load(extent, other + j, distance);
    sums.combine(more);
    sums.store(extent, acc + j, distance);
  };
  std::int64_t j = 0;
  for (; j + lanes <= reals; j += lanes) step(Whole(), j);
  if (j < reals) step(Part{static_cast<std::size_t>(reals - j)}, j);
}

template <class Sums, bool kComplex>
void clear(void* acc, std::int64_t n) {
  auto* first = static_cast<typename Sums::Scalar*>(acc);
  std::fill(first, first + n * (kComplex ? 2 : 1) * static_cast<std::int64_t>(Sums::kSums), typename Sums::Scalar{});
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
