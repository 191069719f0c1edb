// What a micro-kernel owes: parts of tiles, pieces of rows anywhere, operands in place, writes past the caches.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "trntensor/host/kernels/table.hpp"
#include "trntensor/support/aligned_memory.hpp"
#include "trntensor/support/random.hpp"

namespace trntensor::host {
namespace {

constexpr std::int64_t kSteps = 37;

/// A tile whose half vectors lie in any order, with room between them, and the packed operands for it. Small whole
/// numbers: every order of the sum gives the same bits.
template <typename T>
class Tile {
 public:
  Tile(const KernelFunctions& functions, Random& random) : functions_(functions) {
    const std::int64_t piece = functions.column_step / 2;
    const std::int64_t pieces = functions.nr / piece;
    for (std::int64_t j = 0; j < pieces; ++j) pieces_.push_back((pieces - 1 - j) * 2 * piece);
    for (std::int64_t i = 0; i < functions.mr; ++i) rows_.push_back((functions.mr - 1 - i) * 2 * functions.nr);
    size_ = functions.mr * 2 * functions.nr;
    a_ = fill(functions.mr * kSteps, random);
    b_ = fill(functions.nr * kSteps, random);
    a_in_place_.resize(static_cast<std::size_t>(functions.mr * kSteps * 2));
    for (std::int64_t i = 0; i < functions.mr; ++i) {
      a_rows_.push_back(i * 2 * kSteps);
      for (std::int64_t p = 0; p < kSteps; ++p) at(a_in_place_, i * 2 * kSteps + 2 * p) = at(a_, p * functions.mr + i);
    }
    b_panel_ = allocate_aligned(static_cast<std::size_t>(functions.nr * kSteps) * sizeof(T));
    std::memcpy(b_panel_.get(), b_.data(), b_.size() * sizeof(T));
    c_ = allocate_aligned(static_cast<std::size_t>(size_) * sizeof(T));
  }

  KernelArgs args(std::int64_t rows, std::int64_t columns) {
    KernelArgs args;
    args.k = kSteps;
    args.a = a_.data();
    args.b = b_panel_.get();
    args.b_step = functions_.nr;
    args.c = c_.get();
    args.rows = rows_.data();
    args.pieces = pieces_.data();
    args.row_count = rows;
    args.column_count = columns;
    args.alpha = &alpha_;
    args.beta = &beta_;
    for (std::int64_t i = 0; i < size_; ++i) c()[i] = kUntouched;
    return args;
  }

  void put_a_in_place(KernelArgs& args) const {
    args.a = a_in_place_.data();
    args.a_rows = a_rows_.data();
    args.a_step = 2;
  }

  /// One element further than any vector is aligned, rows apart.
  void put_b_in_place(KernelArgs& args) {
    const std::int64_t step = 2 * functions_.nr + 3;
    b_in_place_.assign(static_cast<std::size_t>(kSteps * step + 1), kUntouched);
    for (std::int64_t p = 0; p < kSteps; ++p) {
      for (std::int64_t j = 0; j < args.column_count; ++j)
        at(b_in_place_, 1 + p * step + j) = at(b_, p * functions_.nr + j);
    }
    args.b = b_in_place_.data() + 1;
    args.b_step = step;
  }

  void expect_result(const KernelArgs& args) {
    std::vector<T> expected(static_cast<std::size_t>(size_), kUntouched);
    const std::int64_t piece = functions_.column_step / 2;
    for (std::int64_t i = 0; i < args.row_count; ++i) {
      for (std::int64_t j = 0; j < args.column_count; ++j) {
        T sum{};
        for (std::int64_t p = 0; p < kSteps; ++p) sum += at(a_, p * functions_.mr + i) * at(b_, p * functions_.nr + j);
        T& value = at(expected, args.rows[i] + args.pieces[j / piece] + j % piece);
        value = alpha_ * sum + beta_ * value;
      }
    }
    EXPECT_EQ(std::vector<T>(c(), c() + size_), expected) << args.row_count << " x " << args.column_count;
  }

  void scale(T alpha, T beta) {
    alpha_ = alpha;
    beta_ = beta;
  }

 private:
  static constexpr T kUntouched = T{77};

  static T& at(std::vector<T>& values, std::int64_t i) { return values[static_cast<std::size_t>(i)]; }
  static std::vector<T> fill(std::int64_t count, Random& random) {
    std::vector<T> values;
    for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<T>(random.integer(0, 8)));
    return values;
  }
  T* c() { return reinterpret_cast<T*>(c_.get()); }

  const KernelFunctions& functions_;
  std::vector<std::int64_t> pieces_, rows_, a_rows_;
  std::vector<T> a_, b_, a_in_place_, b_in_place_;
  AlignedBuffer b_panel_, c_;
  std::int64_t size_ = 0;
  T alpha_{1};
  T beta_{0};
};

template <typename T>
void check_kernel(const KernelFunctions& functions) {
  Random random(2);
  Tile<T> tile(functions, random);
  const std::int64_t piece = functions.column_step / 2;
  for (std::int64_t columns = 1; columns <= functions.nr; ++columns) {
    const std::int64_t rest = columns % functions.column_step;
    if (rest > piece) continue;  // the rest would have to lie side by side
    for (const std::int64_t rows : {std::int64_t{1}, std::int64_t{functions.mr} - 1, std::int64_t{functions.mr}}) {
      for (const T beta : {T{0}, T{3}}) {
        tile.scale(T{2}, beta);
        KernelArgs args = tile.args(rows, columns);
        functions.for_columns(columns)(args);
        tile.expect_result(args);
        if (functions.takes_unpacked) {
          args = tile.args(rows, columns);
          tile.put_a_in_place(args);
          functions.for_columns(columns)(args);
          tile.expect_result(args);
          if (rest == 0) {
            args = tile.args(rows, columns);
            tile.put_b_in_place(args);
            functions.for_columns(columns)(args);
            tile.expect_result(args);
          }
        }
        if (beta == T{0} && columns % piece == 0) {
          args = tile.args(rows, columns);
          args.is_streamed = true;
          functions.for_columns(columns)(args);
          tile.expect_result(args);
        }
      }
    }
  }
}

TEST(MicroKernels, WriteTheirPartOfATileAndNothingElse) {
  for (const GemmKernel& kernel : gemm_kernels()) {
    if (kernel.compensated != 0) continue;  // they fill tiles of their own
    if (kernel.terms != 1) continue;        // pair_kernel_test.cpp
    SCOPED_TRACE(kernel.name);
    if (kernel.dtype == DType::kFloat64) check_kernel<double>(kernel.functions);
    if (kernel.dtype == DType::kFloat32) check_kernel<float>(kernel.functions);
    if (kernel.dtype == DType::kInt32) check_kernel<std::uint32_t>(kernel.functions);
    if (kernel.dtype == DType::kInt64) check_kernel<std::uint64_t>(kernel.functions);
  }
}

}  // namespace
}  // namespace trntensor::host
