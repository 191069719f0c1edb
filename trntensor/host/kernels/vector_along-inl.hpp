// Kernels that sum along runs: one sum per run. Compiled once per instruction set.
#if defined(TRNTENSOR_HOST_VECTOR_ALONG_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef TRNTENSOR_HOST_VECTOR_ALONG_INL_HPP_
#undef TRNTENSOR_HOST_VECTOR_ALONG_INL_HPP_
#else
#define TRNTENSOR_HOST_VECTOR_ALONG_INL_HPP_
#endif

#include <array>

#include "trntensor/host/kernels/two_sum.hpp"
#include "trntensor/host/kernels/vector_across-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {

// A sum that carries no correction, with the names of those that do.
template <typename T>
struct PlainSum {
  T sum;
  HWY_INLINE void add(PlainSum other) { sum += other.sum; }
  [[nodiscard]] HWY_INLINE PlainSum negated() const { return {-sum}; }
  static HWY_INLINE PlainSum load(const T* numbers, std::int64_t) { return {*numbers}; }
  HWY_INLINE void store(T* numbers, std::int64_t) const { *numbers = sum; }
};

template <typename T, std::size_t kNumbers>
using SumOf =
    std::conditional_t<kNumbers == 1, PlainSum<T>, std::conditional_t<kNumbers == 2, CompensatedSum, TripleSum>>;

// The lanes of a vector of sums, added as a tree to those of one complex or real number (and its correction).
// kParts 2: even lanes are one sum, odd lanes another.
template <class Sums, int kParts>
struct Total {
  using T = typename Sums::Scalar;
  using Sum = SumOf<T, Sums::kSums>;
  std::array<Sum, kParts> sum;

  HWY_INLINE explicit Total(const Sums& sums) {
    constexpr std::size_t kLanes = hn::MaxLanes(typename Sums::D());
    HWY_ALIGN T lanes[Sums::kSums * kLanes];
    sums.store(Whole(), lanes, kLanes);
    if constexpr (Sums::kSums == 1) {
      for (std::size_t half = kLanes / 2; half >= kParts; half /= 2) {
        for (std::size_t i = 0; i < half; ++i) lanes[i] += lanes[i + half];
      }
      for (std::size_t i = 0; i < kParts; ++i) sum[i] = {lanes[i]};
    } else {
      for (std::size_t i = 0; i < kParts; ++i) {
        sum[i] = Sum::load(lanes + i, kLanes);
        for (std::size_t j = i + kParts; j < kLanes; j += kParts) sum[i].add(Sum::load(lanes + j, kLanes));
      }
    }
  }
};

// Real lanes go to one number; AddTerms of complex runs and products of real ones need nothing more.
template <class Sums, int kParts>
struct RunSum {
  using V = typename Sums::V;
  Sums sums;
  HWY_INLINE RunSum() {}  // not the implicit one, which would be compiled for the baseline
  HWY_INLINE void add(V v) { sums.add(v); }
  HWY_INLINE void multiply_add(V v, V w) { sums.multiply_add(v, w); }
  HWY_INLINE void combine(const RunSum& other) { sums.combine(other.sums); }
  HWY_INLINE Total<Sums, kParts> total() const { return Total<Sums, kParts>(sums); }
};

// Products of complex runs: v * re(w) and v * im(w) are summed apart, which needs no exchange of lanes in the loop.
template <class Sums>
struct ComplexRunSum {
  using V = typename Sums::V;
  Sums by_re;
  Sums by_im;
  HWY_INLINE ComplexRunSum() {}
  HWY_INLINE void multiply_add(V v, V w) {
    by_re.multiply_add(v, hn::DupEven(w));
    by_im.multiply_add(v, hn::DupOdd(w));
  }
  HWY_INLINE void combine(const ComplexRunSum& other) {
    by_re.combine(other.by_re);
    by_im.combine(other.by_im);
  }
  HWY_INLINE Total<Sums, 2> total() const {
    Total<Sums, 2> result(by_re);
    const Total<Sums, 2> cross(by_im);
    result.sum[0].add(cross.sum[1].negated());
    result.sum[1].add(cross.sum[0]);
    return result;
  }
};

// The block of sums a kernel adds to.
template <typename T>
struct SumBlock {
  T* acc;
  std::int64_t rows;
  bool fresh;
};

template <class Sums, int kParts>
HWY_INLINE void add_total(const SumBlock<typename Sums::Scalar>& block, std::int64_t r, Total<Sums, kParts> total) {
  for (std::size_t part = 0; part < kParts; ++part) {
    auto* const numbers = block.acc + kParts * r + static_cast<std::int64_t>(part);
    const std::int64_t distance = kParts * block.rows;
    if (!block.fresh) total.sum[part].add(Total<Sums, kParts>::Sum::load(numbers, distance));
    total.sum[part].store(numbers, distance);
  }
}

// One run with kChains sums in flight: the additions' latency times the vectors added per cycle.
template <int kChains, class Run, class Step>
HWY_INLINE Run sum_run(std::int64_t reals, std::int64_t lanes, const Step& step) {
  Run runs[kChains];
  std::int64_t j = 0;
  for (; j + kChains * lanes <= reals; j += kChains * lanes) {
    for (int i = 0; i < kChains; ++i) step(Whole(), j + i * lanes, runs[i]);
  }
  for (; j + lanes <= reals; j += lanes) step(Whole(), j, runs[(j / lanes) % kChains]);
  if (j < reals) step(Part{static_cast<std::size_t>(reals - j)}, j, runs[kChains - 1]);
  for (int half = kChains / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) runs[i].combine(runs[i + half]);
  }
  return runs[0];
}

