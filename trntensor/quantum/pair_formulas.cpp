#include "trntensor/quantum/pair_formulas.hpp"

namespace trntensor::quantum {
namespace {

using epilogue::element;
using epilogue::sum;
using epilogue::tensor;

Expression inverse_denominator() {
  const Expression occupied = tensor(kOccupiedEnergies, "i") + tensor(kOccupiedEnergies, "j");
  return 1.0 / (occupied - tensor(kVirtualEnergies, "a") - tensor(kVirtualEnergies, "b"));
}

}  // namespace

Expression opposite_spin() { return sum("iajb", element() * element() * inverse_denominator()); }

Expression opposite_spin_pair() { return sum("ab", element() * element() * inverse_denominator()); }

Expression same_spin_pair() { return sum("ab", element() * (element() - element("ibja")) * inverse_denominator()); }

}  // namespace trntensor::quantum
