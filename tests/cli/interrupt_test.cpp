// Ctrl-C ends long work with 130, soon, and leaves nothing behind; before that, a terminal is told how long it goes on.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <string>
#include <thread>

#include "tests/cli/program.hpp"

namespace trntensor::testing {
namespace {

using Interrupt = ProgramTest;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

TEST_F(Interrupt, EndsALongContraction) {
  // How long the machine takes for a small product says which one takes it half a minute.
  const std::vector<std::string> options = {"--precision", "kahan", "--dtype", "c128", "--json"};
  const auto arguments = [&](std::int64_t extent) {
    const std::string file = save("a", Tensor::zeros({extent, extent}, DType::kInt8));
    std::vector<std::string> words = {"einsum", "ij,kj->ik", file, file, "-o", "c.npy"};
    words.insert(words.end(), options.begin(), options.end());
    return words;
  };
  constexpr std::int64_t kSmall = 300;
  const double seconds = run(arguments(kSmall)).json()["seconds"].get<double>();
  const auto extent = static_cast<std::int64_t>(kSmall * std::cbrt(30.0 / std::max(seconds, 1e-3)));

  Running running(folder_, arguments(extent), {}, ErrorStream::kTerminal);
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  running.send(SIGINT);
  const Clock::time_point start = Clock::now();
  const Outcome outcome = running.wait();
  EXPECT_LT(seconds_since(start), 10.0);
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("cancelled"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("\rcontracting ij,kj->ik, "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find(" 1 s\x1b[K"), std::string::npos) << outcome.err;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(name == "a.npy" || name == "stdout" || name == "stderr" || name == "c.npy")
        << name << " was left behind";
  }
}

TEST_F(Interrupt, AFileThatGrowsTooLargeIsAnErrorAndLeavesNothing) {
  const std::string file = save("a", Tensor::zeros({300, 300}, DType::kFloat64));
  struct rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const struct rlimit small = {100'000, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const Outcome outcome = run({"einsum", "ij->ji", file, "-o", "b.npy"});
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_NE(outcome.err.find("b.npy"), std::string::npos) << outcome.err;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    EXPECT_NE(entry.path().extension(), ".tmp") << entry.path() << " was left behind";
  }
}

// Ends it by SIGTERM, as batch systems do.
TEST_F(Interrupt, EndsAListOfMolecules) {
  std::vector<std::string> arguments = {"mp2"};
  arguments.insert(arguments.end(), 20000, std::string(TRNTENSOR_EXAMPLE_DATA) + "/benzene_cc-pvdz");
  Running running(folder_, arguments);
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  running.send(SIGTERM);
  const Clock::time_point start = Clock::now();
  const Outcome outcome = running.wait();
  EXPECT_LT(seconds_since(start), 10.0);
  EXPECT_EQ(outcome.exit_code, 128 + SIGTERM) << outcome.err;
  EXPECT_EQ(outcome.err.find('\r'), std::string::npos) << "progress belongs on a terminal";
}

}  // namespace
}  // namespace trntensor::testing
