// Calls whose outcome five implementations agree on, or where the project chose one (tests/data/semantics-cases.json):
// the engine and the oracle against the recorded values.
#include <gtest/gtest.h>

#include <complex>
#include <fstream>
#include <nlohmann/json.hpp>

#include "trntensor/dispatch/einsum.hpp"
#include "trntensor/reference/reference.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/tensor/tensor.hpp"

namespace trntensor {
namespace {

using Json = nlohmann::json;
using Complex = std::complex<double>;

Json read_cases() {
  std::ifstream file(TRNTENSOR_TEST_DATA "/semantics-cases.json");
  return Json::parse(file).at("cases");
}

Tensor make_operand(const Json& shape_json, const std::string& dtype_name, std::int64_t k) {
  const auto extents = shape_json.get<std::vector<std::int64_t>>();
  const DType dtype = parse_dtype(dtype_name);
  Tensor values = Tensor::empty(Shape(extents.begin(), extents.end()), DType::kComplex128);
  for (std::int64_t n = 0; n < values.size(); ++n) {
    auto v = static_cast<double>((n * (3 + 2 * k) + k) % 7 - 3);
    if (is_integer(dtype) && !is_signed(dtype)) v += 3;
    if (dtype == DType::kBool) v = v > 0 ? 1 : 0;
    const double imaginary = is_complex(dtype) ? static_cast<double>((5 * n + k) % 5 - 2) : 0;
    values.data_as<Complex>()[n] = {v, imaginary};
  }
  return values.astype(dtype);
}

std::vector<Complex> read_values(const Json& json) {
  std::vector<Complex> values;
  for (const Json& value : json) {
    if (value.is_boolean()) {
      values.emplace_back(value.get<bool>() ? 1 : 0);
    } else if (value.is_array()) {
      values.emplace_back(value[0].get<double>(), value[1].get<double>());
    } else {
      values.emplace_back(value.get<double>());
    }
  }
  return values;
}

void expect_recorded(const Json& expected, const Tensor& actual) {
  EXPECT_EQ(to_string(actual.dtype()), expected.at("dtype").get<std::string>());
  const auto shape = expected.at("shape").get<std::vector<std::int64_t>>();
  ASSERT_EQ(format_shape(actual.shape()), format_shape(shape));
  std::vector<Complex> values = actual.to_vector<Complex>();
  const std::vector<Complex> recorded = read_values(expected.at("values"));
  if (expected.contains("truncated")) values.resize(recorded.size());
  EXPECT_EQ(values, recorded);  // small whole numbers: exact in every type
}

TEST(Semantics, EngineAndOracleGiveTheRecordedOutcome) {
  const Json cases = read_cases();
  ASSERT_EQ(cases.size(), 180U);
  for (const Json& recorded : cases) {
    const auto text = recorded.at("eq").get<std::string>();
    SCOPED_TRACE(recorded.dump().substr(0, 200));
    std::vector<Tensor> operands;
    for (std::size_t k = 0; k < recorded.at("shapes").size(); ++k) {
      operands.push_back(make_operand(recorded["shapes"][k], recorded["dtypes"][k], static_cast<std::int64_t>(k)));
    }
    const std::vector<TensorView> views(operands.begin(), operands.end());
    if (recorded.at("expect") == "error") {
      EXPECT_THROW(einsum(text, views), Error);
      continue;
    }
    std::vector<Shape> shapes;
    for (const Tensor& operand : operands) shapes.push_back(operand.shape());
    expect_recorded(recorded, einsum(text, views));
    expect_recorded(recorded, reference::einsum(parse_spec(text, shapes), views));
  }
}

}  // namespace
}  // namespace trntensor
