#include "cli/tensor_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "cli/table.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/tensor/files.hpp"
#include "trntensor/tensor/npz.hpp"

namespace trntensor::cli {

namespace fs = std::filesystem;

TensorFile parse_tensor_file(const std::string& text) {
  std::error_code ignored;
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0 || fs::exists(text, ignored)) return {text, {}};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

Tensor load_operand(const std::string& text, std::optional<DType> raw_as) {
  const TensorFile file = parse_tensor_file(text);
  return load_tensor(file.path, file.name, raw_as);
}

namespace {

/// A file that is replaced may hold a result, not other things that would be lost.
void check_replaced(const fs::path& path) {
  std::error_code ignored;
  if (path.extension() == ".npy" || !fs::is_regular_file(path, ignored) || fs::file_size(path, ignored) == 0) return;
  const std::vector<std::string> names = list_tensors(path);
  const std::size_t members = path.extension() == ".npz" ? NpzReader(path).num_members() : names.size();
  if (members == 0 || (members == 1 && names == std::vector<std::string>{"data"})) return;
  throw_invalid(fmt::format("\"{}\" exists and holds more than a result, which would be lost: {} members; tensors: {}",
                            path.string(), members, without_controls(fmt::format("{}", fmt::join(names, ", ")))),
                {}, "write the result to a file of its own");
}

}  // namespace

void check_output(const fs::path& path) {
  constexpr std::array<std::string_view, 4> kFormats = {".npy", ".npz", ".h5", ".hdf5"};
  if (std::find(kFormats.begin(), kFormats.end(), path.extension()) == kFormats.end()) {
    throw_invalid(fmt::format("cannot tell the format of \"{}\"", path.string()), path.string(),
                  "name it .npy, .npz, .h5 or .hdf5");
  }
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    throw Error(ErrorKind::kIo, fmt::format("\"{}\" is a folder", path.string()), {}, "name a file");
  }
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, ignored)) {
    throw Error(ErrorKind::kIo, fmt::format("the folder of \"{}\" does not exist", path.string()), {}, "make it first");
  }
  if (access(folder.c_str(), W_OK) != 0) {
    throw Error(ErrorKind::kIo, fmt::format("the folder of \"{}\" cannot be written to", path.string()));
  }
  check_replaced(path);
}

}  // namespace trntensor::cli
