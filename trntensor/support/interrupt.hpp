// Work that lasts asks now and then whether it should end: by its stop token, and by what the program around it says.
#pragma once

#include <stop_token>

namespace trntensor {

/// Called now and then by work that lasts, on every thread that works; true ends the work with Error kCancelled. It may
/// take its time: a program that handles signals between the steps of an interpreter does so here. Must not throw.
using InterruptPoll = bool (*)();

/// For the whole process; null (as at the start) for none.
void set_interrupt_poll(InterruptPoll poll) noexcept;

/// True when the token is triggered or the poll says so.
bool is_stopped(const std::stop_token& stop) noexcept;

}  // namespace trntensor
