// A call of einsum as it came from Python, read into what the library takes.
#pragma once

#include <pybind11/pybind11.h>

#include <span>
#include <string_view>

#include "python/bindings/labels.hpp"
#include "python/bindings/operands.hpp"
#include "python/bindings/options.hpp"
#include "trntensor/plan/plan.hpp"

namespace trntensor::python {

/// Subscripts and operands in either form. The Python objects must outlive it.
class Call {
 public:
  /// Throws TypeError for what is no call of einsum. With `shapes` the operands are shapes of float64 tensors, whose
  /// memory must not be touched.
  explicit Call(std::span<PyObject* const> arguments, bool shapes = false);

  [[nodiscard]] const Operands& operands() const noexcept { return operands_; }

  /// Contracts into a new tensor or options.einsum.out.
  [[nodiscard]] Tensor run(CallOptions& options) const;

  /// The plan of `run`.
  [[nodiscard]] Plan plan(CallOptions& options) const;

  /// What the contraction means.
  [[nodiscard]] Spec spec() const;

  /// The subscripts; for the interleaved form text that means the same.
  [[nodiscard]] std::string text() const;

 private:
  void add_operands(std::span<PyObject* const> arguments);
  void add_shape(pybind11::handle shape);

  bool is_text_ = false;
  std::string_view subscripts_;
  Interleaved labels_;
  Operands operands_;
};

/// The arguments that einsum would take in the place of `self`, for functions with *args.
std::vector<PyObject*> pointers(const pybind11::args& arguments);

}  // namespace trntensor::python
