"""Prepare a contraction once, and run it in a loop on new data and in place."""
import numpy as np
import trntensor

rng = np.random.default_rng(1)
transition = rng.random((20, 20))
transition /= transition.sum(axis=0)

step = trntensor.contract_expression("ij,jk->ik", transition, (20, 5), constants=[0])
state = np.full((20, 5), 1 / 20)
following = np.empty_like(state)
for _ in range(200):
    step(state, out=following)
    state, following = following, state

print("largest change:", np.abs(step(state) - state).max())
np.testing.assert_allclose(step(state), state, atol=1e-12)
np.testing.assert_allclose(state.sum(axis=0), 1)
