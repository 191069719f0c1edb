#include "trntensor/tensor/npy_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "trntensor/support/error.hpp"
#include "trntensor/tensor/convert.hpp"
#include "trntensor/tensor/messages.hpp"
#include "trntensor/tensor/npy_header.hpp"

namespace trntensor::io {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

Shape reversed(const Shape& shape) {
  Shape result = shape;
  std::reverse(result.begin(), result.end());
  return result;
}

InlineVector<int, 8> reversed_axes(int rank) {
  InlineVector<int, 8> axes;
  for (int axis = rank; axis-- > 0;) axes.push_back(axis);
  return axes;
}

// Bytes of the data, which have to be there before anything is allocated for them.
std::size_t checked_data_bytes(const NpyHeader& header, const ByteStream& stream) {
  const auto item = static_cast<std::int64_t>(size_of(header.dtype));
  const auto available = static_cast<std::int64_t>(stream.remaining());
  std::int64_t size = 0;
  try {
    size = checked_size(header.shape);
  } catch (const Error&) {
    size = available + 1;  // more than any file has
  }
  if (size > available / item) {
    throw_file_error(stream.name(),
                     fmt::format("the header claims shape {} of {}, but only {} bytes of data follow",
                                 format_shape(header.shape), to_string(header.dtype), available),
                     "the file is cut off or damaged; get it again");
  }
  return static_cast<std::size_t>(size * item);
}

void write_pieces(const TensorView& tensor, std::vector<std::byte>& buffer,
                  const std::function<void(std::span<const std::byte>)>& write) {
  const std::size_t bytes = static_cast<std::size_t>(tensor.size()) * size_of(tensor.dtype());
  if (bytes == 0) return;
  const bool as_is = tensor.is_contiguous() && tensor.dtype() != DType::kBool;  // bool is written as 0 and 1 only
  if (as_is) return write({tensor.bytes(), bytes});
  if (bytes <= kPieceBytes || tensor.rank() == 0) {
    buffer.resize(bytes);
    copy(tensor, MutableTensorView(buffer.data(), tensor.dtype(), tensor.shape()));
    return write({buffer.data(), bytes});
  }
  const std::int64_t extent = tensor.shape()[0];
  if (extent == 1) return write_pieces(tensor.select(0, 0), buffer, write);
  const std::size_t row_bytes = bytes / static_cast<std::size_t>(extent);
  const auto rows = static_cast<std::int64_t>(std::max<std::size_t>(1, kPieceBytes / row_bytes));
  for (std::int64_t row = 0; row < extent; row += rows) {
    write_pieces(tensor.slice(0, row, std::min(row + rows, extent)), buffer, write);
  }
}

}  // namespace

void swap_byte_order(std::span<std::byte> data, DType dtype) noexcept {
  const std::size_t item = size_of(real_type(dtype));
  for (std::size_t first = 0; first + item <= data.size(); first += item) {
    std::reverse(data.begin() + static_cast<std::ptrdiff_t>(first),
                 data.begin() + static_cast<std::ptrdiff_t>(first + item));
  }
}

Tensor read_npy_stream(ByteStream& stream, std::optional<DType> raw_as) {
  const NpyHeader header = read_npy_header(stream, raw_as);
  const std::size_t bytes = checked_data_bytes(header, stream);
  Tensor tensor = Tensor::empty(header.fortran_order ? reversed(header.shape) : header.shape, header.dtype);
  const std::span<std::byte> data(static_cast<std::byte*>(tensor.data()), bytes);
  stream.read(data);
  if (header.swapped) swap_byte_order(data, header.dtype);
  return header.fortran_order ? tensor.permute(reversed_axes(tensor.rank())) : tensor;
}

void write_npy_stream(const TensorView& tensor, const std::function<void(std::span<const std::byte>)>& write) {
  if (tensor.device().type != DeviceType::kHost) {
    throw_invalid(fmt::format("a tensor on {} cannot be written to a file", to_string(tensor.device())), {},
                  "bring the tensor to the host first");
  }
  const TensorView transposed = tensor.permute(reversed_axes(tensor.rank()));
  const bool fortran_order = !tensor.is_contiguous() && transposed.is_contiguous();
  write(format_npy_header(tensor.dtype(), fortran_order, tensor.shape()));
  std::vector<std::byte> buffer;
  write_pieces(fortran_order ? transposed : tensor, buffer, write);
}

}  // namespace trntensor::io
