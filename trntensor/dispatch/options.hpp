// What a caller may ask of a contraction.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <stop_token>

#include "trntensor/plan/executor.hpp"
#include "trntensor/plan/options.hpp"
#include "trntensor/tensor/tensor.hpp"

namespace trntensor {

/// Options of einsum and kin: result = alpha * contraction + beta * out.
struct EinsumOptions {
  /// Scaling, applied in the accumulator before the result is rounded. Real types need real values, integers whole
  /// numbers up to 2^53, bool 0 or 1.
  std::complex<double> alpha = 1.0;  ///< 0: the operands are not read, so their NaN and infinities do not count
  std::complex<double> beta =
      0.0;  ///< 0: `out` is written without being read; else the sums' type must hold what it has

  /// Where the result goes, in place: exact shape, no overlap with an operand, elements that are distinct because
  /// each axis steps over all that the axes of smaller stride span (true of every slice, step and transpose), a
  /// type the result may be cast to within its kind. The returned tensor shares its storage.
  std::optional<Tensor> out = {};

  std::optional<DType> dtype = {};         ///< compute and return in this type instead of the promoted one
  Precision precision = Precision::kFast;  ///< how sums are held and the result is rounded

  /// Takes the cheapest precision for which |result - exact| <= target_forward_error * sum |a b| is certain for every
  /// element, where the sum is the same contraction of absolute values (|alpha| and |beta out| among them) and exact
  /// means with the operands as they are given. The bound counts rounding the operands to `dtype`, all sums along the
  /// path and rounding the result; Plan::error_bound() says what it is. A target that cannot be met is refused. Not to
  /// be given with a precision other than kFast.
  std::optional<double> target_forward_error = {};

  /// Decides how kStochastic rounds: the same seed rounds the same sums in the same way, for any number of threads and
  /// any strides of out.
  std::uint64_t seed = 0;

  PathMethod optimize = PathMethod::kAuto;        ///< how the order of three or more operands is found
  std::optional<ContractionPath> path = {};       ///< run this order instead of searching
  std::optional<std::int64_t> memory_limit = {};  ///< bytes for intermediates and the result
  int num_threads = 0;                            ///< 0: num_threads(); at most 4096
  std::stop_token stop = {};                      ///< ends long work with Error kCancelled; `out` is then undefined
  const Executor* executor = nullptr;             ///< null: default_executor()
};

/// What every call has options for, taken over by the options of the call that does its work.
template <class To, class From>
To shared_options(const From& options) {
  To call;
  call.dtype = options.dtype;
  call.memory_limit = options.memory_limit;
  call.num_threads = options.num_threads;
  call.stop = options.stop;
  call.executor = options.executor;
  return call;
}

}  // namespace trntensor
