// What holds for every verb: help, version, exit codes, messages.
#include "tests/cli/program.hpp"

#include <gtest/gtest.h>

#include "trntensor/version.hpp"

namespace trntensor::testing {
namespace {

using Program = ProgramTest;

TEST_F(Program, HelpListsEveryVerb) {
  const Outcome outcome = run({"--help"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* verb : {"einsum", "plan", "mp2", "info"}) {
    EXPECT_NE(outcome.out.find(std::string("\n  ") + verb + " "), std::string::npos) << outcome.out;
  }
  EXPECT_NE(outcome.out.find("Example: trntensor "), std::string::npos);
}

TEST_F(Program, EveryVerbHasHelpWithAnExample) {
  for (const char* verb : {"einsum", "plan", "mp2", "info"}) {
    const Outcome outcome = run({verb, "--help"});
    EXPECT_EQ(outcome.exit_code, 0) << verb;
    EXPECT_EQ(outcome.err, "");
    EXPECT_NE(outcome.out.find("--json"), std::string::npos) << verb;
    const std::string example = "trntensor " + std::string(verb);
    EXPECT_NE(outcome.out.find(example, outcome.out.find("Example: ")), std::string::npos) << outcome.out;
  }
}

TEST_F(Program, VersionIsThatOfTheLibrary) {
  const Outcome outcome = run({"--version"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "trntensor " TRNTENSOR_VERSION "\n");
}

TEST_F(Program, AMisspelledVerbGetsTheNearestOffered) {
  expect_refused({"einsun"}, {"no verb \"einsun\"", "did you mean \"einsum\"?"});
  expect_refused({"paln", "ij->ji"}, {"did you mean \"plan\"?"});
  expect_refused({"MP2"}, {"no verb \"MP2\"", "--help"});
  EXPECT_EQ(run({"frobnicate"}).err.find("did you mean"), std::string::npos);
}

TEST_F(Program, NoVerbOrAnUnknownOptionIsRefused) {
  expect_refused({}, {"no verb is given", "trntensor --help"});
  expect_refused({"--frobnicate"}, {"trntensor --help"});
  expect_refused({"einsum", "ij->ji", "a.npy", "--frobnicate"}, {"--frobnicate", "trntensor einsum --help"});
  expect_refused({"einsum"}, {"subscripts", "trntensor einsum --help"});
  expect_refused({"info", "extra"}, {"extra"});
}

TEST_F(Program, AFullDiskIsAnError) {
  ASSERT_TRUE(std::filesystem::exists("/dev/full")) << "Linux has it; is /dev mounted?";
  std::filesystem::create_symlink("/dev/full", path("stdout"));
  const Outcome outcome = run({"info"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("cannot write to stdout"), std::string::npos) << outcome.err;
}

TEST_F(Program, AFullDiskBehindStderrLeavesTheExitCode) {
  ASSERT_TRUE(std::filesystem::exists("/dev/full")) << "Linux has it; is /dev mounted?";
  std::filesystem::create_symlink("/dev/full", path("stderr"));
  EXPECT_EQ(run({"frobnicate"}).exit_code, 2);
  std::filesystem::remove(path("stdout"));
  std::filesystem::create_symlink("/dev/full", path("stdout"));
  EXPECT_EQ(run({"info"}).exit_code, 2);
  EXPECT_EQ(run({"--help"}).exit_code, 2);
  EXPECT_EQ(run({"--version"}).exit_code, 2);
}

TEST_F(Program, BadEnvironmentIsNamed) {
  const std::string file = save("a", Tensor::zeros({2, 2}, DType::kFloat64));
  expect_refused({"einsum", "ij->ji", file}, {"TRNTENSOR_NUM_THREADS", "many"}, {{"TRNTENSOR_NUM_THREADS", "many"}});
  expect_refused({"einsum", "ij,jk->ik", file, file}, {"TRNTENSOR_HOST_KERNEL", "abacus"},
                 {{"TRNTENSOR_HOST_KERNEL", "abacus"}});
}

}  // namespace
}  // namespace trntensor::testing
