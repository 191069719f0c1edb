// The four ways to multiply and add: bool, integers, real and complex numbers; and moduli.
// Each has an Element (the compute type), a Value (an element to multiply with), a Sum (what products and sums are held
// in), `value_of`, `scale`, `sum_of`, `zero`, `multiply` and `add`; `write` turns a sum into an element of any type.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>

#include "trntensor/reference/doubled.hpp"
#include "trntensor/tensor/convert_element.hpp"

namespace trntensor::reference {

struct BoolArithmetic {
  using Element = bool;
  using Value = bool;
  using Sum = bool;

  static Value value_of(Element element) noexcept { return element; }
  static Value scale(std::complex<double> factor) noexcept { return factor != 0.0; }
  static Sum sum_of(Value value) noexcept { return value; }
  static Sum zero() noexcept { return false; }
  static Sum multiply(Sum a, Value b) noexcept { return a && b; }
  static Sum add(Sum a, Sum b) noexcept { return a || b; }
  template <typename To>
  static To write(Sum sum) noexcept {
    return convert_element<To>(sum);
  }
};

/// Modulo 2^64, which is exact modulo the narrower width of T.
template <typename T>
struct IntegerArithmetic {
  using Element = T;
  using Value = std::uint64_t;
  using Sum = std::uint64_t;

  static Value value_of(Element element) noexcept { return static_cast<Value>(element); }
  static Value scale(std::complex<double> factor) noexcept {
    return static_cast<Value>(convert_element<std::int64_t>(factor.real()));
  }
  static Sum sum_of(Value value) noexcept { return value; }
  static Sum zero() noexcept { return 0; }
  static Sum multiply(Sum a, Value b) noexcept { return a * b; }
  static Sum add(Sum a, Sum b) noexcept { return a + b; }
  template <typename To>
  static To write(Sum sum) noexcept {
    return convert_element<To>(static_cast<T>(sum));
  }
};

/// A sum as an element of any type, rounded once.
template <typename To>
To round_to(Doubled sum) noexcept {
  if constexpr (std::is_same_v<To, double>) {
    return to_nearest(sum);
  } else {
    return convert_element<To>(to_odd(sum));
  }
}

template <typename T>
struct RealArithmetic {
  using Element = T;
  using Value = long double;
  using Sum = Doubled;

  static Value value_of(Element element) noexcept { return static_cast<Value>(detail::widen(element)); }
  static Value scale(std::complex<double> factor) noexcept { return factor.real(); }
  static Sum sum_of(Value value) noexcept { return {value, 0}; }
  static Sum zero() noexcept { return {0, 0}; }
  static Sum multiply(Sum a, Value b) noexcept { return reference::multiply(a, b); }
  static Sum add(Sum a, Sum b) noexcept { return reference::add(a, b); }
  template <typename To>
  static To write(Sum sum) noexcept {
    if constexpr (detail::kIsComplex<To>) {
      return To(round_to<typename To::value_type>(sum), 0);
    } else {
      return round_to<To>(sum);
    }
  }
};

template <typename T>
struct ComplexArithmetic {
  using Element = T;
  struct Value {
    long double real;
    long double imaginary;
  };
  struct Sum {
    Doubled real;
    Doubled imaginary;
  };

  static Value value_of(Element element) noexcept { return {element.real(), element.imag()}; }
  static Value scale(std::complex<double> factor) noexcept { return {factor.real(), factor.imag()}; }
  static Sum sum_of(Value value) noexcept { return {{value.real, 0}, {value.imaginary, 0}}; }
  static Sum zero() noexcept { return {}; }
  static Sum multiply(const Sum& a, Value b) noexcept {
    return {reference::add(reference::multiply(a.real, b.real), reference::multiply(a.imaginary, -b.imaginary)),
            reference::add(reference::multiply(a.real, b.imaginary), reference::multiply(a.imaginary, b.real))};
  }
  static Sum multiply_real(const Sum& a, long double b) noexcept {
    return {reference::multiply(a.real, b), reference::multiply(a.imaginary, b)};
  }
  static Sum add(const Sum& a, const Sum& b) noexcept {
    return {reference::add(a.real, b.real), reference::add(a.imaginary, b.imaginary)};
  }
  template <typename To>
  static To write(const Sum& sum) noexcept {
    if constexpr (detail::kIsComplex<To>) {
      using Part = typename To::value_type;
      return To(round_to<Part>(sum.real), round_to<Part>(sum.imaginary));
    } else {
      return round_to<To>(sum.real);
    }
  }
};

/// |a|, |b|, ... of elements rounded to T.
template <typename T>
struct ModulusArithmetic {
  using Element = T;
  using Value = long double;
  using Sum = long double;

  static Value value_of(Element element) noexcept {
    const auto value = detail::widen(element);
    if constexpr (detail::kIsComplex<T>) {
      return std::abs(std::complex<long double>(value));
    } else {
      return std::abs(static_cast<long double>(value));
    }
  }
  static Value scale(std::complex<double> factor) noexcept { return std::abs(std::complex<long double>(factor)); }
  static Sum sum_of(Value value) noexcept { return value; }
  static Sum zero() noexcept { return 0; }
  static Sum multiply(Sum a, Value b) noexcept { return a * b; }
  static Sum add(Sum a, Sum b) noexcept { return a + b; }
};

}  // namespace trntensor::reference
