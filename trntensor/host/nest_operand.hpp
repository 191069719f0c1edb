// One operand's share of a tile: rows that kernels can use, where they lie or loaded into a buffer.
#pragma once

#include <span>

#include "trntensor/host/block_index.hpp"
#include "trntensor/host/nest_plan.hpp"
#include "trntensor/host/nest_transfer.hpp"
#include "trntensor/host/workspace.hpp"

namespace trntensor::host {

/// Row (i, k) holds the elements that index i of the tile and term k contribute: a run along the vector loop, or one
/// element if the operand does not depend on it.
class NestOperand {
 public:
  NestOperand(const RunTransfer& load, const std::byte* memory, bool in_place, OperandStride stride)
      : load_(&load), memory_(memory), in_place_(in_place), stride_(stride) {}

  /// Takes memory for tiles of at most `count` indices.
  void carve(WorkspaceCutter& cutter, const NestPlan& plan, std::int64_t count);

  /// Offsets of the tile's indices, in elements; to be filled by the owner, who says how many there are.
  [[nodiscard]] std::int64_t* offsets() noexcept { return offsets_; }
  void set_count(std::int64_t count) noexcept { count_ = count; }

  /// Makes the rows of terms k_begin .. k_begin + k_count - 1 ready, with elements run_begin .. run_begin + n - 1 of
  /// the vector loop.
  void load(const NestPlan& plan, std::int64_t k_begin, std::int64_t k_count, std::int64_t run_begin, std::int64_t n,
            std::byte* scratch) noexcept;

  /// Row (i, k) begins at base() + (first(i) + steps()[k]) elements of the accumulator type.
  [[nodiscard]] const std::byte* base() const noexcept { return base_; }
  [[nodiscard]] std::int64_t first(std::int64_t i) const noexcept { return firsts_[i]; }
  [[nodiscard]] const std::int64_t* steps() const noexcept { return steps_; }

 private:
  void load_panel(const std::byte* source, bool terms_are_near, std::int64_t k_count, std::int64_t stride,
                  std::int64_t n, std::byte* scratch) noexcept;

  const RunTransfer* load_;
  const std::byte* memory_;
  bool in_place_;
  OperandStride stride_;

  std::int64_t count_ = 0;
  std::int64_t* offsets_ = nullptr;
  std::int64_t* k_offsets_ = nullptr;
  std::int64_t* row_offsets_ = nullptr;  // of a panel's rows in memory
  std::int64_t* panel_firsts_ = nullptr;
  std::int64_t* panel_steps_ = nullptr;
  std::byte* panel_ = nullptr;

  const std::byte* base_ = nullptr;
  const std::int64_t* firsts_ = nullptr;
  const std::int64_t* steps_ = nullptr;
};

}  // namespace trntensor::host
