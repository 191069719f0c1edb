// HDF5 files of all shapes: the input chooses datasets, which the HDF5 library writes into memory; then the file may be
// cut off or its raw data changed. What was written comes back, damage is an Error of the user's kinds, and nothing is
// larger than deflate can make of the file. The metadata are left whole: the library does not survive every change of
// them, and it is not ours to test.
#include "trntensor/tensor/hdf5.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>

#include "trntensor/tensor/hdf5_handle.hpp"
#include "trntensor/tensor/hdf5_types.hpp"

namespace {

using trntensor::DType;
using trntensor::Error;
using trntensor::ErrorKind;
using trntensor::Shape;
using trntensor::Tensor;
using trntensor::io::Hdf5Handle;
using Bytes = std::vector<std::byte>;

// What deflate can make of the bytes, or what is granted to data that were never written.
constexpr std::size_t kMaxRatio = 1032;
constexpr std::size_t kUnwritten = std::size_t{1} << 20;

void require(bool condition) {
  if (!condition) std::abort();
}

// The input as a row of small choices; zeros after its end.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  std::size_t below(std::size_t limit) { return byte() % limit; }
  std::uint8_t byte() { return position_ < size_ ? data_[position_++] : std::uint8_t{0}; }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t position_ = 0;
};

struct Written {
  std::string name;
  Tensor expected;  // rank-0 zero when never written
  bool has_data = false;
};

struct Image {
  Bytes bytes;
  std::vector<Written> datasets;
};

DType choose_dtype(Choices& choices) {
  while (true) {
    const auto dtype = static_cast<DType>(choices.below(trntensor::kDTypeCount));
    if (!is_floating(dtype) || size_of(dtype) > 1) return dtype;
    if (choices.below(2) == 0) return DType::kFloat64;
  }
}

Shape choose_shape(Choices& choices) {
  Shape shape;
  for (std::size_t axes = choices.below(4); axes > 0; --axes)
    shape.push_back(static_cast<std::int64_t>(choices.below(6)));
  return shape;
}

Hdf5Handle choose_layout(Choices& choices, const Shape& shape) {
  Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const std::size_t layout = choices.below(3);
  if (layout == 0) H5Pset_layout(creation.id(), H5D_COMPACT);
  if (layout == 1 && choices.below(2) == 0) H5Pset_alloc_time(creation.id(), H5D_ALLOC_TIME_EARLY);
  const bool has_elements = !shape.empty() && std::ranges::find(shape, 0) == shape.end();
  if (layout != 2 || !has_elements) return creation;
  std::vector<hsize_t> chunk;
  for (const std::int64_t extent : shape) chunk.push_back(1 + choices.below(static_cast<std::size_t>(extent)));
  H5Pset_chunk(creation.id(), static_cast<int>(chunk.size()), chunk.data());
  const std::size_t filters = choices.below(8);
  if ((filters & 1) != 0) H5Pset_shuffle(creation.id());
  if ((filters & 2) != 0) H5Pset_deflate(creation.id(), 6);
  if ((filters & 4) != 0) H5Pset_fletcher32(creation.id());
  return creation;
}

// A dataset that claims a huge shape and holds nothing.
void add_claim(hid_t file, Choices& choices, Written& written) {
  const hsize_t extents[2] = {hsize_t{1} << (10 + choices.below(50)), 1 + choices.below(3)};
  const Hdf5Handle space(H5Screate_simple(2, extents, nullptr), H5Sclose);
  Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const hsize_t chunk[2] = {1 + choices.below(64), 1};
  if (choices.below(2) == 0) H5Pset_chunk(creation.id(), 2, chunk);
  const Hdf5Handle dataset(
      H5Dcreate2(file, written.name.c_str(), H5T_IEEE_F64LE, space.id(), H5P_DEFAULT, creation.id(), H5P_DEFAULT),
      H5Dclose);
}

