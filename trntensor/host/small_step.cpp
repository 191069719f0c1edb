#include "trntensor/host/small_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "trntensor/host/integer_math.hpp"
#include "trntensor/host/kernels/small.hpp"
#include "trntensor/host/kernels/table.hpp"
#include "trntensor/host/kernels/vector_table.hpp"
#include "trntensor/host/parallel.hpp"
#include "trntensor/host/tile_store.hpp"
#include "trntensor/plan/sum_lengths.hpp"
#include "trntensor/support/cpu_info.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::host {
namespace {

constexpr std::int64_t kBufferBytes = std::int64_t{64} << 10;
/// Multiply-adds after which a batch looks at its stop token, and which are worth a task.
constexpr double kTask = 1 << 18;
/// Multiply-adds from which threads are worth starting.
constexpr double kParallel = 1 << 20;

const GroupAxis& only_axis(const Group& group) {
  static constexpr GroupAxis kOne{};
  return group.empty() ? kOne : group[0];
}

bool has_side_by_side_columns(const BinaryProblem& problem, OperandStride operand) {
  return problem.n_size == 1 || only_axis(problem.n).*operand == 1;
}

bool is_loaded_as_kernel_type(const InputType& input, DType sums) {
  return input.dtype == sums && input.load_as == sums;
}

/// Integers are summed modulo 2^bits, so signed and unsigned ones are the same to the kernels.
bool is_summed_in_its_own_type(DType dtype) {
  switch (dtype) {
    case DType::kFloat32:
    case DType::kFloat64:
    case DType::kComplex64:
    case DType::kComplex128:
    case DType::kInt32:
    case DType::kUInt32:
    case DType::kInt64:
    case DType::kUInt64:
      return true;
    default:
      return false;
  }
}

/// What the kernels cannot do.
std::optional<std::string> cannot_run(const BinaryProblem& problem) {
  const DType sums = problem.accumulator;
  if (problem.compensated) return "small products are not compensated";
  if (!is_summed_in_its_own_type(sums) || problem.out_dtype != sums || !is_loaded_as_kernel_type(problem.a, sums) ||
      !is_loaded_as_kernel_type(problem.b, sums)) {
    return fmt::format("elements are converted on the way to or from sums in {}", to_string(sums));
  }
  for (const Group* group : {&problem.batch, &problem.m, &problem.n, &problem.k}) {
    if (group->size() > 1) return "a group of labels needs more than one loop";
    if (size_of(*group) == 0) return "there is nothing to multiply";
  }
  if (!has_side_by_side_columns(problem, &GroupAxis::out)) return "columns of the result do not lie side by side";
  const auto item = static_cast<std::int64_t>(trntensor::size_of(sums));
  const double buffer = static_cast<double>(problem.k_size) * static_cast<double>(problem.n_size * item);
  if (!has_side_by_side_columns(problem, &GroupAxis::b) && buffer > kBufferBytes) {
    return "a transposed operand is larger than the buffer for it";
  }
  return std::nullopt;
}

/// Parts of at most `largest` that are as equal as can be.
std::int64_t even_part(std::int64_t extent, std::int64_t largest) {
  return extent <= largest ? extent : ceil_div(extent, ceil_div(extent, largest));
}

SmallShape shape_of(const BinaryProblem& problem, const SmallKernel& kernel) {
  const GroupAxis& m = only_axis(problem.m);
  const GroupAxis& k = only_axis(problem.k);
  const GroupAxis& batch = only_axis(problem.batch);
  SmallShape shape{m.extent, problem.n_size, k.extent, m.a, k.a, k.b, m.out, batch.a, batch.b, batch.out};
  // Blocks of one size rather than large ones and a rest.
  const std::int64_t all_vectors = shape.n <= kernel.lanes ? 1 : ceil_div(shape.n, kernel.lanes);
  const std::int64_t vectors = even_part(all_vectors, kernel.vectors());
  shape.block_columns = vectors == all_vectors ? shape.n : vectors * kernel.lanes;
  shape.block_rows = even_part(shape.m, kernel.rows[static_cast<std::size_t>(vectors - 1)]);
  return shape;
}

/// Tasks that a long batch is cut into, 1 for others.
std::int64_t tasks_of(const BinaryProblem& problem) {
  constexpr double kMost = 1e15;
  if (problem.macs() < kParallel) return 1;
  return static_cast<std::int64_t>(std::min({static_cast<double>(problem.batch_size), problem.macs() / kTask, kMost}));
}

class SmallStep final : public PreparedStep {
 public:
  SmallStep(const BinaryProblem& problem, std::string_view instruction_set)
      : kernel_(choose_small_kernel(kernel_dtype(problem.accumulator), instruction_set)),
        shape_(shape_of(problem, kernel_)),
        accumulator_(problem.accumulator),
        swapped_(problem.swapped),
        items_(problem.batch_size),
        tasks_(tasks_of(problem)),
        item_bytes_(static_cast<std::int64_t>(trntensor::size_of(problem.accumulator))) {
    if (has_side_by_side_columns(problem, &GroupAxis::b)) return;
    b_column_ = only_axis(problem.n).b;
    transpose_ = vector_table(instruction_set).transpose[size_log2(item_bytes_)];
  }

  void run(const void* a, const void* b, void* out, const Scale& scale, const RunContext& context) const override {
    if (swapped_) std::swap(a, b);
    SmallData data{a, b, out, items_};
    if (scale.alpha == 1.0 && scale.beta == 0.0) {
      run_all(data, context);
      return;
    }
    const KernelScale factors = to_kernel_scale(scale, accumulator_);
    data.alpha = factors.alpha.data();
    data.beta = factors.beta.data();
    run_all(data, context);
  }

