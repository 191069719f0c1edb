// Labels as numbers, and shapes from sizes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "trntensor/einsum/spec.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor {
namespace {

using Numbers = std::vector<std::int64_t>;

template <typename Function>
std::string message_of(Function&& function) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInvalidArgument);
    return error.what();
  }
  ADD_FAILURE() << "accepted";
  return {};
}

TEST(MakeSpec, MeansWhatLettersMean) {
  const std::vector<Shape> shapes{{2, 3}, {3, 4}};
  const std::vector<Numbers> inputs{{10, -5}, {-5, 7}};
  EXPECT_EQ(make_spec(inputs, Numbers{10, 7}, shapes), parse_spec("ij,jk->ik", shapes));
}

TEST(MakeSpec, ImplicitOutputIsSortedNumerically) {
  const std::vector<Numbers> inputs{{40, 30}};
  const Spec spec = make_spec(inputs, std::nullopt, std::vector<Shape>{{2, 3}});
  EXPECT_EQ(spec.output_shape(), (Shape{3, 2}));
  const std::vector<Numbers> extremes{{INT64_MAX, -INT64_MAX}};
  EXPECT_EQ(make_spec(extremes, std::nullopt, std::vector<Shape>{{2, 3}}).output_shape(), (Shape{3, 2}));
}

TEST(MakeSpec, EllipsisBroadcasts) {
  const std::vector<Numbers> inputs{{kEllipsis, 0, 1}, {kEllipsis, 1, 2}};
  const std::vector<Shape> shapes{{5, 2, 3}, {3, 4}};
  EXPECT_EQ(make_spec(inputs, Numbers{kEllipsis, 0, 2}, shapes), parse_spec("...ij,...jk->...ik", shapes));
}

TEST(MakeSpec, ErrorsNameOperandAndPosition) {
  const std::vector<Shape> shapes{{2, 3}};
  EXPECT_NE(message_of([&] { make_spec(std::vector<Numbers>{{0, 1}}, Numbers{2}, shapes); }).find("2"),
            std::string::npos);
  EXPECT_NE(message_of([&] { make_spec(std::vector<Numbers>{{0}}, std::nullopt, shapes); }).find("operand 0"),
            std::string::npos);
  const std::string twice =
      message_of([&] { make_spec(std::vector<Numbers>{{kEllipsis, kEllipsis}}, std::nullopt, shapes); });
  EXPECT_NE(twice.find("operand 0, at position 1"), std::string::npos) << twice;
}

TEST(ShapesFromSizes, GivesEachTermItsSizes) {
  const auto shapes = shapes_from_sizes("ij,jk->ik", {{"i", 2}, {"j", 3}, {"k", 4}});
  EXPECT_EQ(shapes, (std::vector<Shape>{{2, 3}, {3, 4}}));
}

TEST(ShapesFromSizes, RefusesWhatDoesNotFit) {
  EXPECT_NE(message_of([] { shapes_from_sizes("ij", {{"i", 2}}); }).find("'j' has no size"), std::string::npos);
  EXPECT_NE(message_of([] { shapes_from_sizes("i", {{"i", 2}, {"k", 2}}); }).find("'k'"), std::string::npos);
  EXPECT_NE(message_of([] { shapes_from_sizes("i", {{"i", -2}}); }).find("-2"), std::string::npos);
  EXPECT_NE(message_of([] { shapes_from_sizes("...i", {{"i", 2}}); }).find("ellipsis"), std::string::npos);
  EXPECT_NE(message_of([] { shapes_from_sizes("I", {{"i", 2}}); }).find("different labels"), std::string::npos);
}

}  // namespace
}  // namespace trntensor
