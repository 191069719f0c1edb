#include "tests/plan/instance.hpp"

#include <fstream>
#include <nlohmann/json.hpp>

#include "trntensor/support/error.hpp"

namespace trntensor::testing {
namespace {

double measured_greedy(const nlohmann::json& instance) {
  for (const auto& entry : instance["measured"]) {
    if (entry["method"] == "opt_einsum greedy") return entry.value("log10_multiplications", 0.0);
  }
  return 0;
}

}  // namespace

Instance read_instance(const std::string& name) {
  std::ifstream file(std::string(TRNTENSOR_TEST_DATA) + "/paths/" + name + ".json");
  if (!file) throw Error(ErrorKind::kIo, "no instance " + name);
  const auto json = nlohmann::json::parse(file);
  const auto inputs = json["inputs"].get<std::vector<std::vector<std::int64_t>>>();
  const auto sizes = json["sizes"].get<std::vector<std::int64_t>>();
  std::vector<Shape> shapes;
  for (const auto& input : inputs) {
    Shape shape;
    for (const std::int64_t label : input) shape.push_back(sizes[static_cast<std::size_t>(label)]);
    shapes.push_back(shape);
  }
  Instance instance;
  instance.spec = make_spec(inputs, json["output"].get<std::vector<std::int64_t>>(), shapes);
  instance.optimum_log10_macs = json.value("optimum_log10_multiplications", 0.0);
  instance.best_log10_macs = json["best_known"]["flops"]["log10_mults"].get<double>();
  instance.greedy_log10_macs = measured_greedy(json);
  return instance;
}

}  // namespace trntensor::testing
