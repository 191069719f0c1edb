#include "cli/interrupt.hpp"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <string_view>
#include <thread>

namespace trntensor::cli {
namespace {

void wait_for_interrupts(sigset_t interrupts, const std::stop_source& source) {
  int signal_number = 0;
  sigwait(&interrupts, &signal_number);
  source.request_stop();
  constexpr std::string_view kNote = "trntensor: stopping (Ctrl-C again to end at once)\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kNote.data(), kNote.size());
  // From here on an interrupt does what it does by default.
  pthread_sigmask(SIG_UNBLOCK, &interrupts, nullptr);
  while (true) pause();
}

}  // namespace

std::stop_token stop_on_interrupt() {
  struct sigaction current = {};
  sigaction(SIGINT, nullptr, &current);
  if (current.sa_handler == SIG_IGN) return {};
  sigset_t interrupts;
  sigemptyset(&interrupts);
  sigaddset(&interrupts, SIGINT);
  pthread_sigmask(SIG_BLOCK, &interrupts, nullptr);
  const std::stop_source source;
  std::thread(wait_for_interrupts, interrupts, source).detach();
  return source.get_token();
}

}  // namespace trntensor::cli
