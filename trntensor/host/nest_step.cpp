#include "trntensor/host/nest_step.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trntensor/host/kernels/table.hpp"
#include "trntensor/host/nest_choice.hpp"
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

/// True for what kernels take from memory to panels on their own, without a stage of converted elements.
bool is_packed_quickly(const InputType& input, DType accumulator) {
  if (accumulator != DType::kFloat32) return false;
  const KernelFunctions& functions = choose_gemm_kernel(accumulator, 0).functions;
  return (input.dtype == DType::kBFloat16 && functions.pack_bfloat16.a != nullptr) ||
         (input.dtype == DType::kFloat16 && functions.pack_float16.a != nullptr);
}

}  // namespace

// Measured with float32 and float64 on one core with AVX-512: below these sizes the nest is the faster one. A matrix
// with fewer rows, columns or terms is packed for too few multiply-adds, and small matrices in a batch are packed one
// by one. What the packed route reads where it lies pays much earlier.
std::optional<std::string> nest_declines(const BinaryProblem& problem) {
  constexpr std::int64_t kFew = 12;
  constexpr std::int64_t kFewTerms = 8;
  constexpr std::int64_t kFewInPlace = 3;
  constexpr std::int64_t kFewRowsOfTranspose = 6;
  const double little_reuse =
      is_packed_quickly(problem.a, problem.accumulator) && is_packed_quickly(problem.b, problem.accumulator) ? 128
                                                                                                             : 512;
  constexpr double kSmallProduct = 32.0 * 32 * 32;
  const bool as_is = problem.k.size() == 1 && is_loaded_as_is(problem.a, problem.accumulator) &&
                     is_loaded_as_is(problem.b, problem.accumulator) && problem.compensated == 0;
  const bool reads_a = as_is && problem.k.back().a == 1;
  const bool reads_b = as_is && !problem.n.empty() && problem.n.back().b == 1;
  const std::int64_t few_rows = reads_b ? kFewInPlace : as_is ? kFewRowsOfTranspose : kFew;
  const std::int64_t few_columns = reads_a ? kFewInPlace : kFew;
  const std::int64_t few_terms = as_is ? kFewInPlace : kFewTerms;
  if (problem.m_size < few_rows || problem.n_size < few_columns || problem.k_size < few_terms) return std::nullopt;
  const auto narrow = static_cast<double>(std::min(problem.m_size, problem.n_size));
  if (narrow * static_cast<double>(problem.k_size) < little_reuse) return std::nullopt;
  const double product = problem.macs() / static_cast<double>(problem.batch_size);
  if (problem.batch_size > 1 && product < kSmallProduct) return std::nullopt;
  return fmt::format("a product of {} x {} x {} is faster packed", problem.m_size, problem.n_size, problem.k_size);
}

std::unique_ptr<const PreparedStep> prepare_nest(const BinaryProblem& problem, std::string_view instruction_set) {
  return std::make_unique<NestStep>(problem, instruction_set);
}

}  // namespace trntensor::host
