// The small vector against std::vector, inside the object and on the heap.
#include "trntensor/support/inline_vector.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "trntensor/support/random.hpp"

namespace trntensor {
namespace {

using Small = InlineVector<std::int64_t, 4>;

std::vector<std::int64_t> plain(const Small& vector) { return {vector.begin(), vector.end()}; }

Small counted(std::size_t count) {
  Small vector;
  for (std::size_t i = 0; i < count; ++i) vector.push_back(static_cast<std::int64_t>(i) + 1);
  return vector;
}

TEST(InlineVector, IsConstructedInEveryWay) {
  EXPECT_TRUE(Small().empty());
  EXPECT_EQ(plain(Small(3, 7)), (std::vector<std::int64_t>{7, 7, 7}));
  EXPECT_EQ(plain(Small(2)), (std::vector<std::int64_t>{0, 0}));
  EXPECT_EQ(plain(Small{3, 7}), (std::vector<std::int64_t>{3, 7}));
  const std::vector<std::int64_t> source{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(plain(Small(source.begin(), source.end())), source);
  EXPECT_EQ(plain(Small(std::span<const std::int64_t>(source))), source);
}

TEST(InlineVector, CopiesAreIndependent) {
  for (const std::size_t count : {0U, 3U, 4U, 5U, 20U}) {
    const Small original = counted(count);
    Small copy = original;
    EXPECT_EQ(copy, original);
    copy.push_back(99);
    EXPECT_EQ(original.size(), count);
    Small assigned{5, 5, 5, 5, 5, 5, 5};
    assigned = original;
    EXPECT_EQ(assigned, original);
    const Small& self = assigned;
    assigned = self;
    EXPECT_EQ(assigned, original);
  }
}

TEST(InlineVector, MovesLeaveAnEmptyVectorThatCanBeUsed) {
  for (const std::size_t count : {0U, 3U, 4U, 5U, 20U}) {
    Small original = counted(count);
    Small moved = std::move(original);
    EXPECT_EQ(moved, counted(count));
    original.clear();
    original.push_back(1);
    EXPECT_EQ(original.size(), 1U);
    Small assigned = counted(9);
    assigned = std::move(moved);
    EXPECT_EQ(assigned, counted(count));
  }
}

TEST(InlineVector, ComparesSizesAndValues) {
  EXPECT_EQ(counted(3), (Small{1, 2, 3}));
  EXPECT_NE(counted(3), (Small{1, 2, 4}));
  EXPECT_NE(counted(3), counted(2));
  EXPECT_NE(counted(5), counted(6));
}

TEST(InlineVector, ConvertsToSpan) {
  const Small vector = counted(6);
  const std::span<const std::int64_t> span = vector;
  EXPECT_EQ(span.size(), 6U);
  EXPECT_EQ(span.data(), vector.data());
}

// One random operation on both vectors.
void change(Random& random, Small& small, std::vector<std::int64_t>& reference) {
  const std::int64_t value = random.integer(-9, 9);
  const auto at = [&](std::size_t limit) { return random.integer(0, static_cast<std::int64_t>(limit)); };
  switch (random.integer(0, 6)) {
    case 0:
      if (reference.empty()) return;
      small.pop_back();
      return reference.pop_back();
    case 1: {
      const std::int64_t position = at(reference.size());
      EXPECT_EQ(*small.insert(small.begin() + position, value), value);
      reference.insert(reference.begin() + position, value);
      return;
    }
    case 2: {
      if (reference.empty()) return;
      const std::int64_t position = at(reference.size() - 1);
      EXPECT_EQ(small.erase(small.begin() + position) - small.begin(), position);
      reference.erase(reference.begin() + position);
      return;
    }
    case 3: {
      const auto size = static_cast<std::size_t>(at(12));
      small.resize(size, value);
      return reference.resize(size, value);
    }
    default:
      small.push_back(value);
      return reference.push_back(value);
  }
}

TEST(InlineVector, BehavesAsAVectorUnderRandomChanges) {
  constexpr std::uint64_t kSeed = 3;
  Random random(kSeed);
  for (int trial = 0; trial < 500; ++trial) {
    Small small;
    std::vector<std::int64_t> reference;
    for (int step = 0; step < 40; ++step) {
      change(random, small, reference);
      ASSERT_EQ(plain(small), reference) << "seed " << kSeed << ", trial " << trial << ", step " << step;
      if (reference.empty()) continue;
      ASSERT_EQ(small.front(), reference.front());
      ASSERT_EQ(small.back(), reference.back());
    }
  }
}

}  // namespace
}  // namespace trntensor
