#include "trntensor/host/stochastic_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "trntensor/host/conversion.hpp"
#include "trntensor/host/integer_math.hpp"
#include "trntensor/host/parallel.hpp"
#include "trntensor/host/result_blocks.hpp"
#include "trntensor/host/stochastic_rounding.hpp"
#include "trntensor/host/workspace.hpp"
#include "trntensor/support/cpu_info.hpp"

namespace trntensor::host {
namespace {

constexpr std::int64_t kWorkspaceBytes = std::int64_t{4} << 20;
/// Elements that are worth a task of their own.
constexpr std::int64_t kTask = 4096;

std::int64_t bytes_of(const StepProblem& problem) {
  return static_cast<std::int64_t>(trntensor::size_of(problem.accumulator)) * (problem.compensated == 2 ? 2 : 1);
}

/// A block: where it begins, and from which index on its elements belong to it alone.
struct Block {
  InlineVector<std::int64_t, 8> begins;
  InlineVector<std::int64_t, 8> shared;
};

class StochasticStep final : public PreparedStep {
 public:
  StochasticStep(const StepProblem& problem, const PrepareStep& prepare)
      : axes_(cut_result(problem, kWorkspaceBytes / bytes_of(problem))),
        accumulator_(problem.accumulator),
        out_dtype_(problem.out.dtype),
        a_bytes_(static_cast<std::int64_t>(trntensor::size_of(problem.a.dtype))),
        b_bytes_(problem.b ? static_cast<std::int64_t>(trntensor::size_of(problem.b->dtype)) : 0),
        out_bytes_(static_cast<std::int64_t>(trntensor::size_of(out_dtype_))),
        two_parts_(problem.compensated == 2),
        load_old_(Conversion::loading({out_dtype_, accumulator_}, accumulator_)),
        round_(stochastic_rounding(out_dtype_, is_complex(accumulator_))) {
    const StepProblem step = step_of_block(problem, axes_);
    sums_ = prepare(step);
    if (axes_.empty()) axes_.push_back({});
    for (const BlockedAxis& axis : axes_) {
      blocks_ *= axis.pieces;
      elements_ *= axis.block;
    }
  }

  void run(const void* a, const void* b, void* out, const Scale& scale, const RunContext& context) const override;
  [[nodiscard]] std::string describe() const override;

 private:
  /// What the rows of a block have in common.
  struct Store {
    const double* sums;
    std::byte* out;
    std::complex<double> beta;
    std::uint64_t seed;
  };

  [[nodiscard]] Block block(std::int64_t index) const;
  [[nodiscard]] std::int64_t offset(const Block& block, std::int64_t BlockedAxis::* stride) const;
  void store_rows(const Block& block, const Store& store, std::int64_t first, std::int64_t last) const;
  void store_row(std::int64_t begin, std::int64_t sum, std::int64_t out, std::uint64_t index, const Store& store) const;

