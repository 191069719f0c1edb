#include "trntensor/host/epilogue_evaluate.hpp"

#include <algorithm>
#include <cmath>

#include "trntensor/host/epilogue_kernels.hpp"
#include "trntensor/host/integer_math.hpp"
#include "trntensor/host/workspace.hpp"
#include "trntensor/tensor/convert.hpp"

namespace trntensor::host {
namespace {

/// Elements of a row that are worked on at a time: a few such rows stay in the first-level cache.
constexpr std::int64_t kChunk = 256;
constexpr std::int64_t kPitch = kChunk + kRowSlack;

/// Rows that are worked on together: a line of the cache.
template <typename T>
constexpr std::int64_t kGroup = 64 / static_cast<std::int64_t>(sizeof(T));
template <typename T>
constexpr std::int64_t kGroupPitch = kGroup<T> + kRowSlack;

/// Buffers of a pass.
template <typename T>
struct Buffers {
  T* rows = nullptr;          ///< `slots` of kPitch elements
  T* columns = nullptr;       ///< per value: one element per row of the group
  T* panels = nullptr;        ///< per input: kGroup rows of kPitch elements, for rows that are read across
  T* products = nullptr;      ///< a row
  const T** where = nullptr;  ///< per value: its current row

  void cut(const Pass& pass, WorkspaceCutter& cutter) {
    rows = cutter.take<T>(to_size(pass.slots * kPitch));
    columns = cutter.take<T>(pass.values.size() * to_size(kGroupPitch<T>));
    panels = cutter.take<T>(pass.inputs.size() * to_size(kGroup<T> * kPitch));
    products = cutter.take<T>(to_size(kPitch));
    where = cutter.take<const T*>(pass.values.size());
  }
};

template <typename T>
class PassRunner {
 public:
  PassRunner(const Pass& pass, const PassData& data, std::byte* workspace)
      : pass_(pass), data_(data), kernels_(row_kernels<T>(pass.target)) {
    WorkspaceCutter cutter(workspace);
    buffers_.cut(pass, cutter);
    const auto rank = static_cast<int>(data.extents.size());
    row_axis_ = rank - 1;
    row_extent_ = rank > 0 ? data.extents.back() : 1;
    column_extent_ = pass.column >= 0 ? data.extents[to_size(pass.column)] : 1;
    offsets_.resize(data.inputs.size());
    target_offsets_.resize(data.targets.size());
    for (std::size_t v = 0; v < pass.values.size(); ++v) {
      if (pass.values[v].kind == ExpressionKind::kConstant) {
        std::fill_n(column(v), kGroup<T>, static_cast<T>(pass.values[v].constant));
      }
    }
  }

  void run() { run_axis(0); }

 private:
  [[nodiscard]] T* column(std::size_t value) const { return buffers_.columns + value * to_size(kGroupPitch<T>); }
  [[nodiscard]] T* slot(const PassValue& value) const { return buffers_.rows + value.slot * kPitch; }
  [[nodiscard]] T* panel(int input) const { return buffers_.panels + input * kGroup<T> * kPitch; }

  static std::int64_t stride(const PassView& view, int axis) {
    return axis < 0 ? 0 : view.strides[static_cast<std::size_t>(axis)];
  }
  [[nodiscard]] const std::byte* address(std::size_t input, std::int64_t offset) const {
    const PassView& view = data_.inputs[input];
    return view.data + (offsets_[input] + offset) * static_cast<std::int64_t>(size_of(view.dtype));
  }

  void run_axis(int axis) {
    if (axis == pass_.column) ++axis;
    if (axis >= row_axis_) {
      run_plane();
      return;
    }
    const std::int64_t extent = data_.extents[to_size(axis)];
    for (std::int64_t i = 0; i < extent; ++i) {
      run_axis(axis + 1);
      advance(axis, 1);
    }
    advance(axis, -extent);
  }

