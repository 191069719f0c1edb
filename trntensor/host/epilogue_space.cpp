#include "trntensor/host/epilogue_space.hpp"

#include <algorithm>
#include <limits>

#include "trntensor/host/epilogue_kernels.hpp"
#include "trntensor/host/integer_math.hpp"
#include "trntensor/tensor/convert.hpp"

namespace trntensor::host {
namespace {

/// Adds up, for each axis of the domain, the strides of the axes at which its label stands.
void add_strides(const Labels& domain, const Labels& axes, std::span<const std::int64_t> strides, PassView& view) {
  view.strides.resize(domain.size(), 0);
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const auto place = std::find(domain.begin(), domain.end(), axes[k]);
    if (place != domain.end()) view.strides[static_cast<std::size_t>(place - domain.begin())] += strides[k];
  }
}

}  // namespace

PassSpace::PassSpace(const EpilogueProblem& problem, const std::vector<Pass>& passes, const Labels& order,
                     std::span<const std::int64_t> most, TensorReads reads)
    : problem_(problem), passes_(passes), order_(order), reads_(reads), workspace_(cut(WorkspaceCutter(), most)) {
  cut(WorkspaceCutter(workspace_.data()), most);
}

std::size_t PassSpace::cut(WorkspaceCutter cutter, std::span<const std::int64_t> most) {
  boxes_.clear();
  arrays_.clear();
  std::size_t pass_bytes = 0;
  std::vector<std::int64_t> strides;
  const auto slack = to_size(kRowSlack);
  for (const Pass& pass : passes_) {
    pass_bytes = std::max(pass_bytes, pass_workspace_bytes(pass, problem_.arithmetic));
    for (const PassInput& input : pass.inputs) {
      const bool is_copied = input.source == PassInput::Source::kTensor && reads_ == TensorReads::kCopied;
      if (!is_copied || boxes_.contains(input.index)) continue;
      const std::size_t elements = to_size(pack(input.axes, most, strides)) + slack;
      boxes_[input.index].data = cutter.take<std::byte>(elements * size_of(problem_.arithmetic));
    }
    for (const PassSink& sink : pass.sinks) {
      if (sink.kind == PassSink::Kind::kStore || arrays_.contains(sink.target)) continue;
      arrays_[sink.target].data = cutter.take<double>(to_size(pack(sink.axes, most, strides)) + slack);
    }
  }
  pass_memory_ = cutter.take<std::byte>(pass_bytes);
  return cutter.used();
}

std::size_t PassSpace::place_of(Label label) const {
  return static_cast<std::size_t>(std::find(order_.begin(), order_.end(), label) - order_.begin());
}

/// Strides of a packed array over labels, which lie in it in our order; returns its number of elements.
std::int64_t PassSpace::pack(const Labels& labels, std::span<const std::int64_t> extent,
                             std::vector<std::int64_t>& strides) const {
  strides.assign(labels.size(), 0);
  std::int64_t elements = 1;
  for (std::size_t place = order_.size(); place-- > 0;) {
    const auto axis = std::find(labels.begin(), labels.end(), order_[place]);
    if (axis == labels.end()) continue;
    strides[static_cast<std::size_t>(axis - labels.begin())] = elements;
    elements *= extent[place];
  }
  return elements;
}

void PassSpace::copy_tensor(int node, const SpaceRun& run) {
  const epilogue::FormulaNode& leaf = problem_.formula.nodes[to_size(node)];
  const EpilogueTensor& tensor = problem_.tensors[to_size(leaf.tensor)];
  const auto item = static_cast<std::int64_t>(size_of(tensor.dtype));
  const auto* source = static_cast<const std::byte*>(run.tensors[to_size(leaf.tensor)]);
  Box& box = boxes_.at(node);
  pack(leaf.own, run.extent, box.strides);
  Shape shape;
  for (std::size_t d = 0; d < leaf.own.size(); ++d) {
    const std::size_t place = place_of(leaf.own[d]);
    const bool broadcasts = tensor.shape[d] == 1;
    if (broadcasts) box.strides[d] = 0;
    if (!broadcasts) source += run.begin[place] * tensor.strides[d] * item;
    shape.push_back(broadcasts ? 1 : run.extent[place]);
  }
  copy(TensorView(source, tensor.dtype, shape, tensor.strides),
       MutableTensorView(box.data, problem_.arithmetic, shape, Strides(box.strides.begin(), box.strides.end())));
}

