// trntensor bench: names of the JSON object, what is compared, peers that are wrong or missing, pictures, errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <fstream>
#include <regex>
#include <sstream>
#include <thread>

#include "tests/cli/program.hpp"

namespace trntensor::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

class BenchVerb : public ProgramTest {
 protected:
  /// Quick, and without peers unless the environment has others.
  Outcome bench(std::vector<std::string> arguments, Environment environment = {{"TRNTENSOR_BENCH_PEERS", "none"}}) {
    arguments.insert(arguments.begin(), "bench");
    arguments.insert(arguments.end(), {"--seconds", "0.001"});
    return run(arguments, environment);
  }

  /// With the stand-in as the only peer.
  static Environment stand_in(const std::string& fault = "") {
    return {{"TRNTENSOR_BENCH_PEERS", "openblas"},
            {"LD_LIBRARY_PATH", TRNTENSOR_STAND_IN_FOLDER},
            {"STAND_IN_FAULT", fault},
            {"OPENBLAS_CORETYPE", "Ancient"}};
  }

  std::string text_of(const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(path(name)).rdbuf();
    return text.str();
  }
};

/// Nothing when every tag is closed in turn and every ampersand begins an entity, else where that fails.
std::string xml_fault(const std::string& text) {
  static const std::regex kTag(R"(<(\?[^>]*\?|/?[a-z]+)((?:\s+[\w:-]+="[^"<>]*")*)\s*(/?)>)");
  static const std::regex kLoose(R"([<>]|&(?!(amp|lt|gt|quot);))");
  std::vector<std::string> open;
  std::size_t end = 0;
  for (std::sregex_iterator tag(text.begin(), text.end(), kTag); tag != std::sregex_iterator(); ++tag) {
    const std::string between = text.substr(end, static_cast<std::size_t>(tag->position()) - end);
    if (std::regex_search(between, kLoose)) return between;
    end = static_cast<std::size_t>(tag->position() + tag->length());
    const std::string name = (*tag)[1];
    if (name[0] == '?' || (*tag)[3] == "/") continue;
    if (name[0] != '/') {
      open.push_back(name);
    } else if (open.empty() || open.back() != name.substr(1)) {
      return name;
    } else {
      open.pop_back();
    }
  }
  return open.empty() && end + 1 == text.size() ? "" : "the end";
}

