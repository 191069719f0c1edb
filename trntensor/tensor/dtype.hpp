// Element types: names, sizes, kinds, promotion and the type a sum is held in.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace trntensor {

enum class DType : std::uint8_t {
  kBool,
  kInt8,
  kUInt8,
  kInt16,
  kUInt16,
  kInt32,
  kUInt32,
  kInt64,
  kUInt64,
  kFloat8E4M3,    ///< 1-4-3, IEEE-like with infinities, largest finite 240
  kFloat8E4M3FN,  ///< 1-4-3, no infinity, largest finite 448 (OCP OFP8 E4M3)
  kFloat8E5M2,    ///< 1-5-2, IEEE-like, largest finite 57344
  kFloat16,
  kBFloat16,
  kFloat32,
  kFloat64,
  kComplex64,
  kComplex128,
};

inline constexpr int kDTypeCount = 18;

/// Whether the value is one of the enumerators: one from a cast or a file may not be.
constexpr bool is_dtype(DType dtype) noexcept { return static_cast<int>(dtype) < kDTypeCount; }

/// Bytes of one element.
std::size_t size_of(DType dtype) noexcept;

/// "float64", "bfloat16", "complex64", "int8", "bool", ... as NumPy and ml_dtypes call them.
std::string_view to_string(DType dtype) noexcept;

/// Reads the long name or a short one (f64, f32, f16, bf16, c64, c128, i8, u8, ..., e4m3, e4m3fn, e5m2), any case.
/// Throws InvalidArgument that lists the names.
DType parse_dtype(std::string_view name);

bool is_integer(DType dtype) noexcept;   ///< signed or unsigned, not bool
bool is_signed(DType dtype) noexcept;    ///< signed integer
bool is_floating(DType dtype) noexcept;  ///< real floating point of any width
bool is_complex(DType dtype) noexcept;

/// complex64 -> float32, complex128 -> float64, everything else itself.
DType real_type(DType dtype) noexcept;

/// The type that holds both, by NumPy's table (int64 with uint64 gives float64, float32 with int32 gives float64).
/// bfloat16 with float16 gives float32; float8 formats widen to float16 with 8-bit integers and other float8
/// formats, and to the other type with any wider floating type.
DType promote(DType a, DType b) noexcept;

/// The type that holds all, whatever their order, as numpy.result_type: complex and floating types are joined first,
/// the wider before the narrower, then integers, then bool. Throws InvalidArgument when there is none.
DType promote(std::span<const DType> dtypes);

/// The type a sum of products is held in: float32 for 8- and 16-bit floats, else the type itself.
DType accumulator_type(DType dtype) noexcept;

/// NumPy's casting="same_kind": widening or narrowing within a kind, or to a higher kind (bool < unsigned < signed <
/// real < complex); never complex to real, real to integer or signed to unsigned.
bool can_cast_same_kind(DType from, DType to) noexcept;

}  // namespace trntensor
