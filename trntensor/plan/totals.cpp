#include <algorithm>
#include <numeric>

#include "trntensor/plan/error_bound.hpp"
#include "trntensor/plan/step_builder.hpp"

namespace trntensor::plan {
namespace {

// Bytes of the sums over labels that one operand of a step has to itself: they are taken before the product, and a
// compensated sum is two numbers.
double presum_bytes(const Plan::Contents& contents, const PlanStep& step) {
  if (step.inputs.size() < 2 || step.presummed.empty()) return 0;
  const double item = static_cast<double>(size_of(contents.accumulator_dtype)) * (contents.compensated() != 0 ? 2 : 1);
  double bytes = 0;
  for (const Labels& labels : step.inputs) {
    double elements = 1;
    bool is_summed = false;
    for (const Label label : labels) {
      const bool alone = std::find(step.presummed.begin(), step.presummed.end(), label) != step.presummed.end();
      is_summed |= alone;
      if (alone) continue;
      elements = bounded_product(elements, static_cast<double>(contents.spec.extents[static_cast<std::size_t>(label)]));
    }
    if (is_summed) bytes += elements * item;
  }
  return bytes;
}

// Bytes of intermediates, sums taken first and result while each step runs, and their peak.
double peak_bytes(const Plan::Contents& contents) {
  std::vector<double> current(contents.spec.inputs.size(), 0.0);  // operands are the caller's
  double alive = 0;
  double peak = 0;
  for (const PlanStep& step : contents.steps) {
    const bool is_last = &step == &contents.steps.back();
    // An intermediate of sums that are compensated twice is two tensors.
    const double tensors = contents.compensated() == 2 && !is_last ? 2 : 1;
    const double result = step.cost.elements * static_cast<double>(size_of(step.dtype)) * tensors;
    alive += result;
    peak = std::max(peak, alive + presum_bytes(contents, step));
    std::vector<int> gone = step.operands;
    std::sort(gone.rbegin(), gone.rend());
    for (const int position : gone) {
      alive -= current[static_cast<std::size_t>(position)];
      current.erase(current.begin() + position);
    }
    current.push_back(result);
  }
  return peak;
}

}  // namespace

void add_totals(Plan::Contents& contents) {
  const Network network = network_of(contents.spec);
  contents.naive_macs = estimate_flops(contents.spec);
  contents.macs = 0;
  contents.largest_elements = 0;
  for (const LabelSet& operand : network.tensors) {
    contents.largest_elements = std::max(contents.largest_elements, product(operand, network.extents));
  }
  for (const PlanStep& step : contents.steps) {
    contents.macs += step.cost.macs;
    contents.largest_elements = std::max(contents.largest_elements, step.cost.elements);
  }
  contents.peak_bytes = peak_bytes(contents);
  contents.error_bound = error_bound(contents);
}

Plan::Contents complete_contents(Plan::Contents header, const SsaPath& path, const std::string& backend,
                                 const std::string& reason) {
  StepBuilder builder(header);
  std::vector<int> current(header.spec.inputs.size());  // numbers of the tensors in the current list, ascending
  std::iota(current.begin(), current.end(), 0);
  const auto position_of = [&](int number) {
    return static_cast<int>(std::lower_bound(current.begin(), current.end(), number) - current.begin());
  };
  std::vector<PlanStep> steps;
  if (current.size() == 1) steps.push_back(builder.take(builder.natural_choice({0}), backend, reason));
  for (std::size_t s = 0; s < path.size(); ++s) {
    const std::array<int, 2>& pair = path[s];
    steps.push_back(
        builder.take(builder.natural_choice({position_of(pair[0]), position_of(pair[1])}), backend, reason));
    std::erase_if(current, [&](int number) { return number == pair[0] || number == pair[1]; });
    current.push_back(static_cast<int>(header.spec.inputs.size() + s));
  }
  header.steps = std::move(steps);
  add_totals(header);
  return header;
}

}  // namespace trntensor::plan

namespace trntensor {

double estimate_flops(const Spec& spec) {
  double macs = 1;
  for (const std::int64_t extent : spec.extents) macs = plan::bounded_product(macs, static_cast<double>(extent));
  return macs;
}

}  // namespace trntensor
