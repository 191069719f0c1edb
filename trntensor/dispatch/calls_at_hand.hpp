// The first level of the plan cache: calls that this thread made before, checked, planned and prepared. No lock is
// taken to use one.
#pragma once

#include <cstdint>
#include <memory>

#include "trntensor/dispatch/call_key.hpp"
#include "trntensor/dispatch/program.hpp"
#include "trntensor/plan/plan_cache.hpp"

namespace trntensor::dispatch {

/// A plan of the cache and its program for the strides of one call. All that the key of the call decides has been
/// checked.
struct PreparedCall {
  std::shared_ptr<plan::CachedPlan> cached;
  std::shared_ptr<const Program> program;
  Shape result_shape;
  DType result_dtype = DType::kFloat64;
  std::uint64_t kernel_choice = 0;  ///< host::kernel_choice() before it was prepared
};

/// What this thread keeps of calls with this key, or null. Counts a hit of the plan cache. A plan that the cache has
/// forgotten is not at hand either, nor is a program that another choice of kernels would prepare differently.
std::shared_ptr<const PreparedCall> find_at_hand(const CallKey& key);

/// Keeps a call, and of those of this thread that share its place the newer one.
void keep_at_hand(const CallKey& key, PreparedCall call);

}  // namespace trntensor::dispatch
