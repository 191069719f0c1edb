// A binary step as batched matrix work: its labels sorted into batch, M, N and K, fused where the strides allow.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "trntensor/plan/executor.hpp"
#include "trntensor/support/inline_vector.hpp"

namespace trntensor::host {

/// One loop of a group: a label, or several that are one for every operand. Strides in elements; 0 in an operand
/// that does not depend on it.
struct GroupAxis {
  std::int64_t extent = 1;
  std::int64_t a = 0;
  std::int64_t b = 0;
  std::int64_t out = 0;

  friend bool operator==(const GroupAxis&, const GroupAxis&) = default;
};

/// Outermost loop first. No axis has extent 1; no axes means one element.
using Group = InlineVector<GroupAxis, 8>;

/// Product of the extents.
std::int64_t size_of(const Group& group) noexcept;

/// Joins neighbours that are one loop for every operand, unless their extent would leave 63 bits.
void fuse(Group& group);

struct InputType {
  DType dtype = DType::kFloat64;    ///< storage
  DType load_as = DType::kFloat64;  ///< every element is rounded to this before use
};

/// out[batch, m, n] = alpha * sum_k a[batch, m, k] * b[batch, k, n] + beta * out[batch, m, n].
///
/// Labels of out that no input has are in `m` with stride 0 in a. Loop order: batch, m and n by out's strides (n ends
/// with out's smallest stride of all labels in m and n, see `swapped`), k by the strides of the input that is
/// streamed better that way.
struct BinaryProblem {
  InputType a;
  InputType b;
  DType out_dtype = DType::kFloat64;
  DType accumulator = DType::kFloat64;
  int compensated = 0;
  bool any_threads = false;       ///< the result must not depend on the number of threads
  bool keeps_subnormals = false;  ///< no element or sum may be taken as zero for being subnormal
  Group batch;
  Group m;
  Group n;
  Group k;
  bool swapped = false;  ///< a and b here are b and a of the StepProblem: `run` must exchange the pointers it gets

  std::int64_t batch_size = 1;
  std::int64_t m_size = 1;
  std::int64_t n_size = 1;
  std::int64_t k_size = 1;

  /// Multiply-adds; a double because it may exceed 64 bits.
  [[nodiscard]] double macs() const noexcept {
    return static_cast<double>(batch_size) * static_cast<double>(m_size) * static_cast<double>(n_size) *
           static_cast<double>(k_size);
  }
};

/// Sorts the labels of a step of two operands into groups, drops extents of 1, fuses, orders, and chooses the roles.
/// Every label that is in one input only must be in out (see presum.hpp). Extents of 0 make the size of their group
/// 0. Throws InvalidArgument when the extents of a label differ or a size leaves 63 bits.
BinaryProblem classify(const StepProblem& problem);

/// Exchanges the roles of a and b, and so of m and n.
void swap_roles(BinaryProblem& problem) noexcept;

}  // namespace trntensor::host
