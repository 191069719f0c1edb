#include "trntensor/tensor/npy_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "trntensor/support/error.hpp"
#include "trntensor/tensor/messages.hpp"

namespace trntensor::io {
namespace {

static_assert(std::endian::native == std::endian::little, "byte orders in files are told from little-endian memory");

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxHeader = 65535;  // all that version 1.0 can say, and far more than 64 axes need

struct TypeName {
  std::string_view code;
  DType dtype;
};
constexpr std::array<TypeName, 14> kTypeNames{{
    {"b1", DType::kBool},
    {"i1", DType::kInt8},
    {"u1", DType::kUInt8},
    {"i2", DType::kInt16},
    {"u2", DType::kUInt16},
    {"i4", DType::kInt32},
    {"u4", DType::kUInt32},
    {"i8", DType::kInt64},
    {"u8", DType::kUInt64},
    {"f2", DType::kFloat16},
    {"f4", DType::kFloat32},
    {"f8", DType::kFloat64},
    {"c8", DType::kComplex64},
    {"c16", DType::kComplex128},
}};

DType raw_type(std::string_view code, std::optional<DType> raw_as, const std::string& file) {
  const std::size_t size = code == "V1" ? 1 : 2;
  const std::string candidates =
      size == 1 ? "float8_e4m3, float8_e4m3fn or float8_e5m2" : std::string(to_string(DType::kBFloat16));
  if (!raw_as) {
    throw_unsupported(
        fmt::format("{}: the elements are raw bytes (\"{}\"), which does not tell their type", file, code), {},
        fmt::format("say what they are (raw_as): {}", candidates));
  }
  if (size_of(*raw_as) != size) {
    throw_invalid(fmt::format("{}: the elements are {} raw bytes (\"{}\"), {} has {}", file, size, code,
                              to_string(*raw_as), size_of(*raw_as)),
                  {}, fmt::format("read them as {}", candidates));
  }
  return *raw_as;
}

DType parse_type(const std::string& descr, std::optional<DType> raw_as, const std::string& file) {
  std::string_view code = descr;
  if (!code.empty() && std::string_view("<>|=").find(code.front()) != std::string_view::npos) code.remove_prefix(1);
  if (code == "V1" || code == "V2") return raw_type(code, raw_as, file);
  for (const TypeName& entry : kTypeNames) {
    if (entry.code == code) return entry.dtype;
  }
  throw_unsupported(descr.empty() ? fmt::format("{}: the elements are structures", file)
                                  : fmt::format("{}: the element type \"{}\" is not supported", file, printable(descr)),
                    {}, "save an array of bool, integers, float16/32/64 or complex64/128");
}

std::size_t read_length(ByteStream& stream, int major) {
  std::array<std::byte, 4> bytes{};
  stream.read(std::span(bytes).first(major == 1 ? 2 : 4));
  std::size_t length = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) length = length << 8 | std::to_integer<std::size_t>(bytes[i]);
  return length;
}

}  // namespace

NpyHeader read_npy_header(ByteStream& stream, std::optional<DType> raw_as) {
  std::array<char, 8> start{};
  stream.read(std::as_writable_bytes(std::span(start)));
  if (std::string_view(start.data(), kMagic.size()) != kMagic) {
    throw_file_error(stream.name(), "does not start with \\x93NUMPY, so it is no .npy file",
                     "give a file written by numpy.save");
  }
  const int major = static_cast<unsigned char>(start[6]);
  const int minor = static_cast<unsigned char>(start[7]);
  if (major < 1 || major > 3 || minor != 0) {
    throw_file_error(stream.name(), fmt::format(".npy format version {}.{} is not known", major, minor),
                     "versions 1.0, 2.0 and 3.0 are read; write the file again with numpy.save");
  }
  const std::size_t length = read_length(stream, major);
  if (length > kMaxHeader) {
    throw_file_error(stream.name(), fmt::format("the header claims {} bytes of description", length),
                     "the file is damaged; an ordinary array needs a few hundred");
  }
  std::string text(length, '\0');
  stream.read(std::as_writable_bytes(std::span(text)));
  NpyFields fields = parse_npy_fields(text, stream.name());
  const DType dtype = parse_type(fields.descr, raw_as, stream.name());
  const bool swapped = fields.descr.front() == '>' && size_of(dtype) > 1;
  return {dtype, swapped, fields.fortran_order, std::move(fields.shape)};
}

std::vector<std::byte> format_npy_header(DType dtype, bool fortran_order, std::span<const std::int64_t> shape) {
  const auto* entry = std::ranges::find(kTypeNames, dtype, &TypeName::dtype);
  const std::size_t item = size_of(dtype);
  const std::string code = entry != kTypeNames.end() ? std::string(entry->code) : fmt::format("V{}", item);
  std::string text = fmt::format("{{'descr': '{}{}', 'fortran_order': {}, 'shape': {}, }}", item == 1 ? '|' : '<', code,
                                 fortran_order ? "True" : "False", format_shape(shape));
  constexpr std::size_t kStart = 10;  // magic, version, length
  constexpr std::size_t kAlignment = 64;
  text.append(kAlignment - 1 - (kStart + text.size()) % kAlignment, ' ');
  text += '\n';
  std::string bytes(kMagic);
  for (const std::size_t value : {std::size_t{1}, std::size_t{0}, text.size() & 0xff, text.size() >> 8}) {
    bytes += static_cast<char>(value);
  }
  bytes += text;
  const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
  return {first, first + bytes.size()};
}

}  // namespace trntensor::io
