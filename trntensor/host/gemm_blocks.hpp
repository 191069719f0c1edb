// The five loops around the micro-kernel.
#pragma once

#include "trntensor/host/region_plan.hpp"

namespace trntensor::host {

/// out[m, n] = alpha * sum_k a[m, k] * b[k, n] + beta * out[m, n] over a region. Every element is summed in the order
/// of k, whatever the number of threads.
void run_gemm_region(const GemmPlan& plan, const GemmData& data, const GemmRegion& region, const GemmRun& run);

}  // namespace trntensor::host