  void advance(int axis, std::int64_t steps) {
    for (std::size_t k = 0; k < offsets_.size(); ++k) offsets_[k] += steps * stride(data_.inputs[k], axis);
    for (std::size_t k = 0; k < target_offsets_.size(); ++k) {
      target_offsets_[k] += steps * stride(data_.targets[k], axis);
    }
  }

  void run_plane() {
    for (std::int64_t first = 0; first < column_extent_; first += kGroup<T>) {
      const std::int64_t rows = std::min(kGroup<T>, column_extent_ - first);
      compute_columns(first, rows);
      for (std::int64_t begin = 0; begin < row_extent_; begin += kChunk) {
        const std::int64_t count = std::min(kChunk, row_extent_ - begin);
        load_panels(first, rows, begin, count);
        for (std::int64_t r = 0; r < rows; ++r) {
          compute_row(first, r, begin, count);
          for (std::size_t s = 0; s < pass_.sinks.size(); ++s) put(s, first + r, r, begin, count);
        }
      }
    }
  }

  /// What does not depend on the place in the row, for all rows of the group.
  void compute_columns(std::int64_t first, std::int64_t rows) {
    for (std::size_t v = 0; v < pass_.values.size(); ++v) {
      const PassValue& value = pass_.values[v];
      if (value.is_row || value.kind == ExpressionKind::kConstant) continue;
      T* const out = column(v);
      if (value.input >= 0) {
        const auto input = static_cast<std::size_t>(value.input);
        const PassView& view = data_.inputs[input];
        const std::int64_t step = stride(view, pass_.column);
        convert_run(address(input, first * step), view.dtype, step, out, dtype_of<T>, 1, rows);
      } else if (value.b >= 0) {
        kernels_.find(value.kind, RowForm::kRowRow)(column(to_size(value.a)), column(to_size(value.b)), out, rows);
      } else {
        unary(value.kind)(column(to_size(value.a)), out, rows);
      }
    }
  }

  [[nodiscard]] typename RowKernels<T>::Unary unary(ExpressionKind kind) const {
    return kind == ExpressionKind::kNegate ? kernels_.negate
           : kind == ExpressionKind::kExp  ? kernels_.exp
                                           : kernels_.sqrt;
  }

  [[nodiscard]] bool is_read_across(const PassView& view) const {
    return view.has_slack && stride(view, row_axis_) != 1 && stride(view, pass_.column) == 1;
  }

  void load_panels(std::int64_t first, std::int64_t rows, std::int64_t begin, std::int64_t count) {
    for (const PassValue& value : pass_.values) {
      if (!value.is_row || value.input < 0) continue;
      const auto input = static_cast<std::size_t>(value.input);
      const PassView& view = data_.inputs[input];
      if (!is_read_across(view)) continue;
      const std::int64_t step = stride(view, row_axis_);
      const std::byte* const from = address(input, first + begin * step);
      if (view.dtype == DType::kFloat32) {
        kernels_.transpose_f32(reinterpret_cast<const float*>(from), step, panel(value.input), kPitch, rows, count);
      } else {
        kernels_.transpose_f64(reinterpret_cast<const double*>(from), step, panel(value.input), kPitch, rows, count);
      }
    }
  }

  void compute_row(std::int64_t first, std::int64_t r, std::int64_t begin, std::int64_t count) {
    for (std::size_t v = 0; v < pass_.values.size(); ++v) {
      const PassValue& value = pass_.values[v];
      if (!value.is_row) continue;
      if (value.input >= 0) {
        buffers_.where[v] = load_row(value, first, r, begin, count);
        continue;
      }
      T* const out = slot(value);
      buffers_.where[v] = out;
      if (value.b < 0) {
        unary(value.kind)(buffers_.where[value.a], out, count);
        continue;
      }
      const bool a_is_row = pass_.values[to_size(value.a)].is_row;
      const bool b_is_row = pass_.values[to_size(value.b)].is_row;
      const RowForm form = !b_is_row ? RowForm::kRowValue : a_is_row ? RowForm::kRowRow : RowForm::kValueRow;
      kernels_.find(value.kind, form)(a_is_row ? buffers_.where[value.a] : column(to_size(value.a)) + r,
                                      b_is_row ? buffers_.where[value.b] : column(to_size(value.b)) + r, out, count);
    }
  }

