// Suites of trntensor bench that are more than a product: what they count, whom they compare, what they add to a
// report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <thread>

#include "tests/cli/program.hpp"

namespace trntensor::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

class BenchSuites : public ProgramTest {
 protected:
  /// Quick, without peers or with the stand-in as the only one.
  Outcome bench(std::vector<std::string> arguments,
                const Environment& environment = {{"TRNTENSOR_BENCH_PEERS", "none"}}) {
    arguments.insert(arguments.begin(), "bench");
    arguments.insert(arguments.end(), {"--seconds", "0.001"});
    return run(arguments, environment);
  }

  static Environment stand_in(const std::string& fault = "") {
    return {{"TRNTENSOR_BENCH_PEERS", "openblas"},
            {"LD_LIBRARY_PATH", TRNTENSOR_STAND_IN_FOLDER},
            {"STAND_IN_FAULT", fault}};
  }
};

/// What must hold of a case that was measured beside the stand-in.
void expect_compared(const Json& one) {
  EXPECT_TRUE(one["error"].is_null()) << one["error"];
  EXPECT_EQ(one["compared_with"], Json::array({"openblas", "reference"}));
  EXPECT_EQ(one["best_peer"], "openblas");
  EXPECT_GT(one["ratio_to_best_peer"], 0.0);
  EXPECT_DOUBLE_EQ(one["gflops"].get<double>(), one["flops"].get<double>() / one["seconds"].get<double>() * 1e-9);
  EXPECT_TRUE(one["yardstick"].is_null());
  EXPECT_TRUE(one["error_ulps"].is_null());
}

TEST_F(BenchSuites, Mp2CountsEachPairOnceAndComparesEnergies) {
  // More orbitals than a product takes at once; virtual ones that fill no tile, and one and a part; one of each.
  const Outcome outcome =
      bench({"mp2", "--sizes", "5x7x9,17x3x4,3x33x20,1x1x1", "--dtype", "f64,f32", "--json"}, stand_in());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json cases = outcome.json()["cases"];
  ASSERT_EQ(cases.size(), 8U);
  for (const Json& one : cases) expect_compared(one);
  const Json one = bench({"mp2", "--sizes", "5x7x9", "--list", "--json"}).json()["cases"][0];
  EXPECT_EQ(one["flops"], 2.0 * (5 * 6 / 2) * 7 * 7 * 9);
  EXPECT_EQ(one["bytes"], 8.0 * 5 * 7 * 9);
}

TEST_F(BenchSuites, TransformCountsTheCheaperOrder) {
  // Occupied orbitals first, virtual ones first, as many of both.
  const Outcome outcome =
      bench({"ao2mo", "--sizes", "12x3x9x10,12x9x3x10,6x4x4x5", "--dtype", "f64,f32", "--json"}, stand_in());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json cases = outcome.json()["cases"];
  ASSERT_EQ(cases.size(), 6U);
  for (const Json& one : cases) expect_compared(one);
  const auto flops = [&](const char* size) {
    return bench({"ao2mo", "--sizes", size, "--list", "--json"}).json()["cases"][0]["flops"].get<double>();
  };
  EXPECT_EQ(flops("12x3x9x10"), 2.0 * (12 * 12 * 3 * 10 + 12 * 3 * 9 * 10));
  EXPECT_EQ(flops("12x9x3x10"), 2.0 * (12 * 12 * 3 * 10 + 12 * 3 * 9 * 10));
}

TEST_F(BenchSuites, APeerThatIsWrongEndsItsCase) {
  for (const char* fault : {"value", "rounding"}) {
    const Outcome mp2 = bench({"mp2", "--sizes", "4x6x8", "--json"}, stand_in(fault));
    EXPECT_EQ(mp2.exit_code, 1);
    EXPECT_THAT(mp2.json()["cases"][0]["error"].get<std::string>(),
                HasSubstr("openblas differ: the opposite-spin energy"));
    const Outcome transform = bench({"ao2mo", "--sizes", "6x2x4x5", "--json"}, stand_in(fault));
    EXPECT_EQ(transform.exit_code, 1);
    EXPECT_THAT(transform.json()["cases"][0]["error"].get<std::string>(), HasSubstr("openblas differ: element "));
  }
}

