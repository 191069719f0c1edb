// A peer's GEMM as a contestant for any contraction of two tensors: transposes, product, transpose.
#pragma once

#include <array>
#include <optional>
#include <stop_token>

#include "cli/bench/gemm_road.hpp"
#include "cli/bench/measure.hpp"
#include "cli/bench/peer.hpp"
#include "trntensor/support/aligned_memory.hpp"

namespace trntensor::cli::bench {

/// The transposed tensors; all peers use the same memory, one after the other.
class Workspace {
 public:
  /// Makes room in one of the three places; what it held is lost.
  void reserve(std::size_t place, std::int64_t bytes);
  [[nodiscard]] void* at(std::size_t place) const noexcept { return buffers_[place].get(); }

 private:
  std::array<AlignedBuffer, 3> buffers_;
  std::array<std::int64_t, 3> sizes_ = {};
};

/// The peer on the fastest of the roads that move the fewest bytes, each tried once. Transposes are the library's own
/// moves, with `threads` threads; a road without any is the peer's plain GEMM and has the peer's name, others are
/// called "ttgt+" and the name. Nothing when the peer offers none of the products. `workspace` must outlive the
/// contestant.
std::optional<Contestant> best_ttgt(const Contracted& contracted, const ContractionData& data, const Peer& peer,
                                    int threads, Workspace& workspace);

}  // namespace trntensor::cli::bench
