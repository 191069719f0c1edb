// The C++ type behind each DType, and the way from a run-time DType to a compile-time type.
#pragma once

#include <type_traits>
#include <utility>

#include "trntensor/support/error.hpp"
#include "trntensor/tensor/bfloat16.hpp"
#include "trntensor/tensor/dtype.hpp"
#include "trntensor/tensor/float16.hpp"
#include "trntensor/tensor/float8.hpp"

namespace trntensor {

template <typename T>
struct DTypeOf;  // `DTypeOf<T>::value` for each storage type

template <>
struct DTypeOf<bool> : std::integral_constant<DType, DType::kBool> {};
template <>
struct DTypeOf<std::int8_t> : std::integral_constant<DType, DType::kInt8> {};
template <>
struct DTypeOf<std::uint8_t> : std::integral_constant<DType, DType::kUInt8> {};
template <>
struct DTypeOf<std::int16_t> : std::integral_constant<DType, DType::kInt16> {};
template <>
struct DTypeOf<std::uint16_t> : std::integral_constant<DType, DType::kUInt16> {};
template <>
struct DTypeOf<std::int32_t> : std::integral_constant<DType, DType::kInt32> {};
template <>
struct DTypeOf<std::uint32_t> : std::integral_constant<DType, DType::kUInt32> {};
template <>
struct DTypeOf<std::int64_t> : std::integral_constant<DType, DType::kInt64> {};
template <>
struct DTypeOf<std::uint64_t> : std::integral_constant<DType, DType::kUInt64> {};
template <>
struct DTypeOf<float8_e4m3> : std::integral_constant<DType, DType::kFloat8E4M3> {};
template <>
struct DTypeOf<float8_e4m3fn> : std::integral_constant<DType, DType::kFloat8E4M3FN> {};
template <>
struct DTypeOf<float8_e5m2> : std::integral_constant<DType, DType::kFloat8E5M2> {};
template <>
struct DTypeOf<float16> : std::integral_constant<DType, DType::kFloat16> {};
template <>
struct DTypeOf<bfloat16> : std::integral_constant<DType, DType::kBFloat16> {};
template <>
struct DTypeOf<float> : std::integral_constant<DType, DType::kFloat32> {};
template <>
struct DTypeOf<double> : std::integral_constant<DType, DType::kFloat64> {};
template <>
struct DTypeOf<std::complex<float>> : std::integral_constant<DType, DType::kComplex64> {};
template <>
struct DTypeOf<std::complex<double>> : std::integral_constant<DType, DType::kComplex128> {};

/// A type that elements are stored as.
template <typename T>
concept Storable = requires { DTypeOf<T>::value; };

template <typename T>
  requires Storable<std::remove_cv_t<T>>
inline constexpr DType dtype_of = DTypeOf<std::remove_cv_t<T>>::value;

/// Calls `function(std::type_identity<T>{})` with the storage type T of `dtype` and returns its result.
template <typename Function>
decltype(auto) visit_dtype(DType dtype, Function&& function) {
  switch (dtype) {
    case DType::kBool:
      return function(std::type_identity<bool>{});
    case DType::kInt8:
      return function(std::type_identity<std::int8_t>{});
    case DType::kUInt8:
      return function(std::type_identity<std::uint8_t>{});
    case DType::kInt16:
      return function(std::type_identity<std::int16_t>{});
    case DType::kUInt16:
      return function(std::type_identity<std::uint16_t>{});
    case DType::kInt32:
      return function(std::type_identity<std::int32_t>{});
    case DType::kUInt32:
      return function(std::type_identity<std::uint32_t>{});
    case DType::kInt64:
      return function(std::type_identity<std::int64_t>{});
    case DType::kUInt64:
      return function(std::type_identity<std::uint64_t>{});
    case DType::kFloat8E4M3:
      return function(std::type_identity<float8_e4m3>{});
    case DType::kFloat8E4M3FN:
      return function(std::type_identity<float8_e4m3fn>{});
    case DType::kFloat8E5M2:
      return function(std::type_identity<float8_e5m2>{});
    case DType::kFloat16:
      return function(std::type_identity<float16>{});
    case DType::kBFloat16:
      return function(std::type_identity<bfloat16>{});
    case DType::kFloat32:
      return function(std::type_identity<float>{});
    case DType::kFloat64:
      return function(std::type_identity<double>{});
    case DType::kComplex64:
      return function(std::type_identity<std::complex<float>>{});
    case DType::kComplex128:
      return function(std::type_identity<std::complex<double>>{});
  }
  throw Error(ErrorKind::kInternal, "a DType outside the enumeration");
}

}  // namespace trntensor
