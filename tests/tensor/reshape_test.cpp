// Reshapes: over the same memory exactly when one can be, with the elements in the same order.
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "tests/common/expect_error.hpp"
#include "trntensor/support/random.hpp"
#include "trntensor/tensor/layout.hpp"

namespace trntensor {
namespace {

// Positions of all elements in row-major order.
std::vector<std::int64_t> positions(const Layout& layout) {
  std::vector<std::int64_t> result{layout.offset};
  for (std::size_t axis = 0; axis < layout.shape.size(); ++axis) {
    std::vector<std::int64_t> next;
    for (const std::int64_t base : result) {
      for (std::int64_t i = 0; i < layout.shape[axis]; ++i) next.push_back(base + i * layout.strides[axis]);
    }
    result = std::move(next);
  }
  return result;
}

// Whether any strides give the positions in the new shape, found from the positions themselves.
bool has_strides(const std::vector<std::int64_t>& order, const Shape& shape) {
  Layout layout{shape, Strides(shape.size(), 0), order.front()};
  std::int64_t step = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    if (shape[axis] > 1) layout.strides[axis] = order[static_cast<std::size_t>(step)] - order.front();
    step *= shape[axis];
  }
  return positions(layout) == order;
}

Shape random_factors(Random& random, std::int64_t size) {
  Shape shape;
  while (size > 1) {
    std::vector<std::int64_t> divisors;
    for (std::int64_t d = 2; d <= size; ++d) {
      if (size % d == 0) divisors.push_back(d);
    }
    shape.push_back(divisors[static_cast<std::size_t>(random.integer(0, std::ssize(divisors) - 1))]);
    size /= shape.back();
    if (random.integer(0, 3) == 0) shape.push_back(1);
  }
  return shape;
}

Layout random_view(Random& random, std::int64_t size) {
  Shape shape = random_factors(random, size);
  Layout layout{shape, contiguous_strides(shape), 0};
  const auto rank = static_cast<int>(shape.size());
  for (int change = 0; rank > 0 && change < 2; ++change) {
    const int axis = static_cast<int>(random.integer(0, rank - 1));
    const int other = static_cast<int>(random.integer(0, rank - 1));
    switch (random.integer(0, 4)) {
      case 0:
        layout = reverse(layout, axis);
        break;
      case 1:
        std::swap(layout.shape[static_cast<std::size_t>(axis)], layout.shape[static_cast<std::size_t>(other)]);
        std::swap(layout.strides[static_cast<std::size_t>(axis)], layout.strides[static_cast<std::size_t>(other)]);
        break;
      case 2:
        layout.strides[static_cast<std::size_t>(axis)] = 0;
        break;
      case 3:
        for (std::int64_t& stride : layout.strides) stride *= 2;
        break;
      default:
        break;
    }
  }
  return layout;
}

TEST(Reshape, NeedsNoCopyExactlyWhenStridesExist) {
  constexpr std::uint64_t kSeed = 42;
  Random random(kSeed);
  std::map<bool, int> outcomes;
  for (int trial = 0; trial < 20'000; ++trial) {
    constexpr std::int64_t kSizes[] = {1, 2, 6, 12, 24, 36, 60};
    const std::int64_t size = kSizes[random.integer(0, 6)];
    const Layout layout = random_view(random, size);
    const Shape shape = random_factors(random, size);
    const auto reshaped = reshape_without_copy(layout, shape);
    const auto order = positions(layout);
    ASSERT_EQ(reshaped.has_value(), has_strides(order, shape))
        << "seed " << kSeed << ", trial " << trial << ": " << format_shape(layout.shape) << " strides "
        << format_shape(layout.strides) << " to " << format_shape(shape);
    if (reshaped) {
      ASSERT_EQ(reshaped->shape, shape);
      ASSERT_EQ(positions(*reshaped), order);
    }
    ++outcomes[reshaped.has_value()];
  }
  EXPECT_GT(outcomes[true], 1000);
  EXPECT_GT(outcomes[false], 1000);
}

TEST(Reshape, EmptyTensorsTakeAnyEmptyShape) {
  const auto reshaped = reshape_without_copy({{0, 3}, {7, 5}, 2}, Shape{5, 0, 2});
  ASSERT_TRUE(reshaped);
  EXPECT_EQ(reshaped->shape, (Shape{5, 0, 2}));
}

TEST(Reshape, RefusesAnotherNumberOfElements) {
  testing::expect_error(ErrorKind::kInvalidArgument, {"(2, 3) (6 elements)", "(4,) (4 elements)"},
                        [] { reshape_without_copy({{2, 3}, {3, 1}, 0}, Shape{4}); });
  testing::expect_error(ErrorKind::kInvalidArgument, {"negative"},
                        [] { reshape_without_copy({{2, 3}, {3, 1}, 0}, Shape{-1, 6}); });
}

}  // namespace
}  // namespace trntensor
