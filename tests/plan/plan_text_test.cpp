// Plans as tables and as JSON, there and back, and JSON that lies.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/common/random_spec.hpp"
#include "tests/plan/support.hpp"

namespace trntensor {
namespace {

using Json = nlohmann::ordered_json;
using testing::expect_error;
using testing::plan_of;
using testing::Sizes;

Plan transform() { return plan_of("mi,na,mnP->iaP", {{"m", 256}, {"n", 256}, {"i", 16}, {"a", 32}, {"P", 256}}); }

TEST(PlanTable, ShowsStepsAndTotals) {
  const std::string table = transform().to_table();
  for (const char* fragment : {"mi,na,mnP->iaP", "mi,mnP->inP", "inP,na->iaP", "matmul", "host", "2.68e+08", "1.05e+06",
                               "float64", "only the host executor is available", "8.59e+09", "28.4 times", "MiB"}) {
    EXPECT_NE(table.find(fragment), std::string::npos) << fragment << " in\n" << table;
  }
}

TEST(PlanTable, ColumnsAlignForWideLetters) {
  const std::string table = plan_of("\u5bc5j,jk,kl->\u5bc5l", {{"\u5bc5", 9}, {"j", 2}, {"k", 3}, {"l", 4}}).to_table();
  EXPECT_NE(table.find("jk,kl->jl    matmul"), std::string::npos) << table;
  EXPECT_NE(table.find("\u5bc5j,jl->\u5bc5l  matmul"), std::string::npos) << table;  // two columns a letter
}

TEST(PlanTable, OfMixedTypesSaysSo) {
  const std::vector<DType> dtypes{DType::kFloat32, DType::kFloat64};
  const Plan plan = make_plan(testing::spec_of("i,i->", {{"i", 3}}), dtypes, {}, testing::NamedExecutor());
  EXPECT_NE(plan.to_table().find("operands of mixed types"), std::string::npos) << plan.to_table();
}

TEST(PlanJson, HasTheDocumentedFields) {
  const Json json = Json::parse(transform().to_json());
  EXPECT_EQ(json["format"], 1);
  EXPECT_EQ(json["subscripts"], "mi,na,mnP->iaP");
  EXPECT_EQ(json["path"], Json::parse("[[0,2],[0,1]]"));
  EXPECT_EQ(json["labels"], Json::parse(R"(["m","i","n","a","P"])"));
  EXPECT_EQ(json["method"], "optimal");
  EXPECT_EQ(json["steps"].size(), 2U);
  EXPECT_EQ(json["steps"][0]["subscripts"], "mi,mnP->inP");
  EXPECT_EQ(json["steps"][0]["strategy"], "matmul");
  EXPECT_EQ(json["steps"][0]["macs"], 256.0 * 256 * 256 * 16);
  EXPECT_NEAR(json["log10_macs"].get<double>(), 8.48, 0.005);
  EXPECT_EQ(json["log2_largest"], 24);
}

TEST(PlanJson, ComesBackEqual) {
  constexpr std::uint64_t kSeed = 300;
  const std::vector<DType> types{DType::kFloat32, DType::kFloat64, DType::kBFloat16, DType::kInt8, DType::kComplex64};
  for (std::uint64_t round = 0; round < 1000; ++round) {
    const testing::RandomSpec random = testing::random_spec(kSeed + round);
    const Spec spec = random.parse();
    std::vector<DType> dtypes;
    for (std::size_t k = 0; k < spec.inputs.size(); ++k) dtypes.push_back(types[(round + k) % types.size()]);
    const PlanOptions options{.precision = round % 2 == 0 ? Precision::kFast : Precision::kKahan};
    const Plan plan = make_plan(spec, dtypes, options, testing::NamedExecutor());
    const Plan copy = Plan::from_json(plan.to_json());
    ASSERT_EQ(copy, plan) << random;
    ASSERT_EQ(copy.spec().names, spec.names) << random;
    ASSERT_EQ(copy.spec().inputs, spec.inputs) << random;
    ASSERT_EQ(copy.to_json(), plan.to_json()) << random;
  }
}

TEST(PlanJson, OfThousandsOfOperandsComesBackEqual) {
  const Plan plan = plan_of(testing::read_instance("sycamore_53_20_raw").spec, {.method = PathMethod::kGreedy});
  EXPECT_EQ(Plan::from_json(plan.to_json()), plan);
}

struct Lie {
  const char* pointer;  // into the JSON of `transform`
  const char* value;
  const char* named;  // what the error has to name

