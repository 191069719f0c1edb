#include <fmt/format.h>

#include <algorithm>

#include "trntensor/support/checked.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/tensor/hdf5.hpp"
#include "trntensor/tensor/hdf5_file.hpp"
#include "trntensor/tensor/hdf5_types.hpp"
#include "trntensor/tensor/messages.hpp"

namespace trntensor {
namespace {

using io::Hdf5File;
using io::Hdf5Handle;

constexpr std::int64_t kMaxRatio = 1032;                    // of deflate, the strongest filter built in
constexpr std::int64_t kUnwritten = std::int64_t{1} << 20;  // what may be read of data that were never written

// A link into another file could make a harmless looking file hand out somebody else's data.
herr_t refuse_external_link(const char*, const char*, const char*, const char*, unsigned*, hid_t, void*) { return -1; }

std::string quoted(const Hdf5File& file, const std::string& name) {
  return fmt::format("{}, dataset \"{}\"", file.name(), io::printable(name));
}

Hdf5Handle open_dataset(const Hdf5File& file, const std::string& name) {
  const Hdf5Handle access = io::checked({H5Pcreate(H5P_DATASET_ACCESS), H5Pclose}, file.name(), "cannot be read");
  H5Pset_elink_cb(access.id(), refuse_external_link, nullptr);
  Hdf5Handle dataset;
  if (!name.empty() && name.find('\0') == std::string::npos) {
    dataset = {H5Dopen2(file.id(), name.c_str(), access.id()), H5Dclose};
  }
  if (dataset.valid()) return dataset;
  const std::vector<std::string> names = io::dataset_names(file);
  if (std::ranges::find(names, name) != names.end()) io::throw_hdf5_error(quoted(file, name), "cannot be opened");
  throw_invalid(fmt::format("{}: there is no dataset \"{}\"", file.name(), io::printable(name)), {},
                io::name_list(names));
}

Shape read_shape(const Hdf5Handle& dataset, const std::string& where) {
  const Hdf5Handle space = io::checked({H5Dget_space(dataset.id()), H5Sclose}, where, "its shape cannot be read");
  if (H5Sget_simple_extent_type(space.id()) == H5S_NULL) {
    io::throw_file_error(where, "has neither shape nor data", "write it with a shape");
  }
  const int rank = H5Sget_simple_extent_ndims(space.id());
  if (rank < 0 || rank > H5S_MAX_RANK) io::throw_hdf5_error(where, "its shape cannot be read");
  hsize_t extents[H5S_MAX_RANK] = {};
  if (H5Sget_simple_extent_dims(space.id(), extents, nullptr) < 0) {
    io::throw_hdf5_error(where, "its shape cannot be read");
  }
  return Shape(extents, extents + rank);
}

[[noreturn]] void claims_too_much(const std::string& where, const Shape& shape, DType dtype, std::int64_t stored) {
  io::throw_file_error(where,
                       fmt::format("shape {} of {} is claimed, but only {} bytes are stored", format_shape(shape),
                                   to_string(dtype), stored),
                       "the file is damaged, or the dataset was created and never written; write it again");
}

// Bytes that the dataset has in the file, no more than the file has; nothing when it was never written.
std::optional<std::int64_t> stored_bytes(const Hdf5File& file, const Hdf5Handle& dataset, H5D_layout_t layout) {
  const auto size = static_cast<std::int64_t>(file.size());
  const auto claimed =
      static_cast<std::int64_t>(std::min<std::uint64_t>(H5Dget_storage_size(dataset.id()), file.size()));
  // Compact data lie in the dataset's own header; HDF5 reads through a null pointer when they are missing there.
  if (layout == H5D_COMPACT) return claimed;
  if (claimed == 0) return std::nullopt;
  if (layout != H5D_CONTIGUOUS) return claimed;
  const haddr_t position = H5Dget_offset(dataset.id());
  if (position == HADDR_UNDEF) return std::nullopt;
  if (position > file.size()) return 0;
  return std::min(claimed, size - static_cast<std::int64_t>(position));
}

// Chunks are unpacked whole, so one that is far larger than its dataset is a claim too.
std::int64_t chunk_bytes(const Hdf5Handle& creation, std::int64_t item) {
  hsize_t extents[H5S_MAX_RANK] = {};
  const int rank = H5Pget_chunk(creation.id(), H5S_MAX_RANK, extents);
  const Shape chunk(extents, extents + std::clamp(rank, 0, H5S_MAX_RANK));
  const auto count = checked_product(chunk);
  return count ? checked_multiply(*count, item).value_or(INT64_MAX) : INT64_MAX;
}

// Everything is refused before memory is allocated that the stored bytes cannot fill.
void check_claims(const Hdf5File& file, const Hdf5Handle& dataset, const std::string& where, const Shape& shape,
                  DType dtype) {
  const Hdf5Handle creation =
      io::checked({H5Dget_create_plist(dataset.id()), H5Pclose}, where, "its layout cannot be read");
  const H5D_layout_t layout = H5Pget_layout(creation.id());
  if (layout == H5D_VIRTUAL || H5Pget_external_count(creation.id()) > 0) {
    throw_unsupported(where + " keeps its data in other files", {},
                      "copy the data into one file, such as with h5repack");
  }
  const auto written = stored_bytes(file, dataset, layout);
  const std::int64_t stored = written.value_or(0);
  const auto item = static_cast<std::int64_t>(size_of(dtype));
  std::int64_t limit = written.value_or(kUnwritten);
  if (layout == H5D_CHUNKED) {
    limit = std::max(checked_multiply(stored, kMaxRatio).value_or(INT64_MAX), kUnwritten);
    if (chunk_bytes(creation, item) > limit) claims_too_much(where, shape, dtype, stored);
  }
  const auto count = checked_product(shape);
  const bool negative = std::ranges::any_of(shape, [](std::int64_t extent) { return extent < 0; });
  if (negative || !count || *count > limit / item) claims_too_much(where, shape, dtype, stored);
}

Tensor read_dataset(const Hdf5File& file, std::string_view dataset_name) {
  const std::string name(dataset_name);
  const std::string where = quoted(file, name);
  const Hdf5Handle dataset = open_dataset(file, name);
  const Hdf5Handle type = io::checked({H5Dget_type(dataset.id()), H5Tclose}, where, "its type cannot be read");
  const auto dtype = io::dtype_of_hdf5(type.id());
  if (!dtype) {
    throw_unsupported(fmt::format("{} has elements of {} type with {} bytes", where, io::hdf5_class_name(type.id()),
                                  H5Tget_size(type.id())),
                      {}, "write bool, integers, float16/32/64, or complex numbers as h5py does");
  }
  const Shape shape = read_shape(dataset, where);
  check_claims(file, dataset, where, shape, *dtype);
  const auto parts = is_complex(*dtype) ? io::complex_parts_of(type.id()) : io::ComplexParts{};
  const Hdf5Handle memory = io::checked(io::hdf5_memory_type(*dtype, parts), where, "its type cannot be converted");
  Tensor tensor = Tensor::empty(shape, *dtype);
  if (tensor.size() > 0 && H5Dread(dataset.id(), memory.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, tensor.data()) < 0) {
    io::throw_hdf5_error(where, "cannot be read");
  }
  return tensor;
}

}  // namespace

std::vector<std::string> list_hdf5(const std::filesystem::path& path) { return io::dataset_names(io::Hdf5File(path)); }

Tensor load_hdf5(const std::filesystem::path& path, std::string_view name) {
  return read_dataset(io::Hdf5File(path), name);
}

std::vector<std::string> list_hdf5(std::span<const std::byte> bytes, const std::string& file_name) {
  return io::dataset_names(io::Hdf5File(bytes, file_name));
}

Tensor read_hdf5(std::span<const std::byte> bytes, std::string_view name, const std::string& file_name) {
  return read_dataset(io::Hdf5File(bytes, file_name), name);
}

}  // namespace trntensor
