// Expressions by the loops of their definition, on a contraction result that is held as a whole.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "trntensor/dispatch/epilogue.hpp"
#include "trntensor/epilogue/formula.hpp"
#include "trntensor/reference/reference.hpp"
#include "trntensor/tensor/convert.hpp"

namespace trntensor::testing {

using Letters = std::vector<std::string>;

class EpilogueOracle {
 public:
  EpilogueOracle(const Spec& spec, std::span<const TensorView> operands, std::span<const NamedView> tensors)
      : x_(reference::einsum(spec, operands, {.output_dtype = DType::kFloat64})) {
    for (const Label label : spec.output) {
      result_.push_back(spec.names[static_cast<std::size_t>(label)]);
      extents_[result_.back()] = spec.extents[static_cast<std::size_t>(label)];
    }
    for (const NamedView& named : tensors) {
      Tensor values = Tensor::empty(named.tensor.shape(), DType::kFloat64);
      copy(named.tensor, values.mutable_view());
      tensors_.emplace(named.name, values);
    }
  }

  /// Over the labels that the expression leaves, in the order of the contraction's result.
  Tensor evaluate(const Expression& expression) {
    reductions_.clear();
    const Letters left = labels_of(expression);
    Shape shape;
    for (const std::string& letter : left) shape.push_back(extents_.at(letter));
    Tensor result = Tensor::empty(shape, DType::kFloat64);
    double* next = result.data_as<double>();
    for_each(left, [&] { *next++ = value(expression); });
    return result;
  }

  /// The largest magnitude of anything that was computed so far, arguments of sums taken positive.
  [[nodiscard]] double largest() const { return largest_; }

  [[nodiscard]] Letters labels_of(const Expression& expression) const {
    const ExpressionNode& node = expression.node();
    Letters some = epilogue::letters_of(node.labels);
    if (node.kind == ExpressionKind::kElement) some = result_;
    if (epilogue::is_reduction(node.kind)) {
      Letters left;
      for (const std::string& letter : labels_of(node.operands[0])) {
        if (std::find(some.begin(), some.end(), letter) == some.end()) left.push_back(letter);
      }
      return left;
    }
    for (const Expression& operand : node.operands) {
      const Letters more = labels_of(operand);
      some.insert(some.end(), more.begin(), more.end());
    }
    Letters ordered;
    for (const std::string& letter : result_) {
      if (std::find(some.begin(), some.end(), letter) != some.end()) ordered.push_back(letter);
    }
    return ordered;
  }

 private:
  template <typename Body>
  void for_each(const Letters& letters, const Body& body, std::size_t from = 0) {
    if (from == letters.size()) {
      body();
      return;
    }
    const std::int64_t outside = at_[letters[from]];
    for (std::int64_t i = 0; i < extents_.at(letters[from]); ++i) {
      at_[letters[from]] = i;
      for_each(letters, body, from + 1);
    }
    at_[letters[from]] = outside;
  }

  double read(const Tensor& tensor, const Letters& letters) {
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < letters.size(); ++d) {
      const std::int64_t extent = tensor.shape()[d];
      offset = offset * extent + (extent == 1 ? 0 : at_[letters[d]]);
    }
    return tensor.data_as<double>()[offset];
  }

  double reduce(const ExpressionNode& node) {
    const bool is_sum = node.kind == ExpressionKind::kSumOver;
    double result = is_sum ? 0 : -std::numeric_limits<double>::infinity();
    double magnitude = 0;
    for_each(epilogue::letters_of(node.labels), [&] {
      const double term = value(node.operands[0]);
      magnitude += std::abs(term);
      if (is_sum) {
        result += term;
      } else if (term > result || std::isnan(term)) {
        result = term;
      }
    });
    if (is_sum) largest_ = std::max(largest_, magnitude);
    return result;
  }

  double value(const Expression& expression) {
    const double result = compute(expression.node());
    if (std::isfinite(result)) largest_ = std::max(largest_, std::abs(result));
    return result;
  }

  /// A reduction that was computed for the same indices before is not computed again.
  double remembered(const ExpressionNode& node) {
    std::vector<std::int64_t> key;
    for (const std::string& letter : labels_of(Expression(node))) key.push_back(at_[letter]);
    const auto known = reductions_.find({&node, key});
    if (known != reductions_.end()) return known->second;
    const double result = reduce(node);
    reductions_[{&node, key}] = result;
    return result;
  }

  double compute(const ExpressionNode& node) {
    if (epilogue::is_reduction(node.kind)) return remembered(node);
    const auto argument = [&](std::size_t k) { return value(node.operands[k]); };
    const auto nan_of = [](double a, double b) { return std::isnan(a) ? a : b; };
    switch (node.kind) {
      case ExpressionKind::kConstant:
        return node.value;
      case ExpressionKind::kElement:
        return read(x_, node.labels.empty() ? result_ : epilogue::letters_of(node.labels));
      case ExpressionKind::kTensor:
        return read(tensors_.at(node.name), epilogue::letters_of(node.labels));
      case ExpressionKind::kAdd:
        return argument(0) + argument(1);
      case ExpressionKind::kSubtract:
        return argument(0) - argument(1);
      case ExpressionKind::kMultiply:
        return argument(0) * argument(1);
      case ExpressionKind::kDivide:
        return argument(0) / argument(1);
      case ExpressionKind::kNegate:
        return -argument(0);
      case ExpressionKind::kExp:
        return std::exp(argument(0));
      case ExpressionKind::kSqrt:
        return std::sqrt(argument(0));
      default: {
        const double a = argument(0);
        const double b = argument(1);
        if (std::isnan(a) || std::isnan(b)) return nan_of(a, b);
        return node.kind == ExpressionKind::kMax ? std::max(a, b) : std::min(a, b);
      }
    }
  }

  Tensor x_;
  Letters result_;
  std::map<std::string, std::int64_t> extents_;
  std::map<std::string, Tensor> tensors_;
  std::map<std::string, std::int64_t> at_;
  std::map<std::pair<const ExpressionNode*, std::vector<std::int64_t>>, double> reductions_;
  double largest_ = 0;
};

}  // namespace trntensor::testing
