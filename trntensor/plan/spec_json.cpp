#include "trntensor/plan/spec_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "trntensor/support/error.hpp"

namespace trntensor::plan {
namespace {

std::size_t at(int label) { return static_cast<std::size_t>(label); }

void read_labels(const JsonField& plan, Spec& spec) {
  std::unordered_set<std::string> known;
  const JsonField labels = plan.at("labels");
  for (const JsonField& field : labels.elements()) {
    spec.names.push_back(field.text());
    if (spec.names.back().empty()) field.refuse("is empty");
    if (!known.insert(spec.names.back()).second) field.refuse(fmt::format("names \"{}\" again", spec.names.back()));
  }
  const JsonField extents = plan.at("extents");
  for (const JsonField& field : extents.elements()) spec.extents.push_back(field.integer(0, INT64_MAX));
  if (spec.extents.size() != spec.names.size()) {
    extents.refuse(fmt::format("has {} entries for {} labels", spec.extents.size(), spec.names.size()));
  }
}

void check_elements(const JsonField& field, const Shape& shape) {
  try {
    checked_size(shape);
  } catch (const Error& error) {
    field.refuse(fmt::format("is too large: {}", error.what()));
  }
}

// One operand: its axes, which of them broadcast, and the labels it depends on. `extent_of` has -1 for every label,
// before and after.
void read_operand(const JsonField& input, const JsonField& shape_field, Spec& spec,
                  std::vector<std::int64_t>& extent_of) {
  const Labels axes = input.integers(0, static_cast<int>(spec.names.size()) - 1);
  const std::vector<JsonField> extents = shape_field.elements();
  if (extents.size() != axes.size()) {
    shape_field.refuse(fmt::format("has {} entries for {} axes", extents.size(), axes.size()));
  }
  Shape shape;
  Labels inputs;
  std::vector<bool> broadcast;
  for (std::size_t d = 0; d < axes.size(); ++d) {
    const std::size_t label = at(axes[d]);
    const std::int64_t extent = extents[d].integer(0, INT64_MAX);
    if (extent != spec.extents[label] && extent != 1) {
      extents[d].refuse(fmt::format("is {} where label \"{}\" has {}", extent, spec.names[label], spec.extents[label]));
    }
    if (extent_of[label] >= 0 && extent_of[label] != extent) extents[d].refuse("differs along one diagonal");
    broadcast.push_back(extent != spec.extents[label]);
    if (extent_of[label] < 0 && !broadcast.back()) inputs.push_back(axes[d]);
    extent_of[label] = extent;
    shape.push_back(extent);
  }
  for (const Label label : axes) extent_of[at(label)] = -1;
  check_elements(shape_field, shape);
  spec.axes.push_back(axes);
  spec.broadcast.push_back(std::move(broadcast));
  spec.inputs.push_back(std::move(inputs));
}

void read_operands(const JsonField& plan, Spec& spec) {
  const JsonField inputs_field = plan.at("inputs");
  const std::vector<JsonField> inputs = inputs_field.elements();
  const std::vector<JsonField> shapes = plan.at("shapes").elements();
  if (inputs.empty()) inputs_field.refuse("is empty");
  if (shapes.size() != inputs.size()) {
    plan.at("shapes").refuse(fmt::format("has {} entries for {} operands", shapes.size(), inputs.size()));
  }
  std::vector<bool> used(spec.names.size(), false);
  std::vector<std::int64_t> extent_of(spec.names.size(), -1);
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    read_operand(inputs[k], shapes[k], spec, extent_of);
    for (const Label label : spec.inputs.back()) used[at(label)] = true;
  }
  const auto unused = std::find(used.begin(), used.end(), false);
  if (unused != used.end()) {
    plan.at("labels").refuse(fmt::format("has \"{}\", whose extent no operand has",
                                         spec.names[static_cast<std::size_t>(unused - used.begin())]));
  }
}

void read_output(const JsonField& plan, Spec& spec) {
  const JsonField field = plan.at("output");
  spec.output = field.integers(0, static_cast<int>(spec.names.size()) - 1);
  if (std::unordered_set<Label>(spec.output.begin(), spec.output.end()).size() != spec.output.size()) {
    field.refuse("has a label twice");
  }
  check_elements(field, spec.output_shape());
}

}  // namespace

Spec read_spec(const JsonField& plan) {
  Spec spec;
  read_labels(plan, spec);
  read_operands(plan, spec);
  read_output(plan, spec);
  plan.at("subscripts").expect(spec.to_string());
  return spec;
}

}  // namespace trntensor::plan