  [[nodiscard]] std::string describe() const override {
    return fmt::format("small {}, {}m={}, n={}, k={}{}", kernel_.name,
                       items_ == 1 ? "" : fmt::format("batch={}, ", items_), shape_.m, shape_.n, shape_.k,
                       transpose_ != nullptr ? ", b brought in order first" : "");
  }

 private:
  void run_all(const SmallData& data, const RunContext& context) const {
    if (tasks_ == 1 && transpose_ == nullptr) {
      kernel_.run(shape_, data);
    } else {
      run_in_tasks(data, context);
    }
  }

  void run_in_tasks(const SmallData& data, const RunContext& context) const;
  void run_items(const SmallData& data) const;
  void bring_in_order(const std::byte* b, std::byte* to) const;

  SmallKernel kernel_;
  SmallShape shape_;
  DType accumulator_;
  bool swapped_;
  std::int64_t items_;
  std::int64_t tasks_;
  std::int64_t item_bytes_;
  std::int64_t b_column_ = 1;
  Transpose transpose_ = nullptr;  ///< null: b is read where it is
};

void SmallStep::run_in_tasks(const SmallData& data, const RunContext& context) const {
  if (tasks_ == 1) {
    run_items(data);
    return;
  }
  const auto advanced = [this](const void* from, std::int64_t elements) {
    return static_cast<const std::byte*>(from) + elements * item_bytes_;
  };
  with_threads(usable_threads(context.num_threads), [&] {
    parallel_for(context.num_threads > 1, tasks_, [&](std::int64_t task) {
      check_stop(context.stop);
      const std::int64_t begin = items_ / tasks_ * task + std::min(task, items_ % tasks_);
      SmallData part = data;
      part.items = items_ / tasks_ + (task < items_ % tasks_ ? 1 : 0);
      part.a = advanced(data.a, begin * shape_.a_item);
      part.b = advanced(data.b, begin * shape_.b_item);
      part.out = static_cast<std::byte*>(data.out) + begin * shape_.out_item * item_bytes_;
      run_items(part);
    });
  });
}

void SmallStep::run_items(const SmallData& data) const {
  if (transpose_ == nullptr) {
    kernel_.run(shape_, data);
    return;
  }
  alignas(64) std::array<std::byte, kBufferBytes> buffer;
  SmallShape ordered = shape_;
  ordered.b_step = shape_.n;
  SmallData one = data;
  one.items = 1;
  const auto* a = static_cast<const std::byte*>(data.a);
  const auto* b = static_cast<const std::byte*>(data.b);
  auto* out = static_cast<std::byte*>(data.out);
  for (std::int64_t item = 0; item < data.items; ++item) {
    if (item == 0 || shape_.b_item != 0) bring_in_order(b + item * shape_.b_item * item_bytes_, buffer.data());
    one.a = a + item * shape_.a_item * item_bytes_;
    one.b = buffer.data();
    one.out = out + item * shape_.out_item * item_bytes_;
    kernel_.run(ordered, one);
  }
}

void SmallStep::bring_in_order(const std::byte* b, std::byte* to) const {
  const std::int64_t row_bytes = shape_.n * item_bytes_;
  if (shape_.b_step == 1 || shape_.k == 1) {
    transpose_(b, b_column_ * item_bytes_, to, row_bytes, shape_.n, shape_.k);
    return;
  }
  const auto size = static_cast<std::size_t>(item_bytes_);
  for (std::int64_t p = 0; p < shape_.k; ++p) {
    for (std::int64_t j = 0; j < shape_.n; ++j) {
      std::memcpy(to + p * row_bytes + j * item_bytes_, b + (p * shape_.b_step + j * b_column_) * item_bytes_, size);
    }
  }
}

}  // namespace

// Measured with float32 and float64 on one core with AVX-512.
std::optional<std::string> small_declines(const BinaryProblem& problem) {
  constexpr double kSmallProduct = 96.0 * 96 * 96;
  constexpr double kSmallMatrix = 128.0 * 128;
  constexpr double kManyItems = 32;
  constexpr double kLongSum = 64;
  constexpr double kLargeMatrix = 2048;
  if (auto reason = cannot_run(problem)) return reason;
  const double macs = problem.macs() / static_cast<double>(problem.batch_size);
  const auto rows = static_cast<double>(problem.m_size);
  const auto columns = static_cast<double>(problem.n_size);
  const auto terms = static_cast<double>(problem.k_size);
  if (macs > kSmallProduct || std::max({rows * columns, rows * terms, columns * terms}) > kSmallMatrix) {
    return fmt::format("{} x {} x {} is no small product", problem.m_size, problem.n_size, problem.k_size);
  }
  // The nest goes along whichever loop is long.
  const bool orders_b = !has_side_by_side_columns(problem, &GroupAxis::b);
  const double smallest_item = orders_b ? 64 : 8;
  if (static_cast<double>(problem.batch_size) > kManyItems && (macs < smallest_item || problem.n_size == 1)) {
    return "a batch of single products";
  }
  if (terms > kLongSum * columns) return "long sums for few columns";
  if (terms > double{plan::kMostUncutTerms}) return "long sums";
  if (orders_b && problem.m_size < 4 && columns * terms > kLargeMatrix) return "a matrix is put in order for few rows";
  return std::nullopt;
}

std::unique_ptr<const PreparedStep> prepare_small(const BinaryProblem& problem, std::string_view instruction_set) {
  if (const auto reason = cannot_run(problem)) {
    throw_unsupported(fmt::format("route small cannot take the step: {}", *reason), "host executor",
                      "use the route nest or gemm, or leave the choice to the executor");
  }
  return std::make_unique<SmallStep>(problem, instruction_set);
}

}  // namespace trntensor::host
