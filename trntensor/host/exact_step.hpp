// A step computed without any rounding but the last one, element by element: for what vectors of doubles cannot hold.
#pragma once

#include <complex>
#include <cstdint>
#include <span>

#include "trntensor/host/conversion.hpp"
#include "trntensor/plan/executor.hpp"

namespace trntensor::host {

/// out = alpha * sum(a * b) + beta * out in ExactSum, for steps that sum in float64 or complex128. Terms with NaN or
/// infinities are added up as `fast` does and decide their elements.
class ExactStep {
 public:
  /// `problem` is kept; a step of one operand multiplies by 1.
  explicit ExactStep(const StepProblem& problem);

  /// Elements of the result: the product of its extents.
  [[nodiscard]] std::int64_t size() const noexcept { return size_of(kept_); }

  /// Terms of each sum.
  [[nodiscard]] std::int64_t terms() const noexcept { return size_of(summed_); }

  /// Element `index` of the result, in C order, as the accumulator holds it; its imaginary part is 0 if real.
  [[nodiscard]] std::complex<double> load(const void* out, std::int64_t index) const;

  /// Computes the elements `indices`; `old` holds what was in them (not read when beta is 0).
  void run(const void* a, const void* b, void* out, const Scale& scale, const RunContext& context,
           std::span<const std::int64_t> indices, std::span<const std::complex<double>> old) const;

 private:
  [[nodiscard]] std::complex<double> compute(const void* a, const void* b, const Scale& scale, std::int64_t index,
                                             std::complex<double> old) const;

  Group kept_;
  Group summed_;
  Conversion load_a_;
  Conversion load_b_;
  Conversion load_out_;
  Conversion store_;
};

}  // namespace trntensor::host
