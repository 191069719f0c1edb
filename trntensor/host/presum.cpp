#include "trntensor/host/presum.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <string>

#include "trntensor/host/unary_step.hpp"
#include "trntensor/support/aligned_memory.hpp"

namespace trntensor::host {
namespace {

/// Neither in the other operand nor in the result.
bool is_alone(Label label, const OperandLayout& other, const OperandLayout& out) {
  return !has_label(other, label) && !has_label(out, label);
}

/// A label that no operand of the step has.
Label unused_label(const StepProblem& problem) {
  Label largest = 0;
  for (const OperandLayout* layout : {&problem.a, &*problem.b, &problem.out}) {
    for (const Axis& axis : layout->axes) largest = std::max(largest, axis.label);
  }
  return largest + 1;
}

/// One operand's sum over its lone labels, in a packed workspace of the accumulator type.
///
/// A compensated sum is kept as two numbers, the rounded sum and what rounding took from it: the workspace has an axis
/// of extent 2 for them, which the product sums over, so that nothing is lost halfway.
class LoneSum {
 public:
  LoneSum(const OperandLayout& operand, const OperandLayout& other, const StepProblem& problem,
          std::string_view instruction_set)
      : accumulator_(problem.accumulator), compensated_(problem.compensated != 0) {
    OperandLayout summed{operand.dtype, operand.load_as, {}};
    OperandLayout packed{accumulator_, accumulator_, {}};
    layout_ = packed;
    // Axes that repeat an element stay what they are: their elements are summed once and not copied.
    for (const Axis& axis : operand.axes) {
      const bool alone = is_alone(axis.label, other, problem.out);
      const bool repeats = !alone && axis.stride == 0 && axis.extent > 0;
      if (!repeats) summed.axes.push_back(axis);
      if (!alone && !repeats) packed.axes.push_back(axis);
      if (repeats) layout_.axes.push_back(axis);
    }
    elements_ = pack_axes(packed);
    for (const Axis& axis : packed.axes) layout_.axes.push_back(axis);
    step_ = prepare_unary({summed, std::nullopt, packed, accumulator_, problem.compensated}, instruction_set);
  }

  /// Of the sum in its workspace, without the axis of a compensated one.
  [[nodiscard]] const OperandLayout& layout() const { return layout_; }

  /// The axis of the two numbers of a compensated sum.
  [[nodiscard]] Axis parts(Label label) const { return {label, 2, elements_}; }

  [[nodiscard]] AlignedBuffer run(const void* operand, const RunContext& context) const {
    const std::size_t bytes = static_cast<std::size_t>(elements_) * size_of(accumulator_);
    AlignedBuffer sum = allocate_aligned(compensated_ ? 2 * bytes : bytes);
    step_->run(operand, nullptr, sum.get(), Scale{}, context);
    if (!compensated_) return sum;
    // The same sum less its rounded value.
    std::memcpy(sum.get() + bytes, sum.get(), bytes);
    step_->run(operand, nullptr, sum.get() + bytes, Scale{1.0, -1.0}, context);
    const auto* const rounded = reinterpret_cast<const double*>(sum.get());
    auto* const rest = reinterpret_cast<double*>(sum.get() + bytes);
    for (std::size_t i = 0; i < bytes / sizeof(double); ++i) {
      if (!std::isfinite(rounded[i])) rest[i] = 0;
    }
    return sum;
  }

  [[nodiscard]] std::string describe() const { return step_->describe(); }

 private:
  DType accumulator_;
  bool compensated_;
  OperandLayout layout_;
  std::int64_t elements_ = 0;
  std::unique_ptr<const PreparedStep> step_;
};

/// Lets the product sum over the two numbers of a compensated sum.
void add_parts(const LoneSum& sum, Label label, OperandLayout& operand, OperandLayout& other) {
  operand.axes.push_back(sum.parts(label));
  other.axes.push_back({label, 2, 0});
}

/// Tells whether all elements of an operand are finite (a sum of finite elements that overflows counts as not).
class FinitenessTest {
 public:
  FinitenessTest(const OperandLayout& operand, DType accumulator, std::string_view instruction_set)
      : step_(prepare_unary({operand, std::nullopt, {accumulator, accumulator, {}}, accumulator}, instruction_set)) {}

