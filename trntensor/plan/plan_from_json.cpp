#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "trntensor/plan/json_field.hpp"
#include "trntensor/plan/json_format.hpp"
#include "trntensor/plan/label_text.hpp"
#include "trntensor/plan/result_types.hpp"
#include "trntensor/plan/spec_json.hpp"
#include "trntensor/plan/step_builder.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor {
namespace {

using plan::JsonField;
using Json = nlohmann::json;

Json parse(std::string_view text) {
  constexpr int kMaxDepth = 8;  // a plan's own is 4
  const auto check_depth = [](int depth, Json::parse_event_t, Json&) {
    if (depth > kMaxDepth) throw_invalid("the plan's JSON: the text is nested too deeply for a plan");
    return true;
  };
  try {
    return Json::parse(text.begin(), text.end(), check_depth);
  } catch (const Json::exception& error) {
    throw_invalid(fmt::format("the plan's JSON: the text is no JSON ({})", error.what()));
  }
}

// Reads a name with a parser of ours, whose complaint is put behind the field's name.
template <typename Parser>
auto read_name(const JsonField& field, Parser&& parser) {
  const std::string text = field.text();
  try {
    return parser(text);
  } catch (const Error& error) {
    field.refuse(fmt::format("is wrong: {}", error.what()));
  }
}

void read_types(const JsonField& root, Plan::Contents& contents) {
  const std::vector<JsonField> dtypes = root.at("dtypes").elements();
  if (dtypes.size() != contents.spec.inputs.size()) {
    root.at("dtypes").refuse(fmt::format("has {} entries for {} operands", dtypes.size(), contents.spec.inputs.size()));
  }
  const JsonField compute = root.at("compute_dtype");
  contents.compute_dtype = read_name(compute, parse_dtype);
  for (const JsonField& field : dtypes) {
    contents.input_dtypes.push_back(read_name(field, parse_dtype));
    if (!can_cast_same_kind(contents.input_dtypes.back(), contents.compute_dtype)) {
      field.refuse("cannot be computed in " + compute.text());
    }
  }
  const JsonField output = root.at("output_dtype");
  contents.output_dtype = read_name(output, parse_dtype);
  if (!can_cast_same_kind(contents.compute_dtype, contents.output_dtype)) {
    output.refuse("cannot hold " + compute.text());
  }
  contents.precision = read_name(root.at("precision"), parse_precision);
  contents.accumulator_dtype = read_name(root.at("precision"), [&](const std::string&) {
    return plan::summing_type(contents.compute_dtype, contents.precision);
  });
  root.at("accumulator_dtype").expect(to_string(contents.accumulator_dtype));
  const JsonField target = root.at("target_forward_error");
  if (!target.is_null()) contents.target_forward_error = target.number();
}

std::string read_method(const JsonField& field) {
  std::string method = field.text();
  for (const std::string_view known : {"optimal", "greedy", "given", "trivial"}) {
    if (method == known) return method;
  }
  field.refuse(fmt::format("is \"{}\", not \"optimal\", \"greedy\", \"given\" or \"trivial\"", method));
}

plan::StepChoice read_choice(const JsonField& field, const Plan::Contents& contents, const plan::StepBuilder& builder) {
  plan::StepChoice choice;
  const JsonField operands = field.at("operands");
  choice.operands = operands.integers(0, static_cast<int>(builder.tensors()) - 1);
  const std::size_t wanted = contents.spec.inputs.size() == 1 ? 1 : 2;
  if (choice.operands.size() != wanted)
    operands.refuse(fmt::format("has {} entries, not {}", choice.operands.size(), wanted));
  if (wanted == 2 && choice.operands[0] == choice.operands[1]) operands.refuse("names one tensor twice");
  const JsonField output = field.at("output");
  choice.output = output.integers(0, static_cast<int>(contents.spec.names.size()) - 1);
  if (!builder.is_result(choice.operands, choice.output)) {
    output.refuse("is not what the step leaves: every label that a later step or the result needs, once");
  }
  return choice;
}

void check_step(const JsonField& field, const PlanStep& step, const std::vector<std::string>& letters) {
  field.at("subscripts").expect(plan::step_text(step, letters));
  field.at("inputs").expect(step.inputs);
  field.at("strategy").expect(to_string(step.strategy));
  field.at("contracted").expect(step.contracted);
  field.at("batch").expect(step.batch);
  field.at("presummed").expect(step.presummed);
  field.at("trans_a").expect(step.trans_a);
  field.at("trans_b").expect(step.trans_b);
  field.at("dtype").expect(to_string(step.dtype));
  field.at("macs").expect(step.cost.macs);
  field.at("bytes").expect(step.cost.bytes);
  field.at("elements").expect(step.cost.elements);
}

std::vector<PlanStep> read_steps(const JsonField& root, const Plan::Contents& header) {
  const JsonField field = root.at("steps");
  const std::vector<JsonField> entries = field.elements();
  const std::size_t operands = header.spec.inputs.size();
  const std::size_t wanted = std::max<std::size_t>(operands - 1, 1);
  if (entries.size() != wanted) field.refuse(fmt::format("has {} entries, not {}", entries.size(), wanted));
  const std::vector<std::string> letters = plan::label_letters(header.spec);
  plan::StepBuilder builder(header);
  std::vector<PlanStep> steps;
  for (const JsonField& entry : entries) {
    const plan::StepChoice choice = read_choice(entry, header, builder);
    steps.push_back(builder.take(choice, entry.at("backend").text(), entry.at("reason").text()));
    check_step(entry, steps.back(), letters);
  }
  return steps;
}

void check_totals(const JsonField& root, const Plan& result) {
  const Plan::Contents& contents = result.contents();
  root.at("path").expect(result.contraction_path());
  root.at("macs").expect(contents.macs);
  root.at("naive_macs").expect(contents.naive_macs);
  root.at("log10_macs").expect(plan::log10_count(contents.macs));
  root.at("log2_largest").expect(plan::log2_count(contents.largest_elements));
  root.at("peak_bytes").expect(contents.peak_bytes);
  const JsonField bound = root.at("error_bound");
  if (std::abs(bound.number() - contents.error_bound) > 1e-9 * contents.error_bound) {  // often far below 1e-9 itself
    bound.refuse(fmt::format("is {}, but the steps give {}", bound.number(), contents.error_bound));
  }
  const std::optional<double>& target = contents.target_forward_error;
  if (target && contents.error_bound > *target) root.at("target_forward_error").refuse("is less than the error bound");
}

}  // namespace

Plan Plan::from_json(std::string_view text) {
  const Json json = parse(text);
  const JsonField root(json, "");
  const JsonField format = root.at("format");
  if (format.number() != plan::kJsonFormat) format.refuse(fmt::format("is not {}", plan::kJsonFormat));
  Contents contents;
  contents.spec = plan::read_spec(root);
  read_types(root, contents);
  contents.method = read_method(root.at("method"));
  contents.search_seconds = root.at("search_seconds").number();
  contents.steps = read_steps(root, contents);
  plan::add_totals(contents);
  Plan result(std::move(contents));
  check_totals(root, result);
  return result;
}

}  // namespace trntensor
