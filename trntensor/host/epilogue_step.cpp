#include "trntensor/host/epilogue_step.hpp"

#include <fmt/format.h>

#include "trntensor/host/epilogue_run.hpp"
#include "trntensor/host/epilogue_tiles.hpp"
#include "trntensor/support/environment.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::host {
namespace {

constexpr std::string_view kWhere = "host executor";

bool is_offered(DType dtype) { return dtype == DType::kFloat32 || dtype == DType::kFloat64; }

void check_types(const EpilogueProblem& problem) {
  const DType accumulator = problem.product.accumulator;
  if (!is_offered(accumulator) || !is_offered(problem.arithmetic)) {
    throw_unsupported(fmt::format("epilogues of sums in {} with arithmetic in {} are not offered",
                                  to_string(accumulator), to_string(problem.arithmetic)),
                      std::string(kWhere), "use float32 or float64");
  }
  if (problem.product.compensated > 1) {
    throw_unsupported("epilogues take no numbers of twice the digits", std::string(kWhere),
                      "use another precision than dd");
  }
}

class EpilogueStep final : public PreparedEpilogue {
 public:
  EpilogueStep(const EpilogueProblem& problem, const HostOptions& options) : plan_(problem, options) {
    const std::int64_t bytes = plan_.block_bytes() + plan_.sum_bytes();
    if (!problem.memory_limit || bytes <= *problem.memory_limit) return;
    throw Error(ErrorKind::kOutOfMemory,
                fmt::format("the smallest block that the formula allows and its sums need {} ({} bytes); the memory "
                            "limit is {} ({} bytes)",
                            format_bytes(static_cast<double>(bytes)), bytes,
                            format_bytes(static_cast<double>(*problem.memory_limit)), *problem.memory_limit),
                "memory_limit", fmt::format("grant at least {} bytes", bytes));
  }

  void run(const EpilogueData& data, const RunContext& context, const BlockProgress& progress) const override {
    run_epilogue(plan_, data, context, progress);
  }

  [[nodiscard]] std::int64_t block_bytes(int num_threads) const override {
    return plan_.block_bytes() * epilogue_workers(plan_, num_threads) + plan_.sum_bytes();
  }

  [[nodiscard]] double macs() const override;
  [[nodiscard]] std::string describe() const override;

 private:
  EpiloguePlan plan_;
};

double EpilogueStep::macs() const {
  double summed = 1;
  const Labels& element = plan_.problem.formula.element;
  Labels counted;
  const auto count = [&](const OperandLayout& layout) {
    for (const Axis& axis : layout.axes) {
      if (contains(element, axis.label) || contains(counted, axis.label)) continue;
      counted.push_back(axis.label);
      summed *= static_cast<double>(axis.extent);
    }
  };
  count(plan_.problem.product.a);
  if (plan_.problem.product.b) count(*plan_.problem.product.b);
  return summed * computed_elements(plan_);
}

std::string EpilogueStep::describe() const {
  std::string edges;
  for (const BlockAxis& axis : plan_.grid.axes()) {
    edges += fmt::format("{}{}", edges.empty() ? "" : "x", std::min(axis.edge, axis.extent));
  }
  const BlockTiles tiles = make_tiles(plan_, 1);
  const std::string product = plan_.products.empty() ? "nothing" : plan_.products.rbegin()->second->describe();
  return fmt::format("epilogue of {} blocks of {} elements{}: {}", tiles.blocks, edges.empty() ? "1" : edges,
                     plan_.mirror.empty() ? "" : " (half of them by symmetry)", product);
}

}  // namespace

std::unique_ptr<const PreparedEpilogue> prepare_host_epilogue(const EpilogueProblem& problem,
                                                              const HostOptions& options) {
  check_types(problem);
  return std::make_unique<EpilogueStep>(problem, options);
}

}  // namespace trntensor::host
