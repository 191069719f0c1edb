#include "trntensor/host/epilogue_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>

// This file is compiled once per vector instruction set; the CPU's best is chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trntensor/host/epilogue_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "hwy/contrib/math/math-inl.h"
#include "trntensor/host/kernels/targets.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/support/fork_mutex.hpp"

HWY_BEFORE_NAMESPACE();
namespace trntensor::host {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
using Tag = hn::ScalableTag<T>;
template <typename T>
using Vec = hn::Vec<Tag<T>>;
using Double = Tag<double>;

template <typename T>
HWY_INLINE std::int64_t lanes() {
  return static_cast<std::int64_t>(hn::Lanes(Tag<T>()));
}

template <class V>
HWY_INLINE V propagate_nan(V a, V b, V chosen) {
  return hn::IfThenElse(hn::IsNaN(a), a, hn::IfThenElse(hn::IsNaN(b), b, chosen));
}

// clang-format off
struct Plus { template <class V> HWY_INLINE V operator()(V a, V b) const { return hn::Add(a, b); } };
struct Minus { template <class V> HWY_INLINE V operator()(V a, V b) const { return hn::Sub(a, b); } };
struct Times { template <class V> HWY_INLINE V operator()(V a, V b) const { return hn::Mul(a, b); } };
struct Over { template <class V> HWY_INLINE V operator()(V a, V b) const { return hn::Div(a, b); } };
struct Larger {
  template <class V> HWY_INLINE V operator()(V a, V b) const { return propagate_nan(a, b, hn::Max(a, b)); }
};
struct Smaller {
  template <class V> HWY_INLINE V operator()(V a, V b) const { return propagate_nan(a, b, hn::Min(a, b)); }
};
struct Minus0 { template <class V> HWY_INLINE V operator()(V a) const { return hn::Neg(a); } };
struct Root { template <class V> HWY_INLINE V operator()(V a) const { return hn::Sqrt(a); } };
// clang-format on

/// Highway's Exp is good to 104 and 706 only, and 0 for NaN: above that the square of exp(x / 2) is taken, which
/// overflows where it must.
struct Exponential {
  template <class V>
  HWY_INLINE V operator()(V x) const {
    using T = hn::TFromV<V>;
    const Tag<T> d;
    const auto is_large = hn::Gt(x, hn::Set(d, sizeof(T) == 4 ? T(80) : T(700)));
    const V bounded = hn::Min(x, hn::Set(d, sizeof(T) == 4 ? T(150) : T(1400)));
    const V root = hn::Exp(d, hn::IfThenElse(is_large, hn::Mul(bounded, hn::Set(d, T(0.5))), bounded));
    const V value = hn::IfThenElse(is_large, hn::Mul(root, root), root);
    return hn::IfThenElse(hn::IsNaN(x), x, value);
  }
};

template <class Operation, typename T>
void run_unary(const T* a, T* out, std::int64_t count) {
  const Tag<T> d;
  for (std::int64_t i = 0; i < count; i += lanes<T>()) hn::StoreU(Operation()(hn::LoadU(d, a + i)), d, out + i);
}

template <class Operation, typename T>
void run_row_row(const T* a, const T* b, T* out, std::int64_t count) {
  const Tag<T> d;
  for (std::int64_t i = 0; i < count; i += lanes<T>()) {
    hn::StoreU(Operation()(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, out + i);
  }
}

template <class Operation, typename T>
void run_row_value(const T* a, const T* b, T* out, std::int64_t count) {
  const Tag<T> d;
  const Vec<T> value = hn::Set(d, *b);
  for (std::int64_t i = 0; i < count; i += lanes<T>()) {
    hn::StoreU(Operation()(hn::LoadU(d, a + i), value), d, out + i);
  }
}

template <class Operation, typename T>
void run_value_row(const T* a, const T* b, T* out, std::int64_t count) {
  const Tag<T> d;
  const Vec<T> value = hn::Set(d, *a);
  for (std::int64_t i = 0; i < count; i += lanes<T>()) {
    hn::StoreU(Operation()(value, hn::LoadU(d, b + i)), d, out + i);
  }
}

HWY_INLINE Vec<double> load_double(const double* from) { return hn::LoadU(Double(), from); }
HWY_INLINE Vec<double> load_double(const float* from) {
  return hn::PromoteTo(Double(), hn::LoadU(hn::Rebind<float, Double>(), from));
}

/// The sum of term(i) for i < count, where a term is a vector of `Lanes` values and those beyond the end do not count.
template <class Term>
HWY_INLINE double sum_terms(std::int64_t count, const Term& term) {
  const Double d;
  const std::int64_t step = lanes<double>();
  // Four chains of additions hide their latency.
  Vec<double> s0 = hn::Zero(d);
  Vec<double> s1 = s0;
  Vec<double> s2 = s0;
  Vec<double> s3 = s0;
  std::int64_t i = 0;
  for (; i + 4 * step <= count; i += 4 * step) {
    s0 = term(s0, i);
    s1 = term(s1, i + step);
    s2 = term(s2, i + 2 * step);
    s3 = term(s3, i + 3 * step);
  }
  for (; i + step <= count; i += step) s0 = term(s0, i);
  if (i < count) {
    const Vec<double> rest = term(hn::Zero(d), i);
    s1 = hn::Add(s1, hn::IfThenElseZero(hn::FirstN(d, static_cast<std::size_t>(count - i)), rest));
  }
  return hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::Add(s0, s1), hn::Add(s2, s3))));
}

