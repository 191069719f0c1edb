// Everything the tiles of a nest have in common: what was decided, and one call's memory.
#pragma once

#include <optional>
#include <stop_token>

#include "trntensor/host/nest_plan.hpp"
#include "trntensor/host/nest_transfer.hpp"

namespace trntensor::host {

struct NestSetup {
  /// Throws Unsupported as `VectorTable::for_accumulator` does. `table` must outlive the setup.
  NestSetup(NestProblem problem, const VectorTable& table);

  DType accumulator;
  bool is_empty;  ///< out has no elements, and there is no plan
  Origins origins;
  const VectorKernels* kernels;
  NestPlan plan;
  RunTransfer load_a;
  std::optional<RunTransfer> load_b;
  RunTransfer load_out;
  RunTransfer store_out;
  bool streams;  ///< out is worth writing past the caches

  [[nodiscard]] std::int64_t item() const noexcept { return static_cast<std::int64_t>(kernels->item); }
  /// Bytes of n sums, corrections included.
  [[nodiscard]] std::int64_t bytes_of_sums(std::int64_t n) const noexcept {
    return n * item() * static_cast<std::int64_t>(kernels->sums);
  }
  /// Bytes of the sums of a tile, rounded up to whole cache lines.
  [[nodiscard]] std::int64_t block_bytes() const noexcept { return (bytes_of_sums(plan.tile_sums()) + 63) / 64 * 64; }

 private:
  NestSetup(const NestProblem& problem, const Origins& origins, const VectorTable& table);
};

/// Memory of one call, and what can be done in it without a copy.
struct NestCall {
  NestCall(const NestSetup& setup, const void* a, const void* b, void* out, const Scale& scale,
           const std::stop_token& stop);

  const std::byte* a;  ///< all indices 0 of the normalised problem
  const std::byte* b;
  std::byte* out;
  Scale scale;
  const std::stop_token& stop;
  bool a_in_place;  ///< kernels can read the operand where it lies
  bool b_in_place;
  bool streams;                   ///< the result is written past the caches
  bool out_in_place;              ///< kernels can write the result where it belongs: nothing but whole sums of its type
  std::byte* partials = nullptr;  ///< plan.parts blocks for every tile, if the sum is cut
};

}  // namespace trntensor::host
