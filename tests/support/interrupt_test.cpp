// Who may end work that lasts.
#include "trntensor/support/interrupt.hpp"

#include <gtest/gtest.h>

namespace trntensor {
namespace {

TEST(Interrupt, TokenStops) {
  std::stop_source source;
  EXPECT_FALSE(is_stopped(source.get_token()));
  source.request_stop();
  EXPECT_TRUE(is_stopped(source.get_token()));
  EXPECT_FALSE(is_stopped({}));
}

TEST(Interrupt, PollStopsUntilItIsTakenAway) {
  set_interrupt_poll([] { return true; });
  EXPECT_TRUE(is_stopped({}));
  set_interrupt_poll([] { return false; });
  EXPECT_FALSE(is_stopped({}));
  set_interrupt_poll([] { return true; });
  set_interrupt_poll(nullptr);
  EXPECT_FALSE(is_stopped({}));
}

}  // namespace
}  // namespace trntensor
