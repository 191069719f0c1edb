"""Thousands of random calls beside numpy.einsum and torch.einsum: values, shapes, types and kinds."""
import numpy as np
import pytest
import trntensor
from conftest import needs_torch, torch
from random_contraction import FLOATS, INTEGERS, draw_call


TERMS = 20000  # of the longest sum that is drawn


def tolerance(operands, dtype):
    """Both results err by at most a rounding for each product and partial sum of each term, in units of sum |a b|. The
    worst case over TERMS terms is a hundred times what random signs give: their square root is taken."""
    return 2 * (len(operands) + np.sqrt(TERMS)) * np.finfo(dtype).eps


def absolute_sums(subscripts, operands):
    """sum |a b|: what errors are measured by."""
    return np.einsum(subscripts, *(np.abs(o).astype(np.float64) for o in operands))


def check(subscripts, operands, ours, expected):
    assert np.shape(ours) == np.shape(expected)
    assert ours.dtype == expected.dtype
    if expected.dtype.kind in "biu":
        assert np.array_equal(ours, expected)
    else:
        bound = tolerance(operands, expected.dtype) * absolute_sums(subscripts, operands)
        assert np.all(np.abs(ours - expected) <= bound + 1e-300)


@pytest.mark.parametrize("dtypes", (FLOATS, INTEGERS, FLOATS + INTEGERS), ids=("floats", "integers", "mixed"))
def test_equals_numpy(dtypes, request):
    rng = np.random.default_rng(len(dtypes))
    for case in range(request.config.getoption("--cases") // 3):
        subscripts, operands = draw_call(rng, dtypes)
        dtype = np.result_type(*(o.dtype for o in operands))  # not by value, as NumPy 1 has it for 0-d arrays
        expected = np.asarray(np.einsum(subscripts, *(o.astype(dtype) for o in operands)))
        described = f"case {case}: {subscripts} {[(o.shape, str(o.dtype), o.strides) for o in operands]}"
        ours = trntensor.einsum(subscripts, *operands)
        assert isinstance(ours, np.generic if expected.ndim == 0 else np.ndarray), described
        try:
            check(subscripts, operands, ours, expected)
        except AssertionError as error:
            raise AssertionError(described) from error


@needs_torch
def test_equals_torch(request):
    rng = np.random.default_rng(4)
    for case in range(request.config.getoption("--cases") // 10):
        subscripts, operands = draw_call(rng, (FLOATS[case % len(FLOATS)],))
        tensors = [torch.from_numpy(o.copy(order="K")) for o in operands]
        expected = torch.einsum(subscripts, *tensors)
        ours = trntensor.einsum(subscripts, *tensors)
        described = f"case {case}: {subscripts} {[(o.shape, str(o.dtype)) for o in operands]}"
        assert isinstance(ours, torch.Tensor) and ours.dtype == expected.dtype, described
        try:
            check(subscripts, operands, ours.numpy(), expected.numpy())
        except AssertionError as error:
            raise AssertionError(described) from error


def check_half(subscripts, operands, ours, eps, described):
    """Half types are summed in float32: an error of `eps` for each operand and the result, besides that of the sums."""
    exact = np.einsum(subscripts, *operands)
    bound = (tolerance(operands, "float32") + len(operands) * eps) * absolute_sums(subscripts, operands)
    with np.errstate(over="ignore"):
        is_right = np.abs(ours - exact) <= bound + 1e-7  # where the result is subnormal
        assert np.all(is_right | (np.isinf(ours) & (np.abs(exact) + bound > 65000))), described


def test_equals_exact_sums_in_float16(request):
    rng = np.random.default_rng(6)
    for case in range(request.config.getoption("--cases") // 10):
        subscripts, operands = draw_call(rng, ("float16",))
        ours = np.asarray(trntensor.einsum(subscripts, *operands))
        described = f"case {case}: {subscripts} {[o.shape for o in operands]}"
        assert ours.dtype == "float16", described
        check_half(subscripts, [o.astype(float) for o in operands], ours.astype(float), 2.0**-10, described)


@needs_torch
def test_equals_exact_sums_in_bfloat16(request):
    rng = np.random.default_rng(7)
    for case in range(request.config.getoption("--cases") // 10):
        subscripts, operands = draw_call(rng, ("float32",))
        tensors = [torch.from_numpy(o.copy(order="K")).bfloat16() for o in operands]
        ours = trntensor.einsum(subscripts, *tensors)
        described = f"case {case}: {subscripts} {[o.shape for o in operands]}"
        assert ours.dtype == torch.bfloat16, described
        check_half(subscripts, [t.double().numpy() for t in tensors], ours.double().numpy(), 2.0**-7, described)


def test_sublists_mean_the_same():
    rng = np.random.default_rng(5)
    for case in range(300):
        subscripts, operands = draw_call(rng, FLOATS)
        inputs, arrow, output = subscripts.partition("->")
        lists = [_labels(term) for term in inputs.split(",")]
        arguments = [part for pair in zip(operands, lists) for part in pair] + ([_labels(output)] if arrow else [])
        np.testing.assert_array_equal(
            trntensor.einsum(*arguments), trntensor.einsum(subscripts, *operands), f"case {case}: {subscripts}"
        )


def _labels(term):
    left, dots, right = term.partition("...")
    return [ord(x) for x in left] + ([...] if dots else []) + [ord(x) for x in right]
