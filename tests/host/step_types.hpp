// The combinations of element types that every route is tested with.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "tests/host/step_random.hpp"

namespace trntensor::testing {

struct NamedTypes {
  std::string name;
  StepTypes types;

  friend std::ostream& operator<<(std::ostream& stream, const NamedTypes& named) { return stream << named.name; }
};

/// Elements of one type, loaded as they are.
inline StepTypes same(DType dtype, DType accumulator) { return {dtype, dtype, dtype, accumulator, dtype}; }

/// Sums that carry a correction, or two.
inline std::vector<NamedTypes> compensated_step_types() {
  using enum DType;
  std::vector<NamedTypes> list{
      {"f64_compensated", same(kFloat64, kFloat64)},
      {"c128_compensated", same(kComplex128, kComplex128)},
      {"f64_compensated_to_f32", {kFloat64, kFloat32, kFloat64, kFloat64, kFloat32}},
      {"c64_c128_compensated", {kComplex64, kComplex128, kComplex128, kComplex128, kComplex64}},
  };
  const std::size_t once = list.size();
  for (std::size_t i = 0; i < once; ++i) {
    list[i].types.compensated = 1;
    list.push_back(list[i]);
    list.back().name += "_twice";
    list.back().types.compensated = 2;
  }
  return list;
}

/// Every accumulator; every storage type, alone and mixed; results wider and narrower than the sums.
inline std::vector<NamedTypes> all_step_types() {
  using enum DType;
  std::vector<NamedTypes> list{
      {"f32", same(kFloat32, kFloat32)},
      {"f64", same(kFloat64, kFloat64)},
      {"c64", same(kComplex64, kComplex64)},
      {"c128", same(kComplex128, kComplex128)},
      {"i8", same(kInt8, kInt8)},
      {"u8", same(kUInt8, kUInt8)},
      {"i16", same(kInt16, kInt16)},
      {"u16", same(kUInt16, kUInt16)},
      {"i32", same(kInt32, kInt32)},
      {"u32", same(kUInt32, kUInt32)},
      {"i64", same(kInt64, kInt64)},
      {"u64", same(kUInt64, kUInt64)},
      {"bool", same(kBool, kBool)},
      {"f16", same(kFloat16, kFloat32)},
      {"bf16", same(kBFloat16, kFloat32)},
      {"e4m3", same(kFloat8E4M3, kFloat32)},
      {"e4m3fn", same(kFloat8E4M3FN, kFloat32)},
      {"e5m2", same(kFloat8E5M2, kFloat32)},
      {"bf16_f32_to_f32", {kBFloat16, kFloat32, kFloat32, kFloat32, kFloat32}},
      {"f16_bf16_to_f64", {kFloat16, kBFloat16, kFloat32, kFloat32, kFloat64}},
      {"f64_as_f32", {kFloat64, kFloat32, kFloat32, kFloat32, kFloat32}},
      {"f64_as_bf16", {kFloat64, kBFloat16, kBFloat16, kFloat32, kBFloat16}},
      {"f32_in_f64", {kFloat32, kFloat32, kFloat32, kFloat64, kFloat32}},
      {"f64_as_f32_in_f64", {kFloat64, kFloat64, kFloat32, kFloat64, kFloat32}},
      {"f64_to_f32", {kFloat64, kFloat64, kFloat64, kFloat64, kFloat32}},
      {"f32_c64", {kFloat32, kComplex64, kComplex64, kComplex64, kComplex64}},
      {"c64_f64", {kComplex64, kFloat64, kComplex128, kComplex128, kComplex128}},
      {"c64_to_c128", {kComplex64, kComplex64, kComplex64, kComplex64, kComplex128}},
      {"i8_to_i32", {kInt8, kInt8, kInt8, kInt8, kInt32}},
      {"i8_in_i32", {kInt8, kInt16, kInt32, kInt32, kInt32}},
      {"u8_to_f32", {kUInt8, kUInt8, kUInt8, kUInt8, kFloat32}},
      {"u32_to_i64", {kUInt32, kUInt32, kUInt32, kUInt32, kInt64}},
      {"i64_as_i16", {kInt64, kInt32, kInt16, kInt16, kInt16}},
      {"i32_f64", {kInt32, kFloat64, kFloat64, kFloat64, kFloat64}},
      {"i32_as_bool", {kInt32, kBool, kBool, kBool, kBool}},
      {"bool_to_i32", {kBool, kBool, kBool, kBool, kInt32}},
  };
  for (const NamedTypes& named : compensated_step_types()) list.push_back(named);
  return list;
}

}  // namespace trntensor::testing
