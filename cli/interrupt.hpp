// Ctrl-C, and what systems send to end a program: the first asks the work to stop, the second ends the program.
#pragma once

#include <stop_token>

namespace trntensor::cli {

/// A token that the first SIGINT, SIGTERM or SIGHUP triggers. To be called once, before any thread is started: the
/// signals are blocked in the calling thread and all that it starts, and a thread of its own waits for them. Those that
/// the program was started to ignore stay ignored. SIGXFSZ is ignored from here on: a file that grows too large is an
/// error of writing like others.
std::stop_token stop_on_interrupt();

/// The exit code of a program that a signal ended, 128 + its number: of the one that came, else SIGINT.
int interrupted_exit_code();

}  // namespace trntensor::cli
