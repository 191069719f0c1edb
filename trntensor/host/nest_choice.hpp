// Which loop of a nest the vectors go along.
#pragma once

#include <cstddef>

#include "trntensor/host/nest_problem.hpp"

namespace trntensor::host {

struct VectorChoice {
  bool is_kept = true;    ///< of `kept`, else of `summed`
  std::size_t index = 0;  ///< in that group
};

/// True when the elements of an operand can be used where they lie, provided that they are adjacent.
bool is_loaded_as_is(const InputType& input, DType accumulator);

/// The loop with the least estimated time; the problem must have one.
VectorChoice choose_vector(const NestProblem& problem);

}  // namespace trntensor::host
