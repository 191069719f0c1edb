// Run kernels for integers, modulo 2^bits, and for bool. Plain loops that the compiler turns into vectors, once per
// instruction set.
#include <algorithm>
#include <type_traits>

#include "trntensor/tensor/convert_element.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trntensor/host/kernels/vector_integer.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "trntensor/host/kernels/vector_parts.hpp"

HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {

// Unsigned arithmetic; narrow types go through 32 bits, because their own products would be signed and overflow.
template <typename T>
struct Modular {
  using Element = T;
  using Wide = std::conditional_t<sizeof(T) < 4, std::uint32_t, T>;
  static HWY_INLINE T keep(T a) { return a; }
  static HWY_INLINE T add(T a, T b) { return static_cast<T>(Wide{a} + Wide{b}); }
  static HWY_INLINE T multiply(T a, T b) { return static_cast<T>(Wide{a} * Wide{b}); }
  static T factor(std::complex<double> value) { return static_cast<T>(convert_element<std::int64_t>(value.real())); }
};

struct Truth {
  using Element = std::uint8_t;
  static HWY_INLINE Element keep(Element a) { return a != 0; }
  static HWY_INLINE Element add(Element a, Element b) { return a | b; }
  static HWY_INLINE Element multiply(Element a, Element b) { return static_cast<Element>((a != 0) & (b != 0)); }
  static Element factor(std::complex<double> value) { return value != 0.0; }
};

template <class Ring>
HWY_INLINE const typename Ring::Element* run_at(const Rows& rows, std::int64_t r) {
  return static_cast<const typename Ring::Element*>(rows.base) + rows.offsets[r];
}

// acc[j] += term(r, j), four rows at a time so that the sums are loaded and stored less often.
template <class Ring, class Term>
HWY_INLINE void add_terms(void* acc_block, std::int64_t n, bool fresh, std::int64_t rows, const Term& term) {
  auto* HWY_RESTRICT acc = static_cast<typename Ring::Element*>(acc_block);
  if (fresh) std::fill(acc, acc + n, typename Ring::Element{0});
  std::int64_t r = 0;
  for (; r + 4 <= rows; r += 4) {
    const auto t0 = term(r);
    const auto t1 = term(r + 1);
    const auto t2 = term(r + 2);
    const auto t3 = term(r + 3);
    for (std::int64_t j = 0; j < n; ++j) {
      acc[j] = Ring::add(acc[j], Ring::add(Ring::add(t0(j), t1(j)), Ring::add(t2(j), t3(j))));
    }
  }
  for (; r < rows; ++r) {
    const auto t = term(r);
    for (std::int64_t j = 0; j < n; ++j) acc[j] = Ring::add(acc[j], t(j));
  }
}

template <class Ring>
struct KeepTerm {
  const typename Ring::Element* a;
  HWY_INLINE typename Ring::Element operator()(std::int64_t j) const { return Ring::keep(a[j]); }
};
template <class Ring>
struct ProductTerm {
  const typename Ring::Element* a;
  const typename Ring::Element* b;
  HWY_INLINE typename Ring::Element operator()(std::int64_t j) const { return Ring::multiply(a[j], b[j]); }
};
template <class Ring>
struct ScaledTerm {
  const typename Ring::Element* a;
  typename Ring::Element b;
  HWY_INLINE typename Ring::Element operator()(std::int64_t j) const { return Ring::multiply(a[j], b); }
};

template <class Ring>
void add_integer_rows(void* acc, std::int64_t n, bool fresh, Rows a, std::int64_t rows) {
  add_terms<Ring>(acc, n, fresh, rows, [&](std::int64_t r) HWY_ATTR { return KeepTerm<Ring>{run_at<Ring>(a, r)}; });
}
template <class Ring>
void multiply_integer_rows(void* acc, std::int64_t n, bool fresh, Rows a, Rows b, std::int64_t rows) {
  add_terms<Ring>(acc, n, fresh, rows,
                  [&](std::int64_t r) HWY_ATTR { return ProductTerm<Ring>{run_at<Ring>(a, r), run_at<Ring>(b, r)}; });
}
template <class Ring>
void scale_integer_rows(void* acc, std::int64_t n, bool fresh, Rows a, Rows b, std::int64_t rows) {
  add_terms<Ring>(acc, n, fresh, rows,
                  [&](std::int64_t r) HWY_ATTR { return ScaledTerm<Ring>{run_at<Ring>(a, r), *run_at<Ring>(b, r)}; });
}

template <class Ring, class Term>
HWY_INLINE void sum_terms(void* acc_block, std::int64_t r, bool fresh, std::int64_t n, const Term& term) {
  auto* const acc = static_cast<typename Ring::Element*>(acc_block) + r;
  typename Ring::Element sum = 0;
  for (std::int64_t j = 0; j < n; ++j) sum = Ring::add(sum, term(j));
  *acc = fresh ? sum : Ring::add(*acc, sum);
}
template <class Ring>
void sum_integers_along(void* acc, std::int64_t rows, bool fresh, Rows a, std::int64_t n) {
  for (std::int64_t r = 0; r < rows; ++r) sum_terms<Ring>(acc, r, fresh, n, KeepTerm<Ring>{run_at<Ring>(a, r)});
}
template <class Ring>
void dot_integers_along(void* acc, std::int64_t rows, bool fresh, Rows a, Rows b, std::int64_t n) {
  for (std::int64_t r = 0; r < rows; ++r) {
    sum_terms<Ring>(acc, r, fresh, n, ProductTerm<Ring>{run_at<Ring>(a, r), run_at<Ring>(b, r)});
  }
}

template <class Ring>
void combine_integers(void* acc_block, const void* other_block, std::int64_t n) {
  auto* HWY_RESTRICT acc = static_cast<typename Ring::Element*>(acc_block);
  const auto* HWY_RESTRICT other = static_cast<const typename Ring::Element*>(other_block);
  for (std::int64_t j = 0; j < n; ++j) acc[j] = Ring::add(acc[j], other[j]);
}
template <class Ring>
void finish_integers(const void* acc_block, std::int64_t n, std::complex<double> alpha, std::complex<double> beta,
                     const void* out_run, void* result_run) {
  const auto* acc = static_cast<const typename Ring::Element*>(acc_block);
  const auto* out = static_cast<const typename Ring::Element*>(out_run);
  auto* result = static_cast<typename Ring::Element*>(result_run);
  const auto by = Ring::factor(alpha);
  const auto keep = Ring::factor(beta);
  if (beta == 0.0) {
    for (std::int64_t j = 0; j < n; ++j) result[j] = Ring::multiply(by, acc[j]);
  } else {
    for (std::int64_t j = 0; j < n; ++j) {
      result[j] = Ring::add(Ring::multiply(by, acc[j]), Ring::multiply(keep, out[j]));
    }
  }
}
template <class Ring>
void clear_integers(void* acc, std::int64_t n) {
  auto* first = static_cast<typename Ring::Element*>(acc);
  std::fill(first, first + n, typename Ring::Element{0});
}

template <class Ring>
VectorKernels ring_kernels() {
  return {sizeof(typename Ring::Element), 1,
          &add_integer_rows<Ring>,        &multiply_integer_rows<Ring>,
          &scale_integer_rows<Ring>,      &sum_integers_along<Ring>,
          &dot_integers_along<Ring>,      &combine_integers<Ring>,
          &finish_integers<Ring>,         &clear_integers<Ring>};
}

void fill_integer_kernels(VectorTable& table) {
  table.integer8 = ring_kernels<Modular<std::uint8_t>>();
  table.integer16 = ring_kernels<Modular<std::uint16_t>>();
  table.integer32 = ring_kernels<Modular<std::uint32_t>>();
  table.integer64 = ring_kernels<Modular<std::uint64_t>>();
  table.boolean = ring_kernels<Truth>();
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trntensor::host {

HWY_EXPORT(fill_integer_kernels);

FillVectorTable integer_kernels_for(std::int64_t target) {
  return entry_for(HWY_DISPATCH_TABLE(fill_integer_kernels), target);
}

}  // namespace trntensor::host
#endif
