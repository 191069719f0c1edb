#include "trntensor/host/nest_plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "trntensor/host/integer_math.hpp"
#include "trntensor/host/nest_choice.hpp"
#include "trntensor/plan/sum_lengths.hpp"

namespace trntensor::host {
namespace {

// What is added one after another, and so the error (see NestEngine).
using plan::kRowsPerLeaf;
using plan::kRunsPerLeaf;
using plan::kShortRowsPerLeaf;
using plan::kTermsPerLeaf;

constexpr std::int64_t kSumBytes = std::int64_t{16} << 10;     // sums of a tile: half of a small first-level cache
constexpr std::int64_t kPanelBytes = std::int64_t{128} << 10;  // rows of a tile: well within a second-level cache
constexpr std::int64_t kLeastRun = 64;
constexpr std::int64_t kMostRows = 64;
constexpr double kWorkWorthParts = 1 << 19;
constexpr std::int64_t kTasks = 16;  // so many are enough for any load to spread well

// A block of about the same size that cuts the whole into equal ones.
std::int64_t even_block(std::int64_t size, std::int64_t block) { return ceil_div(size, ceil_div(size, block)); }

// Loops whose elements are close in some operand go innermost: tiles then take whole cache lines.
void put_near_loops_innermost(Group& group) {
  const auto nearest = [](const GroupAxis& axis) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const std::int64_t stride : {axis.a, axis.b, axis.out}) {
      if (stride != 0) least = std::min(least, std::abs(stride));
    }
    return least;
  };
  sort_loops(group, [&](const GroupAxis& x, const GroupAxis& y) { return nearest(x) > nearest(y); });
}

void distribute(const NestProblem& problem, NestPlan& plan) {
  Group kept = problem.kept;
  plan.k = problem.summed;
  // An empty sum has no loop to go along: only its results are to be written.
  if (!kept.empty() || (!plan.k.empty() && size_of(plan.k) > 0)) {
    const VectorChoice choice = choose_vector(problem);
    plan.form = choice.is_kept ? NestForm::kAcross : NestForm::kAlong;
    Group& group = choice.is_kept ? kept : plan.k;
    plan.vector = group[choice.index];
    group.erase(group.begin() + choice.index);
  }
  for (const GroupAxis& axis : kept) {
    if (axis.a != 0 && axis.b != 0) {
      plan.batch.push_back(axis);
    } else if (axis.b != 0) {
      plan.n.push_back(axis);
    } else {
      plan.m.push_back(axis);
    }
  }
  for (Group* group : {&plan.batch, &plan.m, &plan.n, &plan.k}) put_near_loops_innermost(*group);
  plan.batch_size = size_of(plan.batch);
  plan.m_size = size_of(plan.m);
  plan.n_size = size_of(plan.n);
  plan.k_size = size_of(plan.k);
}

// Operands that are not read where they lie.
struct Panels {
  bool a = false;
  bool b = false;
};

Panels panels_of(const NestProblem& problem, const NestPlan& plan) {
  const bool across = plan.form == NestForm::kAcross;
  const auto is_panel = [&](const InputType& input, std::int64_t stride, bool is_vector) {
    return is_vector && (stride != 1 || !is_loaded_as_is(input, problem.accumulator));
  };
  Panels panels;
  panels.a = is_panel(problem.a, plan.vector.a, !across || plan.vector.a != 0 || plan.vector.b == 0);
  if (problem.b) panels.b = is_panel(*problem.b, plan.vector.b, !across || plan.vector.b != 0);
  return panels;
}

// Takes more indices of a group until the tile has `rows` rows or the group is used up.
void grow(std::int64_t& tile, std::int64_t size, const NestPlan& plan, std::int64_t rows) {
  const std::int64_t others = plan.tile_rows() / tile;
  tile = std::max(tile, std::min(size, rows / others));
}

// Where runs step through an operand, neighbours that a tile does not take would be fetched again for every tile.
bool has_neighbours(const Group& group, const GroupAxis& vector) {
  if (group.empty()) return false;
  const GroupAxis& inner = group.back();
  return (inner.a == 1 && vector.a > 1) || (inner.b == 1 && vector.b > 1) || (inner.out == 1 && vector.out > 1);
}

void choose_rows_across(const Panels& panels, NestPlan& plan) {
  const bool b_is_vector = plan.vector.b != 0;
  const bool a_is_vector = plan.vector.a != 0 || !b_is_vector;
  // Rows that are loaded once for several sums; with one term each there is nothing to gain but the loading itself.
  if (a_is_vector && (plan.k_size > 1 || panels.a)) grow(plan.n_tile, plan.n_size, plan, 8);
  if (b_is_vector && (plan.k_size > 1 || panels.b)) grow(plan.m_tile, plan.m_size, plan, a_is_vector ? kMostRows : 8);
  if (has_neighbours(plan.m, plan.vector)) grow(plan.m_tile, plan.m.back().extent, plan, kMostRows);
  if (has_neighbours(plan.n, plan.vector)) grow(plan.n_tile, plan.n.back().extent, plan, kMostRows);
  if (has_neighbours(plan.batch, plan.vector)) grow(plan.batch_tile, plan.batch.back().extent, plan, kMostRows);
  // Short runs: enough of them for one tile to be worth its set-up.
  const std::int64_t rows = std::min(kMostRows, ceil_div(512, plan.vector.extent));
  grow(plan.m_tile, plan.m_size, plan, rows);
  grow(plan.n_tile, plan.n_size, plan, rows);
  grow(plan.batch_tile, plan.batch_size, plan, rows);
}

