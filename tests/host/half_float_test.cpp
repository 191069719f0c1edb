// 16-bit floats in vectors: conversion of runs, and packing from any strides without a stage between.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/host/half_operands.hpp"
#include "trntensor/host/kernels/table.hpp"
#include "trntensor/host/kernels/vector_table.hpp"
#include "trntensor/support/aligned_memory.hpp"
#include "trntensor/tensor/convert.hpp"

namespace trntensor::testing {
namespace {

using host::GemmKernel;
using host::HalfConversions;

struct HalfType {
  DType dtype;
  const HalfConversions& (*conversions)(const host::VectorTable& table);
  const host::PackBoth& (*packing)(const host::KernelFunctions& functions);
};

const HalfType kHalfTypes[] = {
    {DType::kBFloat16, [](const host::VectorTable& t) -> const HalfConversions& { return t.bfloat16s; },
     [](const host::KernelFunctions& f) -> const host::PackBoth& { return f.pack_bfloat16; }},
    {DType::kFloat16, [](const host::VectorTable& t) -> const HalfConversions& { return t.float16s; },
     [](const host::KernelFunctions& f) -> const host::PackBoth& { return f.pack_float16; }},
};

bool is_same_number(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) || (a != a && b != b);
}

float widened(std::uint16_t bits, DType dtype) {
  float value = 0;
  convert_run(&bits, dtype, 1, &value, DType::kFloat32, 1, 1);
  return value;
}

TEST(HalfConversions, WidenEveryElementAsTheScalarConversion) {
  std::vector<std::uint16_t> all(0x10000 + 1);  // and one further than vectors are aligned
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
  for (const std::string& name : host_kernel_names()) {
    for (const HalfType& type : kHalfTypes) {
      const auto widen = type.conversions(host::vector_table(name)).widen;
      if (widen == nullptr) continue;
      for (const std::size_t first : {std::size_t{0}, std::size_t{1}}) {
        std::vector<float> got(0x10000);
        widen(reinterpret_cast<const std::byte*>(all.data() + first), reinterpret_cast<std::byte*>(got.data()),
              static_cast<std::int64_t>(got.size()));
        for (std::size_t i = 0; i < got.size(); ++i) {
          ASSERT_TRUE(is_same_number(got[i], widened(all[first + i], type.dtype)))
              << name << ", " << to_string(type.dtype) << ", bits " << all[first + i];
        }
      }
    }
  }
}

/// All signs and exponents with mantissas at and beside the halves of the 16-bit types, and random ones.
std::vector<float> floats_to_narrow() {
  std::vector<float> values;
  Random random(11);
  for (std::uint32_t upper = 0; upper < 0x200; ++upper) {
    for (const std::uint32_t mantissa : {0x0U, 0x1U, 0xfffU, 0x1000U, 0x1001U, 0x2fffU, 0x3000U, 0x7fffU, 0x8000U,
                                         0x8001U, 0x17fffU, 0x18000U, 0x18001U, 0x3fffffU, 0x400000U, 0x7fffffU}) {
      values.push_back(std::bit_cast<float>(upper << 23 | mantissa));
    }
    for (int i = 0; i < 8; ++i) {
      values.push_back(std::bit_cast<float>(upper << 23 | static_cast<std::uint32_t>(random.integer(0, 0x7fffff))));
    }
  }
  return values;
}

TEST(HalfConversions, NarrowAsTheScalarConversion) {
  const std::vector<float> values = floats_to_narrow();
  for (const std::string& name : host_kernel_names()) {
    for (const HalfType& type : kHalfTypes) {
      const auto narrow = type.conversions(host::vector_table(name)).narrow;
      if (narrow == nullptr) continue;
      for (const std::int64_t count : {1, 5, 17, static_cast<int>(values.size())}) {
        std::vector<std::uint16_t> got(values.size() + 1, 0xabcd);
        narrow(reinterpret_cast<const std::byte*>(values.data()), reinterpret_cast<std::byte*>(got.data()), count);
        EXPECT_EQ(got[static_cast<std::size_t>(count)], 0xabcd) << "written beyond the last element";
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
          std::uint16_t expected = 0;
          convert_run(&values[i], DType::kFloat32, 1, &expected, type.dtype, 1, 1);
          ASSERT_TRUE(is_same_number(widened(got[i], type.dtype), widened(expected, type.dtype)))
              << name << ", " << to_string(type.dtype) << ", " << values[i];
        }
      }
    }
  }
}

/// Packs `lanes` of them from lane `first` on, `terms` each, and compares all elements.
void expect_widened(const HalfOperand& operand, DType dtype, host::PackPanels pack, std::int64_t width,
                    std::int64_t first, std::int64_t lanes, std::int64_t terms) {
  const std::int64_t panels = (lanes + width - 1) / width;
  const std::int64_t elements = panels * width * terms;
  const AlignedBuffer panel = allocate_aligned(place(elements + 1) * sizeof(float));
  auto* got = reinterpret_cast<float*>(panel.get());
  constexpr float kUntouched = -77;
  std::fill_n(got, elements + 1, kUntouched);
  host::BlockIndex step_index = operand.step_index;
  step_index.count = terms;
  pack({panel.get(), operand.source(), &operand.lane_index, &step_index, first, lanes});
  for (std::int64_t lane = 0; lane < panels * width; ++lane) {
    for (std::int64_t p = 0; p < terms; ++p) {
      const float expected = lane < lanes ? widened(operand.bits(first + lane, p), dtype) : 0.0F;
      ASSERT_EQ(got[(lane / width * terms + p) * width + lane % width], expected) << "lane " << lane << ", term " << p;
    }
  }
  EXPECT_EQ(got[elements], kUntouched) << "written beyond the last panel";
}

TEST(HalfFloats, PackFromAnyStrides) {
  int kernels = 0;
  for (const GemmKernel& kernel : host::gemm_kernels()) {
    for (const HalfType& type : kHalfTypes) {
      const host::PackBoth& packing = type.packing(kernel.functions);
      if (packing.a == nullptr) continue;
      ++kernels;
      for (const HalfOperand& operand : half_operands()) {
        for (const std::int64_t terms : {0, 1, 3, 8, 41}) {
          for (const std::int64_t lanes : {1, 5, 8, 31, 48, 100}) {
            SCOPED_TRACE(kernel.name + ", strides " + std::to_string(operand.lane_index.inner_stride) + " and " +
                         std::to_string(operand.step_index.inner_stride) + ", terms " + std::to_string(terms) +
                         ", lanes " + std::to_string(lanes));
            expect_widened(operand, type.dtype, packing.a, kernel.functions.mr, kMostLanes - lanes, lanes, terms);
            expect_widened(operand, type.dtype, packing.b, kernel.functions.nr, 1, lanes, terms);
          }
        }
      }
    }
  }
  if (host_kernel_names().size() == 1) GTEST_SKIP() << "this build has the generic kernels alone";
  EXPECT_GT(kernels, 0);
}

}  // namespace
}  // namespace trntensor::testing
