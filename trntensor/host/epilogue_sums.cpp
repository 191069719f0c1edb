#include "trntensor/host/epilogue_sums.hpp"

#include <algorithm>

#include "trntensor/support/checked.hpp"

namespace trntensor::host {
namespace {

constexpr std::int64_t kItem = sizeof(double);
/// What no machine has.
constexpr std::int64_t kMostBytes = std::int64_t{1} << 61;
/// For arrays beyond the first of each sum.
constexpr std::int64_t kSpareBytes = std::int64_t{16} << 20;

std::int64_t array_bytes(const EpilogueProblem& problem, int node) {
  std::int64_t bytes = kItem;
  for (const Label label : problem.formula.nodes[static_cast<std::size_t>(node)].labels) {
    bytes = saturated_multiply(bytes, find_axis(problem.product.out, label)->extent);
  }
  return bytes;
}

BlockSum make_sum(const EpilogueProblem& problem, int node, const BlockGrid& grid, std::int64_t spare) {
  const epilogue::FormulaNode& reduction = problem.formula.nodes[static_cast<std::size_t>(node)];
  BlockSum sum;
  sum.node = node;
  sum.is_max = reduction.kind == ExpressionKind::kMaxOver;
  sum.elements = array_bytes(problem, node) / kItem;
  for (const Label label : reduction.labels) sum.kept.push_back(grid.axis_of(label));
  std::int64_t wanted = 1;
  for (const Label label : reduction.own) {
    sum.reduced.push_back(grid.axis_of(label));
    wanted = saturated_multiply(wanted, std::max<std::int64_t>(grid.axes()[sum.reduced.back()].blocks(), 1));
  }
  const std::int64_t affordable = 1 + spare / std::max<std::int64_t>(sum.elements * kItem, kItem);
  sum.arrays = std::min(wanted, affordable);
  sum.takes_turns = sum.arrays < wanted;
  return sum;
}

}  // namespace

std::int64_t least_sum_bytes(const EpilogueProblem& problem, const EpilogueStages& stages) {
  std::int64_t bytes = 0;
  for (const std::vector<int>* nodes : {&stages.block_sums, &stages.end_reductions}) {
    for (const int node : *nodes) bytes = std::min(bytes + array_bytes(problem, node), kMostBytes);
  }
  return bytes;
}

std::vector<BlockSum> make_sums(const EpilogueProblem& problem, const EpilogueStages& stages, const BlockGrid& grid,
                                std::int64_t spare) {
  std::vector<BlockSum> sums;
  const auto count = static_cast<std::int64_t>(stages.block_sums.size());
  for (const int node : stages.block_sums) sums.push_back(make_sum(problem, node, grid, spare / count));
  return sums;
}

std::int64_t spare_sum_bytes(std::optional<std::int64_t> memory_limit, std::int64_t needed) {
  if (!memory_limit) return kSpareBytes;
  return std::clamp<std::int64_t>(*memory_limit - needed, 0, std::min(kSpareBytes, *memory_limit / 4));
}

std::vector<std::int64_t> kept_strides(const BlockGrid& grid, const BlockSum& sum) {
  std::vector<std::int64_t> strides(sum.kept.size());
  std::int64_t stride = 1;
  for (std::size_t k = sum.kept.size(); k-- > 0;) {
    strides[k] = stride;
    stride *= grid.axes()[sum.kept[k]].extent;
  }
  return strides;
}

}  // namespace trntensor::host
