// What the planner's tests share: plans without tensors, and an independent look at a plan.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/common/expect_error.hpp"
#include "tests/plan/instance.hpp"
#include "trntensor/plan/executor.hpp"
#include "trntensor/plan/plan.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::testing {

/// Lends its name to plans and runs nothing.
class NamedExecutor final : public Executor {
 public:
  explicit NamedExecutor(std::string name = "host") : name_(std::move(name)) {}
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::unique_ptr<const PreparedStep> prepare(const StepProblem&) const override {
    throw Error(ErrorKind::kUnsupported, "runs nothing");
  }

 private:
  std::string name_;
};

using Sizes = std::map<std::string, std::int64_t>;

/// The sizes of the labels that are in `text`.
inline Sizes sizes_in(const std::string& text, Sizes sizes) {
  std::erase_if(sizes, [&](const auto& size) { return text.find(size.first) == std::string::npos; });
  return sizes;
}

inline Spec spec_of(const std::string& text, const Sizes& sizes) {
  return parse_spec(text, shapes_from_sizes(text, sizes));
}

inline Plan plan_of(const Spec& spec, const PlanOptions& options = {}, DType dtype = DType::kFloat64) {
  const std::vector<DType> dtypes(spec.inputs.size(), dtype);
  return make_plan(spec, dtypes, options, NamedExecutor());
}

inline Plan plan_of(const std::string& text, const Sizes& sizes, const PlanOptions& options = {},
                    DType dtype = DType::kFloat64) {
  return plan_of(spec_of(text, sizes), options, dtype);
}

/// Every operand and intermediate is used once, two a step (one for a single operand); every result has exactly the
/// labels that are needed later, the last one the output; the totals are those of the steps.
::testing::AssertionResult is_legal(const Plan& plan);

}  // namespace trntensor::testing
