// Ctrl-C: the first asks the work to stop, the second ends the program.
#pragma once

#include <stop_token>

namespace trntensor::cli {

/// A token that the first SIGINT triggers. To be called once, before any thread is started: SIGINT is blocked in the
/// calling thread and all that it starts, and a thread of its own waits for it. When the program was started with
/// SIGINT ignored, it stays ignored and the token is never triggered.
std::stop_token stop_on_interrupt();

}  // namespace trntensor::cli
