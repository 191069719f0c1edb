#include <cmath>
#include <nlohmann/json.hpp>

#include "trntensor/plan/json_format.hpp"
#include "trntensor/plan/label_text.hpp"

namespace trntensor {
namespace {

using Json = nlohmann::ordered_json;

Json shapes_of(const Spec& spec) {
  Json shapes = Json::array();
  for (std::size_t k = 0; k < spec.axes.size(); ++k) {
    const Shape shape = spec.operand_shape(k);
    shapes.push_back(std::vector<std::int64_t>(shape.begin(), shape.end()));
  }
  return shapes;
}

Json names_of(const std::vector<DType>& dtypes) {
  Json names = Json::array();
  for (const DType dtype : dtypes) names.push_back(to_string(dtype));
  return names;
}

Json step_json(const PlanStep& step, const std::vector<std::string>& letters) {
  return {{"operands", step.operands},
          {"subscripts", plan::step_text(step, letters)},
          {"inputs", step.inputs},
          {"output", step.output},
          {"strategy", to_string(step.strategy)},
          {"backend", step.backend},
          {"reason", step.reason},
          {"contracted", step.contracted},
          {"batch", step.batch},
          {"presummed", step.presummed},
          {"trans_a", step.trans_a},
          {"trans_b", step.trans_b},
          {"dtype", to_string(step.dtype)},
          {"macs", step.cost.macs},
          {"bytes", step.cost.bytes},
          {"elements", step.cost.elements}};
}

}  // namespace

std::string Plan::to_json() const {
  const Spec& spec = contents_.spec;
  const std::vector<std::string> letters = plan::label_letters(spec);
  const std::optional<double>& asked = contents_.target_forward_error;
  const Json target = asked ? Json(*asked) : Json();
  Json json{{"format", plan::kJsonFormat},
            {"subscripts", spec.to_string()},
            {"labels", spec.names},
            {"extents", spec.extents},
            {"inputs", spec.axes},
            {"shapes", shapes_of(spec)},
            {"output", spec.output},
            {"dtypes", names_of(contents_.input_dtypes)},
            {"compute_dtype", to_string(contents_.compute_dtype)},
            {"accumulator_dtype", to_string(contents_.accumulator_dtype)},
            {"output_dtype", to_string(contents_.output_dtype)},
            {"precision", to_string(contents_.precision)},
            {"target_forward_error", target},
            {"error_bound", contents_.error_bound},
            {"method", contents_.method},
            {"path", contraction_path()},
            {"steps", Json::array()},
            {"macs", contents_.macs},
            {"naive_macs", contents_.naive_macs},
            {"log10_macs", plan::log10_count(contents_.macs)},
            {"log2_largest", plan::log2_count(contents_.largest_elements)},
            {"peak_bytes", contents_.peak_bytes},
            {"search_seconds", contents_.search_seconds}};
  for (const PlanStep& step : contents_.steps) json["steps"].push_back(step_json(step, letters));
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace trntensor
