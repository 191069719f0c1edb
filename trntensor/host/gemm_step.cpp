#include "trntensor/host/gemm_step.hpp"

#include <fmt/format.h>

#include <vector>

#include "trntensor/host/gemm_blocks.hpp"
#include "trntensor/host/integer_math.hpp"
#include "trntensor/host/lane_boxes.hpp"
#include "trntensor/host/parallel.hpp"
#include "trntensor/host/partition.hpp"
#include "trntensor/host/workspace.hpp"
#include "trntensor/support/cpu_info.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::host {
namespace {

/// Turns sums that `run_gemm_region` left in tiles into results.
void finish_gemm_region(const GemmPlan& plan, const GemmData& data, const GemmRegion& region, const KernelScale& scale,
                        const RawTiles& sums) {
  const std::int64_t mr = plan.kernel->functions.mr;
  const std::int64_t nr = plan.kernel->functions.nr;
  std::vector<std::int64_t> row_offsets(static_cast<std::size_t>(region.m_end - region.m_begin));
  std::vector<std::int64_t> column_offsets(static_cast<std::size_t>(region.n_end - region.n_begin));
  const BlockIndex rows = make_block_index(plan.problem.m, &GroupAxis::out, region.m_begin, row_offsets);
  const BlockIndex columns = make_block_index(plan.problem.n, &GroupAxis::out, region.n_begin, column_offsets);
  for (std::int64_t i = 0; i < rows.count; i += mr) {
    for (std::int64_t j = 0; j < columns.count; j += nr) {
      std::byte* tile = sums.data + (i / mr * sums.columns + j / nr) * plan.store.tile_bytes();
      const TileTarget target{
          data.out, rows.offsets + i, std::min(mr, rows.count - i), &columns, j, std::min(nr, columns.count - j)};
      plan.store.finish(tile, target, scale, false);
    }
  }
}

/// A part of the problem and where it begins.
struct GemmPart {
  GemmPart(const BoxedPart& part, const GemmKernel& kernel) : plan(part, kernel), a(part.a), b(part.b), out(part.out) {}

  [[nodiscard]] GemmData item(const GemmData& first, std::int64_t index) const;
  [[nodiscard]] GemmRegion whole() const;
  void run_item(const GemmData& data, const GemmRun& run, const Partition& partition) const;
  void run_sum_slices(const GemmData& data, const GemmRun& run, int slices) const;
  void run(const GemmData& first, const KernelScale& scale, const RunContext& context) const;

