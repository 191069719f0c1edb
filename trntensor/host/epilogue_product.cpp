#include "trntensor/host/epilogue_product.hpp"

#include <fmt/format.h>

#include <utility>

#include "trntensor/host/nest_step.hpp"
#include "trntensor/host/presum.hpp"
#include "trntensor/host/small_step.hpp"

namespace trntensor::host {
namespace {

/// The problem as one packed matrix product, if that is the way to run it.
std::optional<BinaryProblem> as_gemm(const StepProblem& problem, const HostOptions& options) {
  if (!problem.b || (!options.route.empty() && options.route != "gemm")) return std::nullopt;
  if (has_lone_label(problem.a, *problem.b, problem.out) || has_lone_label(*problem.b, problem.a, problem.out)) {
    return std::nullopt;
  }
  BinaryProblem classified = classify(problem);
  const bool forced = !options.route.empty();
  if (!forced && (!small_declines(classified) || !nest_declines(classified))) return std::nullopt;
  if (classified.batch_size != 1) return std::nullopt;
  return classified;
}

}  // namespace

BlockProduct::BlockProduct(const StepProblem& problem, const HostOptions& options)
    : one_(to_kernel_scale(Scale{}, problem.accumulator)) {
  const std::optional<BinaryProblem> gemm = as_gemm(problem, options);
  if (!gemm) {
    step_ = HostExecutor(options).prepare(problem);
    return;
  }
  plan_.emplace(*gemm, choose_gemm_kernel(*gemm, options.kernel));
  whole_ = {0, gemm->m_size, 0, gemm->n_size, 0, gemm->k_size};
  packed_a_bytes_ = packed_gemm_a_bytes(*plan_, whole_);
  packed_b_bytes_ = packed_gemm_b_bytes(*plan_, whole_);
  if (gemm->swapped) std::swap(packed_a_bytes_, packed_b_bytes_);
}

void BlockProduct::pack_a(const std::byte* a, std::byte* to) const { pack(!plan_->problem.swapped, a, to); }

void BlockProduct::pack_b(const std::byte* b, std::byte* to) const { pack(plan_->problem.swapped, b, to); }

void BlockProduct::pack(bool rows, const std::byte* source, std::byte* to) const {
  rows ? pack_gemm_a(*plan_, source, whole_, to) : pack_gemm_b(*plan_, source, whole_, to);
}

void BlockProduct::run(const ProductOperands& operands, std::byte* out, const std::stop_token& stop) const {
  if (!plan_) {
    step_->run(operands.a, operands.b, out, Scale{}, {1, stop});
    return;
  }
  GemmData data{operands.a, operands.b, out};
  GemmRun run{&one_, stop, 1, {}, {operands.packed_a, operands.packed_b}};
  if (plan_->problem.swapped) {
    std::swap(data.a, data.b);
    std::swap(run.packed.a, run.packed.b);
  }
  run_gemm_region(*plan_, data, whole_, run);
}

std::string BlockProduct::describe() const {
  if (!plan_) return step_->describe();
  return fmt::format("gemm {}, m={}, n={}, k={}", plan_->kernel->name, whole_.m_end, whole_.n_end, whole_.k_end);
}

}  // namespace trntensor::host
