#include "trntensor/tensor/files.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trntensor/support/error.hpp"
#include "trntensor/support/text.hpp"
#include "trntensor/tensor/hdf5.hpp"
#include "trntensor/tensor/messages.hpp"
#include "trntensor/tensor/npy.hpp"
#include "trntensor/tensor/npz.hpp"

namespace trntensor {
namespace {

enum class Format { kNpy, kNpz, kHdf5, kFolder };

Format format_of(const std::filesystem::path& path) {
  std::error_code status;
  if (std::filesystem::is_directory(path, status)) return Format::kFolder;
  const std::string extension = lower_case(path.extension().string());
  if (extension == ".npy") return Format::kNpy;
  if (extension == ".npz") return Format::kNpz;
  if (extension == ".h5" || extension == ".hdf5") return Format::kHdf5;
  throw_invalid(fmt::format("{}: the extension \"{}\" tells no file format", path.string(), extension), {},
                "name the file .npy, .npz, .h5 or .hdf5");
}

std::vector<std::string> names_in_folder(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code status;
  for (const auto& entry : std::filesystem::directory_iterator(folder, status)) {
    if (entry.path().extension() == ".npy") names.push_back(entry.path().stem().string());
  }
  if (status) {
    throw Error(ErrorKind::kIo, fmt::format("{}: cannot be listed: {}", folder.string(), status.message()), {},
                "check the folder and its permissions");
  }
  std::ranges::sort(names);
  return names;
}

// The name asked for, or the only one there is.
std::string choose(const std::filesystem::path& path, std::string_view name) {
  if (!name.empty()) return std::string(name);
  const std::vector<std::string> names = list_tensors(path);
  if (names.size() == 1) return names.front();
  throw_invalid(fmt::format("{}: holds {} tensors, and no name says which", path.string(), names.size()), {},
                io::name_list(names));
}

Tensor load_from_folder(const std::filesystem::path& folder, const std::string& name, std::optional<DType> raw_as) {
  const std::vector<std::string> names = names_in_folder(folder);
  if (std::ranges::find(names, name) == names.end()) {
    throw_invalid(fmt::format("{}: there is no \"{}.npy\"", folder.string(), name), {}, io::name_list(names));
  }
  return load_npy(folder / (name + ".npy"), raw_as);
}

}  // namespace

Tensor load_tensor(const std::filesystem::path& path, std::string_view name, std::optional<DType> raw_as) {
  switch (format_of(path)) {
    case Format::kNpy:
      if (!name.empty()) {
        throw_invalid(fmt::format("{}: a .npy file holds one tensor without a name, not \"{}\"", path.string(), name),
                      {}, "leave the name out");
      }
      return load_npy(path, raw_as);
    case Format::kNpz:
      return NpzReader(path).read(choose(path, name), raw_as);
    case Format::kHdf5:
      return load_hdf5(path, choose(path, name));
    case Format::kFolder:
      return load_from_folder(path, choose(path, name), raw_as);
  }
  throw Error(ErrorKind::kInternal, "a file format outside the enumeration");
}

std::vector<std::string> list_tensors(const std::filesystem::path& path) {
  switch (format_of(path)) {
    case Format::kNpy:
      return {path.stem().string()};
    case Format::kNpz:
      return NpzReader(path).names();
    case Format::kHdf5:
      return list_hdf5(path);
    case Format::kFolder:
      return names_in_folder(path);
  }
  throw Error(ErrorKind::kInternal, "a file format outside the enumeration");
}

void save_tensor(const std::filesystem::path& path, const Tensor& tensor, std::string_view name) {
  const NamedTensor named[] = {{std::string(name.empty() ? "data" : name), tensor}};
  switch (format_of(path)) {
    case Format::kNpy:
      return save_npy(path, tensor);
    case Format::kNpz:
      return save_npz(path, named);
    case Format::kHdf5:
      return save_hdf5(path, named);
    case Format::kFolder:
      return save_npy(path / (named[0].name + ".npy"), tensor);
  }
  throw Error(ErrorKind::kInternal, "a file format outside the enumeration");
}

}  // namespace trntensor
