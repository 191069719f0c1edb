// The interleaved form: einsum(a, [0, 1], b, [1, 2], [0, 2]).
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "python/bindings/operands.hpp"

namespace trntensor::python {

/// Labels as numbers: those of each operand, and of the output if it was given.
struct Interleaved {
  std::vector<std::vector<std::int64_t>> inputs;
  std::optional<std::vector<std::int64_t>> output;
};

/// Reads operands and lists of labels that take turns. Lists are lists, tuples, ranges and arrays of
/// integers with one axis. Labels are whole numbers or `...`; or any objects that can be hashed and sorted, which are
/// numbered in their order. Throws TypeError for what is neither, ValueError for labels
/// without an operand.
Interleaved read_interleaved(std::span<PyObject* const> arguments, Operands& operands);

}  // namespace trntensor::python
