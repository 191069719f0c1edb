// One thread's work on the tiles of a nest.
#pragma once

#include <optional>

#include "trntensor/host/nest_operand.hpp"
#include "trntensor/host/nest_setup.hpp"

namespace trntensor::host {

class NestWorker {
 public:
  NestWorker(const NestSetup& setup, const NestCall& call);

  /// Sums one part of a tile; stores it if it is the only one, else leaves it among the partial sums.
  void run_part(std::int64_t tile, std::int64_t part);

  /// Adds the partial sums of a tile in pairs and stores the total.
  void gather_parts(std::int64_t tile);

 private:
  /// A stretch of the indices of a group.
  struct Stretch {
    std::int64_t begin = 0;
    std::int64_t count = 1;
  };

  void carve(WorkspaceCutter& cutter);
  void locate(std::int64_t tile);
  void fill_pairs(const Group& inner, Stretch stretch, OperandStride stride, std::int64_t* offsets) const;
  std::byte* sum_units(std::int64_t begin, std::int64_t end);
  void sum_leaf(std::int64_t begin, std::int64_t end, std::byte* block);
  void add_across(std::int64_t unit, bool fresh, std::byte* block);
  void add_along(std::int64_t unit, bool fresh, std::byte* block);
  void find_runs(std::int64_t k);
  [[nodiscard]] std::byte* sums_of_row(std::byte* block, std::int64_t row) const;
  void combine(std::byte* acc, const std::byte* other) const;
  void store(std::byte* block);

  const NestSetup& setup_;
  const NestPlan& plan_;
  const VectorKernels& kernels_;
  const NestCall& call_;
  std::optional<Workspace> workspace_;
  std::byte* blocks_ = nullptr;
  std::byte* out_values_ = nullptr;
  std::byte* scratch_ = nullptr;

  NestOperand a_;
  std::optional<NestOperand> b_;
  std::int64_t* batch_offsets_ = nullptr;
  std::int64_t* inner_offsets_ = nullptr;
  std::int64_t* out_offsets_ = nullptr;  // of the rows of the tile: batch, n, m with m fastest
  std::int64_t* a_firsts_ = nullptr;     // along: the run of each of these rows
  std::int64_t* b_firsts_ = nullptr;

  Stretch batch_;
  Stretch m_;
  Stretch n_;
  Stretch run_;            // of the vector loop; across only
  std::int64_t rows_ = 1;  // sums (along) or runs of sums (across) of the tile
};

}  // namespace trntensor::host
