// From the sums of a tile to the elements of the result: scaling, conversion, any strides.
#pragma once

#include <array>
#include <cstddef>

#include "trntensor/host/block_index.hpp"
#include "trntensor/host/conversion.hpp"
#include "trntensor/host/kernels/table.hpp"
#include "trntensor/host/tile_combine.hpp"

namespace trntensor::host {

/// alpha and beta as elements of a kernel's dtype.
struct KernelScale {
  alignas(16) std::array<std::byte, 16> alpha{};
  alignas(16) std::array<std::byte, 16> beta{};
  alignas(16) std::array<std::byte, 16> one{};
  alignas(16) std::array<std::byte, 16> zero{};
  bool reads_out = false;  ///< beta is not 0
};

/// Real and integer types take the real parts; integers wrap; bool is 1 where the factor is not 0.
KernelScale to_kernel_scale(const Scale& scale, DType accumulator);

/// Where one tile of sums goes.
struct TileTarget {
  std::byte* out = nullptr;                   ///< element with offset 0
  const std::int64_t* row_offsets = nullptr;  ///< in elements, `rows` of them
  std::int64_t rows = 0;
  const BlockIndex* columns = nullptr;
  std::int64_t first_column = 0;
  std::int64_t column_count = 0;
};

/// What happens to a tile of MR x NR sums of the kernel's dtype once they are complete.
class TileStore {
 public:
  /// Throws Internal when the kernel's tiles have more columns than fit the buffer of a row.
  TileStore(const BinaryProblem& problem, const GemmKernel& kernel);

  /// True when the result has the kernel's type, so that kernels can write to it and partial sums may stay in it.
  [[nodiscard]] bool out_holds_sums() const noexcept { return out_holds_sums_; }

  /// Bytes of a tile, with the corrections of a compensated one.
  [[nodiscard]] std::int64_t tile_bytes() const noexcept { return tile_bytes_; }

  /// out = alpha * tile + beta * out, in the accumulator; `beta_is_one` overrides the scale's beta. Uses up the tile.
  void finish(std::byte* tile, const TileTarget& target, const KernelScale& scale, bool beta_is_one) const;

  /// tile += other, element by element.
  void add(std::byte* tile, const std::byte* other) const { arithmetic_.add(tile, other, tile_elements_); }

  /// Between blocks of the sum: keeps the counts of a bool tile from wrapping.
  void clamp(std::byte* tile) const;

 private:
  void finish_run(std::byte* sums, std::byte* out, std::int64_t out_step, std::int64_t count, const KernelScale& scale,
                  const std::byte* beta) const;

  Conversion loading_;
  Conversion storing_;
  TileArithmetic arithmetic_;
  std::int64_t element_size_ = 0;
  std::int64_t tile_elements_ = 0;
  std::int64_t tile_bytes_ = 0;
  std::int64_t nr_ = 0;
  int compensated_ = 0;
  bool is_bool_ = false;
  bool out_holds_sums_ = false;
};

}  // namespace trntensor::host
