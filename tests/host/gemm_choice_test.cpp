// Which kernel runs: the table, TRNTENSOR_HOST_KERNEL and its twin.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "trntensor/host/kernels/table.hpp"
#include "trntensor/host/tile_store.hpp"
#include "trntensor/support/error.hpp"

namespace trntensor::host {
namespace {

using ::testing::HasSubstr;

/// Gives the choice back when a test ends.
struct RestoreChoice {
  ~RestoreChoice() { set_host_kernel(""); }
};

TEST(GemmTable, HasAGenericKernelLastForEveryFamily) {
  for (const DType dtype :
       {DType::kFloat32, DType::kFloat64, DType::kComplex64, DType::kComplex128, DType::kInt32, DType::kInt64}) {
    EXPECT_EQ(choose_gemm_kernel(dtype, false, "generic").instruction_set, "generic");
  }
  EXPECT_EQ(host_kernel_names().back(), "generic");
}

TEST(GemmTable, NamesTellTypeSetAndTile) {
  for (const GemmKernel& kernel : gemm_kernels()) {
    EXPECT_THAT(kernel.name, ::testing::MatchesRegex("gemm_(bf|[fci])[0-9]+(_dot[23])?_[a-z0-9_]+_[0-9]+x[0-9]+"));
    EXPECT_THAT(kernel.name, HasSubstr("_" + kernel.instruction_set + "_"));
    EXPECT_LE(kernel.functions.nr, 64);
    EXPECT_EQ(size_of(kernel.dtype), size_of(kernel.panel_dtype) * static_cast<std::size_t>(kernel.terms));
  }
}

TEST(GemmTable, TilesTooWideToBeStoredAreRefused) {
  GemmKernel kernel = choose_gemm_kernel(DType::kFloat64, false, "generic");
  kernel.functions.nr = 64;
  EXPECT_NO_THROW(TileStore(BinaryProblem(), kernel));
  kernel.functions.nr = 65;
  try {
    static_cast<void>(TileStore(BinaryProblem(), kernel));
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInternal);
    EXPECT_THAT(error.what(), HasSubstr(kernel.name));
  }
}

TEST(GemmTable, ForcedSetIsUsedAndGivenBack) {
  const RestoreChoice restore;
  for (const std::string& name : host_kernel_names()) {
    set_host_kernel(name);
    EXPECT_EQ(choose_gemm_kernel(DType::kFloat64, false).instruction_set, name == "avx512_bf16" ? "avx3" : name);
  }
  set_host_kernel("AUTO");
  const std::string best = choose_gemm_kernel(DType::kFloat64, false).instruction_set;
  set_host_kernel(host_kernel_names().front());
  EXPECT_EQ(choose_gemm_kernel(DType::kFloat64, false).instruction_set, best);
}

TEST(GemmTable, SetsWithoutFusedMultiplyAddCompensateWithTheGenericKernel) {
  for (const char* set : {"sse4", "ssse3"}) {
    const auto names = host_kernel_names();
    if (std::find(names.begin(), names.end(), set) == names.end()) continue;
    EXPECT_EQ(choose_gemm_kernel(DType::kFloat64, true, set).instruction_set, "generic");
  }
}

TEST(GemmTable, BadNamesAreErrorsThatListTheGoodOnes) {
  try {
    set_host_kernel("avx9");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInvalidArgument);
    EXPECT_THAT(error.what(), HasSubstr("avx9"));
    for (const std::string& name : host_kernel_names()) EXPECT_THAT(error.what(), HasSubstr(name));
  }
}

TEST(GemmTable, KernelDtypeWidensIntegersAndRefusesNarrowFloats) {
  EXPECT_EQ(kernel_dtype(DType::kBool), DType::kInt32);
  EXPECT_EQ(kernel_dtype(DType::kUInt8), DType::kInt32);
  EXPECT_EQ(kernel_dtype(DType::kUInt32), DType::kInt32);
  EXPECT_EQ(kernel_dtype(DType::kUInt64), DType::kInt64);
  EXPECT_EQ(kernel_dtype(DType::kComplex64), DType::kComplex64);
  EXPECT_THROW(kernel_dtype(DType::kBFloat16), Error);
}

/// Exits with 0 if the variable's text is an error that names the variable and the text.
[[noreturn]] void check_bad_variable(const char* text) {
  setenv("TRNTENSOR_HOST_KERNEL", text, 1);
  try {
    choose_gemm_kernel(DType::kFloat64, false);
  } catch (const Error& error) {
    const std::string message = error.what();
    const bool is_named = message.find("TRNTENSOR_HOST_KERNEL") != std::string::npos &&
                          message.find(text) != std::string::npos && message.find("generic") != std::string::npos;
    std::exit(is_named ? 0 : 2);
  }
  std::exit(1);
}

[[noreturn]] void check_good_variable() {
  setenv("TRNTENSOR_HOST_KERNEL", "Generic", 1);
  std::exit(choose_gemm_kernel(DType::kFloat64, false).instruction_set == "generic" ? 0 : 1);
}

TEST(GemmTableDeathTest, VariableIsReadAndChecked) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // a fresh process, in which the variable has not been read yet
  EXPECT_EXIT(check_good_variable(), ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(check_bad_variable("fastest"), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace trntensor::host
