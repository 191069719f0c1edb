#include "trntensor/host/exact_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "trntensor/host/block_index.hpp"
#include "trntensor/host/exact_sum.hpp"
#include "trntensor/host/parallel.hpp"
#include "trntensor/tensor/convert_element.hpp"

namespace trntensor::host {
namespace {

using Complex = std::complex<double>;

/// The number that a conversion makes of one element, as two doubles.
Complex load_number(const Conversion& load, const void* data, std::int64_t offset) {
  const std::byte* from = static_cast<const std::byte*>(data) + offset * load.source_size();
  alignas(16) std::array<std::byte, 16> number{};
  if (!load.is_identity()) {
    load.run(from, 0, number.data(), 0, 1);
    from = number.data();
  }
  if (load.target_size() == sizeof(double)) return load_element<double>(from);
  return load_element<Complex>(from);
}

/// Finite terms, held whole, and the sum of the others.
struct Part {
  ExactSum finite;
  double others = 0.0;
  bool has_others = false;

  void add(double x, double y, int exponent = 0) {
    if (std::isfinite(x) && std::isfinite(y)) return finite.add_product(x, y, exponent);
    others += x * y;
    has_others = true;
  }
  [[nodiscard]] double value() const { return has_others ? others : finite.to_double(); }
};

struct Number {
  Part re;
  Part im;

  void add(Complex x, Complex y, bool is_complex) {
    re.add(x.real(), y.real());
    if (!is_complex) return;
    re.add(-x.imag(), y.imag());
    im.add(x.real(), y.imag());
    im.add(x.imag(), y.real());
  }
  /// A factor without an imaginary part scales the parts apart.
  void add_scaled(Complex factor, Complex x) {
    re.add(factor.real(), x.real());
    im.add(factor.real(), x.imag());
    if (factor.imag() == 0.0) return;
    re.add(-factor.imag(), x.imag());
    im.add(factor.imag(), x.real());
  }
  void add_scaled(Complex factor, const Number& sum) {
    if (sum.re.has_others || sum.im.has_others) return add_scaled(factor, Complex(sum.re.value(), sum.im.value()));
    const auto add = [](Part& part, double by, const ExactSum& exact) {
      for (const ExactSum::Piece& piece : exact.pieces()) part.add(by, piece.significand, piece.exponent);
    };
    add(re, factor.real(), sum.re.finite);
    add(im, factor.real(), sum.im.finite);
    if (factor.imag() == 0.0) return;
    add(re, -factor.imag(), sum.im.finite);
    add(im, factor.imag(), sum.re.finite);
  }
};

OperandLayout one_number(DType accumulator) { return {accumulator, accumulator, {}}; }

}  // namespace

ExactStep::ExactStep(const StepProblem& problem)
    : load_a_(Conversion::loading({problem.a.dtype, problem.a.load_as}, problem.accumulator)),
      load_b_(Conversion::loading({problem.b.value_or(one_number(problem.accumulator)).dtype,
                                   problem.b.value_or(one_number(problem.accumulator)).load_as},
                                  problem.accumulator)),
      load_out_(Conversion::loading({problem.out.dtype, problem.accumulator}, problem.accumulator)),
      store_(Conversion::storing(problem.accumulator, problem.out.dtype)) {
  const OperandLayout b = problem.b.value_or(one_number(problem.accumulator));
  InlineVector<Label, 16> known;
  for (const Axis& axis : problem.out.axes) {
    known.push_back(axis.label);
    kept_.push_back({axis.extent, stride_of(problem.a, axis.label), stride_of(b, axis.label), axis.stride});
  }
  for (const OperandLayout* layout : {&problem.a, &b}) {
    for (const Axis& axis : layout->axes) {
      if (std::find(known.begin(), known.end(), axis.label) != known.end()) continue;
      known.push_back(axis.label);
      summed_.push_back({axis.extent, stride_of(problem.a, axis.label), stride_of(b, axis.label), 0});
    }
  }
}

Complex ExactStep::load(const void* out, std::int64_t index) const {
  return load_number(load_out_, out, offset_of(kept_, &GroupAxis::out, index));
}

Complex ExactStep::compute(const void* a, const void* b, const Scale& scale, std::int64_t index, Complex old) const {
  const bool is_complex = store_.source_size() > static_cast<std::int64_t>(sizeof(double));
  const std::int64_t first_a = offset_of(kept_, &GroupAxis::a, index);
  const std::int64_t first_b = offset_of(kept_, &GroupAxis::b, index);
  const std::int64_t run = summed_.empty() ? 1 : summed_.back().extent;
  const GroupAxis inner = summed_.empty() ? GroupAxis{} : summed_.back();
  const std::int64_t count = size_of(summed_);
  Number sum;
  for (std::int64_t term = 0; term < count; term += run) {
    const std::int64_t at_a = first_a + offset_of(summed_, &GroupAxis::a, term);
    const std::int64_t at_b = first_b + offset_of(summed_, &GroupAxis::b, term);
    for (std::int64_t i = 0; i < run; ++i) {
      const Complex y = b == nullptr ? Complex(1.0) : load_number(load_b_, b, at_b + i * inner.b);
      sum.add(load_number(load_a_, a, at_a + i * inner.a), y, is_complex);
    }
  }
  if (scale.alpha == 1.0 && scale.beta == 0.0) return {sum.re.value(), sum.im.value()};
  Number total;
  total.add_scaled(scale.alpha, sum);
  if (scale.beta != 0.0) total.add_scaled(scale.beta, old);
  return {total.re.value(), total.im.value()};
}

void ExactStep::run(const void* a, const void* b, void* out, const Scale& scale, const RunContext& context,
                    std::span<const std::int64_t> indices, std::span<const Complex> old) const {
  parallel_for(context.num_threads > 1, static_cast<std::int64_t>(indices.size()), [&](std::int64_t i) {
    check_stop(context.stop);
    const std::int64_t index = indices[static_cast<std::size_t>(i)];
    Complex value = compute(a, b, scale, index, scale.beta == 0.0 ? Complex() : old[static_cast<std::size_t>(i)]);
    auto* to = static_cast<std::byte*>(out) + offset_of(kept_, &GroupAxis::out, index) * store_.target_size();
    if (!store_.is_identity()) {
      store_.run(reinterpret_cast<const std::byte*>(&value), 0, to, 0, 1);
    } else if (store_.source_size() == sizeof(double)) {
      store_element(to, value.real());
    } else {
      store_element(to, value);
    }
  });
}

}  // namespace trntensor::host
