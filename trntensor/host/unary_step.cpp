#include "trntensor/host/unary_step.hpp"

#include <fmt/format.h>

#include <mutex>
#include <optional>
#include <string>

#include "trntensor/host/nest_engine.hpp"
#include "trntensor/host/unary_move.hpp"

namespace trntensor::host {
namespace {

// True when a value of `dtype` goes through `via` and back unchanged.
bool is_held_by(DType dtype, DType via) {
  if (dtype == via) return true;
  if (is_integer(dtype)) return is_integer(via) && size_of(via) >= size_of(dtype);
  if (!is_floating(dtype) && !is_complex(dtype)) return false;
  if (!is_floating(via) && !is_complex(via)) return false;
  return (is_complex(via) || !is_complex(dtype)) && size_of(real_type(via)) > size_of(real_type(dtype));
}

bool only_moves(const StepProblem& problem) {
  const DType dtype = problem.a.dtype;
  return dtype == problem.out.dtype && dtype == problem.a.load_as && is_held_by(dtype, problem.accumulator);
}

class UnaryStep final : public PreparedStep {
 public:
  UnaryStep(const StepProblem& problem, std::string_view instruction_set)
      : loops_(nest_problem_of_one(problem)),
        table_(&vector_table(instruction_set)),
        name_(fmt::format("unary {} -> {}", to_string(problem.a.dtype), to_string(problem.out.dtype))) {
    static_cast<void>(table_->for_accumulator(problem.accumulator, problem.compensated));
    if (!loops_.summed.empty() || !only_moves(problem)) {
      static_cast<void>(engine());
      return;
    }
    NestProblem loops = loops_;
    const Origins origins = normalise(loops);
    move_.emplace(loops, origins, *table_);
  }

  void run(const void* a, const void* /*b*/, void* out, const Scale& scale, const RunContext& context) const override {
    if (move_ && scale.alpha == 1.0 && scale.beta == 0.0) {
      move_->run(a, out, context);
    } else {
      engine().run(a, nullptr, out, scale, context);
    }
  }

  [[nodiscard]] std::string describe() const override {
    return fmt::format("{}, {}", name_, move_ ? move_->describe() : engine().describe());
  }

 private:
  // A step that moves elements needs it only once it is asked to scale them.
  const NestEngine& engine() const {
    std::call_once(engine_once_, [this] { engine_.emplace(loops_, *table_); });
    return *engine_;
  }

  NestProblem loops_;
  const VectorTable* table_;
  std::optional<UnaryMove> move_;
  mutable std::once_flag engine_once_;
  mutable std::optional<NestEngine> engine_;
  std::string name_;
};

}  // namespace

std::unique_ptr<const PreparedStep> prepare_unary(const StepProblem& problem, std::string_view instruction_set) {
  return std::make_unique<UnaryStep>(problem, instruction_set);
}

}  // namespace trntensor::host
