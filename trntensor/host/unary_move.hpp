// Copies elements bit by bit from one layout to another: copy, permutation, diagonal, broadcast.
#pragma once

#include <string>

#include "trntensor/host/kernels/vector_table.hpp"
#include "trntensor/host/nest_problem.hpp"

namespace trntensor::host {

/// out[loops] = a[loops] for elements of 1 to 16 bytes, at about the speed of memory: what is adjacent on both sides is
/// copied whole; where each side has another nearest loop, blocks are transposed in registers; results too large for
/// the caches are written past them.
class UnaryMove {
 public:
  /// `problem` is normalised and sums nothing; `origins` are what its normalisation gave.
  UnaryMove(const NestProblem& problem, const Origins& origins, const VectorTable& table);

  /// As PreparedStep::run.
  void run(const void* a, void* out, const RunContext& context) const;

  /// "copy runs of 512 bytes", "transpose 8-byte elements", ...
  [[nodiscard]] std::string describe() const;

 private:
  /// A rectangle of the plane of rows and columns, for one index of the other loops.
  struct Block {
    const std::byte* a;
    std::byte* out;
    std::int64_t rows;
    std::int64_t columns;
    std::int64_t run;
  };

  void choose_loops(Group loops);
  void choose_blocks();
  void move(const Block& block, bool lines) const;
  void transpose(const Block& block, bool lines) const;
  void fill_row(const std::byte* value, std::byte* out, std::int64_t count) const;
  void copy_runs(const Block& block) const;

  const VectorTable* table_;
  std::int64_t item_;  ///< bytes; like all strides below, what one element of the moved kind has
  Origins origins_;
  std::int64_t run_ = 1;  ///< elements adjacent on both sides
  GroupAxis rows_;        ///< nearest in out
  GroupAxis columns_;     ///< nearest in a; extent 1 if that is the same loop
  Group others_;
  std::int64_t others_size_ = 1;
  bool transposes_ = false;  ///< rows adjacent in out, columns in a
  bool streams_ = false;     ///< past the caches
  std::int64_t run_block_ = 1;
  std::int64_t row_block_ = 1;
  std::int64_t column_block_ = 1;
};

}  // namespace trntensor::host
