#include "cli/bench/stream_loops.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cli/bench/stream_loops.cpp"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace trntensor::cli::bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;

/// Calls body(i) for each vector of the arrays, four a turn.
template <typename Body>
void for_vectors(const StreamArrays& arrays, const Body& body) {
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(D()));
  for (std::int64_t repetition = 0; repetition < arrays.repetitions; ++repetition) {
    for (std::int64_t i = 0; i < arrays.count; i += 4 * lanes) {
      body(i);
      body(i + lanes);
      body(i + 2 * lanes);
      body(i + 3 * lanes);
    }
    // The arrays are other ones each time, as far as the compiler knows.
    asm volatile("" : : "r"(arrays.a), "r"(arrays.b), "r"(arrays.c) : "memory");
  }
}

double read(const StreamArrays& arrays) {
  const D d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  auto sum0 = hn::Zero(d);
  auto sum1 = sum0;
  auto sum2 = sum0;
  auto sum3 = sum0;
  for (std::int64_t repetition = 0; repetition < arrays.repetitions; ++repetition) {
    for (std::int64_t i = 0; i < arrays.count; i += 4 * lanes) {
      sum0 = hn::Add(sum0, hn::Load(d, arrays.b + i));
      sum1 = hn::Add(sum1, hn::Load(d, arrays.b + i + lanes));
      sum2 = hn::Add(sum2, hn::Load(d, arrays.b + i + 2 * lanes));
      sum3 = hn::Add(sum3, hn::Load(d, arrays.b + i + 3 * lanes));
    }
    asm volatile("" : : "r"(arrays.b) : "memory");
  }
  return hn::GetLane(hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3)));
}

double copy(const StreamArrays& arrays) {
  const D d;
  for_vectors(arrays, [&](std::int64_t i) { hn::Store(hn::Load(d, arrays.b + i), d, arrays.a + i); });
  return arrays.a[0];
}

double triad(const StreamArrays& arrays) {
  const D d;
  const auto half = hn::Set(d, 0.5);
  for_vectors(arrays, [&](std::int64_t i) {
    hn::Store(hn::MulAdd(half, hn::Load(d, arrays.c + i), hn::Load(d, arrays.b + i)), d, arrays.a + i);
  });
  return arrays.a[0];
}

double past_caches(const StreamArrays& arrays) {
  const D d;
  for_vectors(arrays, [&](std::int64_t i) { hn::Stream(hn::Load(d, arrays.b + i), d, arrays.a + i); });
  hwy::FlushStream();
  return arrays.a[0];
}

}  // namespace trntensor::cli::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trntensor::cli::bench {
namespace {

HWY_EXPORT(read);
HWY_EXPORT(copy);
HWY_EXPORT(triad);
HWY_EXPORT(past_caches);

}  // namespace

double stream_read(const StreamArrays& arrays) { return HWY_DYNAMIC_DISPATCH(read)(arrays); }
double stream_copy(const StreamArrays& arrays) { return HWY_DYNAMIC_DISPATCH(copy)(arrays); }
double stream_triad(const StreamArrays& arrays) { return HWY_DYNAMIC_DISPATCH(triad)(arrays); }
double stream_past_caches(const StreamArrays& arrays) { return HWY_DYNAMIC_DISPATCH(past_caches)(arrays); }

}  // namespace trntensor::cli::bench
#endif
