// Epilogues on the host: blocks of a contraction's result are computed, evaluated and forgotten.
#pragma once

#include <memory>

#include "trntensor/host/executor.hpp"
#include "trntensor/plan/epilogue_step.hpp"

namespace trntensor::host {

/// Prepares an epilogue. Threads take blocks; each holds one of them, of half of the second-level cache unless labels
/// that must be whole take more, and the panels of the operands of a few.
///
/// Arithmetic: one operation after the other in `problem.arithmetic`, exp within 3 ulp; sums in float64, rows of a
/// block first, then block by block in one order.
/// Throws OutOfMemory when `memory_limit` is below the smallest block that the formula allows and one array for each
/// reduction over all blocks, with the bytes needed;
/// Unsupported when the arithmetic or the accumulator is not float32 or float64, or sums are compensated twice.
std::unique_ptr<const PreparedEpilogue> prepare_host_epilogue(const EpilogueProblem& problem,
                                                              const HostOptions& options);

}  // namespace trntensor::host
