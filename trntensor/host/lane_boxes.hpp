// Operands whose unit stride lies across the panels: lanes in an order that reads whole cache lines.
#pragma once

#include <cstdint>
#include <vector>

#include "trntensor/host/blocking.hpp"
#include "trntensor/host/classify.hpp"

namespace trntensor::host {

/// Consecutive lanes (rows of A, columns of B) that are packed together: lane q * along + i, i < along, is the element
/// next to lane (q - 1) * along + i in memory. No box: across = 1.
struct LaneBox {
  std::int64_t across = 1;
  std::int64_t along = 1;
  [[nodiscard]] std::int64_t lanes() const noexcept { return across * along; }
};

/// A part of a problem, with the place of its first element in the operands, counted in elements.
struct BoxedPart {
  BinaryProblem problem;
  LaneBox rows;     ///< divides m
  LaneBox columns;  ///< divides n
  std::int64_t a = 0;
  std::int64_t b = 0;
  std::int64_t out = 0;
};

/// The order of m and n follows the result. Where neighbours in a large operand are then far apart among the lanes,
/// each element read would cost a cache line; so the axis with stride 1 and the innermost one are cut, and their pieces
/// put innermost: lines are read whole, and the result is still written in runs along its unit stride. Axes that the
/// pieces do not divide give up to 16 parts, else there is one.
std::vector<BoxedPart> cut_into_boxes(const BinaryProblem& problem, const GemmKernel& kernel);

}  // namespace trntensor::host
