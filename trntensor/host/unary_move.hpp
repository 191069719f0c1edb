// Copies elements bit by bit from one layout to another: copy, permutation, diagonal, broadcast.
#pragma once

#include <string>
#include <string_view>

#include "trntensor/host/kernels/vector_table.hpp"
#include "trntensor/host/nest_problem.hpp"

namespace trntensor::host {

/// out[loops] = a[loops] for elements of 1 to 16 bytes, at about the speed of memory: runs that are adjacent on both
/// sides are copied whole; where each side has another nearest loop, blocks are transposed in registers.
class UnaryMove {
 public:
  /// `problem` is normalised and sums nothing.
  UnaryMove(const NestProblem& problem, const Origins& origins, const VectorTable& table);

  /// As PreparedStep::run.
  void run(const void* a, void* out, const RunContext& context) const;

  /// "copy runs of 512 bytes", "transpose 8-byte elements", ...
  [[nodiscard]] std::string describe() const;

 private:
  enum class Way : std::uint8_t {
    kRuns,       // adjacent on both sides
    kTranspose,  // columns adjacent in a, rows adjacent in out
    kStrided,    // neither
  };
  struct Place {
    const std::byte* a;
    std::byte* out;
  };

  void widen_elements();
  void choose_way();
  void move_block(const Place& place, std::int64_t row, std::int64_t rows, std::int64_t column,
                  std::int64_t columns) const;

  std::int64_t item_;
  Origins origins_;
  const Transpose* transposes_;
  Way way_ = Way::kRuns;
  GroupAxis rows_;     ///< nearest in out
  GroupAxis columns_;  ///< nearest in a; extent 1 for kRuns
  Group others_;
  std::int64_t others_size_ = 1;
};

}  // namespace trntensor::host