  const T* load_row(const PassValue& value, std::int64_t first, std::int64_t r, std::int64_t begin,
                    std::int64_t count) const {
    const auto input = static_cast<std::size_t>(value.input);
    const PassView& view = data_.inputs[input];
    if (is_read_across(view)) return panel(value.input) + r * kPitch;
    const std::int64_t step = stride(view, row_axis_);
    const std::byte* const source = address(input, (first + r) * stride(view, pass_.column) + begin * step);
    if (step == 1 && view.dtype == dtype_of<T> && view.has_slack) return reinterpret_cast<const T*>(source);
    convert_run(source, view.dtype, step, slot(value), dtype_of<T>, 1, count);
    return slot(value);
  }

  void put(std::size_t s, std::int64_t place, std::int64_t r, std::int64_t begin, std::int64_t count) {
    const PassSink& sink = pass_.sinks[s];
    const PassView& target = data_.targets[s];
    const std::int64_t step = stride(target, row_axis_);
    const std::int64_t offset = target_offsets_[s] + place * stride(target, pass_.column) + begin * step;
    const bool is_row = pass_.values[to_size(sink.value)].is_row;
    const T* const row = is_row ? buffers_.where[sink.value] : column(to_size(sink.value)) + r;
    if (sink.kind == PassSink::Kind::kStore) {
      std::byte* const out = target.data + offset * static_cast<std::int64_t>(size_of(target.dtype));
      convert_run(row, dtype_of<T>, 1, out, target.dtype, step, count);
      return;
    }
    reduce(sink, row, reinterpret_cast<double*>(target.data) + offset, step != 0, count);
  }

  void reduce(const PassSink& sink, const T* row, double* out, bool keeps_row, std::int64_t count) const {
    if (sink.kind == PassSink::Kind::kSumOfProducts) {
      const T* const other = buffers_.where[sink.other];
      if (keeps_row) {
        kernels_.find(ExpressionKind::kMultiply, RowForm::kRowRow)(row, other, buffers_.products, count);
        kernels_.add_to(buffers_.products, out, count);
      } else {
        *out += kernels_.sum_of_products(row, other, count);
      }
    } else if (sink.kind == PassSink::Kind::kSum) {
      keeps_row ? kernels_.add_to(row, out, count) : static_cast<void>(*out += kernels_.sum(row, count));
    } else if (keeps_row) {
      kernels_.raise_to(row, out, count);
    } else {
      const double largest = kernels_.largest(row, count);
      if (largest > *out || std::isnan(largest)) *out = largest;
    }
  }

  const Pass& pass_;
  const PassData& data_;
  const RowKernels<T>& kernels_;
  Buffers<T> buffers_;
  int row_axis_ = -1;
  std::int64_t row_extent_ = 1;
  std::int64_t column_extent_ = 1;
  std::vector<std::int64_t> offsets_;
  std::vector<std::int64_t> target_offsets_;
};

template <typename T>
std::size_t workspace_bytes(const Pass& pass) {
  WorkspaceCutter cutter;
  Buffers<T>().cut(pass, cutter);
  return cutter.used();
}

}  // namespace

std::size_t pass_workspace_bytes(const Pass& pass, DType arithmetic) {
  return arithmetic == DType::kFloat32 ? workspace_bytes<float>(pass) : workspace_bytes<double>(pass);
}

void run_pass(const Pass& pass, const PassData& data, DType arithmetic, std::byte* workspace) {
  if (arithmetic == DType::kFloat32) {
    PassRunner<float>(pass, data, workspace).run();
  } else {
    PassRunner<double>(pass, data, workspace).run();
  }
}

}  // namespace trntensor::host
