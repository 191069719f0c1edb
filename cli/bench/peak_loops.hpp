// The loops whose speed is the peak, one for each element type.
#pragma once

#include <cstdint>
#include <string>

namespace trntensor::cli::bench {

/// Runs `steps` steps and returns the operations done; `sink` keeps the compiler from leaving them out.
using PeakLoop = double (*)(std::int64_t steps, double& sink);

double multiply_adds_f32(std::int64_t steps, double& sink);
double multiply_adds_f64(std::int64_t steps, double& sink);

/// "AVX3", "AVX2", ...: the vectors of the two above.
std::string multiply_add_vectors();

/// Products of pairs of bfloat16 summed in float32; null when this CPU has no instruction for it.
PeakLoop dot_products_bf16();

}  // namespace trntensor::cli::bench
