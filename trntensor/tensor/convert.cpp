#include "trntensor/tensor/convert.hpp"

#include <array>
#include <utility>

namespace trntensor {
namespace {

template <typename From, typename To>
void run(const std::byte* source, std::int64_t source_step, std::byte* target, std::int64_t target_step,
         std::int64_t count) noexcept {
  constexpr auto kFromSize = static_cast<std::int64_t>(sizeof(From));
  constexpr auto kToSize = static_cast<std::int64_t>(sizeof(To));
  if (source_step == kFromSize && target_step == kToSize) {  // steps the compiler knows, so that it can use vectors
    if constexpr (std::is_same_v<From, To> && !std::is_same_v<From, bool>) {
      std::memcpy(target, source, static_cast<std::size_t>(count * kToSize));
    } else {
      for (std::int64_t i = 0; i < count; ++i) {
        store_element(target + i * kToSize, convert_element<To>(load_element<From>(source + i * kFromSize)));
      }
    }
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    store_element(target + i * target_step, convert_element<To>(load_element<From>(source + i * source_step)));
  }
}

using Row = std::array<ConvertRun, kDTypeCount>;

template <typename From>
ConvertRun run_to(DType target) noexcept {
  return visit_dtype(target, []<typename To>(std::type_identity<To>) -> ConvertRun { return &run<From, To>; });
}

template <std::size_t... kIndices>
std::array<Row, kDTypeCount> make_table(std::index_sequence<kIndices...>) noexcept {
  const auto row = [](DType source) {
    return visit_dtype(source, []<typename From>(std::type_identity<From>) {
      return Row{run_to<From>(static_cast<DType>(kIndices))...};
    });
  };
  return {row(static_cast<DType>(kIndices))...};
}

}  // namespace

ConvertRun convert_run_function(DType source_dtype, DType target_dtype) noexcept {
  static const auto kTable = make_table(std::make_index_sequence<kDTypeCount>{});
  return kTable[static_cast<std::size_t>(source_dtype)][static_cast<std::size_t>(target_dtype)];
}

void convert_run(const void* source, DType source_dtype, std::int64_t source_stride, void* target, DType target_dtype,
                 std::int64_t target_stride, std::int64_t count) noexcept {
  if (count <= 0) return;
  convert_run_function(source_dtype, target_dtype)(
      static_cast<const std::byte*>(source), source_stride * static_cast<std::int64_t>(size_of(source_dtype)),
      static_cast<std::byte*>(target), target_stride * static_cast<std::int64_t>(size_of(target_dtype)), count);
}

}  // namespace trntensor
