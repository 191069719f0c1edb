#include "trntensor/host/epilogue_passes.hpp"

#include <algorithm>
#include <map>

#include "trntensor/host/integer_math.hpp"

namespace trntensor::host {
namespace {

using epilogue::Formula;
using epilogue::FormulaNode;
using epilogue::is_reduction;

/// Something a pass is made for.
struct Goal {
  int node = 0;   ///< stored, or reduced by `reduction`
  int root = -1;  ///< number of the root, of what is stored
  int reduction = -1;
  int level = 0;  ///< passes of lower levels run before
};

/// One pass: values for goals over the same labels.
class PassBuilder {
 public:
  PassBuilder(const Formula& formula, const Labels& domain, const Labels& order) : formula_(formula), order_(order) {
    pass_.domain = domain;
  }

  void add(const Goal& goal) {
    PassSink sink;
    if (goal.root >= 0) {
      sink.target = goal.root;
      sink.axes = at(goal.node).labels;
      sink.value = value_of(goal.node);
    } else {
      const FormulaNode& reduction = at(goal.reduction);
      sink.kind = reduction.kind == ExpressionKind::kSumOver ? PassSink::Kind::kSum : PassSink::Kind::kMax;
      sink.target = goal.reduction;
      sink.axes = reduction.labels;
      if (!add_product(goal.node, sink)) sink.value = value_of(goal.node);
    }
    pass_.sinks.push_back(std::move(sink));
  }

  Pass finish() {
    choose_column();
    assign_slots();
    return std::move(pass_);
  }

 private:
  [[nodiscard]] const FormulaNode& at(int position) const { return formula_.nodes[to_index(position)]; }

  [[nodiscard]] bool is_row(int position) const {
    return !pass_.domain.empty() && contains(at(position).labels, pass_.domain.back());
  }

  /// A sum of products of two rows needs no row of products, unless somebody else does.
  bool add_product(int node, PassSink& sink) {
    const FormulaNode& product = at(node);
    if (sink.kind != PassSink::Kind::kSum || product.kind != ExpressionKind::kMultiply || known_.contains(node) ||
        !is_row(product.a) || !is_row(product.b)) {
      return false;
    }
    sink.kind = PassSink::Kind::kSumOfProducts;
    sink.value = value_of(product.a);
    sink.other = value_of(product.b);
    return true;
  }

  int value_of(int position) {
    const auto known = known_.find(position);
    if (known != known_.end()) return known->second;
    const FormulaNode& node = at(position);
    PassValue value;
    value.kind = node.kind;
    value.is_row = is_row(position);
    if (node.kind == ExpressionKind::kConstant) {
      value.constant = node.value;
    } else if (node.kind == ExpressionKind::kElement) {
      value.input = add_input({PassInput::Source::kElement, 0, node.own});
    } else if (node.kind == ExpressionKind::kTensor) {
      value.input = add_input({PassInput::Source::kTensor, position, node.own});
    } else if (is_reduction(node.kind)) {
      value.input = add_input({PassInput::Source::kArray, position, node.labels});
    } else {
      value.a = value_of(node.a);
      if (node.b >= 0) value.b = value_of(node.b);
    }
    pass_.values.push_back(value);
    const int number = static_cast<int>(pass_.values.size()) - 1;
    known_[position] = number;
    return number;
  }

  int add_input(PassInput input) {
    pass_.inputs.push_back(std::move(input));
    return static_cast<int>(pass_.inputs.size()) - 1;
  }

  /// Rows are worked on in groups along an axis that is contiguous for an element whose row is not, so that each line
  /// of the cache that is fetched for it is used up.
  void choose_column() {
    if (pass_.domain.size() < 2) return;
    const auto last = static_cast<int>(pass_.domain.size()) - 1;
    pass_.column = last - 1;
    for (const PassInput& input : pass_.inputs) {
      if (input.source != PassInput::Source::kElement) continue;
      const auto contiguous = std::find(formula_.element.begin(), formula_.element.end(), order_.back());
      const Label there = input.axes[static_cast<std::size_t>(contiguous - formula_.element.begin())];
      const auto axis = std::find(pass_.domain.begin(), pass_.domain.end(), there) - pass_.domain.begin();
      if (axis < last) pass_.column = static_cast<int>(axis);
    }
  }

