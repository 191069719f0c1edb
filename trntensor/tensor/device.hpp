// Where a tensor's memory is.
#pragma once

#include <cstdint>
#include <string>

namespace trntensor {

enum class DeviceType : std::uint8_t {
  kHost,    ///< memory this process can read and write
  kNeuron,  ///< a NeuronCore's HBM; no executor of this version runs there
};

struct Device {
  DeviceType type = DeviceType::kHost;
  int index = 0;

  friend bool operator==(const Device&, const Device&) = default;
};

/// "host", "neuron:0".
std::string to_string(const Device& device);

}  // namespace trntensor
