// From a case to its result.
#pragma once

#include <span>

#include "cli/bench/case.hpp"
#include "cli/bench/floors.hpp"

namespace trntensor::cli::bench {

/// Sets the case up, compares the results, and measures unless they differ: then, and where the library refuses, the
/// result has an error. Throws Cancelled.
CaseResult run_case(const Case& what, std::span<const PeerEntry> peers, const Floors& floors,
                    const MeasureOptions& options);

}  // namespace trntensor::cli::bench