  /// A buffer is free again after the last value that is computed from it.
  void assign_slots() {
    std::vector<int> last_use(pass_.values.size(), -1);
    for (std::size_t v = 0; v < pass_.values.size(); ++v) {
      for (const int operand : {pass_.values[v].a, pass_.values[v].b}) {
        if (operand >= 0) last_use[to_index(operand)] = static_cast<int>(v);
      }
    }
    const auto end = static_cast<int>(pass_.values.size());
    for (const PassSink& sink : pass_.sinks) {
      for (const int value : {sink.value, sink.other}) {
        if (value >= 0) last_use[to_index(value)] = end;
      }
    }
    std::vector<int> free;
    for (int v = 0; v < end; ++v) {
      PassValue& value = pass_.values[to_index(v)];
      if (value.is_row) {
        if (free.empty()) free.push_back(pass_.slots++);
        value.slot = free.back();
        free.pop_back();
      }
      for (int used = 0; used <= v; ++used) {
        if (last_use[to_index(used)] == v && pass_.values[to_index(used)].is_row) {
          free.push_back(pass_.values[to_index(used)].slot);
        }
      }
    }
  }

  const Formula& formula_;
  const Labels& order_;
  std::map<int, int> known_;  // node -> value
  Pass pass_;
};

/// Finds the goals that others need.
class GoalFinder {
 public:
  GoalFinder(const Formula& formula, const std::vector<int>& known)
      : formula_(formula), node_levels_(formula.nodes.size(), -1) {
    for (const int position : known) node_levels_[to_index(position)] = 0;
  }

  void add_root(int root) {
    const int node = formula_.roots[to_index(root)];
    goals_.push_back({node, root, -1, level_of(node)});
  }

  int add_reduction(int position) {
    const auto known = levels_.find(position);
    if (known != levels_.end()) return known->second;
    const int node = formula_.nodes[to_index(position)].a;
    const int level = level_of(node);
    levels_[position] = level;
    goals_.push_back({node, -1, position, level});
    return level;
  }

  std::vector<Goal> take() { return std::move(goals_); }

 private:
  /// Of the first pass that can compute a node: after those of the reductions below it.
  int level_of(int position) {
    if (position < 0) return 0;
    if (node_levels_[to_index(position)] >= 0) return node_levels_[to_index(position)];
    const FormulaNode& node = formula_.nodes[to_index(position)];
    const int level =
        is_reduction(node.kind) ? add_reduction(position) + 1 : std::max(level_of(node.a), level_of(node.b));
    return node_levels_[to_index(position)] = level;
  }

  const Formula& formula_;
  std::vector<int> node_levels_;  // -1: not known yet; 0 for reductions whose arrays exist
  std::map<int, int> levels_;     // of the passes that make reductions
  std::vector<Goal> goals_;
};

}  // namespace

std::vector<Pass> make_passes(const Formula& formula, const PassGoals& goals, const std::vector<int>& known,
                              const Labels& order) {
  GoalFinder finder(formula, known);
  for (const int reduction : goals.sums) finder.add_reduction(reduction);
  for (const int root : goals.roots) finder.add_root(root);
  std::map<std::pair<int, Labels>, PassBuilder> builders;  // by level and labels
  for (const Goal& goal : finder.take()) {
    const Labels domain = in_order(formula.nodes[to_index(goal.node)].labels, order);
    const auto builder = builders.try_emplace({goal.level, domain}, formula, domain, order).first;
    builder->second.add(goal);
  }
  std::vector<Pass> passes;
  for (auto& [key, builder] : builders) passes.push_back(builder.finish());
  return passes;
}

}  // namespace trntensor::host
