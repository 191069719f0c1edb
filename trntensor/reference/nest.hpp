// The loop nest: for each element of the result, for each point of the summed labels, the product of the operands.
#pragma once

#include <algorithm>
#include <complex>
#include <span>
#include <vector>

#include "trntensor/einsum/spec.hpp"
#include "trntensor/reference/reference.hpp"
#include "trntensor/tensor/convert_element.hpp"
#include "trntensor/tensor/tensor.hpp"

namespace trntensor::reference {

/// Calls `visit(index)` for every index of a shape in C order.
template <typename Visit>
void for_each_index(std::span<const std::int64_t> shape, Visit&& visit) {
  if (std::ranges::find(shape, 0) != shape.end()) return;
  std::vector<std::int64_t> index(shape.size(), 0);
  for (;;) {
    visit(std::span<const std::int64_t>(index));
    std::size_t axis = shape.size();
    while (axis > 0 && ++index[axis - 1] == shape[axis - 1]) index[--axis] = 0;
    if (axis == 0) return;
  }
}

/// The function that reads an element of type `dtype` and rounds it to T.
template <typename T>
auto reader(DType dtype) {
  using Read = T (*)(const void*) noexcept;
  return visit_dtype(dtype, []<typename From>(std::type_identity<From>) -> Read {
    return [](const void* address) noexcept { return convert_element<T>(load_element<From>(address)); };
  });
}

/// All elements in C order, whatever the strides.
template <typename Arithmetic>
std::vector<typename Arithmetic::Value> read_all(const TensorView& tensor) {
  const auto read = reader<typename Arithmetic::Element>(tensor.dtype());
  std::vector<typename Arithmetic::Value> values;
  for_each_index(tensor.shape(), [&](std::span<const std::int64_t> index) {
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) offset += index[axis] * tensor.strides()[axis];
    const void* address = tensor.bytes() + offset * static_cast<std::int64_t>(size_of(tensor.dtype()));
    values.push_back(Arithmetic::value_of(read(address)));
  });
  return values;
}

/// An operand's elements in C order, and how far a step along each label moves in them.
template <typename Value>
struct Operand {
  std::vector<Value> values;
  std::vector<std::int64_t> step;
};

template <typename Arithmetic>
Operand<typename Arithmetic::Value> read_operand(const Spec& spec, std::size_t number, const TensorView& tensor) {
  Operand<typename Arithmetic::Value> operand{read_all<Arithmetic>(tensor), {}};
  operand.step.assign(spec.extents.size(), 0);
  const Strides strides = contiguous_strides(tensor.shape());
  for (std::size_t axis = 0; axis < strides.size(); ++axis) {
    // Axes that share a label are walked together: the diagonal.
    const auto label = static_cast<std::size_t>(spec.axes[number][axis]);
    if (!spec.broadcast[number][axis]) operand.step[label] += strides[axis];
  }
  return operand;
}

template <typename Arithmetic>
class Nest {
 public:
  using Value = typename Arithmetic::Value;
  using Sum = typename Arithmetic::Sum;

  Nest(const Spec& spec, std::span<const TensorView> tensors) : spec_(spec), position_(tensors.size(), 0) {
    for (std::size_t number = 0; number < tensors.size(); ++number) {
      operands_.push_back(read_operand<Arithmetic>(spec, number, tensors[number]));
    }
    for (std::size_t label = 0; label < spec.extents.size(); ++label) {
      const auto number = static_cast<Label>(label);
      if (std::ranges::find(spec.output, number) == spec.output.end()) summed_.push_back(number);
    }
  }

  /// Calls `visit(sum)` for every element of the result in C order.
  template <typename Visit>
  void for_each_sum(Visit&& visit) {
    for_each_point(spec_.output, [&] {
      Sum sum = Arithmetic::zero();
      for_each_point(summed_, [&] { sum = Arithmetic::add(sum, product()); });
      visit(sum);
    });
  }

 private:
  // One loop per label, the last label innermost.
  template <typename Visit>
  void for_each_point(std::span<const Label> labels, Visit&& visit) {
    if (labels.empty()) {
      visit();
      return;
    }
    const auto label = static_cast<std::size_t>(labels.front());
    for (std::int64_t i = 0; i < spec_.extents[label]; ++i) {
      for_each_point(labels.subspan(1), visit);
      move(label, 1);
    }
    move(label, -spec_.extents[label]);
  }

  void move(std::size_t label, std::int64_t count) {
    for (std::size_t number = 0; number < operands_.size(); ++number) {
      position_[number] += count * operands_[number].step[label];
    }
  }

  [[nodiscard]] Sum product() const {
    Sum product = Arithmetic::sum_of(value(0));
    for (std::size_t number = 1; number < operands_.size(); ++number) {
      product = Arithmetic::multiply(product, value(number));
    }
    return product;
  }

  [[nodiscard]] Value value(std::size_t number) const {
    return operands_[number].values[static_cast<std::size_t>(position_[number])];
  }

  const Spec& spec_;
  std::vector<Operand<Value>> operands_;
  std::vector<std::int64_t> position_;  // per operand: the element all indices together point at
  Labels summed_;
};

/// A factor without an imaginary part multiplies both parts of a complex number: 0 times infinity does not come up.
template <typename Arithmetic>
typename Arithmetic::Sum scaled(const typename Arithmetic::Sum& sum, std::complex<double> factor) {
  if constexpr (requires { Arithmetic::multiply_real(sum, 1.0L); }) {
    if (factor.imag() == 0) return Arithmetic::multiply_real(sum, factor.real());
  }
  return Arithmetic::multiply(sum, Arithmetic::scale(factor));
}

/// alpha * sum + beta * out for every element of the result in C order; alpha = 0 leaves the operands out, as BLAS
/// does.
template <typename Arithmetic>
std::vector<typename Arithmetic::Sum> contract(const Spec& spec, std::span<const TensorView> operands,
                                               const ReferenceOptions& options) {
  const bool reads_out = options.beta != 0.0;
  const auto old_values = reads_out ? read_all<Arithmetic>(*options.out) : std::vector<typename Arithmetic::Value>{};
  std::vector<typename Arithmetic::Sum> results;
  Nest<Arithmetic>(spec, operands).for_each_sum([&](typename Arithmetic::Sum sum) {
    sum = options.alpha == 0.0 ? Arithmetic::zero() : scaled<Arithmetic>(sum, options.alpha);
    if (reads_out) {
      sum = Arithmetic::add(sum, scaled<Arithmetic>(Arithmetic::sum_of(old_values[results.size()]), options.beta));
    }
    results.push_back(sum);
  });
  return results;
}

}  // namespace trntensor::reference
