// 16-bit floats in vectors of float32; compiled once per instruction set.
#if defined(TRNTENSOR_HOST_KERNELS_HALF_FLOATS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef TRNTENSOR_HOST_KERNELS_HALF_FLOATS_INL_HPP
#undef TRNTENSOR_HOST_KERNELS_HALF_FLOATS_INL_HPP
#else
#define TRNTENSOR_HOST_KERNELS_HALF_FLOATS_INL_HPP
#endif

#include <cstdint>
#include <type_traits>

#include "hwy/highway.h"
#include "trntensor/host/kernels/dispatch.hpp"
#include "trntensor/tensor/convert_element.hpp"

#if TRNTENSOR_HOST_HAS_SIMD
HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// True where a CPU of this instruction set converts float16.
#define TRNTENSOR_HOST_HAS_FLOAT16 (HWY_TARGET <= HWY_AVX2)

/// bfloat16, the upper half of a float32.
struct Bfloat16 {
  std::uint16_t bits;

  template <class D>
  HWY_INLINE static hn::Vec<D> widen(D d, const Bfloat16* from) {
    const hn::RebindToUnsigned<D> d_bits;
    const hn::Rebind<std::uint16_t, D> d16;
    const auto half = hn::LoadU(d16, reinterpret_cast<const std::uint16_t*>(from));
    return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(d_bits, half)));
  }

  /// To nearest, ties to even; a NaN keeps its upper bits and becomes quiet.
  template <class D>
  HWY_INLINE static void narrow(D d, hn::Vec<D> value, Bfloat16* to) {
    const hn::RebindToUnsigned<D> d_bits;
    const hn::Rebind<std::uint16_t, D> d16;
    const auto word = hn::BitCast(d_bits, value);
    const auto upper = hn::ShiftRight<16>(word);
    const auto odd = hn::And(upper, hn::Set(d_bits, 1));
    const auto rounded = hn::ShiftRight<16>(hn::Add(word, hn::Add(odd, hn::Set(d_bits, 0x7fff))));
    const auto quiet = hn::Or(upper, hn::Set(d_bits, 0x40));
    const auto is_nan = hn::BitCast(d_bits, hn::VecFromMask(d, hn::IsNaN(value)));
    const auto half = hn::IfVecThenElse(is_nan, quiet, rounded);
    hn::StoreU(hn::DemoteTo(d16, hn::BitCast(hn::RebindToSigned<D>(), half)), d16,
               reinterpret_cast<std::uint16_t*>(to));
  }
};

#if TRNTENSOR_HOST_HAS_FLOAT16
struct Float16 {
  std::uint16_t bits;

  template <class D>
  HWY_INLINE static hn::Vec<D> widen(D d, const Float16* from) {
    const hn::Rebind<hwy::float16_t, D> d16;
    return hn::PromoteTo(d, hn::LoadU(d16, reinterpret_cast<const hwy::float16_t*>(from)));
  }

  template <class D>
  HWY_INLINE static void narrow(D, hn::Vec<D> value, Float16* to) {
    const hn::Rebind<hwy::float16_t, D> d16;
    hn::StoreU(hn::DemoteTo(d16, value), d16, reinterpret_cast<hwy::float16_t*>(to));
  }
};
#endif

template <class Half>
using ScalarOf = std::conditional_t<std::is_same_v<Half, Bfloat16>, bfloat16, float16>;

/// One element; memory of any alignment.
template <class Half>
HWY_INLINE float widen_one(const Half* from) {
  return convert_element<float>(load_element<ScalarOf<Half>>(from));
}

template <class Half>
HWY_INLINE void narrow_one(float value, Half* to) {
  store_element(to, convert_element<ScalarOf<Half>>(value));
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // TRNTENSOR_HOST_HAS_SIMD

#endif  // per-target include guard
