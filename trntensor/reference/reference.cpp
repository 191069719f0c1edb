#include "trntensor/reference/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "trntensor/reference/arithmetic.hpp"
#include "trntensor/reference/nest.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::reference {
namespace {

void check_shape(const std::string& name, const TensorView& tensor, const Shape& expected) {
  if (tensor.device() != Device{}) {
    throw_invalid(fmt::format("{} is on {}", name, to_string(tensor.device())), {}, "bring it to the host first");
  }
  if (tensor.shape() == expected) return;
  throw_invalid(fmt::format("{} has shape {} but the contraction was made for {}", name, format_shape(tensor.shape()),
                            format_shape(expected)),
                {}, "make the Spec from the shapes of these operands");
}

void check_arguments(const Spec& spec, std::span<const TensorView> operands, const ReferenceOptions& options) {
  if (operands.size() != spec.axes.size() || operands.empty()) {
    throw_invalid(fmt::format("{} operands for a contraction of {}", operands.size(), spec.axes.size()), {},
                  "give one operand per term");
  }
  for (std::size_t operand = 0; operand < operands.size(); ++operand) {
    check_shape(fmt::format("operand {}", operand), operands[operand], spec.operand_shape(operand));
  }
  if (options.beta == 0.0) return;
  if (!options.out) throw_invalid("beta is not 0 but there is no out", {}, "give out, or leave beta at 0");
  check_shape("out", *options.out, spec.output_shape());
}

DType compute_type(std::span<const TensorView> operands, const ReferenceOptions& options) {
  if (options.compute_dtype) return *options.compute_dtype;
  std::vector<DType> dtypes;
  for (const TensorView& operand : operands) dtypes.push_back(operand.dtype());
  return promote(dtypes);
}

template <typename T>
auto arithmetic_of() {
  if constexpr (std::is_same_v<T, bool>) {
    return BoolArithmetic{};
  } else if constexpr (std::is_integral_v<T>) {
    return IntegerArithmetic<T>{};
  } else if constexpr (detail::kIsComplex<T>) {
    return ComplexArithmetic<T>{};
  } else {
    return RealArithmetic<T>{};
  }
}

template <typename Arithmetic>
Tensor write_all(const std::vector<typename Arithmetic::Sum>& sums, const Shape& shape, DType dtype) {
  Tensor result = Tensor::empty(shape, dtype);
  auto* bytes = static_cast<std::byte*>(result.data());
  visit_dtype(dtype, [&]<typename To>(std::type_identity<To>) {
    for (std::size_t n = 0; n < sums.size(); ++n) {
      store_element<To>(bytes + n * sizeof(To), Arithmetic::template write<To>(sums[n]));
    }
  });
  return result;
}

}  // namespace

Tensor einsum(const Spec& spec, std::span<const TensorView> operands, const ReferenceOptions& options) {
  check_arguments(spec, operands, options);
  const DType compute = compute_type(operands, options);
  return visit_dtype(compute, [&]<typename T>(std::type_identity<T>) {
    using Arithmetic = decltype(arithmetic_of<T>());
    return write_all<Arithmetic>(contract<Arithmetic>(spec, operands, options), spec.output_shape(),
                                 options.output_dtype.value_or(compute));
  });
}

Tensor magnitude(const Spec& spec, std::span<const TensorView> operands, const ReferenceOptions& options) {
  check_arguments(spec, operands, options);
  return visit_dtype(compute_type(operands, options), [&]<typename T>(std::type_identity<T>) {
    const std::vector<long double> sums = contract<ModulusArithmetic<T>>(spec, operands, options);
    const std::vector<double> rounded(sums.begin(), sums.end());
    return Tensor::from_values<double>(spec.output_shape(), rounded);
  });
}

double contraction_depth(const Spec& spec) {
  double depth = 1;
  for (std::size_t label = 0; label < spec.extents.size(); ++label) {
    const bool kept = std::ranges::find(spec.output, static_cast<Label>(label)) != spec.output.end();
    if (!kept) depth *= static_cast<double>(spec.extents[label]);
  }
  return depth;
}

}  // namespace trntensor::reference
