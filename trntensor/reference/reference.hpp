// The oracle of all tests: every semantics of einsum in slow, obvious loops.
#pragma once

#include <complex>
#include <optional>
#include <span>

#include "trntensor/einsum/spec.hpp"
#include "trntensor/tensor/tensor.hpp"

namespace trntensor::reference {

struct ReferenceOptions {
  std::complex<double> alpha = 1.0;
  std::complex<double> beta = 0.0;
  std::optional<TensorView> out = {};       ///< the values beta multiplies; not read when beta is 0, never written
  std::optional<DType> compute_dtype = {};  ///< if not the type the operands promote to
  std::optional<DType> output_dtype = {};   ///< if not the compute type
};

/// alpha * sum(product of the operands) + beta * out as a new C-contiguous tensor of shape spec.output_shape().
///
/// Dtypes: each operand element is rounded to the compute type. Real and complex: products and sums are held in pairs
/// of long double and rounded once, to nearest even, to the output type. Integers: modulo 2^width of the compute type,
/// alpha and beta truncated to whole numbers. bool: OR of ANDs, alpha and beta true where they are not 0.
/// Complex products are plain (no recovery of infinities); a scale without imaginary part multiplies both parts.
/// Accuracy: relative to sum |a||b|, 2^-118 times the number of terms on x86, then half a unit of the output type.
/// Cost: every point of the iteration space, once.
/// Throws InvalidArgument when operands, or an `out` that is read, do not have the shapes the Spec was made for.
Tensor einsum(const Spec& spec, std::span<const TensorView> operands, const ReferenceOptions& options = {});

/// |alpha| * sum(product of the operands' moduli) + |beta| * |out| as float64, for bounds on rounding errors: what an
/// error is measured against. Same operands, options and throws as einsum; output_dtype has no effect.
Tensor magnitude(const Spec& spec, std::span<const TensorView> operands, const ReferenceOptions& options = {});

/// How many terms are summed into one element: the product of the extents of the labels that are not in the output.
double contraction_depth(const Spec& spec);

}  // namespace trntensor::reference
