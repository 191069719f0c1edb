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

  /// How one call is cut: a task is one block of runs, rows and columns for a stretch of the other loops.
  struct Cut {
    std::int64_t runs = 1;
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    std::int64_t stretches = 1;
    std::int64_t stretch = 1;  ///< indices of the other loops
    std::int64_t block_bytes = 0;
    bool lines = false;  ///< out lies in whole lines of memory
    [[nodiscard]] std::int64_t tasks() const noexcept { return runs * rows * columns * stretches; }
  };

  void choose_loops(Group loops);
  void choose_blocks();
  [[nodiscard]] Cut cut_up(bool lines) const;
  [[nodiscard]] bool lies_in_lines(const std::byte* out) const;
  void run_task(std::int64_t index, const Cut& cut, const std::byte* a, std::byte* out) const;
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
