// Python objects in, tensors of the library between, the same kind of object out: the door of all conversions.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <span>
#include <vector>

#include "trntensor/tensor/tensor.hpp"

namespace trntensor::python {

/// Whose object it is, in the order in which they decide what a call returns.
enum class Kind : std::uint8_t {
  kValues,  ///< Python numbers, lists, buffers: NumPy's where NumPy can be imported, else ours
  kOwn,     ///< trntensor.Tensor
  kNumpy,
  kDlpack,  ///< any other object with __dlpack__
  kTorch,
};

/// What results are to be.
struct ResultKind {
  Kind kind = Kind::kValues;
  pybind11::handle like = {};  ///< an operand of that kind, alive as long as the call
};

/// One object as a tensor over the same memory where the object has memory that can be used as it is.
struct Converted {
  MutableTensorView view = {};
  Kind kind = Kind::kValues;
  bool is_writable = true;
  bool requires_grad = false;        ///< a torch tensor that gradients are wanted of, while they are recorded
  bool is_python_number = false;     ///< takes the type of the others
  bool is_copy = false;              ///< what is written to it is lost
  std::shared_ptr<void> owner = {};  ///< of the memory, if the object alone is not
};

/// What an object is to a call, for messages: "operand 2", "out".
struct Role {
  const char* name;
  int number = -1;  ///< of several; below 0 for the only one

  [[nodiscard]] std::string text() const;
};

/// Converts. Throws TypeError for what is no array.
Converted convert(pybind11::handle object, Role role);

/// Keeps a Python object alive for those who may not hold Python's lock.
std::shared_ptr<void> keep_alive(pybind11::object object);

/// The operands of a call. The Python objects must stay alive meanwhile.
class Operands {
 public:
  void reserve(std::size_t count);
  void add(pybind11::handle object);
  void add_view(const TensorView& view) { views_.push_back(view); }

  /// Keeps what holds operands that others may take out of it meanwhile: the items of a list.
  void keep(pybind11::object holder) { owners_.push_back(keep_alive(std::move(holder))); }

  /// Gives Python's numbers their type, once all are there.
  void finish();

  [[nodiscard]] std::span<const TensorView> views() const noexcept { return views_; }
  [[nodiscard]] bool require_grad() const noexcept { return require_grad_; }
  [[nodiscard]] const ResultKind& result_kind() const noexcept { return result_kind_; }

  /// The product of the operands' sizes: no contraction of them has more multiply-adds. Huge for many operands.
  [[nodiscard]] double products() const noexcept;

 private:
  struct Number {
    std::size_t operand;
    pybind11::handle value;
  };

  std::vector<TensorView> views_;
  std::vector<std::shared_ptr<void>> owners_;
  std::vector<Number> numbers_;
  ResultKind result_kind_;
  bool require_grad_ = false;
};

/// A result as the kind that the operands ask for; one without axes as NumPy's scalar where it is NumPy's.
pybind11::object to_python(Tensor result, const ResultKind& kind);

/// An object that the library writes to, as a tensor. Throws ValueError where it is read-only, TypeError for what has
/// no memory of its own.
Tensor writable(pybind11::handle object, const char* name);

/// A tensor over the object's memory, which must stay alive meanwhile, or over a copy of what has none.
Tensor to_tensor(pybind11::handle object, const char* name);

/// A name ("f32", "bfloat16"), or a type of NumPy, torch or Python. Throws TypeError, ValueError.
DType parse_dtype_object(pybind11::handle object);

// --- one file each ---------------------------------------------------------------------------------------------------

namespace numpy {
[[nodiscard]] bool can_be_imported();
[[nodiscard]] bool is_array(pybind11::handle object) noexcept;
/// An array of integers with one axis, which may stand for a list of labels.
[[nodiscard]] bool is_list_of_whole_numbers(pybind11::handle object);
Converted from_array(pybind11::handle array, Role role);
/// numpy.asarray of anything.
pybind11::object as_array(pybind11::handle object);
pybind11::object to_array(const Tensor& tensor, bool scalars);
std::optional<DType> dtype_of_object(pybind11::handle object);
}  // namespace numpy

namespace torch {
[[nodiscard]] bool is_tensor(pybind11::handle object) noexcept;
Converted from_tensor(pybind11::handle tensor, Role role);
pybind11::object to_tensor(const Tensor& tensor);
std::optional<DType> dtype_of_object(pybind11::handle object);
/// Tells torch that a tensor was written to.
void mark_as_written(pybind11::handle tensor);
}  // namespace torch

namespace dlpack {
[[nodiscard]] bool has_dlpack(pybind11::handle object);
Converted from_object(pybind11::handle object);
/// Takes a capsule over.
Tensor from_capsule(pybind11::handle capsule);
pybind11::capsule to_capsule(const Tensor& tensor);
pybind11::object to_object(const Tensor& tensor, pybind11::handle like);
}  // namespace dlpack

namespace values {
/// A bool, int, float or complex, not of a subclass.
[[nodiscard]] bool is_python_number(pybind11::handle object) noexcept;
/// As one element of `dtype`.
Tensor from_number(pybind11::handle number, DType dtype);
/// bool, int64, float64 or complex128, as a number alone is.
DType own_dtype(pybind11::handle number);
/// The type it takes beside tensors that promote to `others`: theirs, or one of its kind as wide as theirs.
DType dtype_beside(pybind11::handle number, DType others);
/// What has a buffer (memoryview, array.array), or nested lists of numbers, without NumPy.
Converted from_object(pybind11::handle object, Role role);
}  // namespace values

}  // namespace trntensor::python
