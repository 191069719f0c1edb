// A step's result cut into blocks of one shape, so that each can be computed as a step of its own.
#pragma once

#include <algorithm>
#include <cstdint>

#include "trntensor/plan/executor.hpp"

namespace trntensor::host {

/// A loop of the result, in the order of its labels.
struct BlockedAxis {
  Label label = 0;
  std::int64_t extent = 1;
  std::int64_t a = 0;  ///< strides in elements; 0 in an operand that does not depend on the label
  std::int64_t b = 0;
  std::int64_t out = 0;
  std::int64_t order = 1;   ///< stride of the element's index in C order
  std::int64_t pieces = 1;  ///< blocks along it
  std::int64_t block = 1;   ///< extent of each; the last may begin before the one before it ends

  [[nodiscard]] std::int64_t begin(std::int64_t piece) const noexcept {
    return std::min(piece * block, extent - block);
  }
  /// Indices of a block that the one before it has too.
  [[nodiscard]] std::int64_t shared(std::int64_t piece) const noexcept { return piece * block - begin(piece); }
};

/// At least one axis, the last of which runs fastest.
using BlockedAxes = InlineVector<BlockedAxis, 8>;

/// Cuts until a block has at most `most` elements: batches first, then the longer of rows and columns, so that blocks
/// of a matrix product are nearly square. Depends on the step alone.
BlockedAxes cut_result(const StepProblem& problem, std::int64_t most);

/// The step of one block, whose result is packed, of the accumulator's type, in two parts where sums are compensated
/// twice.
StepProblem step_of_block(const StepProblem& problem, const BlockedAxes& axes);

}  // namespace trntensor::host