TEST_F(BenchSuites, PrecisionIsToldAsAMultipleOfFast) {
  const Outcome outcome = bench({"precision", "--sizes", "64", "--json"}, stand_in());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json object = outcome.json();
  std::vector<std::string> names;
  for (const Json& one : object["cases"]) {
    names.push_back(one["name"].get<std::string>() + " " + one["dtype"].get<std::string>());
    EXPECT_TRUE(one["error"].is_null()) << one["error"];
    EXPECT_EQ(one["yardstick"], "fast");
    EXPECT_EQ(one["contestants"][1]["name"], "fast");
    EXPECT_TRUE(one["peers"].empty());
    EXPECT_TRUE(one["ratio_to_best_peer"].is_null());
    EXPECT_GT(one["times_yardstick"], 0.0);
    EXPECT_LE(one["times_p10"], one["times_yardstick"]);
    EXPECT_GE(one["times_p90"], one["times_yardstick"]);
    EXPECT_EQ(one["compared_with"], Json::array({"fast"}));
  }
  EXPECT_THAT(names, ElementsAre("fast 64x64x64 float64", "kahan 64x64x64 float64", "dd 64x64x64 float64",
                                 "sr 64x64x64 float64", "fast 64x64x64 float32", "kahan 64x64x64 float32",
                                 "dd 64x64x64 float32", "sr 64x64x64 float32"));
  EXPECT_TRUE(object["geomean_ratio"].is_null()) << "fast is no peer";
  EXPECT_TRUE(object["peers"].empty());
  const Json& cases = object["cases"];
  EXPECT_GT(cases[0]["error_ulps"], 1.0) << "sums of 64 terms that cancel are not all rounded correctly";
  EXPECT_EQ(cases[1]["error_ulps"], 0.0);
  EXPECT_EQ(cases[2]["error_ulps"], 0.0);
  EXPECT_EQ(cases[3]["error_ulps"], 1.0) << "some of 1024 sums are not rounded to nearest";
  EXPECT_GT(cases[4]["error_ulps"], 1.0);
  EXPECT_LE(cases[5]["error_ulps"], 1.0);
  EXPECT_LE(cases[6]["error_ulps"], 1.0);
  EXPECT_LE(cases[7]["error_ulps"], 1.0);
}

TEST_F(BenchSuites, ReportsShowThem) {
  const Outcome text = bench({"precision", "--sizes", "16", "--dtype", "f64", "--filter", "dd"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  for (const char* part : {"time / fast", "error, ulps", "dd 16x16x16"}) EXPECT_THAT(text.out, HasSubstr(part));
  EXPECT_THAT(text.out, Not(HasSubstr("which")));
  const Outcome outcome =
      bench({"mp2", "--sizes", "4x6x8,5x5x5", "--plot", "mp2.svg", "--markdown", "mp2.md"}, stand_in());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const auto text_of = [&](const char* name) {
    std::ostringstream stream;
    stream << std::ifstream(path(name)).rdbuf();
    return stream.str();
  };
  EXPECT_THAT(text_of("mp2.md"), HasSubstr("`trntensor bench mp2 --sizes 4x6x8,5x5x5 "));
  for (const char* part : {"| 4x6x8 | ", "| 5x5x5 | ", "| openblas |"}) EXPECT_THAT(text_of("mp2.md"), HasSubstr(part));
  EXPECT_THAT(text_of("mp2.svg"), HasSubstr("mp2, float64, 1 thread"));
}

TEST_F(BenchSuites, AllHasEverySuiteWithItsOwnTypes) {
  std::map<std::string, std::set<std::string>> dtypes;
  const Json cases = bench({"all", "--list", "--json"}).json()["cases"];
  for (const Json& one : cases) dtypes[one["suite"].get<std::string>()].insert(one["dtype"].get<std::string>());
  const std::set<std::string> two = {"float32", "float64"};
  const std::set<std::string> three = {"bfloat16", "float32", "float64"};
  const std::set<std::string> one = {"float64"};
  const std::map<std::string, std::set<std::string>> expected = {{"gemm", three}, {"small", two}, {"tccg", two},
                                                                 {"mp2", one},    {"ao2mo", one}, {"precision", two}};
  EXPECT_EQ(dtypes, expected);
  const Json narrow = bench({"all", "--list", "--json", "--dtype", "bf16"}).json()["cases"];
  EXPECT_GT(narrow.size(), 48U);
  for (const Json& any : narrow) EXPECT_EQ(any["dtype"], "bfloat16");
}

// Stopped within an energy, not after it; before that, a terminal is told how long it goes on.
TEST_F(BenchSuites, CtrlCEndsALongCall) {
  using Clock = std::chrono::steady_clock;
  Running running(folder_, {"bench", "mp2", "--sizes", "64x300x600"}, {{"TRNTENSOR_BENCH_PEERS", "none"}},
                  ErrorStream::kTerminal);
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  running.send(SIGINT);
  const Clock::time_point start = Clock::now();
  const Outcome outcome = running.wait();
  EXPECT_LT(std::chrono::duration<double>(Clock::now() - start).count(), 10.0);
  EXPECT_EQ(outcome.exit_code, 128 + SIGINT) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("\rbench mp2: "));
}

TEST_F(BenchSuites, TorchContractsByItselfOrIsSaidToBeMissing) {
  const Outcome outcome =
      bench({"tccg", "--filter", "intensli0", "--dtype", "f32", "--json"}, {{"TRNTENSOR_BENCH_PEERS", "torch"}});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json object = outcome.json();
  const Json& torch = object["peers"].back();
  if (!torch["found"].get<bool>()) {
    EXPECT_THAT(torch["note"].get<std::string>(), HasSubstr("is not found"));
    EXPECT_TRUE(object["cases"][0]["peers"].empty());
    return;
  }
  EXPECT_THAT(object["cases"][0]["contestants"][1]["kernel"].get<std::string>(), HasSubstr("einsum, "));
  EXPECT_EQ(object["cases"][0]["compared_with"], Json::array({"torch"}));
}

TEST_F(BenchSuites, HelpNamesSuitesSizesAndPeers) {
  const Outcome help = run({"bench", "--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const char* part : {"mp2 ", "[--sizes OCCxVIRxAUX]", "[--sizes AOxOCCxVIRxAUX]", "precision ", "openblas, blis"})
    EXPECT_THAT(help.out, HasSubstr(part));
}

}  // namespace
}  // namespace trntensor::testing
