// Formulas as passes over an index space: what is read, computed and written for each row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trntensor/epilogue/formula.hpp"

namespace trntensor::host {

/// Where a value of a pass comes from.
struct PassInput {
  enum class Source : std::uint8_t { kElement, kTensor, kArray };
  Source source = Source::kElement;
  int index = 0;  ///< the node: of a tensor, or the one whose values an array holds
  Labels axes;    ///< the label that stands at each axis of the source
};

/// One value per point, or one per row of the last axis where it does not depend on that.
struct PassValue {
  ExpressionKind kind = ExpressionKind::kConstant;
  double constant = 0;
  int input = -1;  ///< number of the input it is read from
  int a = -1;      ///< earlier values
  int b = -1;
  bool is_row = false;
  int slot = -1;  ///< rows: the buffer it is computed in
};

/// Where values go.
struct PassSink {
  enum class Kind : std::uint8_t { kStore, kSum, kSumOfProducts, kMax };
  Kind kind = Kind::kStore;
  int value = 0;
  int other = -1;  ///< kSumOfProducts: the second factor
  int target = 0;  ///< kStore: number of the root; else the node whose array it is
  Labels axes;     ///< of the target
};

/// Runs over all values of the labels of its domain.
struct Pass {
  Labels domain;    ///< the last axis is the row
  int column = -1;  ///< the axis whose rows are worked on together; -1 for a domain of less than two axes
  int slots = 0;    ///< buffers of rows
  std::vector<PassInput> inputs;
  std::vector<PassValue> values;  ///< operands before users
  std::vector<PassSink> sinks;
  std::int64_t target = 0;  ///< of the kernels, see `chosen_target`
};

/// What is to be computed.
struct PassGoals {
  std::vector<int> roots;  ///< numbers of roots that are stored
  std::vector<int> sums;   ///< reductions whose arrays are added to
};

/// Passes in the order in which they can run. Reductions that the goals need on the way become passes of their own,
/// whose arrays later passes read; so do those in `known`, whose arrays exist. `order` is the order of the labels in
/// memory, the last contiguous.
std::vector<Pass> make_passes(const epilogue::Formula& formula, const PassGoals& goals, const std::vector<int>& known,
                              const Labels& order);

}  // namespace trntensor::host
