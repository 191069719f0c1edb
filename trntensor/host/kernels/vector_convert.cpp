// Conversion of runs of 16-bit floats to float32 and back.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trntensor/host/kernels/vector_convert.cpp"
#include "hwy/foreach_target.h"
#include "trntensor/host/kernels/half_floats-inl.hpp"
#include "trntensor/host/kernels/vector_parts.hpp"

HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {

#if TRNTENSOR_HOST_HAS_SIMD
template <class Half>
void widen_run(const std::byte* source, std::byte* target, std::int64_t count) {
  const hn::ScalableTag<float> d;
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  const auto* from = reinterpret_cast<const Half*>(source);
  auto* to = reinterpret_cast<float*>(target);
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) hn::StoreU(Half::widen(d, from + i), d, to + i);
  for (; i < count; ++i) store_element(to + i, widen_one(from + i));
}

template <class Half>
void narrow_run(const std::byte* source, std::byte* target, std::int64_t count) {
  const hn::ScalableTag<float> d;
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  const auto* from = reinterpret_cast<const float*>(source);
  auto* to = reinterpret_cast<Half*>(target);
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) Half::narrow(d, hn::LoadU(d, from + i), to + i);
  for (; i < count; ++i) narrow_one(load_element<float>(from + i), to + i);
}
#endif

void fill_convert_kernels([[maybe_unused]] VectorTable& table) {
#if TRNTENSOR_HOST_HAS_SIMD
  table.bfloat16s = {&widen_run<Bfloat16>, &narrow_run<Bfloat16>};
#if TRNTENSOR_HOST_HAS_FLOAT16
  table.float16s = {&widen_run<Float16>, &narrow_run<Float16>};
#endif
#endif
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trntensor::host {

HWY_EXPORT(fill_convert_kernels);

FillVectorTable convert_kernels_for(std::int64_t target) {
  return entry_for(HWY_DISPATCH_TABLE(fill_convert_kernels), target);
}

}  // namespace trntensor::host
#endif