template <typename T>
double sum_row(const T* a, std::int64_t count) {
  return sum_terms(count, [&](Vec<double> sums, std::int64_t i) HWY_ATTR { return hn::Add(sums, load_double(a + i)); });
}

template <typename T>
double sum_products(const T* a, const T* b, std::int64_t count) {
  return sum_terms(count, [&](Vec<double> sums, std::int64_t i)
                              HWY_ATTR { return hn::MulAdd(load_double(a + i), load_double(b + i), sums); });
}

template <typename T>
double largest_of(const T* a, std::int64_t count) {
  const Tag<T> d;
  const std::int64_t step = lanes<T>();
  const Vec<T> least = hn::Set(d, -std::numeric_limits<T>::infinity());
  Vec<T> largest = least;
  Vec<T> spoilt = hn::Zero(d);  // NaN once there was one
  std::int64_t i = 0;
  for (; i + step <= count; i += step) {
    const Vec<T> value = hn::LoadU(d, a + i);
    largest = hn::Max(largest, value);
    spoilt = hn::IfThenElse(hn::IsNaN(value), value, spoilt);
  }
  if (i < count) {
    const Vec<T> value = hn::IfThenElse(hn::FirstN(d, static_cast<std::size_t>(count - i)), hn::LoadU(d, a + i), least);
    largest = hn::Max(largest, value);
    spoilt = hn::IfThenElse(hn::IsNaN(value), value, spoilt);
  }
  if (!hn::AllFalse(d, hn::IsNaN(spoilt))) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(hn::GetLane(hn::MaxOfLanes(d, largest)));
}

template <typename T>
void add_row_to(const T* a, double* sums, std::int64_t count) {
  const std::int64_t step = lanes<double>();
  std::int64_t i = 0;
  for (; i + step <= count; i += step) {
    hn::StoreU(hn::Add(load_double(sums + i), load_double(a + i)), Double(), sums + i);
  }
  for (; i < count; ++i) sums[i] += static_cast<double>(a[i]);
}

template <typename T>
void raise_row_to(const T* a, double* largest, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const auto value = static_cast<double>(a[i]);
    if (value > largest[i] || std::isnan(value)) largest[i] = value;
  }
}

template <typename From, typename T>
void transpose_rows(const From* from, std::int64_t from_stride, T* out, std::int64_t out_stride, std::int64_t rows,
                    std::int64_t count) {
  for (std::int64_t c = 0; c < count; ++c) {
    const From* const line = from + c * from_stride;
    for (std::int64_t r = 0; r < rows; ++r) out[r * out_stride + c] = static_cast<T>(line[r]);
  }
}

template <class Operation, typename T>
std::array<typename RowKernels<T>::Binary, 3> forms() {
  return {&run_row_row<Operation, T>, &run_row_value<Operation, T>, &run_value_row<Operation, T>};
}

template <typename T>
RowKernels<T> make_kernels() {
  RowKernels<T> kernels;
  kernels.negate = &run_unary<Minus0, T>;
  kernels.exp = &run_unary<Exponential, T>;
  kernels.sqrt = &run_unary<Root, T>;
  kernels.binary = {forms<Plus, T>(), forms<Minus, T>(),  forms<Times, T>(),
                    forms<Over, T>(), forms<Larger, T>(), forms<Smaller, T>()};
  kernels.sum = &sum_row<T>;
  kernels.sum_of_products = &sum_products<T>;
  kernels.largest = &largest_of<T>;
  kernels.add_to = &add_row_to<T>;
  kernels.raise_to = &raise_row_to<T>;
  kernels.transpose_f32 = &transpose_rows<float, T>;
  kernels.transpose_f64 = &transpose_rows<double, T>;
  return kernels;
}

RowKernels<float> make_f32() { return make_kernels<float>(); }
RowKernels<double> make_f64() { return make_kernels<double>(); }

}  // namespace HWY_NAMESPACE
}  // namespace trntensor::host
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trntensor::host {

HWY_EXPORT(make_f32);
HWY_EXPORT(make_f64);

namespace {

/// Kernels are made once for each target; `make` gives those of `target`.
template <typename T>
const RowKernels<T>& kept_for(RowKernels<T> (*make)(), std::int64_t target) {
  if (make == nullptr) throw Error(ErrorKind::kInternal, "row kernels are missing in this build");
  static ForkMutex mutex;
  static std::map<std::int64_t, RowKernels<T>> made;
  const std::scoped_lock lock(mutex);
  const auto known = made.find(target);
  return known != made.end() ? known->second : made.emplace(target, make()).first->second;
}

}  // namespace

template <>
const RowKernels<float>& row_kernels(std::int64_t target) {
  return kept_for(entry_for(HWY_DISPATCH_TABLE(make_f32), target), target);
}

template <>
const RowKernels<double>& row_kernels(std::int64_t target) {
  return kept_for(entry_for(HWY_DISPATCH_TABLE(make_f64), target), target);
}

}  // namespace trntensor::host
#endif  // HWY_ONCE
