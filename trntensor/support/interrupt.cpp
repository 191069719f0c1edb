#include "trntensor/support/interrupt.hpp"

#include <atomic>

namespace trntensor {
namespace {

std::atomic<InterruptPoll> current_poll = nullptr;

}  // namespace

void set_interrupt_poll(InterruptPoll poll) noexcept { current_poll.store(poll, std::memory_order_release); }

bool is_stopped(const std::stop_token& stop) noexcept {
  if (stop.stop_requested()) return true;
  const InterruptPoll poll = current_poll.load(std::memory_order_acquire);
  return poll != nullptr && poll();
}

}  // namespace trntensor
