// Loops over runs of elements, one table per accumulator type and instruction set: what the unary and the nest route
// are made of.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "trntensor/tensor/dtype.hpp"

namespace trntensor::host {

/// Runs of elements of the accumulator type: row r starts `offsets[r]` elements behind `base`, its elements are
/// adjacent. Memory is aligned for the type of a real part.
struct Rows {
  const void* base = nullptr;
  const std::int64_t* offsets = nullptr;
};

/// Kernels for one accumulator type T. A block of n sums is n elements of T; for a compensated type, n sums followed
/// by n corrections that belong to them, once or twice. `fresh` means that the block holds nothing yet: a sum then
/// starts at the value that changes nothing (-0 for floats, so that one term is kept as it is).
///
/// Accuracy: a kernel adds at most `rows` terms one after another; the along kernels n s / 2 v of them, with s the
/// bytes of T and v those of a vector, then a tree. Callers combine blocks pairwise; NestEngine has the bound of the
/// whole.
struct VectorKernels {
  std::size_t item = 0;  ///< bytes of T
  std::size_t sums = 1;  ///< elements of T that one sum occupies: 1 more for each compensation

  /// acc[j] += sum over r of a[r][j], j < n.
  void (*add_rows)(void* acc, std::int64_t n, bool fresh, Rows a, std::int64_t rows) = nullptr;
  /// acc[j] += sum over r of a[r][j] * b[r][j], j < n.
  void (*multiply_rows)(void* acc, std::int64_t n, bool fresh, Rows a, Rows b, std::int64_t rows) = nullptr;
  /// acc[j] += sum over r of a[r][j] * b[r][0], j < n.
  void (*scale_rows)(void* acc, std::int64_t n, bool fresh, Rows a, Rows b, std::int64_t rows) = nullptr;
  /// acc[r] += sum over j < n of a[r][j].
  void (*sum_along)(void* acc, std::int64_t rows, bool fresh, Rows a, std::int64_t n) = nullptr;
  /// acc[r] += sum over j < n of a[r][j] * b[r][j].
  void (*dot_along)(void* acc, std::int64_t rows, bool fresh, Rows a, Rows b, std::int64_t n) = nullptr;
  /// acc[j] += other[j], both blocks of n sums.
  void (*combine)(void* acc, const void* other, std::int64_t n) = nullptr;
  /// result[j] = alpha * acc[j] + beta * out[j], rounded to T; `out` is not read when beta is 0. `result` may be
  /// `acc` or `out`.
  void (*finish)(const void* acc, std::int64_t n, std::complex<double> alpha, std::complex<double> beta,
                 const void* out, void* result) = nullptr;
  /// acc[j] = 0, the empty sum.
  void (*clear)(void* acc, std::int64_t n) = nullptr;
};

/// dst[c * dst_step + r] = src[r * src_step + c] for r < rows, c < columns; steps in bytes, c and r count elements.
using Transpose = void (*)(const std::byte* src, std::int64_t src_step, std::byte* dst, std::int64_t dst_step,
                           std::int64_t rows, std::int64_t columns);

/// Copies bytes past the caches, for results too large to be found there again: whole lines are written without being
/// read first. Call `vector_fence` before another thread reads them.
using StreamRun = void (*)(const std::byte* src, std::byte* dst, std::int64_t bytes);

/// Conversion of adjacent elements between a 16-bit float and float32, each as `convert_element` does; memory of any
/// alignment. Null where the instruction set has none.
struct HalfConversions {
  void (*widen)(const std::byte* source, std::byte* target, std::int64_t count) = nullptr;
  void (*narrow)(const std::byte* source, std::byte* target, std::int64_t count) = nullptr;
};

/// Everything compiled for one instruction set.
struct VectorTable {
  VectorKernels float32;
  VectorKernels float64;
  VectorKernels complex64;
  VectorKernels complex128;
  VectorKernels compensated64;
  VectorKernels compensated128;
  VectorKernels triple64;  ///< compensated twice
  VectorKernels triple128;
  VectorKernels integer8;  ///< signed and unsigned: sums and products modulo 2^bits
  VectorKernels integer16;
  VectorKernels integer32;
  VectorKernels integer64;
  VectorKernels boolean;   ///< any byte but 0 is true; products are AND, sums OR, results 0 or 1
  Transpose transpose[5];  ///< by log2 of the element's bytes, 1 to 16
  /// The same past the caches; `dst` and `dst_step` must be multiples of 64. Null where a vector is not a whole line.
  Transpose stream_transpose[5] = {};
  StreamRun stream_run = nullptr;
  HalfConversions bfloat16s;
  HalfConversions float16s;

  /// Kernels for sums held in `accumulator`, compensated 0, 1 or 2 times. Throws Unsupported for 8- and 16-bit floats,
  /// and for compensation of anything but float64 and complex128.
  [[nodiscard]] const VectorKernels& for_accumulator(DType accumulator, int compensated) const;
};

/// Makes what was written past the caches visible.
void vector_fence();

/// The table of an instruction set, named as `choose_gemm_kernel` does ("avx3", ..., "generic"); empty: as set for the
/// process. Throws InvalidArgument when this CPU does not run it.
const VectorTable& vector_table(std::string_view instruction_set = {});

}  // namespace trntensor::host
