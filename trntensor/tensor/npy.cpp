#include "trntensor/tensor/npy.hpp"

#include "trntensor/tensor/atomic_file.hpp"
#include "trntensor/tensor/npy_stream.hpp"

namespace trntensor {
namespace {

Tensor read_source(const io::ByteSource& source, std::optional<DType> raw_as) {
  io::SourceStream stream(source, source.name(), 0, source.size());
  return io::read_npy_stream(stream, raw_as);
}

}  // namespace

Tensor load_npy(const std::filesystem::path& path, std::optional<DType> raw_as) {
  return read_source(*io::open_file(path), raw_as);
}

Tensor read_npy(std::span<const std::byte> bytes, std::optional<DType> raw_as, const std::string& name) {
  return read_source(*io::view_memory(bytes, name), raw_as);
}

void save_npy(const std::filesystem::path& path, const TensorView& tensor) {
  io::AtomicFile file(path);
  io::write_npy_stream(tensor, [&file](std::span<const std::byte> bytes) { file.append(bytes); });
  file.commit();
}

}  // namespace trntensor
