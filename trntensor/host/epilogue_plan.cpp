#include "trntensor/host/epilogue_plan.hpp"

#include <algorithm>

#include "trntensor/host/epilogue_kernels.hpp"
#include "trntensor/host/kernels/table.hpp"
#include "trntensor/support/checked.hpp"

namespace trntensor::host {
namespace {

/// The axes of the grid that change places, where every sum is the same for a block and its mirror image.
std::vector<std::size_t> find_mirror(const EpilogueProblem& problem, const EpilogueStages& stages,
                                     const BlockGrid& grid) {
  const auto is_symmetric = [&](int node) { return epilogue::is_symmetric(problem.formula, node, problem.exchange); };
  if (problem.exchange.empty() || !stages.block_roots.empty() ||
      !std::all_of(stages.block_sums.begin(), stages.block_sums.end(), is_symmetric)) {
    return {};
  }
  std::vector<std::size_t> mirror;
  for (const BlockAxis& axis : grid.axes()) {
    mirror.push_back(grid.axis_of(epilogue::exchanged(problem.exchange, axis.label)));
  }
  return mirror;
}

BlockRules rules_of(const EpilogueProblem& problem, const EpilogueStages& stages, std::int64_t least_sums) {
  std::optional<std::int64_t> left = problem.memory_limit;
  if (left) *left = std::max<std::int64_t>(*left - least_sums, 0);
  BlockRules rules{stages.whole, problem.exchange, largest_block(problem.product.accumulator, left)};
  for (const auto& [first, second] : problem.exchange) {
    const auto is_whole = [&](Label label) { return contains(rules.whole, label); };
    if (is_whole(first) != is_whole(second)) rules.whole.push_back(is_whole(first) ? second : first);
  }
  return rules;
}

/// The contraction of one block: its extents in place of the labels', its result packed.
StepProblem block_problem(const StepProblem& product, const BlockGrid& grid, const std::vector<std::int64_t>& extents) {
  StepProblem problem = product;
  for (std::size_t k = 0; k < extents.size(); ++k) set_extent(problem, grid.axes()[k].label, extents[k]);
  problem.out = {product.accumulator, product.accumulator, {}};
  for (std::size_t k = 0; k < extents.size(); ++k) {
    problem.out.axes.push_back({grid.axes()[k].label, extents[k], 0});
  }
  pack_axes(problem.out);
  return problem;
}

/// Calls `visit` with the extents of every shape of block: along each axis the edge, or what is left at the end.
template <typename Visit>
void visit_shapes(const BlockGrid& grid, std::vector<std::int64_t>& extents, const Visit& visit) {
  if (extents.size() == grid.axes().size()) {
    visit(extents);
    return;
  }
  const BlockAxis& axis = grid.axes()[extents.size()];
  if (axis.extent == 0) return;
  const std::int64_t rest = axis.extent % axis.edge;
  const auto with = [&](std::int64_t extent) {
    extents.push_back(extent);
    visit_shapes(grid, extents, visit);
    extents.pop_back();
  };
  if (axis.extent >= axis.edge) with(axis.edge);
  if (rest != 0) with(rest);
}

}  // namespace

std::int64_t EpiloguePlan::block_bytes() const noexcept {
  return saturated_multiply(grid.block_elements(), static_cast<std::int64_t>(size_of(problem.product.accumulator)));
}

std::int64_t EpiloguePlan::sum_bytes() const noexcept {
  std::int64_t bytes = least_sums;
  for (const BlockSum& sum : sums) bytes += (sum.arrays - 1) * sum.elements * static_cast<std::int64_t>(sizeof(double));
  return bytes;
}

EpiloguePlan::EpiloguePlan(const EpilogueProblem& wanted, const HostOptions& options)
    : problem(wanted),
      stages(find_stages(wanted.formula)),
      least_sums(least_sum_bytes(wanted, stages)),
      grid(choose_blocks(wanted.product, rules_of(wanted, stages, least_sums))),
      mirror(find_mirror(wanted, stages, grid)),
      block_passes(make_passes(wanted.formula, {stages.block_roots, stages.block_sums}, {}, grid.labels())),
      end_passes(make_passes(wanted.formula, {stages.end_roots, {}}, stages.block_sums, wanted.formula.element)) {
  const std::int64_t target = chosen_target(options.kernel);
  for (std::vector<Pass>* passes : {&block_passes, &end_passes}) {
    for (Pass& pass : *passes) pass.target = target;
  }
  sums = make_sums(wanted, stages, grid, spare_sum_bytes(wanted.memory_limit, block_bytes() + least_sums));
  std::vector<std::int64_t> extents;
  visit_shapes(grid, extents, [&](const std::vector<std::int64_t>& shape) {
    products[shape] = std::make_unique<BlockProduct>(block_problem(problem.product, grid, shape), options);
  });
}

}  // namespace trntensor::host
