// .npy files: whatever the bytes, the reader gives a tensor no larger than they are, or an Error of the user's kinds;
// what it gives is read back the same after writing.
#include "trntensor/tensor/npy.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

#include "trntensor/tensor/npy_stream.hpp"

namespace {

using trntensor::DType;
using trntensor::Tensor;
using Bytes = std::vector<std::byte>;

void require(bool condition) {
  if (!condition) std::abort();
}

Bytes written(const Tensor& tensor) {
  Bytes bytes;
  trntensor::io::write_npy_stream(
      tensor, [&](std::span<const std::byte> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
  return bytes;
}

void check(std::span<const std::byte> bytes, std::optional<DType> raw_as) {
  try {
    const Tensor tensor = trntensor::read_npy(bytes, raw_as);
    require(static_cast<std::size_t>(tensor.size()) * size_of(tensor.dtype()) <= bytes.size());
    const Bytes once = written(tensor);
    require(written(trntensor::read_npy(once, tensor.dtype())) == once);
  } catch (const trntensor::Error& error) {
    require(error.kind() != trntensor::ErrorKind::kInternal && error.kind() != trntensor::ErrorKind::kOutOfMemory);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  check(bytes, {});
  check(bytes, DType::kBFloat16);
  check(bytes, DType::kFloat8E4M3FN);
  return 0;
}
