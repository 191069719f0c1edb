#include "trntensor/host/nest_step.hpp"

#include <fmt/format.h>

#include "trntensor/host/nest_engine.hpp"

namespace trntensor::host {
namespace {

class NestStep final : public PreparedStep {
 public:
  NestStep(const BinaryProblem& problem, std::string_view instruction_set)
      : engine_(nest_problem(problem), instruction_set),
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

std::optional<std::string> nest_declines(const BinaryProblem& problem) {
  constexpr std::int64_t kFew = 8;
  if (problem.m_size >= kFew && problem.n_size >= kFew && problem.k_size >= kFew) {
    return fmt::format("a product of {} x {} x {} is faster packed", problem.m_size, problem.n_size, problem.k_size);
  }
  return std::nullopt;
}

std::unique_ptr<const PreparedStep> prepare_nest(const BinaryProblem& problem, std::string_view instruction_set) {
  return std::make_unique<NestStep>(problem, instruction_set);
}

}  // namespace trntensor::host
