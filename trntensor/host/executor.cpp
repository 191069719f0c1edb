#include "trntensor/host/executor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "trntensor/host/classify.hpp"
#include "trntensor/host/double_double_step.hpp"
#include "trntensor/host/epilogue_step.hpp"
#include "trntensor/host/gemm_step.hpp"
#include "trntensor/host/kernels/table.hpp"
#include "trntensor/host/nest_step.hpp"
#include "trntensor/host/presum.hpp"
#include "trntensor/host/small_step.hpp"
#include "trntensor/host/stochastic_step.hpp"
#include "trntensor/host/unary_step.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::host {
namespace {

constexpr std::string_view kUnaryRoute = "unary";

std::optional<std::string> never_declines(const BinaryProblem&) { return std::nullopt; }

/// A way to carry out a step of two operands.
struct Route {
  std::string_view name;
  std::optional<std::string> (*declines)(const BinaryProblem& problem);  ///< why another one is to be preferred
  std::unique_ptr<const PreparedStep> (*prepare)(const BinaryProblem& problem, std::string_view instruction_set);
};

/// Best first; the last takes every step.
constexpr std::array kRoutes{
    Route{"small", &small_declines, &prepare_small},
    Route{"nest", &nest_declines, &prepare_nest},
    Route{"gemm", &never_declines, &prepare_gemm},
};

const Route* find_route(std::string_view name) {
  const auto* const route =
      std::find_if(kRoutes.begin(), kRoutes.end(), [&](const Route& candidate) { return candidate.name == name; });
  return route == kRoutes.end() ? nullptr : route;
}

const Route& choose_route(const BinaryProblem& problem, std::string_view forced) {
  if (!forced.empty()) return *find_route(forced);
  return *std::find_if(kRoutes.begin(), kRoutes.end(),
                       [&](const Route& route) { return !route.declines(problem).has_value(); });
}

/// Of any number of operands, for the vector kernels.
std::unique_ptr<const PreparedStep> prepare_vectors(const StepProblem& problem, const HostOptions& options) {
  if (!problem.b) return prepare_unary(problem, options.kernel);
  return prepare_with_presum(problem, options.kernel, [&](const StepProblem& product) {
    const BinaryProblem classified = classify(product);
    return choose_route(classified, options.route).prepare(classified, options.kernel);
  });
}

/// Of any number of operands, rounded to nearest.
std::unique_ptr<const PreparedStep> prepare_nearest(const StepProblem& problem, const HostOptions& options) {
  if (problem.compensated < 2) return prepare_vectors(problem, options);
  return prepare_double_double(problem,
                               [options](const StepProblem& plain) { return prepare_vectors(plain, options); });
}

}  // namespace

HostExecutor::HostExecutor(HostOptions options) : options_(std::move(options)) {
  const std::string& route = options_.route;
  if (!route.empty() && route != kUnaryRoute && find_route(route) == nullptr) {
    throw_invalid(fmt::format("\"{}\" is no route of the host executor", route), "host executor",
                  "use unary, small, nest or gemm, or leave the choice to the executor");
  }
  if (!options_.kernel.empty()) static_cast<void>(choose_gemm_kernel(DType::kFloat32, 0, options_.kernel));
}

std::unique_ptr<const PreparedStep> HostExecutor::prepare(const StepProblem& problem) const {
  const std::string& forced = options_.route;
  if (!problem.b && !forced.empty() && forced != kUnaryRoute) {
    throw_unsupported(fmt::format("route {} takes steps of two operands, this one has one", forced), "host executor",
                      "use the route unary, or leave the choice to the executor");
  }
  if (problem.b && forced == kUnaryRoute) {
    throw_unsupported("route unary takes steps of one operand, this one has two", "host executor",
                      "use the route nest or gemm, or leave the choice to the executor");
  }
  if (!problem.stochastic) return prepare_nearest(problem, options_);
  return prepare_stochastic(problem,
                            [options = options_](const StepProblem& plain) { return prepare_nearest(plain, options); });
}

std::unique_ptr<const PreparedEpilogue> HostExecutor::prepare_epilogue(const EpilogueProblem& problem) const {
  return prepare_host_epilogue(problem, options_);
}

}  // namespace trntensor::host
