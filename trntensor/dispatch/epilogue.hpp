// The front door to contractions whose result is used up by a formula and never held.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "trntensor/epilogue/expression.hpp"
#include "trntensor/plan/executor.hpp"
#include "trntensor/plan/options.hpp"
#include "trntensor/tensor/tensor.hpp"

namespace trntensor {

/// A tensor under the name by which expressions know it.
struct NamedView {
  std::string name;
  TensorView tensor;
};

struct EpilogueOptions {
  /// Labels of the result, all that the expression leaves, in the order wanted; without it the contraction's order.
  std::optional<std::string> output = {};
  std::optional<DType> dtype = {};         ///< contract in this type instead of the promoted one
  Precision precision = Precision::kFast;  ///< of the contraction: kFast or kKahan
  std::optional<std::int64_t> memory_limit =
      {};               ///< bytes for blocks of the contraction's result over all threads, and for arrays of reductions
  int num_threads = 0;  ///< 0: num_threads(); at most 4096
  std::stop_token stop = {};           ///< ends long work with Error kCancelled
  const Executor* executor = nullptr;  ///< null: default_executor()
  /// Called with the blocks done and their number; never from two threads at once.
  std::function<void(std::int64_t done, std::int64_t total)> progress = {};
};

/// Evaluates an expression on the elements x of a contraction while they are in cache:
///
///     using namespace trntensor::epilogue;
///     const Expression x = element();
///     const Expression norm = sum("ij", x * x);
///     einsum_with_epilogue("ik,kj->ij", {a, b}, norm)          // |a b|^2, a scalar
///
/// The result depends on the labels that the expression leaves: all of the contraction's where nothing is reduced. The
/// contraction's result exists in blocks of half a second-level cache per thread; labels that change places or are
/// reduced within the expression (not as its last word) are whole in each, so that a block can be larger.
/// Where both operands are one tensor and the expression does not change when their labels are exchanged, half of the
/// blocks are computed.
/// Types: the contraction is real; operands, `dtype` and sums as in einsum. The result has the type that holds the
/// contraction's and all tensors' (NumPy's table); all arithmetic is float64, or float32 where neither these nor the
/// sums nor the range of a constant need more; sums are added up in float64. Rounded once at the end. Accuracy: that of
/// the contraction, then half an ulp an operation (exp: 3 ulp). The same bits for any number of threads; another memory
/// limit cuts other blocks and may change the last bits. Cost: the multiply-adds of the contraction and one pass over
/// its elements; operands are read once for several blocks. Three operands and more are contracted to two first, in the
/// cheapest order. Memory: the blocks and the float64 arrays of reductions, which `memory_limit` bounds (without it
/// arrays take 16 MiB beyond one for each reduction at most); at most 128 MiB of packed operands over all threads.
/// Throws InvalidArgument for what is wrong with the call (epilogue::bind says what of the expression), Unsupported for
/// complex and integer contractions, precision dd, and an executor without epilogues; OutOfMemory; Cancelled.
Tensor einsum_with_epilogue(std::string_view subscripts, std::span<const TensorView> operands,
                            const Expression& expression, std::span<const NamedView> tensors = {},
                            const EpilogueOptions& options = {});
Tensor einsum_with_epilogue(std::string_view subscripts, std::initializer_list<TensorView> operands,
                            const Expression& expression, std::initializer_list<NamedView> tensors = {},
                            const EpilogueOptions& options = {});

/// What came of a contraction with epilogues.
struct EpilogueResults {
  std::vector<Tensor> tensors;   ///< one per expression
  std::int64_t block_bytes = 0;  ///< held for blocks of the contraction's result at once, and for arrays of reductions
  double flops = 0;              ///< of the last product, 2 per multiply-add, as carried out
  std::string route;             ///< for people: blocks and kernel
};

/// Several expressions of one contraction, which is computed once; `options.output` is that of each.
EpilogueResults einsum_with_epilogues(std::string_view subscripts, std::span<const TensorView> operands,
                                      std::span<const Expression> expressions, std::span<const NamedView> tensors = {},
                                      const EpilogueOptions& options = {});

}  // namespace trntensor
