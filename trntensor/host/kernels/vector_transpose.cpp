// Transposition of blocks of elements of 1 to 16 bytes in vector registers, and copies past the caches.
#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "trntensor/host/kernels/vector_transpose.cpp"
#include "hwy/foreach_target.h"
#include "trntensor/host/kernels/vector_ops-inl.hpp"
#include "trntensor/host/kernels/vector_parts.hpp"

HWY_BEFORE_NAMESPACE();
namespace trntensor::host::HWY_NAMESPACE {

[[maybe_unused]] constexpr std::int64_t kBlockBytes = 16;

template <std::int64_t kItem>
void transpose_scalar(const std::byte* src, std::int64_t src_step, std::byte* dst, std::int64_t dst_step,
                      std::int64_t rows, std::int64_t columns) {
  for (std::int64_t c = 0; c < columns; ++c) {
    for (std::int64_t r = 0; r < rows; ++r) {
      std::memcpy(dst + c * dst_step + r * kItem, src + r * src_step + c * kItem, kItem);
    }
  }
}

#if !TRNTENSOR_VECTOR_GENERIC
// 16-byte blocks of a vector from places `step` bytes apart.
template <class D>
HWY_INLINE hn::Vec<D> load_blocks(D d, const std::byte* p, std::int64_t step) {
  constexpr std::int64_t kBytes = static_cast<std::int64_t>(hn::MaxLanes(D()) * sizeof(hn::TFromD<D>));
  if constexpr (kBytes == kBlockBytes) {
    return hn::LoadU(d, reinterpret_cast<const hn::TFromD<D>*>(p));
  } else {
    const hn::Half<D> half;
    return hn::Combine(d, load_blocks(half, p + kBytes / kBlockBytes / 2 * step, step), load_blocks(half, p, step));
  }
}

template <bool kStream, typename D, typename V>
HWY_INLINE void put(V v, D d, std::byte* target) {
  auto* const lanes = reinterpret_cast<hn::TFromD<D>*>(target);
  if constexpr (kStream) {
    hn::Stream(v, d, lanes);
  } else {
    hn::StoreU(v, d, lanes);
  }
}

// One vector of rows, one block of columns. Block b of v[i] comes from row b * kSide + i, so that the squares of
// kSide x kSide elements lie in blocks; interleaving vector i with vector i + kSide / 2, log2(kSide) times,
// transposes each square within its block, and v[c] becomes column c.
template <bool kStream, typename T>
HWY_INLINE void transpose_strip(const std::byte* src, std::int64_t src_step, std::byte* dst, std::int64_t dst_step) {
  constexpr int kSide = static_cast<int>(kBlockBytes / static_cast<std::int64_t>(sizeof(T)));
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  V v[kSide];
  for (int i = 0; i < kSide; ++i) v[i] = load_blocks(d, src + i * src_step, kSide * src_step);
  for (int round = 1; round < kSide; round *= 2) {
    V w[kSide];
    for (int i = 0; i < kSide / 2; ++i) {
      w[2 * i] = hn::InterleaveLower(d, v[i], v[i + kSide / 2]);
      w[2 * i + 1] = hn::InterleaveUpper(d, v[i], v[i + kSide / 2]);
    }
    for (int i = 0; i < kSide; ++i) v[i] = w[i];
  }
  for (int i = 0; i < kSide; ++i) put<kStream>(v[i], d, dst + i * dst_step);
}

template <bool kStream, typename T>
void transpose(const std::byte* src, std::int64_t src_step, std::byte* dst, std::int64_t dst_step, std::int64_t rows,
               std::int64_t columns) {
  constexpr auto kItem = static_cast<std::int64_t>(sizeof(T));
  constexpr auto kRows = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<T>()));
  constexpr std::int64_t kColumns = kBlockBytes / kItem;
  const std::int64_t whole_columns = columns - columns % kColumns;
  std::int64_t r = 0;
  for (; r + kRows <= rows; r += kRows) {
    for (std::int64_t c = 0; c < whole_columns; c += kColumns) {
      transpose_strip<kStream, T>(src + r * src_step + c * kItem, src_step, dst + c * dst_step + r * kItem, dst_step);
    }
  }
  transpose_scalar<kItem>(src + whole_columns * kItem, src_step, dst + whole_columns * dst_step, dst_step, r,
                          columns - whole_columns);
  transpose_scalar<kItem>(src + r * src_step, src_step, dst + r * kItem, dst_step, rows - r, columns);
}

// Elements of 16 bytes are blocks themselves.
template <bool kStream>
void transpose_blocks(const std::byte* src, std::int64_t src_step, std::byte* dst, std::int64_t dst_step,
                      std::int64_t rows, std::int64_t columns) {
  const hn::ScalableTag<std::uint64_t> d;
  constexpr auto kRows = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<std::uint64_t>())) / 2;
  std::int64_t r = 0;
  for (; r + kRows <= rows; r += kRows) {
    for (std::int64_t c = 0; c < columns; ++c) {
      put<kStream>(load_blocks(d, src + r * src_step + c * kBlockBytes, src_step), d,
                   dst + c * dst_step + r * kBlockBytes);
    }
  }
  transpose_scalar<kBlockBytes>(src + r * src_step, src_step, dst + r * kBlockBytes, dst_step, rows - r, columns);
}

template <bool kStream>
void fill_transposes(Transpose (&transposes)[5]) {
  transposes[0] = &transpose<kStream, std::uint8_t>;
  transposes[1] = &transpose<kStream, std::uint16_t>;
  transposes[2] = &transpose<kStream, std::uint32_t>;
  transposes[3] = &transpose<kStream, std::uint64_t>;
  transposes[4] = &transpose_blocks<kStream>;
}

void stream_run(const std::byte* src, std::byte* dst, std::int64_t bytes) {
  constexpr std::int64_t kLine = 64;
  const std::int64_t head = std::min(bytes, -reinterpret_cast<std::intptr_t>(dst) & (kLine - 1));
  std::memcpy(dst, src, static_cast<std::size_t>(head));
  const hn::ScalableTag<std::uint8_t> d;
  constexpr auto kBytes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<std::uint8_t>()));
  std::int64_t i = head;
  for (; i + kLine <= bytes; i += kLine) {
    for (std::int64_t part = 0; part < kLine; part += kBytes) {
      put<true>(hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(src + i + part)), d, dst + i + part);
    }
  }
  std::memcpy(dst + i, src + i, static_cast<std::size_t>(bytes - i));
}
#else
void stream_run(const std::byte* src, std::byte* dst, std::int64_t bytes) {
  std::memcpy(dst, src, static_cast<std::size_t>(bytes));
}
#endif  // !TRNTENSOR_VECTOR_GENERIC

void fill_transpose_kernels(VectorTable& table) {
#if TRNTENSOR_VECTOR_GENERIC
  table.transpose[0] = &transpose_scalar<1>;
  table.transpose[1] = &transpose_scalar<2>;
  table.transpose[2] = &transpose_scalar<4>;
  table.transpose[3] = &transpose_scalar<8>;
  table.transpose[4] = &transpose_scalar<16>;
#else
  fill_transposes<false>(table.transpose);
  if (hn::MaxLanes(hn::ScalableTag<std::uint8_t>()) == 64) fill_transposes<true>(table.stream_transpose);
#endif
  table.stream_run = &stream_run;
}

}  // namespace trntensor::host::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trntensor::host {

HWY_EXPORT(fill_transpose_kernels);

FillVectorTable transpose_kernels_for(std::int64_t target) {
  return entry_for(HWY_DISPATCH_TABLE(fill_transpose_kernels), target);
}

}  // namespace trntensor::host
#endif
