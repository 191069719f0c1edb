// What the multiply-add units of one core can do.
#pragma once

namespace trntensor::bench {

/// Multiply-adds in registers only, 2 operations each, by the widest vectors of this CPU; best of several short runs,
/// in operations per second. Precondition for a meaningful figure: nothing else runs on the core.
double fma_peak_f32();
double fma_peak_f64();

}  // namespace trntensor::bench
