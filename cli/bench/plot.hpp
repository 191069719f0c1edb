// The report as a picture: for each suite, element type and thread count a roofline and bars, one group a case.
#pragma once

#include <string>

#include "cli/bench/report.hpp"

namespace trntensor::cli::bench {

/// An SVG document. The roofline shows GFLOP/s over flops a byte, both logarithmic: the roofs, ours (filled) and the
/// best peer (hollow) of each case.
std::string to_svg(const Report& report);

}  // namespace trntensor::cli::bench
