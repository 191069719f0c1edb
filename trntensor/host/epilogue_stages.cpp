#include "trntensor/host/epilogue_stages.hpp"

#include "trntensor/host/integer_math.hpp"

namespace trntensor::host {
namespace {

using epilogue::Formula;
using epilogue::FormulaNode;
using epilogue::is_reduction;

void add_label(Labels& labels, Label label) {
  if (!contains(labels, label)) labels.push_back(label);
}

class Sorter {
 public:
  explicit Sorter(const Formula& formula)
      : formula_(formula), seen_at_end_(formula.nodes.size(), 0), seen_in_block_(formula.nodes.size(), 0) {
    for (const FormulaNode& node : formula.nodes) at_end_.push_back(is_at_end(node) ? 1 : 0);
  }

  EpilogueStages run() {
    for (std::size_t root = 0; root < formula_.roots.size(); ++root) {
      const int node = formula_.roots[root];
      const bool at_end = at_end_[to_index(node)] != 0;
      (at_end ? stages_.end_roots : stages_.block_roots).push_back(static_cast<int>(root));
      at_end ? visit_at_end(node) : visit_in_block(node);
    }
    return std::move(stages_);
  }

 private:
  [[nodiscard]] bool is_at_end(const FormulaNode& node) const {
    if (node.kind == ExpressionKind::kElement) return false;
    if (is_reduction(node.kind)) return true;
    return (node.a < 0 || at_end_[to_index(node.a)] != 0) && (node.b < 0 || at_end_[to_index(node.b)] != 0);
  }

  void visit_at_end(int position) {
    if (position < 0 || seen_at_end_[to_index(position)]++ != 0) return;
    const FormulaNode& node = formula_.nodes[to_index(position)];
    if (is_reduction(node.kind) && at_end_[to_index(node.a)] == 0) {
      stages_.block_sums.push_back(position);
      visit_in_block(node.a);
      return;
    }
    if (is_reduction(node.kind)) stages_.end_reductions.push_back(position);
    visit_at_end(node.a);
    visit_at_end(node.b);
  }

  void visit_in_block(int position) {
    if (position < 0 || seen_in_block_[to_index(position)]++ != 0) return;
    const FormulaNode& node = formula_.nodes[to_index(position)];
    if (is_reduction(node.kind)) {
      for (const Label label : node.own) add_label(stages_.whole, label);
    } else if (node.kind == ExpressionKind::kElement) {
      for (std::size_t d = 0; d < node.own.size(); ++d) {
        if (node.own[d] != formula_.element[d]) add_label(stages_.whole, node.own[d]);
      }
    }
    visit_in_block(node.a);
    visit_in_block(node.b);
  }

  const Formula& formula_;
  EpilogueStages stages_;
  std::vector<char> at_end_;  // per node: it has no element outside a reduction
  std::vector<char> seen_at_end_;
  std::vector<char> seen_in_block_;
};

}  // namespace

EpilogueStages find_stages(const Formula& formula) { return Sorter(formula).run(); }

}  // namespace trntensor::host
