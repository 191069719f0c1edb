// Runs a pass over the index space of a block.
#pragma once

#include <cstddef>
#include <vector>

#include "trntensor/host/epilogue_passes.hpp"
#include "trntensor/support/inline_vector.hpp"
#include "trntensor/tensor/dtype.hpp"

namespace trntensor::host {

/// Where an input or a target of a pass lies: the element at the first index, and a stride per axis of the domain, 0
/// for those it does not depend on.
struct PassView {
  std::byte* data = nullptr;  ///< inputs are only read
  DType dtype = DType::kFloat64;
  bool has_slack = true;                  ///< inputs: kRowSlack elements behind the last may be read
  InlineVector<std::int64_t, 8> strides;  ///< in elements
};

struct PassData {
  InlineVector<std::int64_t, 8> extents;  ///< of the domain, none of them 0
  std::vector<PassView> inputs;           ///< with slack: float32 or float64
  std::vector<PassView> targets;          ///< per sink; arrays of reductions are float64 and are added to (raised)
};

/// Bytes of workspace that `run_pass` needs.
std::size_t pass_workspace_bytes(const Pass& pass, DType arithmetic);

/// Evaluates all values in `arithmetic`, float32 or float64; sums are added up in float64. The order of all operations
/// depends on the extents and the CPU's vectors only. `workspace` is aligned to 64 bytes.
void run_pass(const Pass& pass, const PassData& data, DType arithmetic, std::byte* workspace);

}  // namespace trntensor::host
