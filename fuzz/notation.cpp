// Any bytes as subscripts: refused as InvalidArgument, or a Spec whose text means the same again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "trntensor/einsum/spec.hpp"
#include "trntensor/support/error.hpp"

namespace {

using trntensor::Shape;

/// The first bytes are shapes: a count of operands, then for each a rank and extents; the rest is the text.
class Reader {
 public:
  Reader(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  std::vector<Shape> shapes() {
    std::vector<Shape> shapes(next() % 5);
    for (Shape& shape : shapes) {
      for (unsigned rank = next() % 6; rank > 0; --rank) shape.push_back(next() % 4);
    }
    return shapes;
  }

  [[nodiscard]] std::string rest() const { return {reinterpret_cast<const char*>(data_) + at_, size_ - at_}; }

 private:
  unsigned next() { return at_ < size_ ? data_[at_++] : 0; }

  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Reader reader(data, size);
  const std::vector<Shape> shapes = reader.shapes();
  const std::string text = reader.rest();
  try {
    const trntensor::Spec spec = trntensor::parse_spec(text, shapes);
    if (!(trntensor::parse_spec(spec.to_string(), shapes) == spec)) std::abort();
  } catch (const trntensor::Error& error) {
    if (error.kind() != trntensor::ErrorKind::kInvalidArgument) std::abort();
  }
  return 0;
}
