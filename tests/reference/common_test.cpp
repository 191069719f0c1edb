// The generators and the comparison that every random test relies on.
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "tests/common/matches.hpp"
#include "tests/common/random_spec.hpp"
#include "tests/common/random_tensor.hpp"

namespace trntensor::testing {
namespace {

TEST(RandomSpecs, AreLegalBoundedAndCoverWhatTheyPromise) {
  int with_ellipsis = 0, broadcast = 0, diagonal = 0, implicit = 0, empty = 0, scalar = 0, summed_alone = 0;
  std::set<std::size_t> operands;
  std::size_t highest_rank = 0;
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    const RandomSpec random = random_spec(seed);
    SCOPED_TRACE(random.describe());
    const Spec spec = random.parse();
    operands.insert(spec.axes.size());
    double points = 1;
    for (const std::int64_t extent : spec.extents) points *= static_cast<double>(std::max<std::int64_t>(extent, 1));
    ASSERT_LE(points, 20000);
    for (std::size_t i = 0; i < spec.axes.size(); ++i) {
      ASSERT_LE(checked_size(random.shapes[i]), 20000);
      highest_rank = std::max(highest_rank, spec.axes[i].size());
      const auto broadcasts = std::count(spec.broadcast[i].begin(), spec.broadcast[i].end(), true);
      broadcast += broadcasts > 0;
      diagonal += spec.inputs[i].size() + static_cast<std::size_t>(broadcasts) < spec.axes[i].size();
    }
    with_ellipsis += random.subscripts.find("...") != std::string::npos;
    implicit += random.subscripts.find('>') == std::string::npos;
    empty += std::ranges::find(spec.extents, 0) != spec.extents.end();
    scalar += spec.output.empty();
    summed_alone += spec.axes.size() == 1 && spec.output.size() < spec.extents.size();
  }
  EXPECT_EQ(operands, (std::set<std::size_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(highest_rank, 8u);
  for (const int count : {with_ellipsis, broadcast, diagonal, implicit, empty, scalar, summed_alone}) {
    EXPECT_GT(count, 100);
  }
}

TEST(RandomSpecs, AreTheSameForASeed) {
  EXPECT_EQ(random_spec(17).subscripts, random_spec(17).subscripts);
  EXPECT_NE(random_spec(17).describe(), random_spec(18).describe());
}

TEST(RandomSpecs, KeepToTheirOptions) {
  const RandomSpecOptions options{.min_operands = 2,
                                  .max_operands = 2,
                                  .max_rank = 3,
                                  .max_points = 50,
                                  .broadcast = false,
                                  .ellipsis = false,
                                  .repeated = false,
                                  .implicit_output = false,
                                  .zero_extents = false};
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const RandomSpec random = random_spec(seed, options);
    SCOPED_TRACE(random.describe());
    const Spec spec = random.parse();
    ASSERT_EQ(spec.axes.size(), 2u);
    EXPECT_EQ(random.subscripts.find('.'), std::string::npos);
    EXPECT_NE(random.subscripts.find("->"), std::string::npos);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_LE(spec.axes[i].size(), 3u);
      EXPECT_EQ(spec.inputs[i], spec.axes[i]);
    }
  }
}

TEST(RandomTensors, HaveTheStridesAskedFor) {
  Random random(1);
  const Shape shape{3, 4, 5};
  const auto make = [&](StrideKind kind) { return random_tensor(random, shape, DType::kFloat64, {.strides = kind}); };
  int permuted = 0, stepped = 0, reversed = 0, zero = 0;
  for (int i = 0; i < 50; ++i) {
    EXPECT_TRUE(make(StrideKind::kContiguous).is_contiguous());
    permuted += !make(StrideKind::kPermuted).is_contiguous();
    stepped += !make(StrideKind::kStepped).is_contiguous();
    reversed += std::ranges::any_of(make(StrideKind::kReversed).strides(), [](auto s) { return s < 0; });
    zero += std::ranges::any_of(make(StrideKind::kZero).strides(), [](auto s) { return s == 0; });
    EXPECT_NE(reinterpret_cast<std::uintptr_t>(make(StrideKind::kMisaligned).data()) % 64, 0u);
  }
  for (const int count : {permuted, stepped, reversed, zero}) EXPECT_GT(count, 20);
}

TEST(RandomTensors, WritableOnesShareNoElement) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const Tensor tensor = random_tensor(random, {3, 4, 5}, DType::kInt32, {.writable = true});
    std::set<std::int64_t> offsets;
    for (std::int64_t n = 0; n < 60; ++n) {
      const Strides& s = tensor.strides();
      offsets.insert(n / 20 * s[0] + n / 5 % 4 * s[1] + n % 5 * s[2]);
    }
    EXPECT_EQ(offsets.size(), 60u) << describe(tensor) << " seed " << seed;
  }
}

TEST(RandomTensors, SmallIntegersAreExactInEveryType) {
  for (int i = 0; i < kDTypeCount; ++i) {
    const auto dtype = static_cast<DType>(i);
    Random random(7);
    const Tensor tensor = random_tensor(random, {100}, dtype, {.values = ValueKind::kSmallIntegers});
    for (const double value : tensor.to_vector<double>()) {
      EXPECT_EQ(value, std::round(value));
      EXPECT_LE(std::abs(value), 6);
    }
  }
}

Tensor one(double value) { return Tensor::scalar(value); }

TEST(Comparison, RefusesAnErrorJustBeyondTheBoundAndTakesOneWithin) {
  const Precise precise{DType::kFloat64, 10, 2};
  const double bound = tolerance(DType::kFloat64, DType::kFloat64, 10, 2, 1, 5);
  EXPECT_TRUE(matches(one(1 + 0.9 * bound), one(1), one(5), precise));
  EXPECT_FALSE(matches(one(1 + 1.1 * bound), one(1), one(5), precise));
  EXPECT_FALSE(matches(one(1 - 1.1 * bound), one(1), one(5), precise));
  EXPECT_LT(bound, 100 * 0x1p-52);
}

TEST(Comparison, WantsNoFiniteNumberWhereSpecialValuesTookPart) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(matches(one(kNan), one(kNan), one(kNan), {}));
  EXPECT_TRUE(matches(one(kInf), one(kInf), one(kInf), {}));
  EXPECT_TRUE(matches(one(kNan), one(kInf), one(kInf), {})) << "the order of sums decides between the two";
  EXPECT_FALSE(matches(one(1), one(kNan), one(kNan), {}));
  EXPECT_FALSE(matches(one(1), one(kInf), one(kInf), {}));
}

TEST(Comparison, WantsFiniteNumbersElsewhereSaveAtTheEdgeOfTheRange) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr double kMax = std::numeric_limits<double>::max();
  EXPECT_FALSE(matches(one(kNan), one(1), one(1), {}));
  EXPECT_FALSE(matches(one(kInf), one(1), one(1), {}));
  EXPECT_TRUE(matches(one(kMax), one(kInf), one(kMax), {}));
  EXPECT_FALSE(matches(one(-kInf), one(kInf), one(kMax), {}));
  EXPECT_FALSE(matches(one(1), one(kInf), one(kMax), {}));
}

TEST(Comparison, TakesIntegersExactly) {
  const auto big = [](std::int64_t value) { return Tensor::scalar(value); };
  EXPECT_TRUE(matches(big(INT64_MAX), big(INT64_MAX), one(0), {}));
  EXPECT_FALSE(matches(big(INT64_MAX), big(INT64_MAX - 1), one(0), {}));
  EXPECT_FALSE(matches(big(1), one(1), one(0), {}));
}

}  // namespace
}  // namespace trntensor::testing
