// A tensor and the name it has in a file of several.
#pragma once

#include <string>

#include "trntensor/tensor/tensor.hpp"

namespace trntensor {

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

}  // namespace trntensor
