#include "trntensor/tensor/hdf5_types.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

namespace trntensor::io {
namespace {

struct FreeText {
  void operator()(char* text) const noexcept { H5free_memory(text); }
};

Hdf5Handle copy_type(hid_t type) { return {H5Tcopy(type), H5Tclose}; }

std::string member_name(hid_t type, unsigned index) {
  const std::unique_ptr<char, FreeText> name(H5Tget_member_name(type, index));
  return name == nullptr ? std::string() : std::string(name.get());
}

// A 16-bit float of the given field widths in this machine's byte order.
Hdf5Handle float_type_16(std::size_t exponent_bits, std::size_t mantissa_bits) {
  Hdf5Handle type = copy_type(H5T_IEEE_F32LE);
  const bool made = H5Tset_fields(type.id(), 15, mantissa_bits, exponent_bits, 0, mantissa_bits) >= 0 &&
                    H5Tset_size(type.id(), 2) >= 0 &&
                    H5Tset_ebias(type.id(), (std::size_t{1} << (exponent_bits - 1)) - 1) >= 0;
  return made ? std::move(type) : Hdf5Handle();
}

Hdf5Handle float16_type() { return float_type_16(5, 10); }
Hdf5Handle bfloat16_type() { return float_type_16(8, 7); }

Hdf5Handle complex_type(hid_t part, std::size_t part_size, const ComplexParts& names) {
  Hdf5Handle type(H5Tcreate(H5T_COMPOUND, 2 * part_size), H5Tclose);
  const bool made = H5Tinsert(type.id(), names.real.c_str(), 0, part) >= 0 &&
                    H5Tinsert(type.id(), names.imaginary.c_str(), part_size, part) >= 0;
  return made ? std::move(type) : Hdf5Handle();
}

Hdf5Handle bool_type() {
  Hdf5Handle type(H5Tenum_create(H5T_NATIVE_INT8), H5Tclose);
  const std::int8_t no = 0;
  const std::int8_t yes = 1;
  const bool made = H5Tenum_insert(type.id(), "FALSE", &no) >= 0 && H5Tenum_insert(type.id(), "TRUE", &yes) >= 0;
  return made ? std::move(type) : Hdf5Handle();
}

std::optional<DType> integer_dtype(hid_t type) {
  const bool with_sign = H5Tget_sign(type) == H5T_SGN_2;
  switch (H5Tget_size(type)) {
    case 1:
      return with_sign ? DType::kInt8 : DType::kUInt8;
    case 2:
      return with_sign ? DType::kInt16 : DType::kUInt16;
    case 4:
      return with_sign ? DType::kInt32 : DType::kUInt32;
    case 8:
      return with_sign ? DType::kInt64 : DType::kUInt64;
    default:
      return std::nullopt;
  }
}

bool same_but_for_order(hid_t file_type, const Hdf5Handle& ours) {
  const Hdf5Handle copy = copy_type(file_type);
  return H5Tset_order(copy.id(), H5T_ORDER_LE) >= 0 && H5Tequal(copy.id(), ours.id()) > 0;
}

std::optional<DType> float_dtype(hid_t type) {
  switch (H5Tget_size(type)) {
    case 2:
      if (same_but_for_order(type, float16_type())) return DType::kFloat16;
      if (same_but_for_order(type, bfloat16_type())) return DType::kBFloat16;
      return std::nullopt;
    case 4:
      return DType::kFloat32;
    case 8:
      return DType::kFloat64;
    default:
      return std::nullopt;
  }
}

std::optional<DType> complex_dtype(hid_t type) {
  if (H5Tget_nmembers(type) != 2) return std::nullopt;
  const std::string first = member_name(type, 0);
  const std::string second = member_name(type, 1);
  const bool known = (first == "r" && second == "i") || (first == "real" && second == "imag");
  const Hdf5Handle real(H5Tget_member_type(type, 0), H5Tclose);
  const Hdf5Handle imaginary(H5Tget_member_type(type, 1), H5Tclose);
  if (!known || H5Tget_class(real.id()) != H5T_FLOAT || H5Tequal(real.id(), imaginary.id()) <= 0) return std::nullopt;
  const auto part = float_dtype(real.id());
  if (part == DType::kFloat32) return DType::kComplex64;
  if (part == DType::kFloat64) return DType::kComplex128;
  return std::nullopt;
}

std::optional<DType> enumeration_dtype(hid_t type) {
  const Hdf5Handle ours = bool_type();
  return H5Tequal(type, ours.id()) > 0 ? std::optional(DType::kBool) : std::nullopt;
}

hid_t native_type(DType dtype) {
  switch (dtype) {
    case DType::kInt8:
      return H5T_STD_I8LE;
    case DType::kUInt8:
      return H5T_STD_U8LE;
    case DType::kInt16:
      return H5T_STD_I16LE;
    case DType::kUInt16:
      return H5T_STD_U16LE;
    case DType::kInt32:
      return H5T_STD_I32LE;
    case DType::kUInt32:
      return H5T_STD_U32LE;
    case DType::kInt64:
      return H5T_STD_I64LE;
    case DType::kUInt64:
      return H5T_STD_U64LE;
    case DType::kFloat32:
      return H5T_IEEE_F32LE;
    case DType::kFloat64:
      return H5T_IEEE_F64LE;
    default:
      return -1;
  }
}

}  // namespace

std::optional<DType> dtype_of_hdf5(hid_t file_type) {
  switch (H5Tget_class(file_type)) {
    case H5T_INTEGER:
      return integer_dtype(file_type);
    case H5T_FLOAT:
      return float_dtype(file_type);
    case H5T_COMPOUND:
      return complex_dtype(file_type);
    case H5T_ENUM:
      return enumeration_dtype(file_type);
    default:
      return std::nullopt;
  }
}

const char* hdf5_class_name(hid_t file_type) {
  constexpr std::array<const char*, 11> kNames{"integer",   "float",           "time",     "string",
                                               "bit field", "opaque",          "compound", "reference",
                                               "enum",      "variable length", "array"};
  const auto index = static_cast<int>(H5Tget_class(file_type));
  return index >= 0 && index < static_cast<int>(kNames.size()) ? kNames[static_cast<std::size_t>(index)] : "unknown";
}

Hdf5Handle hdf5_memory_type(DType dtype, const ComplexParts& complex_parts) {
  switch (dtype) {
    case DType::kBool:
      return bool_type();
    case DType::kFloat16:
      return float16_type();
    case DType::kBFloat16:
      return bfloat16_type();
    case DType::kComplex64:
      return complex_type(H5T_IEEE_F32LE, sizeof(float), complex_parts);
    case DType::kComplex128:
      return complex_type(H5T_IEEE_F64LE, sizeof(double), complex_parts);
    default:
      return native_type(dtype) < 0 ? Hdf5Handle() : copy_type(native_type(dtype));
  }
}

ComplexParts complex_parts_of(hid_t file_type) { return {member_name(file_type, 0), member_name(file_type, 1)}; }

}  // namespace trntensor::io
