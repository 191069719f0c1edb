#include "tests/precision/wide_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "tests/common/tolerance.hpp"
#include "trntensor/tensor/convert_element.hpp"

namespace trntensor::testing {
namespace {

using Complex = std::complex<double>;

std::int64_t offset_in(const TensorView& tensor, std::int64_t index) {
  std::int64_t offset = 0;
  for (std::size_t d = tensor.shape().size(); d-- > 0;) {
    offset += index % tensor.shape()[d] * tensor.strides()[d];
    index /= tensor.shape()[d];
  }
  return offset;
}

Complex load(const TensorView& tensor, std::int64_t offset) {
  return visit_dtype(tensor.dtype(), [&]<typename T>(std::type_identity<T>) {
    const auto* data = static_cast<const std::byte*>(tensor.data());
    return convert_element<Complex>(load_element<T>(data + offset * static_cast<std::int64_t>(sizeof(T))));
  });
}

/// |a| |b| summed for each part of a complex product beside the product itself.
WideElement product(const WideElement& a, const WideElement& b) {
  const auto term = [](const WidePart& x, const WidePart& y) {
    return WidePart{x.value * y.value, x.magnitude * y.magnitude};
  };
  const WidePart rr = term(a.re, b.re);
  const WidePart ii = term(a.im, b.im);
  const WidePart ri = term(a.re, b.im);
  const WidePart ir = term(a.im, b.re);
  return {{rr.value - ii.value, rr.magnitude + ii.magnitude}, {ri.value + ir.value, ri.magnitude + ir.magnitude}};
}

WideElement wide(Complex number) {
  return {{number.real(), std::abs(number.real())}, {number.imag(), std::abs(number.imag())}};
}

void add(WideElement& sum, const WideElement& term) {
  sum.re.value += term.re.value;
  sum.re.magnitude += term.re.magnitude;
  sum.im.value += term.im.value;
  sum.im.magnitude += term.im.magnitude;
}

/// The indices of the labels of a contraction.
class Point {
 public:
  explicit Point(const Spec& spec) : spec_(spec), at_(spec.extents.size(), 0) {
    for (std::size_t label = 0; label < at_.size(); ++label) {
      const auto dense = static_cast<Label>(label);
      if (std::find(spec.output.begin(), spec.output.end(), dense) == spec.output.end()) summed_.push_back(label);
    }
  }
  void set_output(std::int64_t index) {
    for (std::size_t d = spec_.output.size(); d-- > 0;) {
      const auto label = static_cast<std::size_t>(spec_.output[d]);
      at_[label] = index % spec_.extents[label];
      index /= spec_.extents[label];
    }
    for (const std::size_t label : summed_) at_[label] = 0;
  }
  bool has_terms() const {
    return std::none_of(summed_.begin(), summed_.end(), [&](std::size_t label) { return spec_.extents[label] == 0; });
  }
  bool next_term() {
    for (const std::size_t label : summed_) {
      if (++at_[label] < spec_.extents[label]) return true;
      at_[label] = 0;
    }
    return false;
  }
  Complex operand(const TensorView& tensor, std::size_t k) const {
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < spec_.axes[k].size(); ++d) {
      if (!spec_.broadcast[k][d]) offset += at_[static_cast<std::size_t>(spec_.axes[k][d])] * tensor.strides()[d];
    }
    return load(tensor, offset);
  }

