// Views of layouts: where each operation puts the elements, and what it refuses.
#include "trntensor/tensor/layout.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "tests/common/expect_error.hpp"

namespace trntensor {
namespace {

using testing::expect_error;

constexpr auto kInvalid = ErrorKind::kInvalidArgument;
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

Layout contiguous(const Shape& shape) { return {shape, contiguous_strides(shape), 0}; }

void expect_layout(const Layout& layout, const Shape& shape, const Strides& strides, std::int64_t offset) {
  EXPECT_EQ(format_shape(layout.shape), format_shape(shape));
  EXPECT_EQ(format_shape(layout.strides), format_shape(strides));
  EXPECT_EQ(layout.offset, offset);
}

// Elements of a 1-D layout.
std::vector<std::int64_t> elements(const Layout& layout) {
  std::vector<std::int64_t> result;
  for (std::int64_t i = 0; i < layout.shape[0]; ++i) result.push_back(layout.offset + i * layout.strides[0]);
  return result;
}

TEST(Layout, FormatsShapesAsNumPy) {
  EXPECT_EQ(format_shape(Shape{}), "()");
  EXPECT_EQ(format_shape(Shape{3}), "(3,)");
  EXPECT_EQ(format_shape(Shape{2, 0, 4}), "(2, 0, 4)");
}

TEST(Layout, ContiguousStridesAreOfCOrder) {
  EXPECT_EQ(contiguous_strides(Shape{}), Strides{});
  EXPECT_EQ(contiguous_strides(Shape{2, 3, 4}), (Strides{12, 4, 1}));
  EXPECT_EQ(contiguous_strides(Shape{2, 0, 4}), (Strides{4, 4, 1}));
}

TEST(Layout, SizeIsCheckedForOverflow) {
  EXPECT_EQ(checked_size(Shape{}), 1);
  EXPECT_EQ(checked_size(Shape{2, 3, 4}), 24);
  EXPECT_EQ(checked_size(Shape{5, 0, 4}), 0);
  EXPECT_EQ(checked_size(Shape{kMost}), kMost);
  expect_error(kInvalid, {"(3, -1)", "extent -1 of axis 1"}, [] { checked_size(Shape{3, -1}); });
  expect_error(kInvalid, {"63 bits"}, [] { checked_size(Shape{std::int64_t{1} << 32, std::int64_t{1} << 31}); });
  expect_error(kInvalid, {"63 bits"}, [] { checked_size(Shape{kMost, kMost, 0}); });
  expect_error(kInvalid, {"extent -1"}, [] { checked_size(Shape{kMost, -1}); });
}

TEST(Layout, ContiguityIgnoresExtentsOfOne) {
  EXPECT_TRUE(is_contiguous({{2, 1, 3}, {3, 77, 1}, 0}));
  EXPECT_TRUE(is_contiguous({{1}, {5}, 0}));
  EXPECT_TRUE(is_contiguous({{}, {}, 0}));
  EXPECT_TRUE(is_contiguous({{3, 0}, {9, 9}, 0}));
  EXPECT_FALSE(is_contiguous({{2, 3}, {4, 1}, 0}));
  EXPECT_FALSE(is_contiguous({{2, 3}, {1, 2}, 0}));
  EXPECT_FALSE(is_contiguous({{3}, {-1}, 2}));
  EXPECT_FALSE(is_contiguous({{3}, {0}, 0}));
}

TEST(Permute, MovesAxes) {
  const std::array axes{2, 0, 1};
  expect_layout(permute(contiguous({2, 3, 4}), axes), {4, 2, 3}, {1, 12, 4}, 0);
  const std::array from_end{-1, -2, 0};
  expect_layout(permute(contiguous({2, 3, 4}), from_end), {4, 3, 2}, {1, 4, 12}, 0);
  expect_layout(permute(contiguous({}), {}), {}, {}, 0);
}

TEST(Permute, RefusesWhatIsNoPermutation) {
  const Layout layout = contiguous({2, 3});
  expect_error(kInvalid, {"axis 0", "twice"}, [&] { permute(layout, std::array{0, 0}); });
  expect_error(kInvalid, {"axis -2", "twice"}, [&] { permute(layout, std::array{0, -2}); });
  expect_error(kInvalid, {"axis 2", "rank 2"}, [&] { permute(layout, std::array{0, 2}); });
  expect_error(kInvalid, {"1 axes", "rank 2"}, [&] { permute(layout, std::array{0}); });
}

TEST(Slice, FollowsPython) {
  const Layout ten = contiguous({10});
  using V = std::vector<std::int64_t>;
  EXPECT_EQ(elements(slice(ten, 0, 2, 5, 1)), (V{2, 3, 4}));
  EXPECT_EQ(elements(slice(ten, 0, 0, 10, 3)), (V{0, 3, 6, 9}));
  EXPECT_EQ(elements(slice(ten, 0, 1, 9, 4)), (V{1, 5}));
  EXPECT_EQ(elements(slice(ten, 0, -3, -1, 1)), (V{7, 8}));
  EXPECT_EQ(elements(slice(ten, 0, 8, 100, 1)), (V{8, 9}));
  EXPECT_EQ(elements(slice(ten, 0, -100, 2, 1)), (V{0, 1}));
  EXPECT_EQ(elements(slice(ten, 0, 7, 2, 1)), V{});
  EXPECT_EQ(elements(slice(ten, 0, 20, 30, 1)), V{});
  EXPECT_EQ(elements(slice(ten, 0, 9, -11, -1)), (V{9, 8, 7, 6, 5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(elements(slice(ten, 0, 8, 2, -3)), (V{8, 5}));
  EXPECT_EQ(elements(slice(ten, 0, -1, 0, -4)), (V{9, 5, 1}));
  EXPECT_EQ(elements(slice(ten, 0, 100, 6, -1)), (V{9, 8, 7}));
  EXPECT_EQ(elements(slice(ten, 0, 3, 3, -1)), V{});
}

// Every start, stop and step around a small axis, against the definition of Python's slices.
TEST(Slice, AgreesWithTheDefinitionEverywhere) {
  for (std::int64_t n = 0; n <= 4; ++n) {
    for (std::int64_t step : {-3, -2, -1, 1, 2, 3}) {
      for (std::int64_t start = -6; start <= 6; ++start) {
        for (std::int64_t stop = -6; stop <= 6; ++stop) {
          const auto bound = [&](std::int64_t b) {
            const std::int64_t from_start = b < 0 ? b + n : b;
            return step > 0 ? std::clamp<std::int64_t>(from_start, 0, n)
                            : std::clamp<std::int64_t>(from_start, -1, n - 1);
          };
          std::vector<std::int64_t> expected;
          for (std::int64_t i = bound(start); step > 0 ? i < bound(stop) : i > bound(stop); i += step) {
            expected.push_back(i);
          }
          EXPECT_EQ(elements(slice(contiguous({n}), 0, start, stop, step)), expected)
              << n << ": " << start << ", " << stop << ", " << step;
        }
      }
    }
  }
}

TEST(Slice, TakesExtremeBounds) {
  const Layout ten = contiguous({10});
  EXPECT_EQ(elements(slice(ten, 0, kLeast, kMost, 1)).size(), 10U);
  EXPECT_EQ(elements(slice(ten, 0, kMost, kLeast, -1)).size(), 10U);
  EXPECT_EQ(elements(slice(ten, 0, 4, kMost, kMost)), std::vector<std::int64_t>{4});
  EXPECT_EQ(elements(slice(ten, 0, 4, kLeast, kLeast)), std::vector<std::int64_t>{4});
}

TEST(Slice, AddsToOffsetAndMultipliesStride) {
  expect_layout(slice({{4, 6}, {-6, 2}, 30}, 1, 1, 6, 2), {4, 3}, {-6, 4}, 32);
  expect_layout(slice({{4, 6}, {-6, 2}, 30}, -2, 3, 0, -1), {3, 6}, {6, 2}, 12);
}

TEST(Slice, RefusesStepZeroAndUnknownAxes) {
  expect_error(kInvalid, {"step is 0", "axis 0"}, [] { slice(contiguous({3}), 0, 0, 3, 0); });
  expect_error(kInvalid, {"axis 1", "rank 1"}, [] { slice(contiguous({3}), 1, 0, 3, 1); });
  expect_error(kInvalid, {"axis -1", "rank 0", "no axes"}, [] { slice(contiguous({}), -1, 0, 3, 1); });
}

TEST(Select, DropsTheAxis) {
  expect_layout(select(contiguous({2, 3, 4}), 1, 2), {2, 4}, {12, 1}, 8);
  expect_layout(select(contiguous({2, 3, 4}), -1, -1), {2, 3}, {12, 4}, 3);
  expect_error(kInvalid, {"index 3", "axis 1", "extent 3"}, [] { select(contiguous({2, 3}), 1, 3); });
  expect_error(kInvalid, {"index -4"}, [] { select(contiguous({2, 3}), 1, -4); });
  expect_error(kInvalid, {"index 0", "empty"}, [] { select(contiguous({2, 0}), 1, 0); });
  expect_error(kInvalid, {"axis 2"}, [] { select(contiguous({2, 0}), 2, 0); });
}

TEST(InsertAxis, PutsAnExtentOfOne) {
  expect_layout(insert_axis(contiguous({2, 3}), 0), {1, 2, 3}, {0, 3, 1}, 0);
  expect_layout(insert_axis(contiguous({2, 3}), 2), {2, 3, 1}, {3, 1, 0}, 0);
  expect_layout(insert_axis(contiguous({2, 3}), -1), {2, 3, 1}, {3, 1, 0}, 0);
  expect_layout(insert_axis(contiguous({}), 0), {1}, {0}, 0);
  expect_error(kInvalid, {"axis 3"}, [] { insert_axis(contiguous({2, 3}), 3); });
}

TEST(Reverse, RunsBackToFront) {
  expect_layout(reverse(contiguous({2, 3}), 1), {2, 3}, {3, -1}, 2);
  expect_layout(reverse(reverse(contiguous({2, 3}), -2), 0), {2, 3}, {3, 1}, 0);
  expect_layout(reverse(contiguous({0}), 0), {0}, {-1}, 0);
}

TEST(BroadcastTo, FollowsNumPy) {
  expect_layout(broadcast_to(contiguous({3, 1}), Shape{2, 3, 4}), {2, 3, 4}, {0, 1, 0}, 0);
  expect_layout(broadcast_to(contiguous({}), Shape{2, 2}), {2, 2}, {0, 0}, 0);
  expect_layout(broadcast_to(contiguous({1}), Shape{0}), {0}, {0}, 0);
  expect_layout(broadcast_to(contiguous({2}), Shape{2}), {2}, {1}, 0);
  expect_error(kInvalid, {"(3,)", "(4,)"}, [] { broadcast_to(contiguous({3}), Shape{4}); });
  expect_error(kInvalid, {"(2, 3)", "(3,)"}, [] { broadcast_to(contiguous({2, 3}), Shape{3}); });
  expect_error(kInvalid, {"(0,)", "(3,)"}, [] { broadcast_to(contiguous({0}), Shape{3}); });
  expect_error(kInvalid, {"negative"}, [] { broadcast_to(contiguous({1}), Shape{-1}); });
  expect_error(kInvalid, {"63 bits"}, [] { broadcast_to(contiguous({1}), Shape{kMost, kMost}); });
}

TEST(Diagonal, RunsAlongBothAxes) {
  expect_layout(diagonal(contiguous({3, 4, 3}), 0, 2), {3, 4}, {13, 3}, 0);
  expect_layout(diagonal(contiguous({3, 4, 3}), -1, 0), {4, 3}, {3, 13}, 0);
  expect_layout(diagonal(reverse(contiguous({3, 3}), 1), 0, 1), {3}, {2}, 2);
  expect_error(kInvalid, {"axis 0", "extent 3", "axis 1", "extent 4"}, [] { diagonal(contiguous({3, 4}), 0, 1); });
  expect_error(kInvalid, {"twice"}, [] { diagonal(contiguous({3, 3}), 1, -1); });
  expect_error(kInvalid, {"axis 2"}, [] { diagonal(contiguous({3, 3}), 0, 2); });
}

}  // namespace
}  // namespace trntensor
