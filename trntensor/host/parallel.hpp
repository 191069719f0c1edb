// Loops over oneTBB's workers, with cancellation.
#pragma once

#include <cstdint>
#include <stop_token>
#include <type_traits>

namespace trntensor::host {

/// A reference to a callable; it must outlive the call it is passed to.
template <typename Signature>
class FunctionRef;

template <typename Result, typename... Args>
class FunctionRef<Result(Args...)> {
 public:
  template <typename F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> && std::is_invocable_r_v<Result, F&, Args...>)
  FunctionRef(F&& function) noexcept  // NOLINT(google-explicit-constructor)
      : object_(const_cast<void*>(static_cast<const void*>(&function))), call_([](void* object, Args... args) {
          return static_cast<Result>((*static_cast<std::remove_reference_t<F>*>(object))(args...));
        }) {}
  Result operator()(Args... args) const { return call_(object_, args...); }

 private:
  void* object_;
  Result (*call_)(void*, Args...);
};

/// Throws Error(kCancelled) when the token is triggered.
void check_stop(const std::stop_token& stop);

/// Runs `work` so that the parallel loops in it use at most `threads` threads, this one among them.
void with_threads(int threads, FunctionRef<void()> work);

/// Calls body(0) .. body(count - 1), each once, on the threads `with_threads` allows (only on this one when `parallel`
/// is false). The first exception ends the loop and is thrown here.
void parallel_for(bool parallel, std::int64_t count, FunctionRef<void(std::int64_t)> body);

}  // namespace trntensor::host