 private:
  const Spec& spec_;
  std::vector<std::int64_t> at_;
  std::vector<std::size_t> summed_;
};

Spec spec_of(const std::string& subscripts, const std::vector<Tensor>& operands) {
  std::vector<Shape> shapes;
  for (const Tensor& operand : operands) shapes.push_back(operand.shape());
  return parse_spec(subscripts, shapes);
}

::testing::AssertionResult within(const WidePart& exact, double got, const WideNumber& rest, const WideNumber& bound) {
  const double rounded = exact.value.to_double();
  if (std::isinf(rounded) || std::isinf(got)) {
    if (rounded == got) return ::testing::AssertionSuccess();
  } else {
    const WideNumber error = (WideNumber(got) + rest - exact.value).abs();
    if (!(bound < error)) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "computed " << got << ", exact " << rounded << ", magnitude "
                                         << exact.magnitude.to_double() << ", error " << error.to_double() << ", bound "
                                         << bound.to_double();
  }
  return ::testing::AssertionFailure() << "computed " << got << ", exact " << rounded;
}

::testing::AssertionResult rounded_within(const WidePart& exact, double got, DType dtype) {
  const WideNumber rounding = exact.value.abs() * WideNumber(epsilon(dtype) / 2 * (1 + 0x1p-20));
  return within(exact, got, 0.0, rounding + exact.magnitude.scaled(-100) + WideNumber(smallest(dtype)).scaled(-1));
}

::testing::AssertionResult unrounded_within(const WidePart& exact, double got, double rest) {
  return within(exact, got, rest, exact.magnitude.scaled(-100) + WideNumber(smallest(DType::kFloat64)).scaled(-1));
}

std::vector<std::int64_t> some_of(std::int64_t size, std::int64_t most) {
  std::vector<std::int64_t> indices;
  for (std::int64_t i = 0; i < std::min(size, most); ++i) indices.push_back(size <= most ? i : size / most * i);
  return indices;
}

}  // namespace

Complex element_of(const TensorView& tensor, std::int64_t index) { return load(tensor, offset_in(tensor, index)); }

std::vector<WideElement> wide_elements(const std::string& subscripts, const std::vector<Tensor>& operands,
                                       const EinsumOptions& options, const std::vector<std::int64_t>& indices) {
  const Spec spec = spec_of(subscripts, operands);
  Point point(spec);
  std::vector<WideElement> elements;
  for (const std::int64_t index : indices) {
    point.set_output(index);
    WideElement sum;
    bool more = point.has_terms();
    while (more) {
      WideElement term = wide(1.0);
      for (std::size_t k = 0; k < operands.size(); ++k) term = product(term, wide(point.operand(operands[k], k)));
      add(sum, term);
      more = point.next_term();
    }
    sum = product(wide(options.alpha), sum);
    if (options.beta != 0.0) add(sum, product(wide(options.beta), wide(element_of(*options.out, index))));
    elements.push_back(sum);
  }
  return elements;
}

::testing::AssertionResult dd_holds_its_bound(const std::string& subscripts, const std::vector<Tensor>& operands,
                                              EinsumOptions options, std::int64_t most) {
  options.precision = Precision::kDoubleDouble;
  const std::vector<TensorView> views(operands.begin(), operands.end());
  const std::vector<std::int64_t> indices =
      some_of(Tensor::empty(spec_of(subscripts, operands).output_shape(), DType::kBool).size(), most);
  const std::vector<WideElement> exact = wide_elements(subscripts, operands, options, indices);
  const Tensor result = einsum(subscripts, views, options);
  std::vector<Complex> got;
  for (const std::int64_t index : indices) got.push_back(element_of(result, index));
  const DType dtype = result.dtype();
  const bool sees_all = options.beta == 0.0 && real_type(dtype) == DType::kFloat64;
  if (sees_all) {  // in place: what was rounded off is left
    options.out = result;
    options.beta = -1.0;
    einsum(subscripts, views, options);
  }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const auto check = [&](const WidePart& part, double value, double rest) {
      auto outcome = rounded_within(part, value, dtype);
      if (outcome && sees_all && std::isfinite(value)) outcome = unrounded_within(part, value, rest);
      return outcome;
    };
    const Complex rest = sees_all ? element_of(result, indices[i]) : 0.0;
    for (const auto& outcome :
         {check(exact[i].re, got[i].real(), rest.real()), check(exact[i].im, got[i].imag(), rest.imag())}) {
      if (outcome) continue;
      std::ostringstream shapes;
      for (const Tensor& operand : operands) shapes << ' ' << format_shape(operand.shape());
      return ::testing::AssertionFailure() << subscripts << shapes.str() << ", element " << indices[i] << ", alpha "
                                           << options.alpha << ", beta " << options.beta << ": " << outcome.message();
    }
  }
  return ::testing::AssertionSuccess();
}

}  // namespace trntensor::testing