  GemmPlan plan;
  std::int64_t a;
  std::int64_t b;
  std::int64_t out;
};

void GemmPart::run(const GemmData& first, const KernelScale& scale, const RunContext& context) const {
  const std::int64_t items = plan.problem.batch_size;
  const Partition partition = choose_partition(plan.problem, *plan.kernel, usable_threads(context.num_threads));
  const GemmRun item_run{&scale, context.stop, partition.column_threads, {}};
  with_threads(partition.threads(), [&] {
    parallel_for(partition.items > 1, partition.items, [&](std::int64_t slice) {
      const std::int64_t begin = items * slice / partition.items;
      const std::int64_t end = items * (slice + 1) / partition.items;
      for (std::int64_t index = begin; index < end; ++index) run_item(item(first, index), item_run, partition);
    });
  });
}

GemmData GemmPart::item(const GemmData& first, std::int64_t index) const {
  const BinaryProblem& problem = plan.problem;
  const auto bytes = [&](OperandStride operand, std::int64_t start, DType dtype) {
    return (start + offset_of(problem.batch, operand, index)) * static_cast<std::int64_t>(trntensor::size_of(dtype));
  };
  return {first.a + bytes(&GroupAxis::a, a, problem.a.dtype), first.b + bytes(&GroupAxis::b, b, problem.b.dtype),
          first.out + bytes(&GroupAxis::out, out, problem.out_dtype)};
}

GemmRegion GemmPart::whole() const { return {0, plan.problem.m_size, 0, plan.problem.n_size, 0, plan.problem.k_size}; }

void GemmPart::run_item(const GemmData& data, const GemmRun& run, const Partition& partition) const {
  if (partition.sums > 1) {
    run_sum_slices(data, run, partition.sums);
    return;
  }
  const std::int64_t units = ceil_div(plan.problem.m_size, plan.units.m);
  parallel_for(partition.rows > 1, partition.rows, [&](std::int64_t slice) {
    GemmRegion region = whole();
    region.m_begin = std::min(region.m_end, units * slice / partition.rows * plan.units.m);
    region.m_end = std::min(region.m_end, units * (slice + 1) / partition.rows * plan.units.m);
    run_gemm_region(plan, data, region, run);
  });
}

void GemmPart::run_sum_slices(const GemmData& data, const GemmRun& run, int slices) const {
  const GemmRegion all = whole();
  const std::int64_t columns = ceil_div(all.n_end, plan.kernel->functions.nr);
  const std::int64_t tile_bytes = plan.store.tile_bytes();
  const std::int64_t tiles = ceil_div(all.m_end, plan.kernel->functions.mr) * columns;
  const Workspace workspace(static_cast<std::size_t>(slices * tiles * tile_bytes));
  parallel_for(true, slices, [&](std::int64_t slice) {
    GemmRegion region = all;
    region.k_begin = all.k_end * slice / slices;
    region.k_end = all.k_end * (slice + 1) / slices;
    GemmRun slice_run = run;
    slice_run.sums = {workspace.data() + slice * tiles * tile_bytes, columns};
    run_gemm_region(plan, data, region, slice_run);
  });
  for (std::int64_t slice = 1; slice < slices; ++slice) {
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
      plan.store.add(workspace.data() + tile * tile_bytes, workspace.data() + (slice * tiles + tile) * tile_bytes);
    }
  }
  finish_gemm_region(plan, data, all, *run.scale, {workspace.data(), columns});
}

class GemmStep final : public PreparedStep {
 public:
  GemmStep(const BinaryProblem& problem, const GemmKernel& kernel) : problem_(problem), kernel_(&kernel) {
    for (const BoxedPart& part : cut_into_boxes(problem, kernel)) parts_.emplace_back(part, kernel);
  }

  void run(const void* a, const void* b, void* out, const Scale& scale, const RunContext& context) const override;
  [[nodiscard]] std::string describe() const override;

 private:
  BinaryProblem problem_;
  const GemmKernel* kernel_;
  std::vector<GemmPart> parts_;
};

void GemmStep::run(const void* a, const void* b, void* out, const Scale& scale, const RunContext& context) const {
  if (problem_.batch_size == 0 || problem_.m_size == 0 || problem_.n_size == 0) return;
  if (problem_.swapped) std::swap(a, b);
  const GemmData first{static_cast<const std::byte*>(a), static_cast<const std::byte*>(b),
                       static_cast<std::byte*>(out)};
  const KernelScale kernel_scale = to_kernel_scale(scale, problem_.accumulator);
  for (const GemmPart& part : parts_) part.run(first, kernel_scale, context);
}

std::string GemmStep::describe() const {
  const std::string batch = problem_.batch_size == 1 ? "" : fmt::format("batch={}, ", problem_.batch_size);
  return fmt::format("gemm {}, {}m={}, n={}, k={}", kernel_->name, batch, problem_.m_size, problem_.n_size,
                     problem_.k_size);
}

}  // namespace

std::unique_ptr<const PreparedStep> prepare_gemm(const BinaryProblem& problem, std::string_view instruction_set) {
  const DType sums = kernel_dtype(problem.accumulator);
  if (problem.compensated != 0 && sums != DType::kFloat64 && sums != DType::kComplex128) {
    throw_unsupported(fmt::format("sums in {} cannot be compensated", to_string(problem.accumulator)), "host executor",
                      "accumulate in float64 or complex128");
  }
  return std::make_unique<GemmStep>(problem, choose_gemm_kernel(problem, instruction_set));
}

}  // namespace trntensor::host
