// Finds the peers, and sets what they choose their kernels by.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

#include "cli/bench/peer_kinds.hpp"
#include "trntensor/support/cpu_features.hpp"
#include "trntensor/support/environment.hpp"

namespace trntensor::cli::bench {
namespace {

struct Kind {
  const char* name;
  const char* missing;                   ///< where it is had
  std::array<const char*, 3> variables;  ///< of the environment, which choose its kernels; empty ones are null
  std::shared_ptr<const Peer> (*load)();
};

constexpr Kind kKinds[] = {
    {"openblas", "libopenblas.so.0 is not found; Debian: libopenblas0", {"OPENBLAS_CORETYPE"}, load_openblas},
    {"blis", "libblis.so.4 is not found; Debian: libblis4", {"BLIS_ARCH_TYPE"}, load_blis},
    {"onednn", "libdnnl.so.2 is not found; Debian: libdnnl2", {"DNNL_MAX_CPU_ISA"}, load_onednn},
    {"libxsmm",
     "libxsmm.so.1 is not found; Debian's libxsmm-dev has a static library only, which a build with "
     "TRNTENSOR_ENABLE_BENCH turns into one",
     {"LIBXSMM_TARGET"},
     load_libxsmm},
    {"eigen",
     "libtrntensor_peer_eigen is not found; Debian's libeigen3-dev has headers only, which a build with "
     "TRNTENSOR_ENABLE_BENCH turns into one",
     {},
     load_eigen},
    {"torch",
     "libtrntensor_peer_torch.so is not found; Debian: libtorch-dev, to which a build with TRNTENSOR_ENABLE_BENCH "
     "links",
     {"ATEN_CPU_CAPABILITY", "OPENBLAS_CORETYPE", "BLIS_ARCH_TYPE"},
     load_torch},
};

/// The value that gives a library its best kernels on this CPU; nothing where its own choice by CPU features is right.
/// OpenBLAS 0.3.21 and BLIS 0.9 choose by CPU model, and run AVX2 or plain C on models that came later.
std::optional<std::string> best_kernels(std::string_view variable) {
  if (!has_avx512()) return std::nullopt;
  if (variable == "OPENBLAS_CORETYPE") return has_avx512_bf16() ? "Cooperlake" : "SkylakeX";
  if (variable == "BLIS_ARCH_TYPE") return "0";  // the skx configuration
  return std::nullopt;
}

/// Returns what was done, for people.
std::string choose_kernels(const char* variable, bool keep_environment) {
  const auto before = environment_text(variable);
  if (keep_environment) return before ? fmt::format("{}={} of the environment", variable, *before) : std::string();
  const auto best = best_kernels(variable);
  const std::string replaced = before && before != best ? fmt::format(" (the environment had {})", *before) : "";
  if (!best) {
    unsetenv(variable);
    return before ? fmt::format("{} unset{}", variable, replaced) : std::string();
  }
  setenv(variable, best->c_str(), 1);
  return fmt::format("{}={}{}", variable, *best, replaced);
}

std::string choose_kernels(std::span<const char* const> variables, bool keep_environment) {
  std::string notes;
  for (const char* variable : variables) {
    const std::string note = variable == nullptr ? "" : choose_kernels(variable, keep_environment);
    if (!notes.empty() && !note.empty()) notes += ", ";
    notes += note;
  }
  return notes;
}

/// Threads of theirs that wait for work take the time of the next in turn. They wait long enough for calls in a row.
void shorten_waits() {
  constexpr int kKeep = 0;
  setenv("OPENBLAS_THREAD_TIMEOUT", "22", kKeep);  // 2^22 cycles
  setenv("GOMP_SPINCOUNT", "20000", kKeep);        // turns, about a millisecond
}

}  // namespace

std::vector<std::string> peer_names() {
  std::vector<std::string> names;
  for (const Kind& kind : kKinds) names.emplace_back(kind.name);
  return names;
}

std::vector<PeerEntry> load_peers(std::span<const std::string> names, bool keep_environment) {
  const auto asked = [&](std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  shorten_waits();
  std::vector<PeerEntry> entries;
  for (const Kind& kind : kKinds) {
    if (!asked("all") && !asked(kind.name)) {
      entries.push_back({kind.name, nullptr, "not asked for"});
      continue;
    }
    std::string note = choose_kernels(kind.variables, keep_environment);
    auto peer = kind.load();
    if (peer == nullptr) note = kind.missing;
    entries.push_back({kind.name, std::move(peer), std::move(note)});
  }
  return entries;
}

}  // namespace trntensor::cli::bench
