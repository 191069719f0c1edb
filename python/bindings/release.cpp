#include "python/bindings/release.hpp"

#include <unistd.h>

#include <chrono>

#include "trntensor/support/interrupt.hpp"

namespace trntensor::python {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPollInterval{50};

/// What this thread is doing without the lock; a handler that runs in a poll may begin anew.
struct Waiting {
  PyThreadState* state = nullptr;  // null: it has the lock, or is none of Python's
  Clock::time_point next_poll = {};
};

struct RaisedError {
  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* traceback = nullptr;
};

thread_local constinit Waiting waiting;
thread_local constinit RaisedError raised;
unsigned long main_thread = 0;

/// A thread other than the main one that would take the lock after the interpreter's end is ended by CPython in a way
/// that C++ does not survive.
bool is_too_late() noexcept { return _Py_IsFinalizing() != 0 && PyThread_get_thread_ident() != main_thread; }

bool poll_signals() {
  if (waiting.state == nullptr) return false;
  if (raised.type != nullptr || is_too_late()) return true;
  const Clock::time_point now = Clock::now();
  if (now < waiting.next_poll) return false;
  PyEval_RestoreThread(std::exchange(waiting.state, nullptr));
  const bool stop = PyErr_CheckSignals() != 0;
  if (stop) PyErr_Fetch(&raised.type, &raised.value, &raised.traceback);
  waiting = {PyEval_SaveThread(), Clock::now() + kPollInterval};
  return stop;
}

}  // namespace

Released::Released() noexcept { waiting = {PyEval_SaveThread(), Clock::now() + kPollInterval}; }

Released::~Released() {
  while (is_too_late()) pause();  // until the process ends
  PyEval_RestoreThread(std::exchange(waiting.state, nullptr));
}

bool restore_signal_error() noexcept {
  if (raised.type == nullptr) return false;
  const RaisedError error = std::exchange(raised, RaisedError{});
  PyErr_Restore(error.type, error.value, error.traceback);
  return true;
}

void install_interrupt_poll() noexcept {
  main_thread = PyThread_get_thread_ident();
  set_interrupt_poll(poll_signals);
}

}  // namespace trntensor::python
