// Whether the CPU's dot product of bfloat16 pairs is worth using.
#pragma once

namespace trntensor::host {

/// True when this CPU adds products of bfloat16 by its dot product at 1.25 times the rate, at least, of multiply-adds
/// of float32. Some do it at half the rate: converting while packing is then better. Measured once in a process, in
/// about 0.1 ms; rates are far from this limit on either side, so every process decides alike. False where the CPU or
/// the build has no such instruction.
bool bf16_dot_products_pay();

}  // namespace trntensor::host
