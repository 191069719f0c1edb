#include "cli/bench/precision_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/bench/agreement.hpp"
#include "trntensor/dispatch/einsum.hpp"
#include "trntensor/reference/reference.hpp"

namespace trntensor::cli::bench {
namespace {

constexpr const char* kSubscripts = "ij,jk->ik";
constexpr std::int64_t kSmall = 32;  ///< rows and columns of the product that the oracle computes, too

Tensor reals(std::int64_t rows, std::int64_t columns, DType dtype, std::uint64_t seed) {
  Tensor tensor = Tensor::empty({rows, columns}, dtype);
  fill(tensor.data(), dtype, tensor.size(), Filling::kReals, seed);
  return tensor;
}

template <typename T>
double largest_ulps_of(const Tensor& result, const Tensor& right) {
  double largest = 0;
  for (std::int64_t i = 0; i < right.size(); ++i) {
    const T value = right.data_as<T>()[i];
    const T least = std::numeric_limits<T>::min();  // below it the unit is that of the smallest normal number
    const double unit =
        std::ldexp(1.0, std::ilogb(std::max(std::abs(value), least)) + 1 - std::numeric_limits<T>::digits);
    const double distance = std::abs(static_cast<double>(result.data_as<T>()[i]) - static_cast<double>(value)) / unit;
    if (!(distance <= largest)) largest = distance;  // NaN, too
  }
  return largest;
}

class PrecisionSubject final : public Subject {
 public:
  PrecisionSubject(const Case& what, Precision precision, std::int64_t n, const Surroundings& around)
      : n_(n),
        options_{.precision = precision, .num_threads = what.threads, .stop = around.stop},
        a_(reals(n, n, what.dtype, 1)),
        b_(reals(n, n, what.dtype, 2)),
        ours_(Tensor::zeros({n, n}, what.dtype)),
        fast_(Tensor::zeros({n, n}, what.dtype)),
        operands_{a_, b_} {
    contestants_.push_back(contestant("trntensor", precision, ours_));
    contestants_.push_back(contestant(std::string(to_string(Precision::kFast)), Precision::kFast, fast_));
    contestants_.back().is_yardstick = true;
  }

  [[nodiscard]] std::span<const Contestant> contestants() const override { return contestants_; }

  std::optional<std::string> disagreement(std::vector<std::string>& compared) override {
    for (const Contestant& one : contestants_) one.run(1);
    // A result that is rounded stochastically may be a unit in the last place beyond, that of a number up to n.
    const auto n = static_cast<double>(n_);
    const double roundings = n + (options_.precision == Precision::kStochastic ? 3 : 2);
    const auto text = first_difference(ours_.data(), fast_.data(), ours_.dtype(), ours_.size(), Filling::kReals,
                                       difference_bound(ours_.dtype(), roundings, n));
    if (text) return fmt::format("the results of {} and fast differ: {}", to_string(options_.precision), *text);
    compared.emplace_back(contestants_.back().name);
    return std::nullopt;
  }

  std::optional<double> error_ulps() override {
    const std::int64_t small = std::min(n_, kSmall);
    const Tensor a = reals(small, n_, a_.dtype(), 3);
    const Tensor b = reals(n_, small, b_.dtype(), 4);
    const Tensor result = einsum(kSubscripts, {a, b}, options_);
    const Spec spec = parse_spec(kSubscripts, std::vector<Shape>{a.shape(), b.shape()});
    return largest_ulps(result, reference::einsum(spec, std::vector<TensorView>{a, b}));
  }

 private:
  Contestant contestant(std::string name, Precision precision, const Tensor& result) {
    EinsumOptions options = options_;
    options.precision = precision;
    const auto contraction = std::make_shared<const Contraction>(kSubscripts, operands_, options);
    return {std::move(name), contraction->describe(),
            [this, contraction, out = result.mutable_view()](std::int64_t calls) {
              for (std::int64_t call = 0; call < calls; ++call) contraction->run_into(operands_, out);
            }};
  }

  std::int64_t n_;
  EinsumOptions options_;
  Tensor a_;
  Tensor b_;
  Tensor ours_;
  Tensor fast_;
  std::vector<TensorView> operands_;
  std::vector<Contestant> contestants_;
};

}  // namespace

double largest_ulps(const Tensor& result, const Tensor& right) {
  return right.dtype() == DType::kFloat32 ? largest_ulps_of<float>(result, right)
                                          : largest_ulps_of<double>(result, right);
}

Case precision_case(std::string suite, Precision precision, std::int64_t n, DType dtype, int threads) {
  const auto extent = static_cast<double>(n);
  Case result;
  result.suite = std::move(suite);
  result.name = fmt::format("{0} {1}x{1}x{1}", to_string(precision), n);
  result.subscripts = kSubscripts;
  result.dtype = dtype;
  result.threads = threads;
  result.flops = 2 * extent * extent * extent;
  result.bytes = 3 * extent * extent * static_cast<double>(size_of(dtype));
  result.has_peers = false;
  result.make = [precision, n](const Case& what, const Surroundings& around) -> std::unique_ptr<Subject> {
    return std::make_unique<PrecisionSubject>(what, precision, n, around);
  };
  return result;
}

}  // namespace trntensor::cli::bench
