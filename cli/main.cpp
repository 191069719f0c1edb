// The program: parses the command line, runs one verb, turns errors into messages and exit codes.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/nearest.hpp"
#include "trntensor/support/error.hpp"
#include "trntensor/version.hpp"

namespace trntensor::cli {
namespace {

// Exit codes, as in docs/cli.md.
constexpr int kOurFault = 1;
constexpr int kUsersFault = 2;

/// Where stderr cannot be written to, the exit code has to do.
int complain(int code, const std::string& message) {
  std::fputs(fmt::format("trntensor: error: {}\n", message).c_str(), stderr);
  return code;
}

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kInternal:
      return kOurFault;
    case ErrorKind::kCancelled:
      return interrupted_exit_code();
    default:
      return kUsersFault;
  }
}

/// The message for a first word that is missing or no verb; nothing when it is one or begins with a minus.
std::optional<std::string> unknown_verb(const CLI::App& app, int argc, char** argv) {
  if (argc < 2) return "no verb is given; trntensor --help lists the verbs";
  if (argv[1][0] == '-') return std::nullopt;
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    verbs.push_back(verb->get_name());
  if (std::find(verbs.begin(), verbs.end(), argv[1]) != verbs.end()) return std::nullopt;
  const auto nearest = nearest_name(argv[1], verbs);
  return fmt::format("there is no verb \"{}\"{}; trntensor --help lists the verbs", argv[1],
                     nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : "");
}

int parse_and_run(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::Success& help) {
    const int code = app.exit(help);
    if (std::cout.flush()) return code;
    throw Error(ErrorKind::kIo, "cannot write to stdout");
  } catch (const CLI::ParseError& error) {
    const auto verbs = app.get_subcommands();
    const std::string verb = verbs.empty() ? "" : verbs.front()->get_name() + " ";
    return complain(kUsersFault, fmt::format("{}\nfix: see trntensor {}--help", error.what(), verb));
  }
}

int run(int argc, char** argv) {
  Session session{stop_on_interrupt()};
  CLI::App app("Contracts tensors: einsum notation, planned orders, DF-MP2 energies.", "trntensor");
  app.set_version_flag("--version", "trntensor " TRNTENSOR_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  app.get_formatter()->label("Subcommands", "Verbs");
  app.get_formatter()->label("SUBCOMMAND", "VERB");
  app.footer(
      "Every verb has its own help: trntensor mp2 --help\n\nExample: trntensor einsum \"ij,jk->ik\" a.npy b.npy -o "
      "c.npy");
  add_einsum(app, session);
  add_plan(app, session);
  add_mp2(app, session);
  add_bench(app, session);
  add_info(app, session);
  if (const auto message = unknown_verb(app, argc, argv)) return complain(kUsersFault, *message);
  const int code = parse_and_run(app, argc, argv);
  return code != 0 ? code : session.exit_code;
}

}  // namespace
}  // namespace trntensor::cli

int main(int argc, char** argv) {
  using namespace trntensor;
  using namespace trntensor::cli;
  try {
    return run(argc, argv);
  } catch (const Error& error) {
    return complain(exit_code(error.kind()), error.what());
  } catch (const std::bad_alloc&) {
    return complain(kUsersFault, "out of memory");
  } catch (const std::exception& error) {
    return complain(kOurFault, fmt::format("a fault of the program: {}", error.what()));
  }
}
