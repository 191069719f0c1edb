#include "trntensor/tensor/device.hpp"

#include <fmt/format.h>

namespace trntensor {

std::string to_string(const Device& device) {
  if (device.type == DeviceType::kHost) return "host";
  return fmt::format("neuron:{}", device.index);
}

}  // namespace trntensor