  BlockedAxes axes_;
  DType accumulator_;
  DType out_dtype_;
  std::int64_t a_bytes_;
  std::int64_t b_bytes_;
  std::int64_t out_bytes_;
  bool two_parts_;
  Conversion load_old_;
  RoundStochastically round_;
  std::unique_ptr<const PreparedStep> sums_;
  std::int64_t blocks_ = 1;
  std::int64_t elements_ = 1;  ///< of a block
};

Block StochasticStep::block(std::int64_t index) const {
  Block block{InlineVector<std::int64_t, 8>(axes_.size()), InlineVector<std::int64_t, 8>(axes_.size())};
  for (std::size_t d = axes_.size(); d-- > 0;) {
    const std::int64_t piece = index % axes_[d].pieces;
    index /= axes_[d].pieces;
    block.begins[d] = axes_[d].begin(piece);
    block.shared[d] = axes_[d].shared(piece);
  }
  return block;
}

std::int64_t StochasticStep::offset(const Block& block, std::int64_t BlockedAxis::* stride) const {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < axes_.size(); ++d) offset += block.begins[d] * axes_[d].*stride;
  return offset;
}

void StochasticStep::run(const void* a, const void* b, void* out, const Scale& scale, const RunContext& context) const {
  if (elements_ == 0) return;
  const std::int64_t item = static_cast<std::int64_t>(trntensor::size_of(accumulator_)) * (two_parts_ ? 2 : 1);
  const Workspace workspace(static_cast<std::size_t>(elements_ * item));
  const std::int64_t rows = elements_ / axes_.back().block;
  const std::int64_t rows_per_task = std::max<std::int64_t>(1, kTask / axes_.back().block);
  const std::int64_t tasks = ceil_div(rows, rows_per_task);
  for (std::int64_t index = 0; index < blocks_; ++index) {
    check_stop(context.stop);
    const Block at = block(index);
    const auto* const a_block = static_cast<const std::byte*>(a) + offset(at, &BlockedAxis::a) * a_bytes_;
    const auto* const b_block =
        b == nullptr ? nullptr : static_cast<const std::byte*>(b) + offset(at, &BlockedAxis::b) * b_bytes_;
    sums_->run(a_block, b_block, workspace.data(), {scale.alpha, 0.0}, context);
    const Store store{reinterpret_cast<const double*>(workspace.data()), static_cast<std::byte*>(out), scale.beta,
                      context.seed};
    with_threads(tasks > 1 ? usable_threads(context.num_threads) : 1, [&] {
      parallel_for(tasks > 1 && context.num_threads > 1, tasks, [&](std::int64_t task) {
        store_rows(at, store, task * rows_per_task, std::min(rows, (task + 1) * rows_per_task));
      });
    });
  }
}

void StochasticStep::store_rows(const Block& block, const Store& store, std::int64_t first, std::int64_t last) const {
  const std::size_t inner = axes_.size() - 1;
  const std::int64_t begin = block.shared[inner];
  for (std::int64_t row = first; row < last; ++row) {
    std::int64_t out = block.begins[inner] * axes_[inner].out;
    std::int64_t index = block.begins[inner] * axes_[inner].order;
    std::int64_t rest = row;
    bool is_shared = false;
    for (std::size_t d = inner; d-- > 0;) {
      const std::int64_t i = rest % axes_[d].block;
      rest /= axes_[d].block;
      is_shared |= i < block.shared[d];
      out += (block.begins[d] + i) * axes_[d].out;
      index += (block.begins[d] + i) * axes_[d].order;
    }
    if (!is_shared) store_row(begin, row * axes_[inner].block, out, static_cast<std::uint64_t>(index), store);
  }
}

/// The elements from `begin` on of a row whose first one is number `sum` of the sums, `out` of the result and `index`
/// in C order.
void StochasticStep::store_row(std::int64_t begin, std::int64_t sum, std::int64_t out, std::uint64_t index,
                               const Store& store) const {
  constexpr std::int64_t kPiece = 128;
  alignas(64) std::array<std::byte, kPiece * 16> old;
  const BlockedAxis& inner = axes_.back();
  const std::int64_t parts = is_complex(accumulator_) ? 2 : 1;
  const std::int64_t size = parts * static_cast<std::int64_t>(sizeof(double));
  StochasticRun run;
  run.beta = store.beta;
  run.out_step = inner.out * out_bytes_;
  run.seed = store.seed;
  for (std::int64_t j = begin; j < inner.block; j += kPiece) {
    run.count = std::min(kPiece, inner.block - j);
    run.values = store.sums + (sum + j) * parts;
    if (two_parts_) run.rests = run.values + elements_ * parts;
    run.out = store.out + (out + j * inner.out) * out_bytes_;
    run.first = index + static_cast<std::uint64_t>(j);
    if (store.beta != 0.0 && load_old_.is_identity()) {
      for (std::int64_t i = 0; i < run.count; ++i) {
        std::copy_n(run.out + i * run.out_step, size, old.data() + i * size);
      }
    } else if (store.beta != 0.0) {
      load_old_.run(run.out, run.out_step, old.data(), size, run.count);
    }
    run.old = old.data();
    round_(run);
  }
}

std::string StochasticStep::describe() const {
  std::string shape;
  for (const BlockedAxis& axis : axes_) shape += fmt::format("{}{}", shape.empty() ? "" : "x", axis.block);
  return fmt::format("{}, rounded stochastically to {} in {} block{} of {}", sums_->describe(), to_string(out_dtype_),
                     blocks_, blocks_ == 1 ? "" : "s", shape);
}

}  // namespace

std::unique_ptr<const PreparedStep> prepare_stochastic(const StepProblem& problem, const PrepareStep& prepare) {
  return std::make_unique<StochasticStep>(problem, prepare);
}

}  // namespace trntensor::host
