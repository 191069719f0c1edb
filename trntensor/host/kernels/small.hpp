// Products of small matrices straight from strided memory: what a kernel of the route "small" is given, and which runs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "trntensor/tensor/dtype.hpp"

namespace trntensor::host {

/// out[i, m, n] = alpha * sum_k a[i, m, k] * b[i, k, n] + beta * out[i, m, n]. Strides in elements, any sign; columns
/// of b and of out lie side by side. No extent is 0.
struct SmallShape {
  std::int64_t m = 1;
  std::int64_t n = 1;
  std::int64_t k = 1;
  std::int64_t a_row = 0;
  std::int64_t a_step = 0;
  std::int64_t b_step = 0;
  std::int64_t out_row = 0;
  std::int64_t a_item = 0;  ///< from one product of a batch to the next
  std::int64_t b_item = 0;
  std::int64_t out_item = 0;
  std::int64_t block_rows = 1;     ///< of the result computed at once, at most what SmallKernel says
  std::int64_t block_columns = 1;  ///< whole vectors, or all columns
  int only_block = -1;           ///< all of a product: (vectors - 1) * SmallKernel::rows[0] + m - 1; -1: there are more
  bool goes_along_rows = false;  ///< blocks of a row follow each other, so that a is read once
};

/// Memory of any alignment; out overlaps neither input.
struct SmallData {
  const void* a = nullptr;
  const void* b = nullptr;
  void* out = nullptr;
  std::int64_t items = 1;
  const void* alpha = nullptr;  ///< one element; null: alpha is 1, beta is 0
  const void* beta = nullptr;   ///< one element; 0: out is not read
};

/// Every sum runs through k in order, one rounding a multiply-add (two where the instruction set has no fused one), and
/// starts at -0, so that one term is kept as it is. Complex: the products with the real and with the imaginary parts
/// of a are summed apart, then joined. Integers wrap. Nothing beyond the operands' elements is read.
using SmallRun = void (*)(const SmallShape& shape, const SmallData& data);

struct SmallKernel {
  SmallRun run = nullptr;
  std::int64_t lanes = 1;                  ///< columns of a vector
  std::array<std::int64_t, 3> rows = {1};  ///< of the largest block of 1, 2 and 3 vectors; 0: there is none so wide
  std::string name = {};                   ///< "small_f64_avx3"

  [[nodiscard]] std::int64_t vectors() const noexcept { return 3 - std::count(rows.begin(), rows.end(), 0); }
};

/// The kernel for elements and sums of `dtype` (float32/64, complex64/128, int32, int64), of the instruction set that
/// `choose_gemm_kernel` gives for it.
SmallKernel choose_small_kernel(DType dtype, std::string_view instruction_set = {});

/// One function per kernel file: its kernels for a Highway target, `run` null where this build has none.
SmallKernel small_real_for(DType dtype, std::int64_t target);
SmallKernel small_complex_for(DType dtype, std::int64_t target);

/// Plain C++.
SmallKernel small_generic(DType dtype);

}  // namespace trntensor::host
