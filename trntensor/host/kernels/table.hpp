// The table of GEMM micro-kernels, and which of them runs.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trntensor/host/kernels/kernel.hpp"
#include "trntensor/tensor/dtype.hpp"

namespace trntensor {

/// Forces the instruction set of the host's kernels: "avx512_bf16", "avx3", "avx2", "sse4", "ssse3", "generic"; "auto"
/// is the best this CPU runs, with dot products of bfloat16 only where they are faster than multiply-adds of float32;
/// an empty text goes back to the environment variable TRNTENSOR_HOST_KERNEL, whose programmatic twin this is. A set
/// that lacks a kernel for some type uses the next lower one. Steps already prepared keep theirs. Throws
/// InvalidArgument with what this CPU offers when it does not run `name`.
void set_host_kernel(std::string_view name);

/// What `set_host_kernel` takes on this CPU, best first, "generic" last (without "auto").
std::vector<std::string> host_kernel_names();

}  // namespace trntensor

namespace trntensor::host {

/// One entry of the table.
struct GemmKernel {
  std::string name;               ///< such as "gemm_f64_avx3_8x24"
  std::string instruction_set;    ///< such as "avx3", or "generic"
  DType dtype = DType::kFloat64;  ///< of sums, and of panels without pairs: float32/64, complex64/128, int32, int64
  int compensated = 0;            ///< corrections that a sum carries
  KernelFunctions functions;
  DType panel_dtype = DType::kFloat64;  ///< of the terms in panels: dtype, or bfloat16 in pairs, as large as a sum
  std::int64_t terms = 1;               ///< of the sum that a step takes: 2 in panels of pairs

  /// Steps for `count` terms of a sum.
  [[nodiscard]] std::int64_t steps(std::int64_t count) const noexcept { return (count + terms - 1) / terms; }
};

/// All kernels of this build that this CPU runs; per dtype best first, the generic one last.
std::span<const GemmKernel> gemm_kernels();

/// The kernel without pairs for sums of `dtype`, compensated 0, 1 or 2 times, of the given instruction set or the next
/// lower one that has it. An empty `instruction_set` means the process's choice. Throws InvalidArgument when this CPU
/// does not run the set, naming TRNTENSOR_HOST_KERNEL when the text came from there.
const GemmKernel& choose_gemm_kernel(DType dtype, int compensated, std::string_view instruction_set = {});

/// The kernel for a problem: that of its sums or, for operands that are bfloat16 and kept as they are, and plain sums
/// of float32 whose subnormal numbers may be lost, one of pairs, where it is forced or pays (see bf16_rate.hpp).
const GemmKernel& choose_gemm_kernel(const BinaryProblem& problem, std::string_view instruction_set = {});

/// Highway's target of the instruction set that choose_gemm_kernel chooses; the most basic one of this build for
/// "generic". Throws as that function.
std::int64_t chosen_target(std::string_view instruction_set);

/// The type products are summed in for an accumulator: int32 for bool and for integers of up to 32 bits, int64 for
/// the other integers, else the accumulator. Throws Unsupported for 8- and 16-bit floats.
DType kernel_dtype(DType accumulator);

/// One function per kernel file: its functions for a Highway target, or nothing.
KernelFunctions gemm_bf16_for(std::int64_t target);
KernelFunctions gemm_f32_for(std::int64_t target);
KernelFunctions gemm_f64_for(std::int64_t target);
KernelFunctions gemm_c64_for(std::int64_t target);
KernelFunctions gemm_c128_for(std::int64_t target);
KernelFunctions gemm_i32_for(std::int64_t target);
KernelFunctions gemm_i64_for(std::int64_t target);
KernelFunctions gemm_f64_dot2_for(std::int64_t target);
KernelFunctions gemm_c128_dot2_for(std::int64_t target);
KernelFunctions gemm_f64_dot3_for(std::int64_t target);
KernelFunctions gemm_c128_dot3_for(std::int64_t target);

}  // namespace trntensor::host
