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
/// Multiply-adds from which threads are worth starting for a batch, and for one product.
constexpr double kParallel = 1 << 20;
constexpr double kParallelProduct = 1 << 22;

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
  if (shape.m <= shape.block_rows && shape.n <= shape.block_columns) {
    shape.only_block = static_cast<int>((vectors - 1) * kernel.rows[0] + shape.m - 1);
  }
  const auto item = static_cast<std::int64_t>(trntensor::size_of(problem.accumulator));
  shape.goes_along_rows = shape.m * shape.k * item > cpu_info().l2_bytes / 4;
  return shape;
}

/// What the work is cut along for several threads, and for looking at the stop token.
struct Cut {
  enum class Along { kItems, kRows, kColumns };
  Along along = Along::kItems;
  std::int64_t extent = 1;
  std::int64_t unit = 1;  ///< whole blocks
  std::int64_t tasks = 1;

  [[nodiscard]] std::int64_t begin(std::int64_t task) const {
    return std::min(extent, ceil_div(extent, unit) * task / tasks * unit);
  }
};

Cut cut_of(const BinaryProblem& problem, const SmallShape& shape) {
  constexpr double kMost = 1e6;
  Cut cut{Cut::Along::kItems, problem.batch_size, 1, 1};
  if (problem.batch_size == 1) {
    const bool is_tall = shape.m / shape.block_rows >= shape.n / shape.block_columns;
    constexpr std::int64_t kMostOfUnit = 64;  // kernels without vectors take all as one block
    cut = is_tall ? Cut{Cut::Along::kRows, shape.m, std::min(shape.block_rows, kMostOfUnit), 1}
                  : Cut{Cut::Along::kColumns, shape.n, std::min(shape.block_columns, kMostOfUnit), 1};
  }
  if (problem.macs() < (problem.batch_size == 1 ? kParallelProduct : kParallel)) return cut;
  const auto units = static_cast<double>(ceil_div(cut.extent, cut.unit));
  cut.tasks = static_cast<std::int64_t>(std::min({units, problem.macs() / kTask, kMost}));
  return cut;
}

/// A matrix of which neither rows nor columns lie side by side; steps in bytes.
struct Scattered {
  const std::byte* first;
  std::int64_t row_step;
  std::int64_t column_step;
  std::int64_t rows;
  std::int64_t columns;
};

/// Brings it in order, in elements of a size that the compiler knows.
template <std::size_t kBytes>
void gather(const Scattered& matrix, std::byte* to) {
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    const std::byte* from = matrix.first + i * matrix.row_step;
    for (std::int64_t j = 0; j < matrix.columns; ++j, from += matrix.column_step, to += kBytes) {
      std::memcpy(to, from, kBytes);
    }
  }
}

class SmallStep final : public PreparedStep {
 public:
  SmallStep(const BinaryProblem& problem, std::string_view instruction_set)
      : kernel_(choose_small_kernel(kernel_dtype(problem.accumulator), instruction_set)),
        shape_(shape_of(problem, kernel_)),
        accumulator_(problem.accumulator),
        swapped_(problem.swapped),
        items_(problem.batch_size),
        cut_(cut_of(problem, shape_)),
        one_(to_kernel_scale({}, problem.accumulator)),
        item_bytes_(static_cast<std::int64_t>(trntensor::size_of(problem.accumulator))) {
    const bool b_is_in_order = has_side_by_side_columns(problem, &GroupAxis::b);
    is_one_call_ = b_is_in_order && cut_.tasks == 1 && shape_.k <= plan::kMostUncutTerms;
    if (b_is_in_order) return;
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
    if (is_one_call_) {  // nothing else when a call takes a few nanoseconds
      kernel_.run(shape_, data);
    } else if (cut_.tasks > 1) {
      run_in_tasks(data, context);
    } else {
      run_part({shape_, data});
    }
  }

  /// Some of the items, rows or columns.
  struct Part {
    SmallShape shape;
    SmallData data;
  };

  void run_in_tasks(const SmallData& data, const RunContext& context) const;
  [[nodiscard]] Part part_of(const SmallData& data, std::int64_t task) const;
  void run_part(const Part& part) const;
  void run_ordered(SmallShape shape, SmallData data) const;
  void bring_in_order(const SmallShape& shape, const std::byte* b, std::byte* to) const;
  [[nodiscard]] const std::byte* advanced(const void* from, std::int64_t elements) const {
    return static_cast<const std::byte*>(from) + elements * item_bytes_;
  }
  [[nodiscard]] std::byte* advanced(void* from, std::int64_t elements) const {
    return static_cast<std::byte*>(from) + elements * item_bytes_;
  }

  SmallKernel kernel_;
  SmallShape shape_;
  DType accumulator_;
  bool swapped_;
  std::int64_t items_;
  Cut cut_;
  KernelScale one_;
  std::int64_t item_bytes_;
  bool is_one_call_ = false;
  std::int64_t b_column_ = 1;
  Transpose transpose_ = nullptr;  ///< null: b is read where it is
};

void SmallStep::run_in_tasks(const SmallData& data, const RunContext& context) const {
  with_threads(usable_threads(context.num_threads), [&] {
    parallel_for(context.num_threads > 1, cut_.tasks, [&](std::int64_t task) {
      check_stop(context.stop);
      run_part(part_of(data, task));
    });
  });
}