  friend std::ostream& operator<<(std::ostream& out, const Lie& lie) {
    return out << lie.pointer << " = " << lie.value;
  }
};

class PlanJsonLies : public ::testing::TestWithParam<Lie> {};

TEST_P(PlanJsonLies, AreNamed) {
  Json json = Json::parse(transform().to_json());
  json[Json::json_pointer(GetParam().pointer)] = Json::parse(GetParam().value);
  expect_error(ErrorKind::kInvalidArgument, {GetParam().named}, [&] { Plan::from_json(json.dump()); });
}

INSTANTIATE_TEST_SUITE_P(
    Fields, PlanJsonLies,
    ::testing::Values(
        Lie{"/format", "2", "format"}, Lie{"/subscripts", "\"ij->ji\"", "subscripts"},
        Lie{"/labels", "[]", "extents has 5 entries for 0 labels"}, Lie{"/labels/0", "3", "labels[0] is number"},
        Lie{"/labels/1", "\"m\"", "labels[1] names \"m\" again"}, Lie{"/labels/1", "\"\"", "labels[1] is empty"},
        Lie{"/extents/0", "-1", "extents[0]"}, Lie{"/extents/0", "1.5", "extents[0]"},
        Lie{"/extents/0", "18446744073709551615", "extents[0]"}, Lie{"/extents/0", "257", "shapes[0][0]"},
        Lie{"/inputs", "[]", "inputs is empty"}, Lie{"/inputs/0/0", "5", "inputs[0][0]"},
        Lie{"/inputs/0/0", "-1", "inputs[0][0]"}, Lie{"/inputs/0", "[0]", "shapes[0] has 2 entries for 1 axes"},
        Lie{"/shapes", "[[256,16]]", "shapes has 1 entries"}, Lie{"/shapes/0/0", "255", "shapes[0][0]"},
        Lie{"/output", "[1,3,4,4]", "output has a label twice"}, Lie{"/output", "[9]", "output[0]"},
        Lie{"/output", "[1,3]", "subscripts"}, Lie{"/dtypes", "[]", "dtypes has 0 entries for 3 operands"},
        Lie{"/dtypes/0", "\"float65\"", "dtypes[0]"}, Lie{"/dtypes/0", "\"complex64\"", "dtypes[0] cannot be computed"},
        Lie{"/compute_dtype", "null", "compute_dtype is null"}, Lie{"/output_dtype", "\"int8\"", "output_dtype"},
        Lie{"/accumulator_dtype", "\"float32\"", "accumulator_dtype"}, Lie{"/precision", "\"quad\"", "precision"},
        Lie{"/precision", "\"dd\"", "peak_bytes"}, Lie{"/precision", "\"best\"", "precision"},
        Lie{"/method", "\"guess\"", "method"}, Lie{"/search_seconds", "-1", "search_seconds"},
        Lie{"/search_seconds", "\"1\"", "search_seconds is string"}, Lie{"/path", "[[0,1],[0,1]]", "path[0]"},
        Lie{"/steps", "[]", "steps has 0 entries, not 2"}, Lie{"/steps", "{}", "steps is object, not an array"},
        Lie{"/steps/0/operands", "[0]", "steps[0].operands"},
        Lie{"/steps/0/operands", "[0,0]", "steps[0].operands names one tensor twice"},
        Lie{"/steps/0/operands", "[0,3]", "steps[0].operands[1]"}, Lie{"/steps/0/output", "[1,2]", "steps[0].output"},
        Lie{"/steps/0/output", "[1,2,4,4]", "steps[0].output"}, Lie{"/steps/1/output", "[3,1,4]", "steps[1].output"},
        Lie{"/steps/0/subscripts", "\"mi,mnP->niP\"", "steps[0].subscripts"},
        Lie{"/steps/0/inputs", "[[0,1],[2,0,4]]", "steps[0].inputs[1]"},
        Lie{"/steps/0/strategy", "\"bmm\"", "steps[0].strategy"}, Lie{"/steps/0/backend", "1", "steps[0].backend"},
        Lie{"/steps/0/contracted", "[2]", "steps[0].contracted"}, Lie{"/steps/0/batch", "[0]", "steps[0].batch"},
        Lie{"/steps/0/presummed", "[0]", "steps[0].presummed"}, Lie{"/steps/0/trans_a", "false", "steps[0].trans_a"},
        Lie{"/steps/0/trans_b", "0", "steps[0].trans_b is number"}, Lie{"/steps/0/dtype", "\"int8\"", "steps[0].dtype"},
        Lie{"/steps/0/macs", "1", "steps[0].macs"}, Lie{"/steps/1/bytes", "1", "steps[1].bytes"},
        Lie{"/steps/1/elements", "1", "steps[1].elements"}, Lie{"/macs", "1", "macs"},
        Lie{"/naive_macs", "1", "naive_macs"}, Lie{"/log10_macs", "1", "log10_macs"},
        Lie{"/log2_largest", "1", "log2_largest"}, Lie{"/peak_bytes", "1e300", "peak_bytes"},
        Lie{"/error_bound", "1", "error_bound"}, Lie{"/target_forward_error", "1e-30", "target_forward_error is less"},
        Lie{"/target_forward_error", "\"1\"", "target_forward_error is string"}));

TEST(PlanJson, MissingFieldsAreNamed) {
  const Json complete = Json::parse(transform().to_json());
  for (const auto& [name, value] : complete.items()) {
    Json json = complete;
    json.erase(name);
    expect_error(ErrorKind::kInvalidArgument, {name + " is missing"}, [&] { Plan::from_json(json.dump()); });
  }
  for (const auto& [name, value] : complete["steps"][1].items()) {
    Json json = complete;
    json["steps"][1].erase(name);
    expect_error(ErrorKind::kInvalidArgument, {"steps[1]." + name + " is missing"},
                 [&] { Plan::from_json(json.dump()); });
  }
}

TEST(PlanJson, WhatIsNoPlanIsRefused) {
  const auto refuse = [](const std::string& text, const std::string& fragment) {
    expect_error(ErrorKind::kInvalidArgument, {fragment}, [&] { Plan::from_json(text); });
  };
  refuse("", "no JSON");
  refuse("{", "no JSON");
  refuse("null", "is null, not an object");
  refuse("[]", "is array, not an object");
  refuse("{\"format\": 1e999}", "no JSON");
  refuse("{\"labels\": \"\xff\"}", "no JSON");
  refuse(std::string(1000000, '['), "nested too deeply");
}

TEST(PlanJson, ExtentsWhoseProductOverflowsAreRefused) {
  Json json = Json::parse(plan_of("i,j->ij", {{"i", 2}, {"j", 3}}).to_json());
  json["extents"] = {4000000000, 4000000000};
  json["shapes"] = Json::parse("[[4000000000],[4000000000]]");
  expect_error(ErrorKind::kInvalidArgument, {"output is too large"}, [&] { Plan::from_json(json.dump()); });
}

TEST(PlanJson, LabelsThatNoOperandHasAreRefused) {
  Json json = Json::parse(plan_of("i,j->ij", {{"i", 2}, {"j", 3}}).to_json());
  json["shapes"] = Json::parse("[[2],[1]]");
  expect_error(ErrorKind::kInvalidArgument, {"labels has \"j\""}, [&] { Plan::from_json(json.dump()); });
}

}  // namespace
}  // namespace trntensor