void add_dataset(hid_t file, Choices& choices, Written& written) {
  const Shape shape = choose_shape(choices);
  Tensor tensor = Tensor::zeros(shape, choose_dtype(choices));
  auto* first = static_cast<std::uint8_t*>(tensor.data());
  const std::size_t count = static_cast<std::size_t>(tensor.size()) * size_of(tensor.dtype());
  for (std::size_t i = 0; i < count; ++i) first[i] = choices.byte() & (tensor.dtype() == DType::kBool ? 1 : 0x3f);
  const Hdf5Handle type = trntensor::io::hdf5_memory_type(tensor.dtype());
  const Hdf5Handle file_type(H5Tcopy(type.id()), H5Tclose);
  if (choices.below(2) == 0 && !is_complex(tensor.dtype())) H5Tset_order(file_type.id(), H5T_ORDER_BE);
  const std::vector<hsize_t> extents(shape.begin(), shape.end());
  const Hdf5Handle space(extents.empty() ? H5Screate(H5S_SCALAR)
                                         : H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr),
                         H5Sclose);
  const Hdf5Handle creation = choose_layout(choices, shape);
  const Hdf5Handle dataset(
      H5Dcreate2(file, written.name.c_str(), file_type.id(), space.id(), H5P_DEFAULT, creation.id(), H5P_DEFAULT),
      H5Dclose);
  require(dataset.valid());
  written.has_data = H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, tensor.data()) >= 0;
  written.expected = tensor;
}

// A file that goes with the object. Not in memory: the image that the library gives of such a file has a wrong checksum
// in the latest format.
class TemporaryFile {
 public:
  TemporaryFile() : path_((std::filesystem::temp_directory_path() / "trntensor-fuzz-XXXXXX").string()) {
    descriptor_ = mkstemp(path_.data());
    require(descriptor_ >= 0);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    close(descriptor_);
    unlink(path_.c_str());
  }

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] Bytes bytes() const {
    Bytes result(static_cast<std::size_t>(lseek(descriptor_, 0, SEEK_END)));
    require(pread(descriptor_, result.data(), result.size(), 0) == static_cast<ssize_t>(result.size()));
    return result;
  }

 private:
  std::string path_;
  int descriptor_ = -1;
};

Image make_image(Choices& choices) {
  const trntensor::io::Hdf5Session session;
  const TemporaryFile target;
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  if (choices.below(2) == 1) H5Pset_libver_bounds(access.id(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  Hdf5Handle file(H5Fcreate(target.path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose);
  require(file.valid());
  Image image;
  for (std::size_t i = 0, count = 1 + choices.below(3); i < count; ++i) {
    image.datasets.push_back({std::string(1, static_cast<char>('a' + i)), Tensor()});
    if (choices.below(8) == 7) {
      add_claim(file.id(), choices, image.datasets.back());
    } else {
      add_dataset(file.id(), choices, image.datasets.back());
    }
  }
  require(file.reset());
  image.bytes = target.bytes();
  return image;
}

bool equal(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
  const std::size_t count = static_cast<std::size_t>(a.size()) * size_of(a.dtype());
  return std::equal(static_cast<std::byte*>(a.data()), static_cast<std::byte*>(a.data()) + count,
                    static_cast<std::byte*>(b.data()));
}

void read_back(const Image& image, bool damaged) {
  for (const Written& written : image.datasets) {
    try {
      const Tensor tensor = trntensor::read_hdf5(image.bytes, written.name);
      require(static_cast<std::size_t>(tensor.size()) * size_of(tensor.dtype()) <=
              std::max(kMaxRatio * image.bytes.size(), kUnwritten));
      require(damaged || !written.has_data || equal(tensor, written.expected));
    } catch (const Error& error) {
      require(error.kind() == ErrorKind::kIo && (damaged || !written.has_data));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Choices choices(data, size);
  Image image = make_image(choices);
  read_back(image, false);
  image.bytes.resize(image.bytes.size() * choices.byte() / 256);
  read_back(image, true);
  return 0;
}
