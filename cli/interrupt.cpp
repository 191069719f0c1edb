#include "cli/interrupt.hpp"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <string_view>
#include <thread>

namespace trntensor::cli {
namespace {

std::atomic<int> received = SIGINT;

void wait_for_interrupts(sigset_t interrupts, const std::stop_source& source) {
  int signal_number = 0;
  sigwait(&interrupts, &signal_number);
  received = signal_number;
  source.request_stop();
  constexpr std::string_view kNote = "trntensor: stopping (Ctrl-C again to end at once)\n";
  if (signal_number == SIGINT) {
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kNote.data(), kNote.size());
  }
  // From here on an interrupt does what it does by default.
  pthread_sigmask(SIG_UNBLOCK, &interrupts, nullptr);
  while (true) pause();
}

}  // namespace

std::stop_token stop_on_interrupt() {
  signal(SIGXFSZ, SIG_IGN);
  sigset_t interrupts;
  sigemptyset(&interrupts);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction current = {};
    sigaction(number, nullptr, &current);
    if (current.sa_handler != SIG_IGN) sigaddset(&interrupts, number);
  }
  pthread_sigmask(SIG_BLOCK, &interrupts, nullptr);
  const std::stop_source source;
  std::thread(wait_for_interrupts, interrupts, source).detach();
  return source.get_token();
}

int interrupted_exit_code() { return 128 + received; }

}  // namespace trntensor::cli