  [[nodiscard]] bool run(const void* operand, const RunContext& context) const {
    std::complex<double> sum = 0;  // of float64 or complex128
    step_->run(operand, nullptr, &sum, Scale{}, context);
    return std::isfinite(sum.real()) && std::isfinite(sum.imag());
  }

 private:
  std::unique_ptr<const PreparedStep> step_;
};

class PresumStep final : public PreparedStep {
 public:
  PresumStep(const StepProblem& problem, std::string_view instruction_set, const PrepareProduct& prepare_product) {
    StepProblem product = problem;
    const bool sums_a = has_lone_label(problem.a, *problem.b, problem.out);
    const bool sums_b = has_lone_label(*problem.b, problem.a, problem.out);
    if (sums_a) product.a = sum_a_.emplace(problem.a, *problem.b, problem, instruction_set).layout();
    if (sums_b) product.b = sum_b_.emplace(*problem.b, problem.a, problem, instruction_set).layout();
    product_ = prepare_product(product);
    if (problem.compensated == 0) return;
    if (sums_a) finite_b_.emplace(*product.b, problem.accumulator, instruction_set);
    if (sums_b) finite_a_.emplace(product.a, problem.accumulator, instruction_set);
    Label label = unused_label(problem);
    if (sums_a) add_parts(*sum_a_, label++, product.a, *product.b);
    if (sums_b) add_parts(*sum_b_, label++, *product.b, product.a);
    product_of_parts_ = prepare_product(product);
  }

  void run(const void* a, const void* b, void* out, const Scale& scale, const RunContext& context) const override {
    AlignedBuffer workspace_a;
    AlignedBuffer workspace_b;
    if (sum_a_) a = (workspace_a = sum_a_->run(a, context)).get();
    if (sum_b_) b = (workspace_b = sum_b_->run(b, context)).get();
    // What rounding took from a sum is often 0, which an infinity it meets would turn into NaN.
    const bool in_parts = product_of_parts_ != nullptr && (!finite_a_ || finite_a_->run(a, context)) &&
                          (!finite_b_ || finite_b_->run(b, context));
    (in_parts ? product_of_parts_ : product_)->run(a, b, out, scale, context);
  }

  [[nodiscard]] std::string describe() const override {
    std::string text;
    if (sum_a_) text += "sum a first: " + sum_a_->describe() + "; ";
    if (sum_b_) text += "sum b first: " + sum_b_->describe() + "; ";
    return text + (product_of_parts_ != nullptr ? product_of_parts_ : product_)->describe();
  }

 private:
  std::optional<LoneSum> sum_a_;
  std::optional<LoneSum> sum_b_;
  std::unique_ptr<const PreparedStep> product_;           ///< of the rounded sums
  std::unique_ptr<const PreparedStep> product_of_parts_;  ///< of compensated sums with what rounding took from them
  std::optional<FinitenessTest> finite_a_;                ///< of what the parts of the other operand are multiplied by
  std::optional<FinitenessTest> finite_b_;
};

}  // namespace

bool has_lone_label(const OperandLayout& operand, const OperandLayout& other, const OperandLayout& out) {
  return std::any_of(operand.axes.begin(), operand.axes.end(),
                     [&](const Axis& axis) { return is_alone(axis.label, other, out); });
}

std::unique_ptr<const PreparedStep> prepare_with_presum(const StepProblem& problem, std::string_view instruction_set,
                                                        const PrepareProduct& prepare_product) {
  if (!has_lone_label(problem.a, *problem.b, problem.out) && !has_lone_label(*problem.b, problem.a, problem.out)) {
    return prepare_product(problem);
  }
  return std::make_unique<PresumStep>(problem, instruction_set, prepare_product);
}

}  // namespace trntensor::host
