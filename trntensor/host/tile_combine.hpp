// Arithmetic on runs of finished sums: alpha * sums + beta * out, and adding tiles.
#pragma once

#include <cstddef>
#include <cstdint>

#include "trntensor/tensor/dtype.hpp"

namespace trntensor::host {

/// out[i] = alpha * sums[i] + beta * old[i], i < count, all of a kernel's dtype; steps in bytes, memory of any
/// alignment. `out` may be `old` or `sums`.
struct CombineArgs {
  const std::byte* sums = nullptr;  ///< side by side
  std::int64_t corrections_distance =
      0;                           ///< compensated: bytes from the sums to their corrections, and on to the rests
  const std::byte* old = nullptr;  ///< null: there is none
  std::int64_t old_step = 0;
  std::byte* out = nullptr;
  std::int64_t out_step = 0;
  std::int64_t count = 0;
  const std::byte* alpha = nullptr;
  const std::byte* beta = nullptr;
};
using CombineRun = void (*)(const CombineArgs& args);

/// tile[i] += other[i]; compensated tiles are `count` sums followed by `count` corrections, once or twice.
using AddTile = void (*)(std::byte* tile, const std::byte* other, std::int64_t count);

struct TileArithmetic {
  CombineRun combine = nullptr;
  AddTile add = nullptr;
};

/// `dtype` is a kernel's. Integers wrap. A complex factor without imaginary part scales both parts. Compensated: the
/// scaled sum is rounded once, with an error below 2^-53 of itself + about 2^-104 (|alpha sum| + |beta old|), 2^-150 if
/// compensated twice.
TileArithmetic tile_arithmetic(DType dtype, int compensated);

}  // namespace trntensor::host