// Of several loops the innermost one is cut evenly, so that no tile goes through two of its rounds.
std::int64_t short_rows(const Group& k) {
  if (k.size() == 1) return kShortRowsPerLeaf;
  return std::max(kRowsPerLeaf, even_block(std::max<std::int64_t>(k.back().extent, 1), kShortRowsPerLeaf));
}

bool follow_within_tiles(const NestPlan& plan) { return plan.k.size() == 1 || plan.k.back().extent % plan.k_tile == 0; }

void choose_run_across(const VectorKernels& kernels, const Panels& panels, bool is_short_sum, NestPlan& plan) {
  const auto item = static_cast<std::int64_t>(kernels.item);
  const std::int64_t sum_bytes = item * static_cast<std::int64_t>(kernels.sums) * plan.tile_rows();
  // Short rows that follow each other are added lane by lane, so more of them make no longer chains.
  const bool is_one_run = is_short_sum && plan.vector.extent <= 8 && !plan.k.empty() && plan.vector.a == 1 &&
                          plan.k.back().a == plan.vector.extent;
  plan.k_tile = std::clamp<std::int64_t>(plan.k_size, 1, is_one_run ? short_rows(plan.k) : kRowsPerLeaf);
  const std::int64_t rows_of_k = item * plan.batch_tile * ((panels.a ? plan.m_tile : 0) + (panels.b ? plan.n_tile : 0));
  std::int64_t run = std::max(kLeastRun, kSumBytes / sum_bytes);
  if (rows_of_k > 0) {
    plan.k_tile = std::clamp(kPanelBytes / (rows_of_k * std::min(run, plan.vector.extent)),
                             std::min(plan.k_tile, std::int64_t{8}), plan.k_tile);
    run = std::min(run, std::max(kLeastRun, kPanelBytes / (rows_of_k * plan.k_tile)));
  } else if (plan.tile_rows() > 1) {
    run = std::min(run, std::max(kLeastRun, kPanelBytes / (item * plan.k_tile)));
  }
  plan.rows_follow = is_one_run && follow_within_tiles(plan);
  if (!plan.rows_follow) plan.k_tile = std::min(plan.k_tile, kRowsPerLeaf);
  plan.run = even_block(plan.vector.extent, std::min(run, plan.vector.extent));
  if (plan.run < plan.vector.extent && plan.run > kLeastRun) plan.run = ceil_div(plan.run, 16) * 16;
  plan.units = ceil_div(plan.k_size, plan.k_tile);
  plan.units_per_leaf = std::max<std::int64_t>(1, kRowsPerLeaf / plan.k_tile);
}

void choose_tile_along(const VectorKernels& kernels, const Panels& panels, NestPlan& plan) {
  plan.run = even_block(plan.vector.extent, std::min(plan.vector.extent, kTermsPerLeaf));
  const std::int64_t run_bytes = plan.run * static_cast<std::int64_t>(kernels.item);
  const std::int64_t fitting = std::clamp<std::int64_t>(kPanelBytes / run_bytes, 4, kMostRows);
  const std::int64_t rows = panels.a || panels.b ? fitting : kMostRows;
  // Neighbours among the terms are fetched together, whatever the rows.
  if (has_neighbours(plan.k, plan.vector)) plan.k_tile = std::min(plan.k.back().extent, fitting);
  grow(plan.n_tile, plan.n_size, plan, std::min<std::int64_t>(rows, 8));
  grow(plan.m_tile, plan.m_size, plan, rows);
  grow(plan.n_tile, plan.n_size, plan, rows);
  grow(plan.batch_tile, plan.batch_size, plan, rows);
  plan.units = ceil_div(plan.k_size, plan.k_tile) * plan.runs();
  const std::int64_t runs_per_leaf = std::min(kRunsPerLeaf, kTermsPerLeaf / plan.run);
  plan.units_per_leaf = std::max<std::int64_t>(1, runs_per_leaf / plan.k_tile);
}

}  // namespace

std::int64_t NestPlan::tiles() const noexcept {
  const std::int64_t across = form == NestForm::kAcross ? runs() : 1;
  return across * ceil_div(batch_size, batch_tile) * ceil_div(m_size, m_tile) * ceil_div(n_size, n_tile);
}

double NestPlan::work() const noexcept {
  return static_cast<double>(vector.extent) * static_cast<double>(batch_size) * static_cast<double>(m_size) *
         static_cast<double>(n_size) * static_cast<double>(k_size);
}

NestPlan plan_nest(const NestProblem& problem, const VectorKernels& kernels) {
  NestPlan plan;
  distribute(problem, plan);
  const Panels panels = panels_of(problem, plan);
  if (plan.form == NestForm::kAcross) {
    choose_rows_across(panels, plan);
    choose_run_across(kernels, panels, !problem.b && !is_complex(problem.accumulator), plan);
  } else {
    choose_tile_along(kernels, panels, plan);
  }
  const bool is_exact = !is_floating(problem.accumulator) && !is_complex(problem.accumulator);
  if (is_exact) plan.units_per_leaf = std::max<std::int64_t>(plan.units, 1);
  const std::int64_t pieces = ceil_div(plan.units, is_exact ? 1 : plan.units_per_leaf);
  if (plan.work() >= kWorkWorthParts && plan.tiles() < kTasks) {
    plan.parts = std::clamp<std::int64_t>(ceil_div(kTasks, plan.tiles()), 1, std::max<std::int64_t>(1, pieces / 2));
  }
  return plan;
}

}  // namespace trntensor::host
