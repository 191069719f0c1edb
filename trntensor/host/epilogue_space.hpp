// Passes run over one box of indices: a block, or all that is left at the end.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "trntensor/host/epilogue_evaluate.hpp"
#include "trntensor/host/workspace.hpp"
#include "trntensor/plan/epilogue_step.hpp"

namespace trntensor::host {

/// Values of a reduction, float64.
struct SpaceArray {
  double* data = nullptr;
  std::vector<std::int64_t> strides;  ///< per label of its node
  std::int64_t elements = 1;
};

/// The box a run is for, and its data.
struct SpaceRun {
  std::span<const std::int64_t> begin;   ///< per label of the order
  std::span<const std::int64_t> extent;  ///< at most those the space was made for
  std::byte* element = nullptr;          ///< the block, packed in the order; kRowSlack elements behind it are readable
  std::span<const void* const> tensors;
  std::span<void* const> results;
  const std::map<int, SpaceArray>* known = nullptr;  ///< by node: arrays that exist already
};

/// How passes read tensors: each box is copied aside, packed and in the type of the arithmetic; or not, element by
/// element from where they lie, for passes that run once over all there is.
enum class TensorReads : std::uint8_t { kCopied, kInPlace };

/// Runs the same passes over many boxes, with memory of its own for what they need. Not for several threads at once.
class PassSpace {
 public:
  /// For boxes up to `most` along each label of `order`, in which blocks are packed.
  PassSpace(const EpilogueProblem& problem, const std::vector<Pass>& passes, const Labels& order,
            std::span<const std::int64_t> most, TensorReads reads);

  void run(const SpaceRun& run);

  /// The array of a reduction that the last run computed.
  [[nodiscard]] const SpaceArray& array(int node) const { return arrays_.at(node); }

 private:
  struct Box {
    std::byte* data = nullptr;
    std::vector<std::int64_t> strides;  // per axis of the tensor
  };

  std::size_t cut(WorkspaceCutter cutter, std::span<const std::int64_t> most);
  [[nodiscard]] std::size_t place_of(Label label) const;
  std::int64_t pack(const Labels& labels, std::span<const std::int64_t> extent,
                    std::vector<std::int64_t>& strides) const;
  void copy_tensor(int node, const SpaceRun& run);
  [[nodiscard]] PassView tensor_view(const Pass& pass, const PassInput& input, const SpaceRun& run) const;
  void reset_arrays(const SpaceRun& run);
  [[nodiscard]] PassData data_of(const Pass& pass, const SpaceRun& run) const;
  [[nodiscard]] PassView input_view(const Pass& pass, const PassInput& input, const SpaceRun& run) const;
  [[nodiscard]] PassView target_view(const Pass& pass, const PassSink& sink, const SpaceRun& run) const;

  const EpilogueProblem& problem_;
  const std::vector<Pass>& passes_;
  Labels order_;
  TensorReads reads_;
  std::map<int, Box> boxes_;          // of tensors that are copied, by node
  std::map<int, SpaceArray> arrays_;  // by node
  std::byte* pass_memory_ = nullptr;
  Workspace workspace_;
};

}  // namespace trntensor::host
