// The elements of one block of an epilogue: a small contraction into a packed block, on one thread.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "trntensor/host/executor.hpp"
#include "trntensor/host/gemm_packed.hpp"

namespace trntensor::host {

/// Operands of a block, and their panels where they are packed already.
struct ProductOperands {
  const std::byte* a = nullptr;
  const std::byte* b = nullptr;
  const std::byte* packed_a = nullptr;
  const std::byte* packed_b = nullptr;
};

/// Immutable; made once for all blocks of a shape. `problem.out` is the packed block, of the accumulator's type.
class BlockProduct {
 public:
  BlockProduct(const StepProblem& problem, const HostOptions& options);

  /// Bytes of the panels of an operand; 0 if it is not packed ahead.
  [[nodiscard]] std::int64_t packed_a_bytes() const noexcept { return packed_a_bytes_; }
  [[nodiscard]] std::int64_t packed_b_bytes() const noexcept { return packed_b_bytes_; }
  void pack_a(const std::byte* a, std::byte* to) const;
  void pack_b(const std::byte* b, std::byte* to) const;

  void run(const ProductOperands& operands, std::byte* out, const std::stop_token& stop) const;

  [[nodiscard]] std::string describe() const;

 private:
  void pack(bool rows, const std::byte* source, std::byte* to) const;

  std::optional<GemmPlan> plan_;              ///< one matrix product that packs its operands
  std::unique_ptr<const PreparedStep> step_;  ///< anything else
  GemmRegion whole_;
  KernelScale one_;
  std::int64_t packed_a_bytes_ = 0;
  std::int64_t packed_b_bytes_ = 0;
};

}  // namespace trntensor::host
