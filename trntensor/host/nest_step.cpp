#include "trntensor/host/nest_step.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trntensor/host/nest_engine.hpp"

namespace trntensor::host {
namespace {

class NestStep final : public PreparedStep {
 public:
  NestStep(const BinaryProblem& problem, std::string_view instruction_set)
      : engine_(nest_problem(problem), vector_table(instruction_set)),
        swapped_(problem.swapped),
        name_(fmt::format("nest {}, batch={}, m={}, n={}, k={}", to_string(problem.accumulator), problem.batch_size,
                          problem.m_size, problem.n_size, problem.k_size)) {}

  void run(const void* a, const void* b, void* out, const Scale& scale, const RunContext& context) const override {
    engine_.run(swapped_ ? b : a, swapped_ ? a : b, out, scale, context);
  }

  [[nodiscard]] std::string describe() const override { return fmt::format("{}, {}", name_, engine_.describe()); }

 private:
  NestEngine engine_;
  bool swapped_;
  std::string name_;
};

}  // namespace

// Measured with float64 on one core with AVX-512: below these sizes the nest is the faster one. A matrix with fewer
// rows, columns or terms is packed for too few multiply-adds, and small matrices in a batch are packed one by one.
std::optional<std::string> nest_declines(const BinaryProblem& problem) {
  constexpr std::int64_t kFewTerms = 8;
  constexpr std::int64_t kFewRows = 12;
  constexpr double kLittleReuse = 512;
  constexpr double kSmallProduct = 32.0 * 32 * 32;
  const std::int64_t narrow = std::min(problem.m_size, problem.n_size);
  const double reuse = static_cast<double>(narrow) * static_cast<double>(problem.k_size);
  if (problem.k_size < kFewTerms || narrow < kFewRows || reuse < kLittleReuse) return std::nullopt;
  const double product = problem.macs() / static_cast<double>(problem.batch_size);
  if (problem.batch_size > 1 && product < kSmallProduct) return std::nullopt;
  return fmt::format("a product of {} x {} x {} is faster packed", problem.m_size, problem.n_size, problem.k_size);
}

std::unique_ptr<const PreparedStep> prepare_nest(const BinaryProblem& problem, std::string_view instruction_set) {
  return std::make_unique<NestStep>(problem, instruction_set);
}

}  // namespace trntensor::host
