// The contraction and its steps as text.
#pragma once

#include <string>
#include <vector>

#include "trntensor/plan/plan.hpp"

namespace trntensor::plan {

/// The letter of each label in `Spec::to_string`.
std::vector<std::string> label_letters(const Spec& spec);

/// "mi,mnP->inP".
std::string step_text(const PlanStep& step, const std::vector<std::string>& letters);

}  // namespace trntensor::plan
