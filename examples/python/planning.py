"""See what will be computed, in which order and at what cost, before anything is."""
import trntensor

SHAPES = [(48, 8), (48, 40), (48, 48, 168)]

plan = trntensor.plan_contraction("mi,na,mnP->iaP", *SHAPES, shapes=True)
print(plan)
assert plan.macs * 20 < plan.naive_macs

# The same as opt_einsum prints it, and the path for those who take one.
path, info = trntensor.contract_path("mi,na,mnP->iaP", *SHAPES, shapes=True)
print(info)
assert path == plan.contraction_path

# A plan is a value.
assert trntensor.ContractionPlan.from_json(plan.to_json()) == plan

# Results to an error that is known beforehand.
exact = trntensor.plan_contraction("mi,na,mnP->iaP", *SHAPES, shapes=True, dtype="float64", target_forward_error=1e-15)
print("precision for 1e-15:", exact.precision, "with a bound of", exact.error_bound)
assert exact.error_bound <= 1e-15
