#include "trntensor/host/kernels/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <optional>

#include "hwy/targets.h"
#include "trntensor/host/kernels/bf16_rate.hpp"
#include "trntensor/host/kernels/choice.hpp"
#include "trntensor/host/kernels/generic.hpp"
#include "trntensor/host/kernels/targets.hpp"
#include "trntensor/support/cpu_features.hpp"
#include "trntensor/support/environment.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/support/fork_mutex.hpp"
#include "trntensor/support/text.hpp"

namespace trntensor::host {
namespace {

constexpr const char* kVariable = "TRNTENSOR_HOST_KERNEL";
constexpr std::string_view kAuto = "auto";

struct Family {
  std::string_view text;
  DType dtype = DType::kFloat64;
  int compensated = 0;
  KernelFunctions (*functions_for)(std::int64_t target) = nullptr;
  bool is_of_pairs = false;  ///< of bfloat16
};

constexpr std::array kFamilies{
    Family{"bf16", DType::kFloat32, 0, &gemm_bf16_for, true},
    Family{"f32", DType::kFloat32, 0, &gemm_f32_for},
    Family{"f64", DType::kFloat64, 0, &gemm_f64_for},
    Family{"c64", DType::kComplex64, 0, &gemm_c64_for},
    Family{"c128", DType::kComplex128, 0, &gemm_c128_for},
    Family{"i32", DType::kInt32, 0, &gemm_i32_for},
    Family{"i64", DType::kInt64, 0, &gemm_i64_for},
    Family{"f64_dot2", DType::kFloat64, 1, &gemm_f64_dot2_for},
    Family{"c128_dot2", DType::kComplex128, 1, &gemm_c128_dot2_for},
    Family{"f64_dot3", DType::kFloat64, 2, &gemm_f64_dot3_for},
    Family{"c128_dot3", DType::kComplex128, 2, &gemm_c128_dot3_for},
};

bool runs_here(const InstructionSet& set) {
  if ((hwy::SupportedTargets() & set.target) == 0) return false;
  return set.is_for_bf16 ? has_avx512_bf16() && !gemm_bf16_for(set.target).empty() : !gemm_f32_for(set.target).empty();
}

std::vector<GemmKernel> make_table() {
  std::vector<GemmKernel> table;
  const auto add = [&table](const Family& family, std::string_view set, const KernelFunctions& functions) {
    if (functions.empty()) return;
    table.push_back({fmt::format("gemm_{}_{}_{}x{}", family.text, set, functions.mr, functions.nr), std::string(set),
                     family.dtype, family.compensated, functions, family.is_of_pairs ? DType::kBFloat16 : family.dtype,
                     family.is_of_pairs ? 2 : 1});
  };
  for (const Family& family : kFamilies) {
    for (const InstructionSet& set : kInstructionSets) {
      if (set.is_for_bf16 == family.is_of_pairs && runs_here(set)) {
        add(family, set.name, family.functions_for(set.target));
      }
    }
    if (!family.is_of_pairs) add(family, kGeneric, generic_kernel(family.dtype, family.compensated));
  }
  return table;
}

/// 0 is best; the generic set comes last.
std::size_t rank_of(std::string_view set) {
  std::size_t rank = 0;
  while (rank < kInstructionSets.size() && kInstructionSets[rank].name != set) ++rank;
  return rank;
}

/// The name of an instruction set in `text`, or "auto". `what` names where the text came from.
std::string checked_set(std::string_view text, std::string_view what) {
  const std::vector<std::string> names = host_kernel_names();
  const std::string name = lower_case(text);
  if (name == kAuto || std::find(names.begin(), names.end(), name) != names.end()) return name;
  const bool known = rank_of(name) < kInstructionSets.size();
  throw_invalid(fmt::format("{} is \"{}\", {}", what, text,
                            known ? "an instruction set that this CPU or this build does not have"
                                  : "which is no instruction set of the host's kernels"),
                "host kernels", fmt::format("use auto or one of what this CPU offers: {}", fmt::join(names, ", ")));
}

struct Choice {
  ForkMutex mutex;
  std::optional<std::string> forced;  // by set_host_kernel
};

std::atomic<std::uint64_t> times_chosen{0};

Choice& choice() {
  static Choice of_process;
  return of_process;
}

std::string chosen_set() {
  {
    Choice& current = choice();
    const std::lock_guard lock(current.mutex);
    if (current.forced) return *current.forced;
  }
  static const std::string from_environment = [] {
    const auto text = environment_text(kVariable);
    return checked_set(text ? *text : kAuto, fmt::format("environment variable {}", kVariable));
  }();
  return from_environment;
}

const GemmKernel& find_kernel(DType dtype, int compensated, bool may_be_of_pairs, std::string_view instruction_set) {
  const std::string set =
      instruction_set.empty() ? chosen_set() : checked_set(instruction_set, "the host kernel asked for");
  const std::size_t lowest_rank = set == kAuto ? 0 : rank_of(set);
  for (const GemmKernel& kernel : gemm_kernels()) {
    if (kernel.dtype != dtype || kernel.compensated != compensated) continue;
    if (rank_of(kernel.instruction_set) < lowest_rank) continue;
    if (kernel.terms == 1) return kernel;
    if (may_be_of_pairs && (set != kAuto || bf16_dot_products_pay())) return kernel;
  }
  throw Error(ErrorKind::kInternal, fmt::format("no GEMM kernel for {}", to_string(dtype)));
}

/// Elements that are bfloat16 in memory and not rounded when they are loaded: the products of two are exact.
bool is_bf16(const InputType& input) {
  return input.dtype == DType::kBFloat16 && (input.load_as == DType::kBFloat16 || input.load_as == DType::kFloat32);
}

}  // namespace

std::span<const GemmKernel> gemm_kernels() {
  static const std::vector<GemmKernel> table = make_table();
  return table;
}

const GemmKernel& choose_gemm_kernel(DType dtype, int compensated, std::string_view instruction_set) {
  return find_kernel(dtype, compensated, false, instruction_set);
}

const GemmKernel& choose_gemm_kernel(const BinaryProblem& problem, std::string_view instruction_set) {
  const bool may_be_of_pairs = is_bf16(problem.a) && is_bf16(problem.b) && !problem.keeps_subnormals;
  return find_kernel(kernel_dtype(problem.accumulator), problem.compensated, may_be_of_pairs, instruction_set);
}

std::int64_t chosen_target(std::string_view instruction_set) {
  // float32 has kernels of every set.
  return target_of(choose_gemm_kernel(DType::kFloat32, 0, instruction_set).instruction_set).value_or(HWY_STATIC_TARGET);
}

std::uint64_t kernel_choice() noexcept { return times_chosen.load(std::memory_order_acquire); }

DType kernel_dtype(DType accumulator) {
  if (accumulator == DType::kBool) return DType::kInt32;
  if (is_integer(accumulator)) return size_of(accumulator) <= sizeof(std::int32_t) ? DType::kInt32 : DType::kInt64;
  if (is_floating(accumulator) && size_of(accumulator) < sizeof(float)) {
    throw_unsupported(fmt::format("sums are not held in {}", to_string(accumulator)), "host executor",
                      "accumulate in float32");
  }
  return accumulator;
}

}  // namespace trntensor::host

namespace trntensor {

void set_host_kernel(std::string_view name) {
  std::optional<std::string> forced;
  if (!name.empty()) forced = host::checked_set(name, "set_host_kernel's argument");
  host::Choice& current = host::choice();
  const std::lock_guard lock(current.mutex);
  current.forced = forced;
  host::times_chosen.fetch_add(1, std::memory_order_release);
}

std::vector<std::string> host_kernel_names() {
  std::vector<std::string> names;
  for (const host::InstructionSet& set : host::kInstructionSets) {
    if (host::runs_here(set)) names.emplace_back(set.name);
  }
  names.emplace_back(host::kGeneric);
  return names;
}

}  // namespace trntensor
