#include <fmt/format.h>

#include <algorithm>

#include "trntensor/support/error.hpp"
#include "trntensor/tensor/messages.hpp"
#include "trntensor/tensor/npy_stream.hpp"
#include "trntensor/tensor/npz.hpp"
#include "trntensor/tensor/zip_writer.hpp"

namespace trntensor {
namespace {

constexpr std::size_t kMaxName = 65535 - 4;  // with ".npy", what a zip archive has room for

void check_names(const std::filesystem::path& path, std::span<const NamedTensor> tensors) {
  std::vector<std::string_view> names;
  for (const NamedTensor& entry : tensors) {
    if (entry.name.empty() || entry.name.size() > kMaxName || entry.name.find('\0') != std::string::npos) {
      throw_invalid(fmt::format("{}: \"{}\" cannot be the name of an array", path.string(), io::printable(entry.name)),
                    {}, fmt::format("give a name of 1 to {} characters", kMaxName));
    }
    names.push_back(entry.name);
  }
  std::ranges::sort(names);
  if (const auto twice = std::ranges::adjacent_find(names); twice != names.end()) {
    throw_invalid(fmt::format("{}: two arrays have the name \"{}\"", path.string(), *twice), {},
                  "give each array a name of its own");
  }
}

}  // namespace

void save_npz(const std::filesystem::path& path, std::span<const NamedTensor> tensors, const NpzOptions& options) {
  check_names(path, tensors);
  io::AtomicFile file(path);
  io::ZipWriter writer(file);
  const io::ZipMethod method = options.compress ? io::ZipMethod::kDeflated : io::ZipMethod::kStored;
  for (const auto& [name, tensor] : tensors) {
    const std::uint64_t size = static_cast<std::uint64_t>(tensor.size()) * size_of(tensor.dtype());
    writer.add(name + ".npy", method, size,
               [&view = tensor](const io::ZipWriter::Sink& sink) { io::write_npy_stream(view, sink); });
  }
  writer.finish();
  file.commit();
}

}  // namespace trntensor
