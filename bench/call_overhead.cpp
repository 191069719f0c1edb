// What a call costs beyond its arithmetic: small products at one thread by einsum with a cached plan, by a prepared
// Contraction, by a plain BLAS call and by a loop written for it. The results are compared first, the sides take turns;
// medians and the range from the 10th to the 90th percentile.
//   OPENBLAS_CORETYPE=SkylakeX bin/bench_call_overhead [seconds a case]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "bench/peers/openblas.hpp"
#include "trntensor/dispatch/einsum.hpp"
#include "trntensor/support/environment.hpp"

namespace trntensor::bench {
namespace {

using Clock = std::chrono::steady_clock;

/// `batch` products of an m x k and a k x n matrix; `b_transposed`: the second is stored as n x k.
struct Case {
  std::string text;
  std::int64_t batch, m, n, k;
  bool b_transposed;

  [[nodiscard]] Shape shape_a() const { return batch == 1 ? Shape{m, k} : Shape{batch, m, k}; }
  [[nodiscard]] Shape shape_b() const {
    if (b_transposed) return {n, k};
    return batch == 1 ? Shape{k, n} : Shape{batch, k, n};
  }
  [[nodiscard]] Shape shape_out() const { return batch == 1 ? Shape{m, n} : Shape{batch, m, n}; }
  [[nodiscard]] std::string name() const {
    return fmt::format("{} {}{}x{}x{}", text, batch == 1 ? "" : fmt::format("{} x ", batch), m, n, k);
  }
};

std::vector<Case> cases() {
  std::vector<Case> list;
  for (const std::int64_t n : {2, 3, 4, 5, 8, 9, 12, 16, 17, 24, 31, 32})
    list.push_back({"ij,jk->ik", 1, n, n, n, false});
  list.push_back({"ap,bp->ab", 1, 48, 48, 128, true});
  list.push_back({"ap,bp->ab", 1, 48, 128, 48, true});
  list.push_back({"bij,bjk->bik", 1000, 8, 8, 8, false});
  return list;
}

/// Small whole numbers: every way gives the same bits.
template <typename T>
Tensor numbers(const Shape& shape, std::int64_t first) {
  Tensor tensor = Tensor::empty(shape, dtype_of<T>);
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.data_as<T>()[i] = static_cast<T>((first + 7 * i) % 11 - 5);
  return tensor;
}

template <typename T>
void by_loop(const Case& product, const T* a, const T* b, T* out) {
  for (std::int64_t item = 0; item < product.batch; ++item) {
    for (std::int64_t i = 0; i < product.m; ++i) {
      for (std::int64_t j = 0; j < product.n; ++j) {
        T sum = 0;
        for (std::int64_t p = 0; p < product.k; ++p) {
          sum += a[i * product.k + p] * b[product.b_transposed ? j * product.k + p : p * product.n + j];
        }
        out[i * product.n + j] = sum;
      }
    }
    a += product.m * product.k;
    b += product.k * product.n;
    out += product.m * product.n;
  }
}

#ifdef TRNTENSOR_BENCH_OPENBLAS
template <typename T>
void by_blas(const Case& product, const T* a, const T* b, T* out) {
  for (std::int64_t item = 0; item < product.batch; ++item) {
    openblas::multiply({product.m, product.n, product.k, product.b_transposed}, a, b, out);
    a += product.m * product.k;
    b += product.k * product.n;
    out += product.m * product.n;
  }
}
#endif

/// One way to compute the case.
struct Side {
  std::string name;
  std::function<void(std::int64_t)> repeat;  ///< runs it so many times
  std::vector<double> nanoseconds = {};

