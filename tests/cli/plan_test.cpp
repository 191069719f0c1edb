// trntensor plan: the table, the JSON names, the errors.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/cli/program.hpp"

namespace trntensor::testing {
namespace {

using PlanVerb = ProgramTest;

TEST_F(PlanVerb, JsonHasTheNamesOfTheManual) {
  const auto plan = run({"plan", "mi,na,mnP->iaP", "--sizes", "m=114,n=114,i=21,a=93,P=420", "--json"}).json();
  for (const char* name : {"path", "steps", "log10_macs", "log2_largest", "peak_bytes", "search_seconds"}) {
    EXPECT_TRUE(plan.contains(name)) << name;
  }
  ASSERT_EQ(plan["path"].size(), 2U);
  ASSERT_EQ(plan["steps"].size(), 2U);
  EXPECT_TRUE(plan["steps"][0].is_object());
  // nbf nocc naux (nbf + nvir) multiply-adds with the occupied orbitals first.
  EXPECT_NEAR(plan["log10_macs"].get<double>(), std::log10(114.0 * 21 * 420 * (114 + 93)), 1e-9);
  EXPECT_NEAR(plan["log2_largest"].get<double>(), std::log2(114.0 * 114 * 420), 1e-9);
  EXPECT_GT(plan["peak_bytes"].get<double>(), 0);
  EXPECT_GE(plan["search_seconds"].get<double>(), 0);
}

TEST_F(PlanVerb, NeverStartsWithAnOuterProductWhereAContractionExists) {
  const auto plan =
      run({"plan", "mi,na,mnP->iaP", "--sizes", "m=10,n=10,i=2,a=3,P=4", "--optimize", "greedy", "--json"}).json();
  for (const int operand : plan["path"][0]) EXPECT_TRUE(operand == 2 || operand == 0 || operand == 1);
  EXPECT_NE(plan["path"][0], nlohmann::ordered_json::parse("[0, 1]"));
}

TEST_F(PlanVerb, TheTableNamesTheStepsAndTheirCost) {
  const Outcome outcome = run({"plan", "ij,jk,kl->il", "--sizes", "i=10,j=20,k=30,l=40"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* fragment : {"ij,jk->ik", "matmul", "host"}) {
    EXPECT_NE(outcome.out.find(fragment), std::string::npos) << outcome.out;
  }
}

TEST_F(PlanVerb, SizesMayBeGivenInSeveralOptions) {
  EXPECT_EQ(run({"plan", "ij,jk->ik", "--sizes", "i=2", "--sizes", "j=3,k=4"}).exit_code, 0);
  EXPECT_EQ(run({"plan", "ij,jk->ik", "--sizes", "i=2, j = 3, k=4"}).exit_code, 0);
}

TEST_F(PlanVerb, PlansWhatNoMachineCouldHold) {
  const auto plan = run({"plan", "ab,bc->ac", "--sizes", "a=1000000,b=1000000,c=1000000", "--json"}).json();
  EXPECT_NEAR(plan["log10_macs"].get<double>(), 18.0, 1e-9);
}

TEST_F(PlanVerb, MistakesInSizesNameTheLabel) {
  expect_refused({"plan", "ij,jk->ik", "--sizes", "i=2,j=3"}, {"k"});
  expect_refused({"plan", "ij->ji", "--sizes", "i=2,j=3,x=4"}, {"x"});
  expect_refused({"plan", "ij->ji", "--sizes", "i=2,j"}, {"\"j\"", "label=size"});
  expect_refused({"plan", "ij->ji", "--sizes", "i=2,j=many"}, {"the size of j", "many"});
  expect_refused({"plan", "ij->ji", "--sizes", "i=2,j=-1"}, {"the size of j", "-1"});
  expect_refused({"plan", "ij->ji", "--sizes", "i=2,j=3,i=2"}, {"label i twice"});
  expect_refused({"plan", "i->i", "--sizes", "i=5 6"}, {"the size of i", "5 6"});
  expect_refused({"plan", "ij->ji"}, {"'i' has no size", "such as i=10"});
}

TEST_F(PlanVerb, WhatHasNoLabelsNeedsNoSizes) {
  const auto plan = run({"plan", ",->", "--json"}).json();
  EXPECT_EQ(plan["steps"].size(), 1U);
}

TEST_F(PlanVerb, MistakesInOptionsNameThem) {
  expect_refused({"plan", "ij->jx", "--sizes", "i=2,j=3"}, {"x"});
  expect_refused({"plan", "ij->ji", "--sizes", "i=2,j=3", "--optimize", "fast"}, {"fast", "optimal"});
  expect_refused({"plan", "ij->ji", "--sizes", "i=2,j=3", "--dtype", "f1"}, {"f1"});
  expect_refused({"plan", "ij,jk->ik", "--sizes", "i=200,j=300,k=400", "--memory", "1K"}, {"KiB"});
}

}  // namespace
}  // namespace trntensor::testing
