// What runs before what in a loop on oneTBB's workers, for the thread sanitizer: oneTBB is not built for it, so it does
// not see that the bodies run after what stands before the loop and before what follows it.
#pragma once

#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define TRNTENSOR_THREAD_SANITIZER
#endif
#endif

#ifdef TRNTENSOR_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace trntensor::loop_order {

// Static, not one for each loop: a body must find its mark before it may read anything of its loop.
inline char forked;
inline char joined;

/// Lives around the loop, in the function that starts it, younger than everything that the bodies read.
class Loop {
 public:
  Loop() noexcept {
#ifdef TRNTENSOR_THREAD_SANITIZER
    __tsan_release(&forked);
#endif
  }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  ~Loop() {
#ifdef TRNTENSOR_THREAD_SANITIZER
    __tsan_acquire(&joined);
#endif
  }
};

/// The first local variable of the function that oneTBB calls. A lambda that is called must not capture `this`, which
/// compilers read before anything else; a reference is read where it is used.
class Body {
 public:
  Body() noexcept {
#ifdef TRNTENSOR_THREAD_SANITIZER
    __tsan_acquire(&forked);
#endif
  }
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;
  ~Body() {
#ifdef TRNTENSOR_THREAD_SANITIZER
    __tsan_release(&joined);
#endif
  }
};

}  // namespace trntensor::loop_order
