// .npz files: whatever the bytes, the reader gives tensors no larger than deflate can make of them, or an Error of the
// user's kinds.
#include "trntensor/tensor/npz.hpp"

#include <cstdint>
#include <cstdlib>

namespace {

constexpr std::size_t kMaxRatio = 1032;  // of deflate

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  try {
    const trntensor::NpzReader reader(bytes);
    std::size_t unpacked = 0;
    for (const std::string& name : reader.names()) {
      try {
        const trntensor::Tensor tensor = reader.read(name, trntensor::DType::kBFloat16);
        unpacked += static_cast<std::size_t>(tensor.size()) * size_of(tensor.dtype());
      } catch (const trntensor::Error& error) {
        require(error.kind() != trntensor::ErrorKind::kInternal && error.kind() != trntensor::ErrorKind::kOutOfMemory);
      }
    }
    require(unpacked <= kMaxRatio * size);
  } catch (const trntensor::Error& error) {
    require(error.kind() == trntensor::ErrorKind::kIo || error.kind() == trntensor::ErrorKind::kUnsupported);
  }
  return 0;
}