template <class Sums, bool kComplex>
void sum_along(void* acc_block, std::int64_t rows, bool fresh, Rows a, std::int64_t n) {
  using T = typename Sums::Scalar;
  constexpr int kParts = kComplex ? 2 : 1;
  using Run = RunSum<Sums, kParts>;
  const SumBlock<T> block{static_cast<T*>(acc_block), rows, fresh};
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(typename Sums::D()));
  const std::int64_t reals = kParts * n;
  for (std::int64_t r = 0; r < rows; ++r) {
    const T* const p = row<T>(a, r, kParts);
    const auto step = [&](auto extent, std::int64_t j, Run& run)
                          HWY_ATTR { run.add(extent.load(typename Sums::D(), p + j)); };
    const Run run = reals <= lanes ? sum_run<1, Run>(reals, lanes, step) : sum_run<8, Run>(reals, lanes, step);
    add_total<Sums, kParts>(block, r, run.total());
  }
}

template <class Sums, bool kComplex>
using ProductRun = std::conditional_t<kComplex, ComplexRunSum<Sums>, RunSum<Sums, 1>>;

// Four runs of a against one of b: b is loaded once, and the chains of four sums hide the latency.
template <class Sums, bool kComplex>
HWY_INLINE void dot_four(const SumBlock<typename Sums::Scalar>& block, std::int64_t r, const Rows& a, const Rows& b,
                         std::int64_t reals) {
  using T = typename Sums::Scalar;
  using D = typename Sums::D;
  constexpr int kParts = kComplex ? 2 : 1;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(D()));
  const T* const p[4] = {row<T>(a, r, kParts), row<T>(a, r + 1, kParts), row<T>(a, r + 2, kParts),
                         row<T>(a, r + 3, kParts)};
  const T* const q = row<T>(b, r, kParts);
  ProductRun<Sums, kComplex> even[4];
  ProductRun<Sums, kComplex> odd[4];
  const auto step = [&](auto extent, std::int64_t j, ProductRun<Sums, kComplex>* runs) HWY_ATTR {
    const auto w = extent.load(D(), q + j);
    for (int i = 0; i < 4; ++i) runs[i].multiply_add(extent.load(D(), p[i] + j), w);
  };
  std::int64_t j = 0;
  for (; j + 2 * lanes <= reals; j += 2 * lanes) {
    step(Whole(), j, even);
    step(Whole(), j + lanes, odd);
  }
  if (j + lanes <= reals) {
    step(Whole(), j, even);
    j += lanes;
  }
  if (j < reals) step(Part{static_cast<std::size_t>(reals - j)}, j, odd);
  for (int i = 0; i < 4; ++i) {
    even[i].combine(odd[i]);
    add_total<Sums, kParts>(block, r + i, even[i].total());
  }
}

HWY_INLINE bool same_run(const Rows& rows, std::int64_t r) {
  const std::int64_t* const o = rows.offsets + r;
  return o[0] == o[1] && o[0] == o[2] && o[0] == o[3];
}

template <class Sums, bool kComplex>
void dot_along(void* acc_block, std::int64_t rows, bool fresh, Rows a, Rows b, std::int64_t n) {
  using T = typename Sums::Scalar;
  constexpr int kParts = kComplex ? 2 : 1;
  using Run = ProductRun<Sums, kComplex>;
  const SumBlock<T> block{static_cast<T*>(acc_block), rows, fresh};
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(typename Sums::D()));
  const std::int64_t reals = kParts * n;
  for (std::int64_t r = 0; r < rows;) {
    if (rows - r >= 4 && (same_run(b, r) || same_run(a, r))) {
      const bool b_shared = same_run(b, r);
      dot_four<Sums, kComplex>(block, r, b_shared ? a : b, b_shared ? b : a, reals);
      r += 4;
      continue;
    }
    const T* const p = row<T>(a, r, kParts);
    const T* const q = row<T>(b, r, kParts);
    const auto step = [&](auto extent, std::int64_t j, Run& run) HWY_ATTR {
      run.multiply_add(extent.load(typename Sums::D(), p + j), extent.load(typename Sums::D(), q + j));
    };
    const Run run = reals <= lanes ? sum_run<1, Run>(reals, lanes, step) : sum_run<4, Run>(reals, lanes, step);
    add_total<Sums, kParts>(block, r, run.total());
    ++r;
  }
}

/// The row of a VectorTable for one kind of sum: the bytes of an element, and how sums become results.
template <class Sums, bool kComplex>
VectorKernels kernels_of_sums(std::size_t item, decltype(VectorKernels::finish) finish) {
  return {item,
          Sums::kSums,
          &add_rows<Sums, kComplex>,
          &multiply_rows<Sums, kComplex>,
          &scale_rows<Sums, kComplex>,
          &sum_along<Sums, kComplex>,
          &dot_along<Sums, kComplex>,
          &combine<Sums, kComplex>,
          finish,
          &clear<Sums, kComplex>};
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
