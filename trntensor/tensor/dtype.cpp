#include "trntensor/tensor/dtype.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>
#include <tuple>
#include <vector>

#include "trntensor/support/error.hpp"
#include "trntensor/support/text.hpp"

namespace trntensor {
namespace {

enum class Kind : std::uint8_t { kBool, kUnsigned, kSigned, kReal, kComplex };

struct DTypeFacts {
  std::string_view name;
  std::string_view short_name;
  Kind kind;
  std::uint8_t size;
};

constexpr std::array<DTypeFacts, kDTypeCount> kFacts{{
    {"bool", "b1", Kind::kBool, 1},
    {"int8", "i8", Kind::kSigned, 1},
    {"uint8", "u8", Kind::kUnsigned, 1},
    {"int16", "i16", Kind::kSigned, 2},
    {"uint16", "u16", Kind::kUnsigned, 2},
    {"int32", "i32", Kind::kSigned, 4},
    {"uint32", "u32", Kind::kUnsigned, 4},
    {"int64", "i64", Kind::kSigned, 8},
    {"uint64", "u64", Kind::kUnsigned, 8},
    {"float8_e4m3", "e4m3", Kind::kReal, 1},
    {"float8_e4m3fn", "e4m3fn", Kind::kReal, 1},
    {"float8_e5m2", "e5m2", Kind::kReal, 1},
    {"float16", "f16", Kind::kReal, 2},
    {"bfloat16", "bf16", Kind::kReal, 2},
    {"float32", "f32", Kind::kReal, 4},
    {"float64", "f64", Kind::kReal, 8},
    {"complex64", "c64", Kind::kComplex, 8},
    {"complex128", "c128", Kind::kComplex, 16},
}};

constexpr const DTypeFacts& facts(DType dtype) noexcept { return kFacts[static_cast<std::size_t>(dtype)]; }
constexpr Kind kind_of(DType dtype) noexcept { return facts(dtype).kind; }

constexpr DType signed_of_size(std::size_t size) noexcept {
  return size == 1 ? DType::kInt8 : size == 2 ? DType::kInt16 : size == 4 ? DType::kInt32 : DType::kInt64;
}

DType promote_integers(DType a, DType b) noexcept {
  if (kind_of(a) == kind_of(b)) return size_of(a) >= size_of(b) ? a : b;
  const DType with_sign = kind_of(a) == Kind::kSigned ? a : b;
  const DType without = kind_of(a) == Kind::kSigned ? b : a;
  if (size_of(without) == 8) return DType::kFloat64;
  return signed_of_size(std::max(size_of(with_sign), 2 * size_of(without)));
}

DType promote_reals(DType a, DType b) noexcept {
  const DType wide = size_of(a) >= size_of(b) ? a : b;
  if (size_of(a) != size_of(b)) return wide;
  return size_of(a) == 1 ? DType::kFloat16 : DType::kFloat32;
}

DType promote_real_integer(DType real, DType integer) noexcept {
  if (size_of(integer) >= 4) return DType::kFloat64;
  if (size_of(integer) == 2) return size_of(real) >= 4 ? real : DType::kFloat32;
  return size_of(real) == 1 ? DType::kFloat16 : real;
}

}  // namespace

std::size_t size_of(DType dtype) noexcept { return facts(dtype).size; }
std::string_view to_string(DType dtype) noexcept { return facts(dtype).name; }

DType parse_dtype(std::string_view name) {
  const std::string lower = lower_case(name);
  std::string names;
  for (int i = 0; i < kDTypeCount; ++i) {
    const DTypeFacts& entry = kFacts[static_cast<std::size_t>(i)];
    if (lower == entry.name || lower == entry.short_name) return static_cast<DType>(i);
    names += fmt::format("{}{} ({})", i == 0 ? "" : ", ", entry.name, entry.short_name);
  }
  throw_invalid(fmt::format("unknown dtype \"{}\"", name), {}, "use one of " + names);
}

bool is_integer(DType dtype) noexcept { return kind_of(dtype) == Kind::kSigned || kind_of(dtype) == Kind::kUnsigned; }
bool is_signed(DType dtype) noexcept { return kind_of(dtype) == Kind::kSigned; }
bool is_floating(DType dtype) noexcept { return kind_of(dtype) == Kind::kReal; }
bool is_complex(DType dtype) noexcept { return kind_of(dtype) == Kind::kComplex; }

DType real_type(DType dtype) noexcept {
  if (dtype == DType::kComplex64) return DType::kFloat32;
  if (dtype == DType::kComplex128) return DType::kFloat64;
  return dtype;
}

DType promote(DType a, DType b) noexcept {
  if (a == b || b == DType::kBool) return a;
  if (a == DType::kBool) return b;
  if (is_complex(a) || is_complex(b)) {
    const DType real = promote(real_type(a), real_type(b));
    return real == DType::kFloat64 ? DType::kComplex128 : DType::kComplex64;
  }
  if (is_integer(a) && is_integer(b)) return promote_integers(a, b);
  if (is_integer(a)) return promote_real_integer(b, a);
  if (is_integer(b)) return promote_real_integer(a, b);
  return promote_reals(a, b);
}

DType promote(std::span<const DType> dtypes) {
  if (dtypes.empty()) throw_invalid("no types to promote", {}, "give at least one");
  const auto rank = [](DType dtype) {
    return is_complex(dtype) ? 3 : is_floating(dtype) ? 2 : is_integer(dtype) ? 1 : 0;
  };
  std::vector<DType> ordered(dtypes.begin(), dtypes.end());
  std::sort(ordered.begin(), ordered.end(),
            [&](DType x, DType y) { return std::tuple(rank(x), size_of(x), x) > std::tuple(rank(y), size_of(y), y); });
  return std::accumulate(ordered.begin() + 1, ordered.end(), ordered.front(),
                         [](DType x, DType y) { return promote(x, y); });
}

DType accumulator_type(DType dtype) noexcept {
  return is_floating(dtype) && size_of(dtype) < 4 ? DType::kFloat32 : dtype;
}

bool can_cast_same_kind(DType from, DType to) noexcept { return kind_of(from) <= kind_of(to); }

}  // namespace trntensor
