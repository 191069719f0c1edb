#include "trntensor/plan/plan.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace trntensor {
namespace {

std::vector<std::string> names_of(const Spec& spec, const Labels& labels) {
  std::vector<std::string> names;
  for (const Label label : labels) names.push_back(spec.names[static_cast<std::size_t>(label)]);
  return names;
}

// What equality compares.
auto compared(const Plan::Contents& c) {
  return std::tie(c.spec, c.input_dtypes, c.compute_dtype, c.accumulator_dtype, c.output_dtype, c.precision, c.method,
                  c.steps, c.naive_macs, c.macs, c.largest_elements, c.peak_bytes, c.target_forward_error,
                  c.error_bound);
}

}  // namespace

std::string_view to_string(Strategy strategy) noexcept {
  constexpr std::array<std::string_view, 4> kNames{"unary", "matmul", "bmm", "general"};
  return kNames[static_cast<std::size_t>(strategy)];
}

int Plan::Contents::compensated() const noexcept {
  if (!is_floating(real_type(compute_dtype))) return 0;
  if (precision == Precision::kDoubleDouble) return 2;
  if (accumulator_dtype != compute_dtype) return 0;
  return precision == Precision::kKahan ? 1 : precision == Precision::kStochastic ? 2 : 0;
}

bool Plan::Contents::rounds_stochastically() const noexcept {
  return precision == Precision::kStochastic && is_floating(real_type(compute_dtype));
}

bool operator==(const Plan& a, const Plan& b) { return compared(a.contents_) == compared(b.contents_); }

std::string Plan::strategy() const {
  return contents_.steps.size() == 1 ? std::string(to_string(contents_.steps.front().strategy)) : "path";
}

std::string Plan::backend() const {
  const std::vector<PlanStep>& steps = contents_.steps;
  const bool same = std::all_of(steps.begin(), steps.end(),
                                [&](const PlanStep& step) { return step.backend == steps.front().backend; });
  return same && !steps.empty() ? steps.front().backend : "mixed";
}

bool Plan::trans_a() const noexcept { return contents_.steps.size() == 1 && contents_.steps.front().trans_a; }

bool Plan::trans_b() const noexcept { return contents_.steps.size() == 1 && contents_.steps.front().trans_b; }

std::vector<std::string> Plan::contraction_indices() const {
  if (contents_.steps.size() != 1) return {};
  return names_of(contents_.spec, contents_.steps.front().contracted);
}

std::vector<std::string> Plan::batch_indices() const {
  if (contents_.steps.size() != 1) return {};
  return names_of(contents_.spec, contents_.steps.front().batch);
}

std::vector<std::string> Plan::output_indices() const {
  if (contents_.steps.size() != 1) return {};
  return names_of(contents_.spec, contents_.steps.front().output);
}

ContractionPath Plan::contraction_path() const {
  ContractionPath path;
  for (const PlanStep& step : contents_.steps) {
    path.push_back(step.operands);
    std::sort(path.back().begin(), path.back().end());
  }
  return path;
}

}  // namespace trntensor
