// Work without Python's lock, which signals can end.
#pragma once

#include <pybind11/pybind11.h>

#include <utility>

namespace trntensor::python {

/// Gives the lock up for its lifetime. Meanwhile the library's interrupt poll lets the handlers of signals run, and
/// ends the work when one raises.
class Released {
 public:
  Released() noexcept;
  ~Released();
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;
};

/// If a signal handler raised while this thread's work ran, sets what it raised as Python's error and returns true.
bool restore_signal_error() noexcept;

/// Has the library ask for signals. Once, when the module is imported.
void install_interrupt_poll();

/// Below so many products, work is done before another thread could have taken the lock and given it back.
inline constexpr double kShortWork = 3e4;

/// Calls `work`, without the lock if it may last.
template <typename Work>
auto run_work(double products, Work&& work) {
  if (products <= kShortWork) return std::forward<Work>(work)();
  const Released released;
  return std::forward<Work>(work)();
}

}  // namespace trntensor::python
