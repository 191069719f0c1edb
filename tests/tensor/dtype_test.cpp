// Names, kinds, promotion and casting of element types; the last two against a table made by NumPy.
#include "trntensor/tensor/dtype.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/common/expect_error.hpp"
#include "trntensor/tensor/dtype_traits.hpp"

namespace trntensor {
namespace {

std::vector<DType> all_dtypes() {
  std::vector<DType> all;
  for (int i = 0; i < kDTypeCount; ++i) all.push_back(static_cast<DType>(i));
  return all;
}

TEST(DType, SizeAndTypeAgree) {
  for (const DType dtype : all_dtypes()) {
    visit_dtype(dtype, [&]<typename T>(std::type_identity<T>) {
      EXPECT_EQ(dtype_of<T>, dtype);
      EXPECT_EQ(dtype_of<const T>, dtype);
      EXPECT_EQ(size_of(dtype), sizeof(T)) << to_string(dtype);
    });
  }
}

TEST(DType, NamesAreReadBack) {
  for (const DType dtype : all_dtypes()) EXPECT_EQ(parse_dtype(to_string(dtype)), dtype) << to_string(dtype);
}

TEST(DType, ShortNamesAreReadInAnyCase) {
  EXPECT_EQ(parse_dtype("f64"), DType::kFloat64);
  EXPECT_EQ(parse_dtype("F32"), DType::kFloat32);
  EXPECT_EQ(parse_dtype("bf16"), DType::kBFloat16);
  EXPECT_EQ(parse_dtype("f16"), DType::kFloat16);
  EXPECT_EQ(parse_dtype("e4m3"), DType::kFloat8E4M3);
  EXPECT_EQ(parse_dtype("e4m3fn"), DType::kFloat8E4M3FN);
  EXPECT_EQ(parse_dtype("E5M2"), DType::kFloat8E5M2);
  EXPECT_EQ(parse_dtype("c64"), DType::kComplex64);
  EXPECT_EQ(parse_dtype("Complex128"), DType::kComplex128);
  EXPECT_EQ(parse_dtype("i8"), DType::kInt8);
  EXPECT_EQ(parse_dtype("u64"), DType::kUInt64);
}

TEST(DType, UnknownNameIsAnErrorThatListsTheNames) {
  testing::expect_error(ErrorKind::kInvalidArgument, {"\"float31\"", "float32 (f32)", "complex128"},
                        [] { parse_dtype("float31"); });
  testing::expect_error(ErrorKind::kInvalidArgument, {"\"\""}, [] { parse_dtype(""); });
}

TEST(DType, KindsAreExclusive) {
  for (const DType dtype : all_dtypes()) {
    const int kinds = (dtype == DType::kBool) + is_integer(dtype) + is_floating(dtype) + is_complex(dtype);
    EXPECT_EQ(kinds, 1) << to_string(dtype);
    EXPECT_EQ(is_signed(dtype), is_integer(dtype) && to_string(dtype).front() == 'i') << to_string(dtype);
  }
}

TEST(DType, RealTypeIsThatOfTheParts) {
  EXPECT_EQ(real_type(DType::kComplex64), DType::kFloat32);
  EXPECT_EQ(real_type(DType::kComplex128), DType::kFloat64);
  EXPECT_EQ(real_type(DType::kBFloat16), DType::kBFloat16);
  EXPECT_EQ(real_type(DType::kInt8), DType::kInt8);
}

TEST(DType, NarrowFloatsAccumulateInFloat32) {
  for (const DType dtype : all_dtypes()) {
    const bool narrow = is_floating(dtype) && size_of(dtype) <= 2;
    EXPECT_EQ(accumulator_type(dtype), narrow ? DType::kFloat32 : dtype) << to_string(dtype);
  }
}

TEST(DType, PromotesAndCastsAsNumPy) {
  std::ifstream file(TRNTENSOR_TEST_DATA "/numpy/promotion.txt");
  std::string line;
  int pairs = 0;
  while (std::getline(file, line)) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string a, b, promoted;
    bool castable = false;
    words >> a >> b >> promoted >> castable;
    ASSERT_TRUE(words) << line;
    EXPECT_EQ(to_string(promote(parse_dtype(a), parse_dtype(b))), promoted) << line;
    EXPECT_EQ(can_cast_same_kind(parse_dtype(a), parse_dtype(b)), castable) << line;
    ++pairs;
  }
  EXPECT_EQ(pairs, 14 * 14);
}

TEST(DType, PromotionIsSymmetricAndHoldsBoth) {
  for (const DType a : all_dtypes()) {
    EXPECT_EQ(promote(a, a), a);
    for (const DType b : all_dtypes()) {
      const DType both = promote(a, b);
      EXPECT_EQ(both, promote(b, a)) << to_string(a) << " " << to_string(b);
      EXPECT_EQ(promote(both, a), both) << to_string(a) << " " << to_string(b);
      EXPECT_EQ(promote(both, b), both) << to_string(a) << " " << to_string(b);
    }
  }
}

TEST(DType, PromotesTheTypesNumPyHasNot) {
  constexpr DType kFp8[] = {DType::kFloat8E4M3, DType::kFloat8E4M3FN, DType::kFloat8E5M2};
  EXPECT_EQ(promote(DType::kBFloat16, DType::kFloat16), DType::kFloat32);
  EXPECT_EQ(promote(DType::kBFloat16, DType::kInt8), DType::kBFloat16);
  EXPECT_EQ(promote(DType::kBFloat16, DType::kUInt16), DType::kFloat32);
  EXPECT_EQ(promote(DType::kBFloat16, DType::kInt32), DType::kFloat64);
  EXPECT_EQ(promote(DType::kBFloat16, DType::kFloat32), DType::kFloat32);
  EXPECT_EQ(promote(DType::kBFloat16, DType::kComplex64), DType::kComplex64);
  for (const DType fp8 : kFp8) {
    EXPECT_EQ(promote(fp8, DType::kBool), fp8);
    EXPECT_EQ(promote(fp8, DType::kUInt8), DType::kFloat16);
    EXPECT_EQ(promote(fp8, DType::kInt16), DType::kFloat32);
    EXPECT_EQ(promote(fp8, DType::kInt64), DType::kFloat64);
    EXPECT_EQ(promote(fp8, DType::kFloat16), DType::kFloat16);
    EXPECT_EQ(promote(fp8, DType::kBFloat16), DType::kBFloat16);
    EXPECT_EQ(promote(fp8, DType::kFloat64), DType::kFloat64);
    EXPECT_EQ(promote(fp8, DType::kComplex64), DType::kComplex64);
    for (const DType other : kFp8) EXPECT_EQ(promote(fp8, other), fp8 == other ? fp8 : DType::kFloat16);
  }
}

}  // namespace
}  // namespace trntensor