void PassSpace::reset_arrays(const SpaceRun& run) {
  for (auto& [node, array] : arrays_) {
    const epilogue::FormulaNode& reduction = problem_.formula.nodes[to_size(node)];
    array.elements = pack(reduction.labels, run.extent, array.strides);
    const bool is_max = reduction.kind == ExpressionKind::kMaxOver;
    std::fill_n(array.data, array.elements, is_max ? -std::numeric_limits<double>::infinity() : 0.0);
  }
}

void PassSpace::run(const SpaceRun& run) {
  for (const auto& [node, box] : boxes_) copy_tensor(node, run);
  reset_arrays(run);
  for (const Pass& pass : passes_) {
    const PassData data = data_of(pass, run);
    const bool is_empty = std::find(data.extents.begin(), data.extents.end(), 0) != data.extents.end();
    if (!is_empty) run_pass(pass, data, problem_.arithmetic, pass_memory_);
  }
}

PassData PassSpace::data_of(const Pass& pass, const SpaceRun& run) const {
  PassData data;
  for (const Label label : pass.domain) data.extents.push_back(run.extent[place_of(label)]);
  for (const PassInput& input : pass.inputs) data.inputs.push_back(input_view(pass, input, run));
  for (const PassSink& sink : pass.sinks) data.targets.push_back(target_view(pass, sink, run));
  return data;
}

PassView PassSpace::input_view(const Pass& pass, const PassInput& input, const SpaceRun& run) const {
  PassView view;
  if (input.source == PassInput::Source::kElement) {
    view.data = run.element;
    view.dtype = problem_.product.accumulator;
    std::vector<std::int64_t> strides;
    pack(problem_.formula.element, run.extent, strides);
    add_strides(pass.domain, input.axes, strides, view);
  } else if (input.source == PassInput::Source::kTensor && reads_ == TensorReads::kInPlace) {
    view = tensor_view(pass, input, run);
  } else if (input.source == PassInput::Source::kTensor) {
    const Box& box = boxes_.at(input.index);
    view.data = box.data;
    view.dtype = problem_.arithmetic;
    add_strides(pass.domain, input.axes, box.strides, view);
  } else {
    const auto own = arrays_.find(input.index);
    const SpaceArray& array = own != arrays_.end() ? own->second : run.known->at(input.index);
    view.data = reinterpret_cast<std::byte*>(array.data);
    add_strides(pass.domain, input.axes, array.strides, view);
  }
  return view;
}

PassView PassSpace::tensor_view(const Pass& pass, const PassInput& input, const SpaceRun& run) const {
  const epilogue::FormulaNode& leaf = problem_.formula.nodes[to_size(input.index)];
  const EpilogueTensor& tensor = problem_.tensors[to_size(leaf.tensor)];
  PassView view;
  view.data = static_cast<std::byte*>(const_cast<void*>(run.tensors[to_size(leaf.tensor)]));  // inputs are only read
  view.dtype = tensor.dtype;
  view.has_slack = false;
  std::vector<std::int64_t> strides(tensor.shape.size(), 0);
  for (std::size_t d = 0; d < strides.size(); ++d) {
    if (tensor.shape[d] == 1) continue;
    strides[d] = tensor.strides[d];
    view.data += run.begin[place_of(leaf.own[d])] * strides[d] * static_cast<std::int64_t>(size_of(tensor.dtype));
  }
  add_strides(pass.domain, input.axes, strides, view);
  return view;
}

PassView PassSpace::target_view(const Pass& pass, const PassSink& sink, const SpaceRun& run) const {
  PassView view;
  if (sink.kind != PassSink::Kind::kStore) {
    const SpaceArray& array = arrays_.at(sink.target);
    view.data = reinterpret_cast<std::byte*>(array.data);
    add_strides(pass.domain, sink.axes, array.strides, view);
    return view;
  }
  const OperandLayout& layout = problem_.results[to_size(sink.target)];
  view.data = static_cast<std::byte*>(run.results[to_size(sink.target)]);
  view.dtype = layout.dtype;
  std::vector<std::int64_t> strides;
  for (const Label label : sink.axes) {
    strides.push_back(stride_of(layout, label));
    view.data += run.begin[place_of(label)] * strides.back() * static_cast<std::int64_t>(size_of(layout.dtype));
  }
  add_strides(pass.domain, sink.axes, strides, view);
  return view;
}

}  // namespace trntensor::host
