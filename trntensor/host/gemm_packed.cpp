#include "trntensor/host/gemm_packed.hpp"

#include <algorithm>

#include "trntensor/host/integer_math.hpp"
#include "trntensor/host/pack.hpp"

namespace trntensor::host {
namespace {

/// Rows of A or columns of B to be packed, and how.
struct PackAll {
  const Conversion* load;
  PackPanels pack;
  PackPanels pack_stored;
  OperandStride operand;
  const Group* lanes;
  std::int64_t width;
  const std::byte* source;
  std::int64_t first;
  std::int64_t count;
};

std::int64_t packed_bytes(const GemmPlan& plan, std::int64_t lanes, std::int64_t width, const GemmRegion& region) {
  const auto element = static_cast<std::int64_t>(size_of(plan.kernel->dtype));
  return ceil_div(lanes, width) * width * plan.kernel->steps(region.k_end - region.k_begin) * element;
}

void pack_all(const GemmPlan& plan, const PackAll& all, const GemmRegion& region, std::byte* to) {
  const std::int64_t kc = choose_kc(*plan.kernel, region.k_end - region.k_begin);
  std::vector<std::int64_t> lane_offsets(to_size(all.count));
  std::vector<std::int64_t> step_offsets(to_size(kc));
  PackJob job{};
  job.load = all.load;
  job.pack = all.pack;
  job.pack_stored = all.pack_stored;
  job.width = all.width;
  job.element_size = static_cast<std::int64_t>(size_of(plan.kernel->dtype));
  job.source = all.source;
  job.terms = plan.kernel->terms;
  job.lanes = make_block_index(*all.lanes, all.operand, all.first, lane_offsets);
  for (std::int64_t k = region.k_begin; k < region.k_end; k += kc) {
    const std::size_t steps = to_size(std::min(kc, region.k_end - k));
    job.steps = make_block_index(plan.problem.k, all.operand, k, std::span(step_offsets).first(steps));
    pack_panels(job, 0, job.panel_count(), to);
    to += job.panel_count() * job.panel_bytes();
  }
}

}  // namespace

std::int64_t packed_gemm_a_bytes(const GemmPlan& plan, const GemmRegion& region) {
  return packed_bytes(plan, region.m_end - region.m_begin, plan.kernel->functions.mr, region);
}

std::int64_t packed_gemm_b_bytes(const GemmPlan& plan, const GemmRegion& region) {
  return packed_bytes(plan, region.n_end - region.n_begin, plan.kernel->functions.nr, region);
}

void pack_gemm_a(const GemmPlan& plan, const std::byte* a, const GemmRegion& region, std::byte* to) {
  const KernelFunctions& functions = plan.kernel->functions;
  const std::int64_t rows = region.m_end - region.m_begin;
  pack_all(plan,
           {&plan.load_a, functions.pack_a, plan.pack_a, &GroupAxis::a, &plan.problem.m, functions.mr, a,
            region.m_begin, rows},
           region, to);
}

void pack_gemm_b(const GemmPlan& plan, const std::byte* b, const GemmRegion& region, std::byte* to) {
  const KernelFunctions& functions = plan.kernel->functions;
  const std::int64_t columns = region.n_end - region.n_begin;
  pack_all(plan,
           {&plan.load_b, functions.pack_b, plan.pack_b, &GroupAxis::b, &plan.problem.n, functions.nr, b,
            region.n_begin, columns},
           region, to);
}

}  // namespace trntensor::host
