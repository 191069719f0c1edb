#include "trntensor/host/gemm_step.hpp"

#include <fmt/format.h>

#include "trntensor/host/gemm_blocks.hpp"
#include "trntensor/host/parallel.hpp"
#include "trntensor/host/partition.hpp"
#include "trntensor/host/workspace.hpp"
#include "trntensor/support/cpu_info.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::host {
namespace {

class GemmStep final : public PreparedStep {
 public:
  GemmStep(const BinaryProblem& problem, const GemmKernel& kernel) : plan_(problem, kernel) {}

  void run(const void* a, const void* b, void* out, const Scale& scale, const RunContext& context) const override;
  [[nodiscard]] std::string describe() const override;

 private:
  [[nodiscard]] GemmData item(const GemmData& first, std::int64_t index) const;
  [[nodiscard]] GemmRegion whole() const;
  void run_item(const GemmData& data, const GemmRun& run, const Partition& partition) const;
  void run_sum_slices(const GemmData& data, const GemmRun& run, int slices) const;

  GemmPlan plan_;
};

void GemmStep::run(const void* a, const void* b, void* out, const Scale& scale, const RunContext& context) const {
  const BinaryProblem& problem = plan_.problem;
  if (problem.batch_size == 0 || problem.m_size == 0 || problem.n_size == 0) return;
  if (problem.swapped) std::swap(a, b);
  const GemmData first{static_cast<const std::byte*>(a), static_cast<const std::byte*>(b),
                       static_cast<std::byte*>(out)};
  const KernelScale kernel_scale = to_kernel_scale(scale, problem.accumulator);
  const Partition partition = choose_partition(problem, *plan_.kernel, usable_threads(context.num_threads));
  const GemmRun item_run{&kernel_scale, context.stop, partition.column_threads, {}};
  with_threads(partition.threads(), [&] {
    parallel_for(partition.items > 1, partition.items, [&](std::int64_t slice) {
      const std::int64_t begin = problem.batch_size * slice / partition.items;
      const std::int64_t end = problem.batch_size * (slice + 1) / partition.items;
      for (std::int64_t index = begin; index < end; ++index) run_item(item(first, index), item_run, partition);
    });
  });
}

GemmData GemmStep::item(const GemmData& first, std::int64_t index) const {
  const BinaryProblem& problem = plan_.problem;
  const auto bytes = [&](OperandStride operand, DType dtype) {
    return offset_of(problem.batch, operand, index) * static_cast<std::int64_t>(trntensor::size_of(dtype));
  };
  return {first.a + bytes(&GroupAxis::a, problem.a.dtype), first.b + bytes(&GroupAxis::b, problem.b.dtype),
          first.out + bytes(&GroupAxis::out, problem.out_dtype)};
}

GemmRegion GemmStep::whole() const {
  return {0, plan_.problem.m_size, 0, plan_.problem.n_size, 0, plan_.problem.k_size};
}

void GemmStep::run_item(const GemmData& data, const GemmRun& run, const Partition& partition) const {
  if (partition.sums > 1) {
    run_sum_slices(data, run, partition.sums);
    return;
  }
  const std::int64_t mr = plan_.kernel->functions.mr;
  const std::int64_t tiles = (plan_.problem.m_size + mr - 1) / mr;
  parallel_for(partition.rows > 1, partition.rows, [&](std::int64_t slice) {
    GemmRegion region = whole();
    region.m_begin = std::min(region.m_end, tiles * slice / partition.rows * mr);
    region.m_end = std::min(region.m_end, tiles * (slice + 1) / partition.rows * mr);
    run_gemm_region(plan_, data, region, run);
  });
}

void GemmStep::run_sum_slices(const GemmData& data, const GemmRun& run, int slices) const {
  const GemmRegion all = whole();
  const std::int64_t nr = plan_.kernel->functions.nr;
  const std::int64_t mr = plan_.kernel->functions.mr;
  const std::int64_t columns = (all.n_end + nr - 1) / nr;
  const std::int64_t tile_bytes = plan_.store.tile_bytes();
  const std::int64_t tiles = (all.m_end + mr - 1) / mr * columns;
  const Workspace workspace(static_cast<std::size_t>(slices * tiles * tile_bytes));
  parallel_for(true, slices, [&](std::int64_t slice) {
    GemmRegion region = all;
    region.k_begin = all.k_end * slice / slices;
    region.k_end = all.k_end * (slice + 1) / slices;
    GemmRun slice_run = run;
    slice_run.sums = {workspace.data() + slice * tiles * tile_bytes, columns};
    run_gemm_region(plan_, data, region, slice_run);
  });
  for (std::int64_t slice = 1; slice < slices; ++slice) {
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
      plan_.store.add(workspace.data() + tile * tile_bytes, workspace.data() + (slice * tiles + tile) * tile_bytes);
    }
  }
  finish_gemm_region(plan_, data, all, *run.scale, {workspace.data(), columns});
}

std::string GemmStep::describe() const {
  const BinaryProblem& problem = plan_.problem;
  const std::string batch = problem.batch_size == 1 ? "" : fmt::format("batch={}, ", problem.batch_size);
  return fmt::format("gemm {}, {}m={}, n={}, k={}", plan_.kernel->name, batch, problem.m_size, problem.n_size,
                     problem.k_size);
}

}  // namespace

std::unique_ptr<const PreparedStep> prepare_gemm(const BinaryProblem& problem, std::string_view instruction_set) {
  const DType sums = kernel_dtype(problem.accumulator);
  if (problem.compensated != 0 && sums != DType::kFloat64 && sums != DType::kComplex128) {
    throw_unsupported(fmt::format("sums in {} cannot be compensated", to_string(problem.accumulator)), "host executor",
                      "accumulate in float64 or complex128");
  }
  return std::make_unique<GemmStep>(problem, choose_gemm_kernel(sums, problem.compensated, instruction_set));
}

}  // namespace trntensor::host
