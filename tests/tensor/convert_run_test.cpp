// Strided runs of every type to every other, against one element at a time.
#include <gtest/gtest.h>

#include <vector>

#include "trntensor/support/random.hpp"
#include "trntensor/tensor/convert.hpp"

namespace trntensor {
namespace {

struct Steps {
  std::int64_t source_stride;
  std::int64_t target_stride;
  std::size_t source_shift;
  std::size_t target_shift;
};

constexpr std::int64_t kCount = 37;
constexpr std::int64_t kReach = 3 * (kCount - 1) + 1;
constexpr std::size_t kBytes = 16 * (2 * kReach) + 16;

template <typename From, typename To>
void expect_run(const std::vector<std::byte>& noise, const Steps& run) {
  std::vector<std::byte> target(kBytes, std::byte{0x5a});
  std::vector<std::byte> expected = target;
  const std::byte* source = noise.data() + kReach * 16 + run.source_shift;
  const auto middle = static_cast<std::size_t>(kReach) * 16 + run.target_shift;
  constexpr auto kFromSize = static_cast<std::int64_t>(sizeof(From));
  constexpr auto kToSize = static_cast<std::int64_t>(sizeof(To));
  for (std::int64_t i = 0; i < kCount; ++i) {
    const From value = load_element<From>(source + i * run.source_stride * kFromSize);
    store_element(expected.data() + middle + i * run.target_stride * kToSize, convert_element<To>(value));
  }
  convert_run(source, dtype_of<From>, run.source_stride, target.data() + middle, dtype_of<To>, run.target_stride,
              kCount);
  EXPECT_EQ(target, expected) << to_string(dtype_of<From>) << " -> " << to_string(dtype_of<To>) << ", strides "
                              << run.source_stride << " and " << run.target_stride;
}

class ConvertRunOf : public ::testing::TestWithParam<int> {};

TEST_P(ConvertRunOf, EqualsOneElementAtATime) {
  constexpr std::uint64_t kSeed = 5;
  Random random(kSeed);
  std::vector<std::byte> noise(kBytes);
  for (std::byte& byte : noise) byte = static_cast<std::byte>(random() >> 56);
  constexpr Steps kRuns[] = {{1, 1, 0, 0}, {1, 1, 1, 3}, {2, 1, 0, 0}, {1, -1, 0, 5}, {-3, 2, 7, 0}, {0, 1, 0, 0}};
  visit_dtype(static_cast<DType>(GetParam()), [&]<typename From>(std::type_identity<From>) {
    for (int to = 0; to < kDTypeCount; ++to) {
      visit_dtype(static_cast<DType>(to), [&]<typename To>(std::type_identity<To>) {
        for (const Steps& run : kRuns) expect_run<From, To>(noise, run);
      });
    }
  });
}

INSTANTIATE_TEST_SUITE_P(AllTypes, ConvertRunOf, ::testing::Range(0, kDTypeCount),
                         [](const auto& type) { return std::string(to_string(static_cast<DType>(type.param))); });

TEST(ConvertRun, NothingIsDoneForNoElements) {
  convert_run(nullptr, DType::kFloat32, 1, nullptr, DType::kInt8, 1, 0);
  convert_run(nullptr, DType::kFloat32, 1, nullptr, DType::kFloat32, 1, -1);
}

TEST(ConvertRun, BoolIsStoredAsZeroOrOne) {
  const std::uint8_t source[] = {0, 1, 2, 255};
  std::uint8_t target[] = {9, 9, 9, 9};
  convert_run(source, DType::kBool, 1, target, DType::kBool, 1, 4);
  EXPECT_EQ(std::vector<int>(target, target + 4), (std::vector<int>{0, 1, 1, 1}));
}

}  // namespace
}  // namespace trntensor
