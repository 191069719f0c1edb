#include "python/bindings/release.hpp"

#include <cxxabi.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "trntensor/support/interrupt.hpp"

namespace py = pybind11;

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
std::atomic<int> works = 0;  // of all threads, without the lock
thread_local constinit int own_works = 0;

bool is_main_thread() noexcept { return PyThread_get_thread_ident() == main_thread; }

/// Takes the lock. CPython unwinds a thread that asks for it after the interpreter's end, which destructors do not
/// survive: such a thread waits for the end of the process.
void take_lock(PyThreadState* state) noexcept {
  try {
    PyEval_RestoreThread(state);
  } catch (const abi::__forced_unwind&) {
    while (true) pause();
  }
}

/// At the process's end: what is at work leaves oneTBB before oneTBB is taken down.
void wait_for_works() {
  while (works > own_works) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// A child has no thread but the one that forked, which Python takes for the main one.
void begin_child() {
  works = own_works;
  main_thread = PyThread_get_thread_ident();
}

bool poll_signals() {
  if (waiting.state == nullptr) return false;
  if (!is_main_thread()) return _Py_IsFinalizing() != 0;  // handlers run in the main thread
  if (raised.type != nullptr) return true;
  const Clock::time_point now = Clock::now();
  if (now < waiting.next_poll) return false;
  take_lock(std::exchange(waiting.state, nullptr));
  const bool stop = PyErr_CheckSignals() != 0;
  if (stop) PyErr_Fetch(&raised.type, &raised.value, &raised.traceback);
  waiting = {PyEval_SaveThread(), Clock::now() + kPollInterval};
  return stop;
}

}  // namespace

Released::Released() noexcept {
  ++works;
  ++own_works;
  waiting = {PyEval_SaveThread(), Clock::now() + kPollInterval};
}

Released::~Released() {
  --own_works;
  --works;
  take_lock(std::exchange(waiting.state, nullptr));
}

bool restore_signal_error() noexcept {
  if (raised.type == nullptr) return false;
  const RaisedError error = std::exchange(raised, RaisedError{});
  PyErr_Restore(error.type, error.value, error.traceback);
  return true;
}

void install_interrupt_poll() {
  main_thread = py::module_::import("threading").attr("main_thread")().attr("ident").cast<unsigned long>();
  pthread_atfork(nullptr, nullptr, begin_child);
  std::atexit(wait_for_works);  // runs before the ends of the libraries that were there when the module came
  set_interrupt_poll(poll_signals);
}

}  // namespace trntensor::python
