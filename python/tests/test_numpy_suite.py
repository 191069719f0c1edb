"""NumPy's own tests of einsum, as it ships them, run on trntensor.einsum.

What differs on purpose stands in EXCEPTIONS with its reason (docs/migration.md says the same); everything else holds.
"""
import importlib
import inspect
import types

import numpy as np
import pytest
import trntensor

suite = pytest.importorskip("numpy.core.tests.test_einsum", reason="this NumPy comes without its tests")

EXCEPTIONS = {
    "test_einsum_views": "a result is never memory of an operand",
    "test_einsum_errors": "unknown types of elements are ValueError, as in the original; all others: test_errors_of_numpy",
    "test_subscript_range": "labels are any whole numbers, not 0 to 51",
    "test_out_is_res": "an out that shares memory with an operand is refused, not copied in silence",
    "test_overlap": "an out that shares memory with an operand is refused, not copied in silence",
    "test_output_order": "results are C-contiguous",
    "test_einsum_sums_longdouble": "the type is no number of trntensor's",
    "test_einsum_sums_clongdouble": "the type is no number of trntensor's",
    "test_path_type_input_internal_trace": "a step of a path contracts two operands or more",
    "test_path_type_input_invalid": "a path that does not fit is ValueError, as everything that is wrong with a call",
}


NOT_OURS = ("g", "G")  # longdouble, clongdouble


def einsum(*arguments, casting="safe", **keywords):
    """What the migration page says to write instead of `casting="unsafe"`: casts before and after."""
    if casting == "safe":
        return trntensor.einsum(*arguments, **keywords)
    dtype, out = keywords.pop("dtype"), keywords.pop("out", None)
    is_text = isinstance(arguments[0], str)
    arguments = [
        np.asarray(argument).astype(dtype, casting=casting) if (k > 0 if is_text else _is_operand(k, arguments)) else argument
        for k, argument in enumerate(arguments)
    ]
    result = trntensor.einsum(*arguments, **keywords)
    if out is None:
        return result
    np.copyto(out, result, casting=casting)
    return out


def _is_operand(k, arguments):
    return k % 2 == 0 and k < len(arguments) - len(arguments) % 2


def cases_of_numpy():
    for name, thing in vars(suite).items():
        if name.startswith("test_"):
            yield name, thing
        if inspect.isclass(thing) and name.startswith("Test"):
            yield from ((method, thing) for method in vars(thing) if method.startswith("test_"))


def parameters(function):
    """Of pytest's `parametrize`, as dictionaries."""
    found = [{}]
    for mark in getattr(function, "pytestmark", []):
        names = [name.strip() for name in mark.args[0].split(",")]
        found = [{**had, **dict(zip(names, values if len(names) > 1 else (values,)))} for had in found for values in mark.args[1]]
    return found


@pytest.fixture(autouse=True)
def ours_in_the_place_of_theirs(monkeypatch):
    ours = types.ModuleType("numpy")
    ours.__dict__.update({**vars(np), "einsum": einsum})
    monkeypatch.setattr(suite, "np", ours)


@pytest.mark.parametrize("name, owner", list(cases_of_numpy()), ids=lambda x: x if isinstance(x, str) else getattr(x, "__name__", ""))
def test_as_numpy(name, owner):
    run = getattr(owner(), name) if inspect.isclass(owner) else owner
    for given in parameters(run):
        if name in EXCEPTIONS or given.get("dtype") in NOT_OURS:
            with pytest.raises((AssertionError, ValueError, TypeError)):
                run(**given)
        else:
            run(**given)


def test_suite_is_there():
    names = {name for name, _ in cases_of_numpy()}
    assert len(names) > 25 and set(EXCEPTIONS) <= names
    assert importlib.import_module("numpy").einsum is not einsum
