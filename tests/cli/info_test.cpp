// trntensor info: what it finds, and bad environment variables flagged rather than fatal.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cli/program.hpp"
#include "trntensor/version.hpp"

namespace trntensor::testing {
namespace {

using Info = ProgramTest;

nlohmann::ordered_json variable(const nlohmann::ordered_json& info, const std::string& name) {
  const auto& list = info["environment"];
  const auto found = std::find_if(list.begin(), list.end(), [&](const auto& entry) { return entry["name"] == name; });
  return found == list.end() ? nlohmann::ordered_json() : *found;
}

TEST_F(Info, JsonHasTheNamesOfTheManual) {
  const auto info = run({"info", "--json"}).json();
  EXPECT_EQ(keys(info), (std::vector<std::string>{"version", "compiler", "assertions", "cpu", "instruction_sets",
                                                  "kernels", "threads", "environment"}));
  EXPECT_EQ(info["version"], TRNTENSOR_VERSION);
  EXPECT_EQ(keys(info["cpu"]),
            (std::vector<std::string>{"model", "logical_cpus", "l1d_bytes", "l2_bytes", "l3_bytes"}));
  EXPECT_GE(info["cpu"]["logical_cpus"], 1);
  EXPECT_GT(info["cpu"]["l1d_bytes"], 0);
  EXPECT_EQ(info["instruction_sets"].back(), "generic");
  EXPECT_EQ(keys(info["kernels"]),
            (std::vector<std::string>{"float64", "float32", "bfloat16", "complex128", "complex64"}));
  EXPECT_GE(info["threads"], 1);
  EXPECT_TRUE(variable(info, "TRNTENSOR_NUM_THREADS")["value"].is_null());
  EXPECT_TRUE(variable(info, "TRNTENSOR_HOST_KERNEL")["fault"].is_null());
}

TEST_F(Info, TheEnvironmentIsHeeded) {
  const auto info =
      run({"info", "--json"}, {{"TRNTENSOR_NUM_THREADS", "3"}, {"TRNTENSOR_HOST_KERNEL", "generic"}}).json();
  EXPECT_EQ(info["threads"], 3);
  EXPECT_EQ(variable(info, "TRNTENSOR_NUM_THREADS")["value"], "3");
  for (const char* type : {"float64", "bfloat16"}) {
    EXPECT_NE(info["kernels"][type].get<std::string>().find("generic"), std::string::npos);
  }
}

TEST_F(Info, BadVariablesAreFlagged) {
  const Environment environment = {{"TRNTENSOR_NUM_THREADS", "many"}, {"TRNTENSOR_NUM_THREAD", "2"}};
  const Outcome outcome = run({"info", "--json"}, environment);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto info = outcome.json();
  EXPECT_TRUE(info["threads"].is_null());
  EXPECT_NE(variable(info, "TRNTENSOR_NUM_THREADS")["fault"].get<std::string>().find("many"), std::string::npos);
  EXPECT_EQ(variable(info, "TRNTENSOR_NUM_THREAD")["fault"], "is not read; TRNTENSOR_NUM_THREADS is");
  const Outcome text = run({"info"}, environment);
  EXPECT_NE(text.out.find("FAULT"), std::string::npos) << text.out;
}

TEST_F(Info, TheTextNamesTheCpuAndItsKernels) {
  const Outcome outcome = run({"info"});
  EXPECT_EQ(outcome.exit_code, 0);
  for (const char* fragment : {"version", TRNTENSOR_VERSION, "caches", "instruction sets", "generic", "kernel float64",
                               "TRNTENSOR_NUM_THREADS", "(unset)"}) {
    EXPECT_NE(outcome.out.find(fragment), std::string::npos) << fragment << "\n" << outcome.out;
  }
}

}  // namespace
}  // namespace trntensor::testing