SmallStep::Part SmallStep::part_of(const SmallData& data, std::int64_t task) const {
  const std::int64_t begin = cut_.begin(task);
  const std::int64_t count = cut_.begin(task + 1) - begin;
  Part part{shape_, data};
  switch (cut_.along) {
    case Cut::Along::kItems:
      part.data.items = count;
      part.data.a = advanced(data.a, begin * shape_.a_item);
      part.data.b = advanced(data.b, begin * shape_.b_item);
      part.data.out = advanced(data.out, begin * shape_.out_item);
      break;
    case Cut::Along::kRows:
      part.shape.m = count;
      part.shape.only_block = -1;
      part.data.a = advanced(data.a, begin * shape_.a_row);
      part.data.out = advanced(data.out, begin * shape_.out_row);
      break;
    case Cut::Along::kColumns:
      part.shape.n = count;
      part.shape.only_block = -1;
      part.data.b = advanced(data.b, begin * b_column_);
      part.data.out = advanced(data.out, begin);
      break;
  }
  return part;
}

void SmallStep::run_part(const Part& part) const {
  if (transpose_ == nullptr) {
    run_ordered(part.shape, part.data);
    return;
  }
  alignas(64) std::array<std::byte, kBufferBytes> buffer;
  SmallShape ordered = part.shape;
  ordered.b_step = part.shape.n;
  for (std::int64_t item = 0; item < part.data.items; ++item) {
    if (item == 0 || shape_.b_item != 0) {
      bring_in_order(part.shape, advanced(part.data.b, item * shape_.b_item), buffer.data());
    }
    SmallData one = part.data;
    one.items = 1;
    one.a = advanced(part.data.a, item * shape_.a_item);
    one.b = buffer.data();
    one.out = advanced(part.data.out, item * shape_.out_item);
    run_ordered(ordered, one);
  }
}

/// Long sums part by part.
void SmallStep::run_ordered(SmallShape shape, SmallData data) const {
  const std::int64_t terms = shape.k;
  const std::int64_t terms_of_part = even_part(terms, plan::kMostUncutTerms);
  for (std::int64_t first = 0;;) {
    shape.k = std::min(terms_of_part, terms - first);
    kernel_.run(shape, data);
    first += shape.k;
    if (first == terms) return;
    data.a = advanced(data.a, shape.k * shape.a_step);
    data.b = advanced(data.b, shape.k * shape.b_step);
    if (data.alpha == nullptr) data.alpha = one_.one.data();
    data.beta = one_.one.data();
  }
}

void SmallStep::bring_in_order(const SmallShape& shape, const std::byte* b, std::byte* to) const {
  const std::int64_t row_bytes = shape.n * item_bytes_;
  if (shape.b_step == 1 || shape.k == 1) {
    transpose_(b, b_column_ * item_bytes_, to, row_bytes, shape.n, shape.k);
    return;
  }
  const Scattered matrix{b, shape.b_step * item_bytes_, b_column_ * item_bytes_, shape.k, shape.n};
  if (item_bytes_ == 4) gather<4>(matrix, to);
  if (item_bytes_ == 8) gather<8>(matrix, to);
  if (item_bytes_ == 16) gather<16>(matrix, to);
}

}  // namespace

// Measured with float32 and float64 on one core with AVX-512.
std::optional<std::string> small_declines(const BinaryProblem& problem) {
  constexpr double kRowsOfBlock = 8;
  constexpr double kManyItems = 32;
  constexpr double kLongSum = 64;
  constexpr double kLargeMatrix = 2048;
  constexpr std::int64_t kSharedSet = 4096;  // bytes between lines that compete for one set of the first-level cache
  constexpr double kStepsInSets = 128;
  if (auto reason = cannot_run(problem)) return reason;
  const double macs = problem.macs() / static_cast<double>(problem.batch_size);
  const auto rows = static_cast<double>(problem.m_size);
  const auto columns = static_cast<double>(problem.n_size);
  const auto terms = static_cast<double>(problem.k_size);
  const auto item = static_cast<std::int64_t>(trntensor::size_of(problem.accumulator));
  const auto near = static_cast<double>(cpu_info().l2_bytes / item);
  // B comes from the second-level cache for each block of rows, and nothing fetches the result ahead.
  const double nearest = rows <= kRowsOfBlock ? near / 2 : near / 8;
  if (columns * terms > nearest || rows * columns > near) {
    return fmt::format("{} x {} x {} is no small product", problem.m_size, problem.n_size, problem.k_size);
  }
  if (rows * terms > near / 2 && only_axis(problem.k).a != 1) return "a large operand that is not read row by row";
  if (only_axis(problem.k).b * item % kSharedSet == 0 && terms > kStepsInSets) {
    return "rows of an operand share too few sets of the cache";
  }
  // The nest goes along whichever loop is long.
  const bool orders_b = !has_side_by_side_columns(problem, &GroupAxis::b);
  const double smallest_item = orders_b ? 64 : 8;
  if (static_cast<double>(problem.batch_size) > kManyItems && (macs < smallest_item || problem.n_size == 1)) {
    return "a batch of single products";
  }
  if (problem.n_size == 1 && terms > kLongSum) return "long sums for one column";
  if (orders_b && terms > 1 && only_axis(problem.k).b != 1 && rows < kRowsOfBlock) {
    return "a scattered matrix is put in order for few rows";
  }
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