TEST_F(BenchVerb, JsonHasTheNamesOfTheManual) {
  const Outcome outcome = bench({"gemm", "--sizes", "64", "--dtype", "f64", "--filter", "nn", "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json object = outcome.json();
  EXPECT_THAT(keys(object), ElementsAre("suite", "version", "cpu", "peak_gflops", "peaks", "bandwidth_gbs", "peers",
                                        "cases", "summary", "geomean_ratio"));
  ASSERT_EQ(object["cases"].size(), 1U);
  EXPECT_THAT(keys(object["cases"][0]),
              ElementsAre("name", "suite", "subscripts", "dtype", "threads", "flops", "bytes", "gflops", "seconds",
                          "peak_gflops", "fraction_of_peak", "fraction_of_roofline", "peers", "best_peer",
                          "ratio_to_best_peer", "ratio_p10", "ratio_p90", "yardstick", "times_yardstick", "times_p10",
                          "times_p90", "error_ulps", "contestants", "compared_with", "error"));
  EXPECT_THAT(keys(object["cases"][0]["contestants"][0]),
              ElementsAre("name", "kernel", "gflops", "seconds", "seconds_p10", "seconds_p90", "rounds"));
  EXPECT_THAT(keys(object["summary"][0]),
              ElementsAre("suite", "dtype", "threads", "cases", "errors", "with_peers", "ahead", "geomean_gflops",
                          "geomean_fraction_of_roofline", "geomean_ratio"));
  EXPECT_THAT(keys(object["peak_gflops"]), ElementsAre("float64"));
}

TEST_F(BenchVerb, FiguresFollowFromEachOther) {
  const Json object = bench({"gemm", "--sizes", "64", "--dtype", "f64", "--filter", "nn", "--json"}).json();
  const Json& one = object["cases"][0];
  EXPECT_EQ(one["name"], "64x64x64 nn");
  EXPECT_EQ(one["flops"], 2.0 * 64 * 64 * 64);
  EXPECT_EQ(one["bytes"], 3.0 * 64 * 64 * 8);
  const double gflops = one["gflops"].get<double>();
  EXPECT_DOUBLE_EQ(gflops, one["flops"].get<double>() / one["seconds"].get<double>() * 1e-9);
  EXPECT_DOUBLE_EQ(one["fraction_of_peak"].get<double>(), gflops / one["peak_gflops"].get<double>());
  const double peaks = one["peak_gflops"].get<double>() / object["peak_gflops"]["float64"].get<double>();
  EXPECT_TRUE(peaks > 0.25 && peaks < 4) << peaks << ": one loop, one unit; only the clock may differ";
  EXPECT_GT(one["fraction_of_roofline"], one["fraction_of_peak"]) << "the model takes longer than the peak";
  EXPECT_GE(one["contestants"][0]["rounds"], 5);
  EXPECT_LE(one["contestants"][0]["seconds_p10"], one["seconds"]);
  EXPECT_GE(one["contestants"][0]["seconds_p90"], one["seconds"]);
  EXPECT_EQ(one["compared_with"], Json::array({"reference"}));
}

TEST_F(BenchVerb, WithoutPeersThereAreNoRatios) {
  const Json object = bench({"gemm", "--sizes", "32", "--json"}).json();
  EXPECT_TRUE(object["geomean_ratio"].is_null());
  EXPECT_EQ(object["cases"].size(), 12U) << "three types, four kinds of transposes";
  for (const Json& one : object["cases"]) {
    EXPECT_TRUE(one["peers"].empty());
    EXPECT_TRUE(one["ratio_to_best_peer"].is_null());
    EXPECT_TRUE(one["error"].is_null()) << one["error"];
  }
  for (const Json& peer : object["peers"]) {
    EXPECT_EQ(peer["found"], false);
    EXPECT_EQ(peer["note"], "not asked for");
  }
}

TEST_F(BenchVerb, APeerIsComparedAndMeasured) {
  const Outcome outcome = bench({"gemm", "--sizes", "24", "--dtype", "f64,f32", "--json"}, stand_in());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json object = outcome.json();
  ASSERT_EQ(object["cases"].size(), 8U);
  double logarithms = 0;
  for (const Json& one : object["cases"]) {
    EXPECT_EQ(one["contestants"].size(), 2U);
    EXPECT_THAT(one["best_peer"].get<std::string>(), HasSubstr("openblas"));
    EXPECT_GT(one["peers"][one["best_peer"].get<std::string>()], 0.0);
    EXPECT_LE(one["ratio_p10"], one["ratio_to_best_peer"]);
    EXPECT_GE(one["ratio_p90"], one["ratio_to_best_peer"]);
    logarithms += std::log(one["ratio_to_best_peer"].get<double>());
  }
  EXPECT_NEAR(object["geomean_ratio"].get<double>(), std::exp(logarithms / 8), 1e-9);
  EXPECT_EQ(object["peers"][0]["version"], "OpenBLAS 9.9.9");
}

TEST_F(BenchVerb, APeerThatIsWrongEndsItsCase) {
  for (const char* fault : {"value", "rounding"}) {
    const Outcome outcome =
        bench({"gemm", "--sizes", "24", "--dtype", "f64", "--filter", "nt", "--json"}, stand_in(fault));
    EXPECT_EQ(outcome.exit_code, 1);
    const Json one = outcome.json()["cases"][0];
    EXPECT_THAT(one["error"].get<std::string>(), HasSubstr("openblas differ: element 575 is "));
    EXPECT_TRUE(one["gflops"].is_null());
    EXPECT_TRUE(one["peers"].empty());
    EXPECT_THAT(outcome.err, HasSubstr("trntensor: warning: gemm 24x24x24 nt: the results of trntensor and "));
  }
}

TEST_F(BenchVerb, KernelsAreThePeersBestUnlessTheEnvironmentIsKept) {
  const std::vector<std::string> arguments = {"small", "--sizes", "4", "--dtype", "f64", "--json"};
  const Json best = bench(arguments, stand_in()).json()["peers"][0];
  EXPECT_NE(best["kernels"], "Ancient");
  EXPECT_THAT(best["note"].get<std::string>(), HasSubstr("(the environment had Ancient)"));
  std::vector<std::string> keeping = arguments;
  keeping.emplace_back("--keep-environment");
  const Json kept = bench(keeping, stand_in()).json()["peers"][0];
  EXPECT_EQ(kept["kernels"], "Ancient");
  EXPECT_EQ(kept["note"], "OPENBLAS_CORETYPE=Ancient of the environment");
}

TEST_F(BenchVerb, PeersOfThisMachineAgree) {
  const Outcome outcome =
      bench({"gemm", "--sizes", "40", "--filter", "nt", "--json"}, {{"TRNTENSOR_BENCH_PEERS", "all"}});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json report = outcome.json();
  for (const Json& peer : report["peers"]) {
    if (peer["found"]) continue;
    EXPECT_THAT(peer["note"].get<std::string>(), HasSubstr("is not found; Debian"));
  }
}

TEST_F(BenchVerb, FloorsAloneAreSuites) {
  const Json peak = bench({"peak", "--dtype", "f32", "--json"}).json();
  EXPECT_GT(peak["peak_gflops"]["float32"], 0.0);
  EXPECT_TRUE(peak["bandwidth_gbs"].empty());
  EXPECT_TRUE(peak["cases"].empty());
  const Json stream = bench({"stream", "--json"}).json();
  EXPECT_TRUE(stream["peak_gflops"].empty());
  ASSERT_EQ(stream["bandwidth_gbs"].size(), 4U);
  for (const Json& level : stream["bandwidth_gbs"]) {
    for (const char* loop : {"read", "copy", "triad", "past_caches"}) EXPECT_GT(level[loop], 0.0) << level;
  }
}

TEST_F(BenchVerb, ListShowsTheCasesOfTheCollection) {
  const Json cases = bench({"tccg", "--dtype", "f64", "--list", "--json"}).json()["cases"];
  ASSERT_EQ(cases.size(), 48U);
  EXPECT_EQ(cases[0]["subscripts"], "adb,cd->cba");
  EXPECT_EQ(cases[0]["flops"], 1457823744.0);
  EXPECT_EQ(cases[19]["name"], "ccsd8");
  EXPECT_EQ(cases[19]["bytes"], 3.0 * 72 * 72 * 72 * 72 * 8);
  const Outcome text = bench({"tccg", "--filter", "ccsd_t17", "--list"});
  EXPECT_THAT(text.out, HasSubstr("tccg   ccsd_t17  cbfg,aged->fedcba  float32        1   1.81"));
}

TEST_F(BenchVerb, PictureAndDocumentShowTheCases) {
  const Outcome outcome =
      bench({"small", "--sizes", "4,8", "--dtype", "f64", "--plot", "bench.svg", "--markdown", "bench.md"}, stand_in());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string svg = text_of("bench.svg");
  EXPECT_EQ(xml_fault(svg), "");
  for (const char* part : {"<svg ", "small, float64, 1 thread", "8x8x8 from text", "openblas", "peak "})
    EXPECT_THAT(svg, HasSubstr(part));
  const std::string markdown = text_of("bench.md");
  for (const char* part :
       {"`trntensor bench small --dtype f64 --sizes 4,8 --seconds 0.001 --plot bench.svg --markdown bench.md`",
        "![Rooflines, and the rates of all cases](bench.svg)", "| 8x8x8 | ", "OpenBLAS 9.9.9"})
    EXPECT_THAT(markdown, HasSubstr(part));
}

// Figures that are equal in every digit were not measured again.
TEST_F(BenchVerb, KeptCasesAreNotMeasuredAgain) {
  const std::string file = path("kept.json");
  const auto cases_of = [&](const std::string& filter) {
    const Outcome outcome =
        bench({"gemm", "--sizes", "64", "--dtype", "f64", "--filter", filter, "--keep", file, "--json"}, stand_in());
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.json()["cases"];
  };
  const Json first = cases_of("nn");
  EXPECT_EQ(first.size(), 1U);
  EXPECT_EQ(Json::parse(text_of("kept.json"))["cases"], first);
  const Json all = cases_of("");
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0], first[0]);
  EXPECT_EQ(Json::parse(text_of("kept.json"))["cases"], all);
}

