#include "trntensor/host/nest_operand.hpp"

#include <algorithm>

namespace trntensor::host {

void NestOperand::carve(WorkspaceCutter& cutter, const NestPlan& plan, std::int64_t count) {
  const auto indices = static_cast<std::size_t>(count);
  const auto terms = static_cast<std::size_t>(std::max<std::int64_t>(plan.k_tile, 1));
  offsets_ = cutter.take<std::int64_t>(indices);
  k_offsets_ = cutter.take<std::int64_t>(terms);
  if (in_place_) return;
  row_offsets_ = cutter.take<std::int64_t>(indices * terms);
  panel_firsts_ = cutter.take<std::int64_t>(indices);
  panel_steps_ = cutter.take<std::int64_t>(terms);
  const auto run = static_cast<std::size_t>(plan.run);
  panel_ = cutter.take<std::byte>(indices * terms * run * static_cast<std::size_t>(load_->target_size()));
}

void NestOperand::load(const NestPlan& plan, std::int64_t k_begin, std::int64_t k_count, std::int64_t run_begin,
                       std::int64_t n, std::byte* scratch) noexcept {
  const std::int64_t stride = plan.vector.*stride_;
  fill_offsets(plan.k, stride_, k_begin, {k_offsets_, static_cast<std::size_t>(k_count)});
  const std::byte* const source = memory_ + run_begin * stride * load_->source_size();
  if (in_place_) {
    base_ = source;
    firsts_ = offsets_;
    steps_ = k_offsets_;
    return;
  }
  const bool terms_are_near = plan.rows_follow || (!plan.k.empty() && plan.k.back().*stride_ == 1);
  load_panel(source, terms_are_near, k_count, stride, n, scratch);
}

// Rows whose beginnings are neighbours in memory follow each other in the panel, so that they are fetched together.
void NestOperand::load_panel(const std::byte* source, bool terms_are_near, std::int64_t k_count, std::int64_t stride,
                             std::int64_t n, std::byte* scratch) noexcept {
  const std::int64_t index_step = terms_are_near ? k_count : 1;
  const std::int64_t term_step = terms_are_near ? 1 : count_;
  for (std::int64_t i = 0; i < count_; ++i) {
    for (std::int64_t k = 0; k < k_count; ++k) {
      row_offsets_[i * index_step + k * term_step] = offsets_[i] + k_offsets_[k];
    }
  }
  for (std::int64_t i = 0; i < count_; ++i) panel_firsts_[i] = i * index_step * n;
  for (std::int64_t k = 0; k < k_count; ++k) panel_steps_[k] = k * term_step * n;
  load_->load({source, {row_offsets_, static_cast<std::size_t>(count_ * k_count)}, stride, n}, panel_, scratch);
  base_ = panel_;
  firsts_ = panel_firsts_;
  steps_ = panel_steps_;
}

}  // namespace trntensor::host
