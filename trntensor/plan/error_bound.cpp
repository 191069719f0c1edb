#include "trntensor/plan/error_bound.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "trntensor/plan/cost.hpp"
#include "trntensor/plan/sum_lengths.hpp"
#include "trntensor/support/environment.hpp"

namespace trntensor::plan {
namespace {

constexpr double kNothingKnown = 1e300;

/// Roundings of alpha, of its product, of beta, of the old element and of their product and sum that any one term goes
/// through; products of complex numbers take more.
constexpr double kScaling = 4;
constexpr double kComplexScaling = 6;

/// The errors of two roundings, one after the other.
double both(double first, double second) { return std::min(first + second + first * second, kNothingKnown); }

/// A first-order error with all that is of higher order.
double all_orders(double error) { return error < 0.5 ? error / (1 - error) : kNothingKnown; }

/// The numbers that sums of a plan are held in.
struct Sums {
  explicit Sums(const Plan::Contents& contents)
      : unit(unit_roundoff(contents.accumulator_dtype)),
        item(static_cast<double>(size_of(contents.accumulator_dtype))),
        is_complex(trntensor::is_complex(contents.accumulator_dtype)),
        compensated(contents.compensated()),
        any_threads(contents.rounds_stochastically()) {}

  /// Of one sum of `terms` products, each of which meets `more` roundings besides, as a part of sum |a b|: the error of
  /// a real number or of a complex one's modulus, which is at most sqrt(2) times that of its parts.
  [[nodiscard]] double error(double terms, double more) const {
    const double modulus = is_complex ? std::numbers::sqrt2 : 1;
    const double parts = is_complex ? 2 * terms : terms;
    if (compensated == 2) return modulus * 0x1.27p-103;  // 2^-102.8
    if (compensated == 1) return both(unit, modulus * all_orders(std::pow((parts + more) * 2 * unit, 2)));
    const double any_order = all_orders((parts + more) * unit);
    return std::min(kNothingKnown, modulus * std::min(any_order, long_sum(terms, more)));
  }

  double unit;
  double item;
  bool is_complex;
  int compensated;
  bool any_threads;

 private:
  /// What the routes make of long sums (sum_lengths.hpp). Vectors may be short ones, sums cut into as many slices as
  /// there are threads.
  [[nodiscard]] double long_sum(double terms, double more) const {
    constexpr double kLeastVector = 16;
    const double products = is_complex ? 2 : 1;
    const double slices = any_threads ? 0 : std::min<double>(kMostThreads, terms / kStepsOfSlice);
    // Blocks of any length between the two, which depends on the caches: one of the ends is worst.
    const auto in_blocks = [&](double block) { return block + std::ceil(terms / block); };
    const double longest = std::max({in_blocks(kLeastKc), in_blocks(kMostKc), double{kMostUncutTerms}});
    const double blocked = 2 * (products * longest + 2 * slices);
    const double leaves = std::ceil(std::log2(std::max(terms, 1.0)));
    const double cascaded = leaf_roundings(item, kLeastVector, is_complex) + leaves;
    return all_orders((std::max(blocked, cascaded) + more) * unit);
  }
};

double extent_of(const Plan::Contents& contents, Label label) {
  return static_cast<double>(contents.spec.extents[static_cast<std::size_t>(label)]);
}

/// Sums of one operand alone, then the products and their sum.
double step_error(const Plan::Contents& contents, const Sums& sums, const PlanStep& step, double more) {
  double error = 0;
  for (const Labels& labels : step.inputs) {
    double terms = 1;
    for (const Label label : step.presummed) {
      const bool here = contains(labels, label);
      if (here) terms = bounded_product(terms, extent_of(contents, label));
    }
    if (terms > 1) error = both(error, sums.error(terms, 0));
  }
  double terms = 1;
  for (const Label label : step.contracted) terms = bounded_product(terms, extent_of(contents, label));
  return both(error, sums.error(terms, more));
}

/// Of numbers of type `from` rounded to `to`.
double conversion_error(DType from, DType to) {
  if (!is_floating(real_type(to))) return 0;
  const double unit = unit_roundoff(to);
  if (is_floating(real_type(from))) return unit_roundoff(from) < unit ? unit : 0;
  const double digits = from == DType::kBool ? 1 : 8 * static_cast<double>(size_of(from)) - (is_signed(from) ? 1 : 0);
  return std::exp2(-digits) < unit ? unit : 0;
}

/// Of the last sums, rounded to the type of the result.
double result_error(const Plan::Contents& contents, const Sums& sums) {
  const double unit = unit_roundoff(contents.output_dtype);
  if (contents.rounds_stochastically()) return sums.compensated == 2 || unit > sums.unit ? 2 * unit : 0;
  const double to_sums = sums.compensated == 2 ? sums.unit : 0;  // compensated once: counted with each sum
  return both(to_sums, unit > sums.unit ? unit : 0);
}

}  // namespace

double unit_roundoff(DType dtype) noexcept {
  switch (real_type(dtype)) {
    case DType::kFloat64:
      return 0x1p-53;
    case DType::kFloat32:
      return 0x1p-24;
    case DType::kFloat16:
      return 0x1p-11;
    case DType::kBFloat16:
      return 0x1p-8;
    case DType::kFloat8E4M3:
    case DType::kFloat8E4M3FN:
      return 0x1p-4;
    case DType::kFloat8E5M2:
      return 0x1p-3;
    default:
      return 0;
  }
}

double error_bound(const Plan::Contents& contents) {
  if (!is_floating(real_type(contents.compute_dtype))) return 0;
  const Sums sums(contents);
  double error = 0;
  for (const DType dtype : contents.input_dtypes) error = both(error, conversion_error(dtype, contents.compute_dtype));
  for (const PlanStep& step : contents.steps) {
    const double scaling = sums.is_complex ? kComplexScaling : kScaling;
    error = both(error, step_error(contents, sums, step, &step == &contents.steps.back() ? scaling : 0));
  }
  error = both(error, result_error(contents, sums));
  constexpr double kOwnRoundings = 0x1p-40;
  return std::min(error * (1 + kOwnRoundings), kNothingKnown);
}

}  // namespace trntensor::plan