TEST_F(BenchVerb, FiguresOfOtherMachinesAreNotKept) {
  const auto keep = [&](const std::string& text) {
    std::ofstream(path("other.json")) << text;
    const Outcome outcome = bench({"gemm", "--sizes", "64", "--keep", path("other.json")});
    EXPECT_EQ(text_of("other.json"), text);
    EXPECT_NE(outcome.exit_code, 0);
    return outcome.err;
  };
  EXPECT_THAT(keep("{"), HasSubstr("no JSON"));
  EXPECT_THAT(keep(R"({"cpu": "Z80", "version": "0.1.0", "cases": []})"), HasSubstr("cpu is \"Z80\", here it is"));
  EXPECT_THAT(keep(R"({"suite": "gemm"})"), HasSubstr("cpu"));
}

TEST_F(BenchVerb, CtrlCEndsItAndLeavesNothing) {
  Running running(folder_, {"bench", "gemm", "--sizes", "256", "--seconds", "1000", "--plot", "bench.svg"},
                  {{"TRNTENSOR_BENCH_PEERS", "none"}});
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  running.send(SIGINT);
  const Outcome outcome = running.wait();
  EXPECT_EQ(outcome.exit_code, 128 + SIGINT) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(name == "stdout" || name == "stderr") << name << " was left behind";
  }
}

