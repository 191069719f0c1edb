// Look at a plan before running it: the order of the steps decides what a contraction costs.
#include <cstdio>
#include <vector>

#include "trntensor/dispatch/default_executor.hpp"
#include "trntensor/dispatch/einsum.hpp"

using namespace trntensor;

int main() {
  // Integrals of benzene in cc-pVDZ from atomic to molecular orbitals. Sizes are enough: nothing is allocated.
  const char* const subscripts = "mi,na,mnP->iaP";
  const std::vector<Shape> shapes =
      shapes_from_sizes(subscripts, {{"m", 114}, {"n", 114}, {"i", 21}, {"a", 93}, {"P", 420}});
  const Spec spec = parse_spec(subscripts, shapes);
  const std::vector<DType> types(3, DType::kFloat64);
  const Plan plan = make_plan(spec, types, {}, default_executor());
  std::printf("%s\n", plan.to_table().c_str());

  // The order somebody might have written down: virtual orbitals first.
  PlanOptions by_hand;
  by_hand.path = ContractionPath{{1, 2}, {0, 1}};
  const Plan other = make_plan(spec, types, by_hand, default_executor());
  std::printf("occupied orbitals first  %.3f GFLOP\n", plan.estimated_flops() * 1e-9);
  std::printf("virtual orbitals first   %.3f GFLOP\n", other.estimated_flops() * 1e-9);
  std::printf("one loop over all labels %.3f GFLOP\n", 2e-9 * plan.contents().naive_macs);

  // A plan is a value: it goes to JSON and comes back, and what it says is what runs.
  const Plan copy = Plan::from_json(plan.to_json());
  const bool right = copy.contraction_path() == plan.contraction_path() &&
                     plan.estimated_flops() < other.estimated_flops() &&
                     other.contraction_path() == ContractionPath{{1, 2}, {0, 1}};
  return right ? 0 : 1;
}
