// One run of an epilogue: threads take tiles of blocks, and what is left is evaluated at the end.
#pragma once

#include "trntensor/host/epilogue_plan.hpp"

namespace trntensor::host {

/// As PreparedEpilogue::run.
void run_epilogue(const EpiloguePlan& plan, const EpilogueData& data, const RunContext& context,
                  const BlockProgress& progress);

}  // namespace trntensor::host