TEST_F(BenchVerb, MistakesAreNamed) {
  expect_refused({"bench", "gem"}, {"there is no suite \"gem\"", "did you mean \"gemm\"", "peak, stream"});
  expect_refused({"bench"}, {"suite"});
  expect_refused({"bench", "gemm", "--threads", "0"}, {"--threads is \"0\""});
  expect_refused({"bench", "gemm", "--threads", "1,,2"}, {"--threads \"1,,2\" is no list"});
  expect_refused({"bench", "gemm", "--dtype", "i32"}, {"--dtype i32", "f64, f32 or bf16"});
  expect_refused({"bench", "gemm", "--sizes", "0"}, {"--sizes is \"0\""});
  expect_refused({"bench", "tccg", "--sizes", "8"}, {"tccg has sizes of its own"});
  expect_refused({"bench", "all", "--sizes", "8"}, {"all has sizes of its own"});
  expect_refused({"bench", "mp2", "--sizes", "8x8"}, {"--sizes has \"8x8\", which is no OCCxVIRxAUX"});
  expect_refused({"bench", "ao2mo", "--sizes", "8x8x8x8x8"}, {"which is no AOxOCCxVIRxAUX"});
  expect_refused({"bench", "mp2", "--sizes", "8xx8"}, {"--sizes is \"\""});
  expect_refused({"bench", "mp2", "--dtype", "f32,bf16"}, {"mp2 is not measured in bfloat16", "float64 or float32"});
  expect_refused({"bench", "gemm", "--seconds", "-1"}, {"--seconds \"-1\""});
  expect_refused({"bench", "gemm", "--filter", "zzz"}, {"no case has \"zzz\""});
  expect_refused({"bench", "peak", "--plot", "a.svg"}, {"peak has no cases"});
  expect_refused({"bench", "gemm", "--peers", "openblass"},
                 {"--peers names \"openblass\"", "did you mean \"openblas\""});
  expect_refused({"bench", "gemm"}, {"TRNTENSOR_BENCH_PEERS names \"mkl\"", "onednn"},
                 {{"TRNTENSOR_BENCH_PEERS", "mkl"}});
  expect_refused({"bench", "gemm", "--plot", "nowhere/a.svg"}, {"nowhere/a.svg"});
}

}  // namespace
}  // namespace trntensor::testing
