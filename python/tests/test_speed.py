"""A call on tiny operands takes less time than one of numpy.einsum and torch.einsum."""
import timeit

import numpy as np
import pytest
import trntensor
from conftest import needs_torch, torch


def seconds(run, number):
    """The least of many short runs: what others do on the machine only adds."""
    return min(timeit.repeat(run, number=number, repeat=30)) / number


CALLS = ["ij,jk->ik", "ij,ij->", "ij->ji", "ij,j->i"]


@pytest.mark.parametrize("subscripts", CALLS)
def test_overhead_is_below_that_of_numpy(subscripts):
    rng = np.random.default_rng(0)
    shapes = [(4,) * len(term) for term in subscripts.split("->")[0].split(",")]
    operands = [rng.standard_normal(shape) for shape in shapes]
    ours = seconds(lambda: trntensor.einsum(subscripts, *operands), 300)
    theirs = seconds(lambda: np.einsum(subscripts, *operands), 300)
    assert ours < theirs, f"{ours * 1e9:.0f} ns, numpy {theirs * 1e9:.0f} ns"


@needs_torch
@pytest.mark.parametrize("subscripts", CALLS)
def test_overhead_is_below_that_of_torch(subscripts):
    shapes = [(4,) * len(term) for term in subscripts.split("->")[0].split(",")]
    operands = [torch.randn(shape, dtype=torch.float64) for shape in shapes]
    ours = seconds(lambda: trntensor.einsum(subscripts, *operands), 100)
    theirs = seconds(lambda: torch.einsum(subscripts, *operands), 100)
    assert ours < theirs, f"{ours * 1e9:.0f} ns, torch {theirs * 1e9:.0f} ns"
