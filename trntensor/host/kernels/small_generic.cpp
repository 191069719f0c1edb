// Small products in plain C++, for CPUs without a better kernel and as one more opinion in tests.
#include <complex>
#include <cstdint>

#include "trntensor/host/kernels/scaled.hpp"
#include "trntensor/host/kernels/small.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/tensor/convert_element.hpp"

namespace trntensor::host {
namespace {

/// The value that changes no sum.
template <typename T>
constexpr T kNothing = static_cast<T>(-0.0);

template <typename T>
struct RealElement {
  using Part = T;
  static constexpr std::int64_t kParts = 1;
  T sum = kNothing<T>;

  void add_product(const T* a, const T* b) { sum += load_element<T>(a) * load_element<T>(b); }
  void scale(const T* factor) { sum = scaled(load_element<T>(factor), sum); }
  void add_scaled(const T* factor, const T* old) {
    if (load_element<T>(factor) != T{0}) sum += scaled(load_element<T>(factor), load_element<T>(old));
  }
  void store(T* to) const { store_element(to, sum); }
};

template <typename T>
struct ComplexElement {
  using Part = T;
  using Complex = std::complex<T>;
  static constexpr std::int64_t kParts = 2;
  Complex sum{kNothing<T>, kNothing<T>};

  void add_product(const T* a, const T* b) {
    const auto x = load_element<Complex>(a);
    const auto y = load_element<Complex>(b);
    sum += Complex(x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real());
  }
  void scale(const T* factor) { sum = scaled(load_element<Complex>(factor), sum); }
  void add_scaled(const T* factor, const T* old) {
    const auto by = load_element<Complex>(factor);
    if (by != T{0}) sum += scaled(by, load_element<Complex>(old));
  }
  void store(T* to) const { store_element(to, sum); }
};

template <typename Element>
void run_generic(const SmallShape& shape, const SmallData& data) {
  using T = typename Element::Part;
  constexpr std::int64_t kParts = Element::kParts;
  for (std::int64_t item = 0; item < data.items; ++item) {
    const T* a = static_cast<const T*>(data.a) + kParts * item * shape.a_item;
    const T* b = static_cast<const T*>(data.b) + kParts * item * shape.b_item;
    T* out = static_cast<T*>(data.out) + kParts * item * shape.out_item;
    for (std::int64_t i = 0; i < shape.m; ++i) {
      for (std::int64_t j = 0; j < shape.n; ++j) {
        Element sum;
        for (std::int64_t p = 0; p < shape.k; ++p) {
          sum.add_product(a + kParts * (i * shape.a_row + p * shape.a_step), b + kParts * (p * shape.b_step + j));
        }
        T* to = out + kParts * (i * shape.out_row + j);
        if (data.alpha != nullptr) {
          sum.scale(static_cast<const T*>(data.alpha));
          sum.add_scaled(static_cast<const T*>(data.beta), to);
        }
        sum.store(to);
      }
    }
  }
}

template <typename Element>
SmallKernel generic() {
  return {&run_generic<Element>, INT64_MAX, {INT64_MAX, 0, 0}, {}};
}

}  // namespace

SmallKernel small_generic(DType dtype) {
  switch (dtype) {
    case DType::kFloat32:
      return generic<RealElement<float>>();
    case DType::kFloat64:
      return generic<RealElement<double>>();
    case DType::kComplex64:
      return generic<ComplexElement<float>>();
    case DType::kComplex128:
      return generic<ComplexElement<double>>();
    case DType::kInt32:
      return generic<RealElement<std::uint32_t>>();
    case DType::kInt64:
      return generic<RealElement<std::uint64_t>>();
    default:
      throw Error(ErrorKind::kInternal, "no generic small kernel for " + std::string(to_string(dtype)));
  }
}

}  // namespace trntensor::host