  double time(std::int64_t times) const {
    const auto start = Clock::now();
    repeat(times);
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count() / static_cast<double>(times);
  }
  /// `fraction` of the sorted times lie below.
  [[nodiscard]] double percentile(double fraction) const {
    return nanoseconds[static_cast<std::size_t>(fraction * static_cast<double>(nanoseconds.size() - 1))];
  }
};

/// Some 20 microseconds a turn, so that turns are many and interruptions spoil few of them.
void take_turns(std::vector<Side>& sides, double seconds) {
  std::vector<std::int64_t> times;
  for (const Side& side : sides) {
    side.time(10);
    times.push_back(std::max<std::int64_t>(1, static_cast<std::int64_t>(20'000 / side.time(20))));
  }
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (Clock::now() < end) {
    for (std::size_t s = 0; s < sides.size(); ++s) sides[s].nanoseconds.push_back(sides[s].time(times[s]));
  }
  for (Side& side : sides) std::sort(side.nanoseconds.begin(), side.nanoseconds.end());
}

/// A case with its data and the ways to compute it, the loop last.
template <typename T>
class Measured {
 public:
  explicit Measured(Case product) : product_(std::move(product)), contraction_(product_.text, operands_, options_) {
    sides_.push_back({"einsum", times([this] { result_ = einsum(product_.text, operands_, options_); })});
    sides_.push_back({"Contraction", times([this] { contraction_.run_into(operands_, view_); })});
#ifdef TRNTENSOR_BENCH_OPENBLAS
    sides_.push_back({"cblas", times([this] { by_blas(product_, x_, y_, z_); })});
#endif
    sides_.push_back({"loop", times([this] { by_loop(product_, x_, y_, z_); })});
  }
  Measured(const Measured&) = delete;
  Measured& operator=(const Measured&) = delete;

  /// Whether every way gives what the loop does; says which does not.
  bool is_right() {
    sides_.back().repeat(1);
    const std::vector<T> expected = out_.template to_vector<T>();
    for (const Side& side : sides_) {
      std::fill(z_, z_ + out_.size(), T{-1});
      side.repeat(1);
      if ((side.name == "einsum" ? result_ : out_).template to_vector<T>() == expected) continue;
      fmt::print("{}: the result of {} is not that of the loop\n", product_.name(), side.name);
      return false;
    }
    return true;
  }

  void measure(double seconds) {
    take_turns(sides_, seconds);
    fmt::print("{} {:28}", to_string(dtype_of<T>), product_.name());
    for (const Side& side : sides_) {
      fmt::print("  {} {:.1f} ({:.1f}-{:.1f})", side.name, side.percentile(0.5), side.percentile(0.1),
                 side.percentile(0.9));
    }
    fmt::print("  {}", contraction_.describe());
  }

 private:
  template <typename Once>
  static std::function<void(std::int64_t)> times(Once once) {
    return [once](std::int64_t count) {
      for (; count > 0; --count) once();
    };
  }

  Case product_;
  Tensor a_ = numbers<T>(product_.shape_a(), 1);
  Tensor b_ = numbers<T>(product_.shape_b(), 2);
  Tensor out_ = Tensor::zeros(product_.shape_out(), dtype_of<T>);
  Tensor result_;
  std::vector<TensorView> operands_{a_, b_};
  MutableTensorView view_ = out_.mutable_view();
  EinsumOptions options_{.num_threads = 1};
  Contraction contraction_;
  const T* x_ = a_.template data_as<T>();
  const T* y_ = b_.template data_as<T>();
  T* z_ = out_.template data_as<T>();
  std::vector<Side> sides_;
};

template <typename T>
bool run_case(const Case& product, double seconds) {
  Measured<T> measured(product);
  if (!measured.is_right()) return false;
  measured.measure(seconds);
  return true;
}

int run(double seconds) {
#ifdef TRNTENSOR_BENCH_OPENBLAS
  openblas::set_threads(1);
  fmt::print("OpenBLAS kernels: {}\n", openblas::core_name());
#endif
  fmt::print("nanoseconds a call: median (10th-90th percentile)\n");
  bool is_right = true;
  for (const Case& product : cases()) {
    is_right &= run_case<double>(product, seconds);
    is_right &= run_case<float>(product, seconds);
  }
  return is_right ? 0 : 1;
}

}  // namespace
}  // namespace trntensor::bench

int main(int count, char** arguments) {
  // The test that only wants to see it run passes Google Benchmark's option.
  const std::string text = count > 1 ? arguments[1] : "0.5";
  const std::string option = "--benchmark_min_time=";
  return trntensor::bench::run(std::atof((text.starts_with(option) ? text.substr(option.size()) : text).c_str()));
}
