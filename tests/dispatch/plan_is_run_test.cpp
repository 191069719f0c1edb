// What a plan says is what the executor is given.
#include <gtest/gtest.h>

#include <mutex>

#include "tests/dispatch/values.hpp"
#include "trntensor/dispatch/einsum.hpp"
#include "trntensor/host/executor.hpp"

namespace trntensor {
namespace {

using testing::ones;

/// Runs on the host and keeps every problem it was asked to prepare.
class RecordingExecutor final : public Executor {
 public:
  [[nodiscard]] std::string name() const override { return "recorder"; }
  [[nodiscard]] std::unique_ptr<const PreparedStep> prepare(const StepProblem& problem) const override {
    const std::lock_guard lock(mutex_);
    problems_.push_back(problem);
    return host_.prepare(problem);
  }
  [[nodiscard]] const std::vector<StepProblem>& problems() const { return problems_; }

 private:
  host::HostExecutor host_;
  mutable std::mutex mutex_;
  mutable std::vector<StepProblem> problems_;
};

Labels labels_of(const OperandLayout& layout) {
  Labels labels;
  for (const Axis& axis : layout.axes) labels.push_back(axis.label);
  return labels;
}

TEST(PlanIsRun, StepsReachTheExecutorInOrderWithTheirLabels) {
  const RecordingExecutor recorder;
  const std::vector<Tensor> tensors{ones({4, 2}), ones({4, 3}), ones({4, 4, 5}), ones({5, 6})};
  const std::vector<TensorView> views(tensors.begin(), tensors.end());
  const EinsumOptions options{.executor = &recorder};
  const std::string text = "mi,na,mnP,PQ->iaQ";
  const Plan plan = plan_contraction(text, views, options);
  einsum(text, views, options);
  ASSERT_EQ(recorder.problems().size(), plan.steps().size());
  for (std::size_t s = 0; s < plan.steps().size(); ++s) {
    const PlanStep& step = plan.steps()[s];
    const StepProblem& problem = recorder.problems()[s];
    EXPECT_EQ(step.backend, "recorder");
    EXPECT_EQ(labels_of(problem.a), step.inputs[0]);
    ASSERT_TRUE(problem.b.has_value());
    EXPECT_EQ(labels_of(*problem.b), step.inputs[1]);
    EXPECT_EQ(labels_of(problem.out), step.output);
    EXPECT_EQ(problem.out.dtype, step.dtype);
  }
}

TEST(PlanIsRun, AGivenPathIsTheOneThatRuns) {
  const RecordingExecutor recorder;
  const std::vector<Tensor> tensors{ones({2, 3}), ones({3, 4}), ones({4, 5})};
  const std::vector<TensorView> views(tensors.begin(), tensors.end());
  for (const ContractionPath& path :
       {ContractionPath{{0, 1}, {0, 1}}, ContractionPath{{1, 2}, {0, 1}}, ContractionPath{{0, 2}, {0, 1}}}) {
    const Plan plan = plan_contraction("ij,jk,kl->il", views, {.path = path});
    EXPECT_EQ(plan.contraction_path(), path);
    EXPECT_EQ(plan.contents().method, "given");
    testing::expect_values(einsum("ij,jk,kl->il", views, {.path = path, .executor = &recorder}), {2, 5},
                           std::vector<double>(10, 12.0));
  }
}

TEST(PlanIsRun, IntermediatesOfNarrowTypesAreHeldInTheAccumulatorType) {
  const RecordingExecutor recorder;
  const Tensor a = ones({2, 2}).astype(DType::kBFloat16);
  const Tensor result = einsum("ij,jk,kl->il", {a, a, a}, {.executor = &recorder});
  EXPECT_EQ(result.dtype(), DType::kBFloat16);
  ASSERT_EQ(recorder.problems().size(), 2U);
  EXPECT_EQ(recorder.problems()[0].out.dtype, DType::kFloat32);
  EXPECT_EQ(recorder.problems()[1].out.dtype, DType::kBFloat16);
}

TEST(PlanIsRun, APlanFromJsonRunsTheSame) {
  const std::vector<Tensor> tensors{testing::range({2, 3}), testing::range({3, 4}), testing::range({4, 2})};
  const std::vector<TensorView> views(tensors.begin(), tensors.end());
  const Plan plan = plan_contraction("ij,jk,kl->il", views);
  const Contraction contraction(std::make_shared<const Plan>(Plan::from_json(plan.to_json())), views);
  EXPECT_EQ(contraction(views).to_vector<double>(), einsum("ij,jk,kl->il", views).to_vector<double>());
}

}  // namespace
}  // namespace trntensor
