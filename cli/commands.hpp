// The verbs of the program. Each `add_` declares its verb's options and what to do once they are parsed.
#pragma once

#include <CLI/App.hpp>
#include <stop_token>

namespace trntensor::cli {

/// What a verb gets from the program and gives back to it.
struct Session {
  std::stop_token stop;  ///< triggered by Ctrl-C
  int exit_code = 0;     ///< for outcomes that are no errors: 1 when a reference energy is missed
};

void add_einsum(CLI::App& app, Session& session);
void add_plan(CLI::App& app, Session& session);
void add_mp2(CLI::App& app, Session& session);
void add_bench(CLI::App& app, Session& session);
void add_info(CLI::App& app, Session& session);

}  // namespace trntensor::cli
