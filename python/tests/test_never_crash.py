"""Whatever is passed, the answer is a Python exception or a result: never a crash, never an error of the library's own."""
import itertools

import numpy as np
import pytest
import trntensor

ODD = [
    None, True, -1, 2**70, 0.5, float("nan"), 1j, "", "ij", "i->i", "\ud800", "\0", b"ij", [], [[]], [[[]]], (), {}, set(),
    object(), type, len, Ellipsis, NotImplemented, range(3), slice(1), np.nan, np.zeros(()), np.zeros((0, 3)), np.ones((2, 2)),
    np.ones(2, dtype=object), np.array("text"), np.array([1, "a"]), np.zeros(3, "V5"), np.datetime64("2020-01-01"),
    memoryview(b"abc"), bytearray(b"xyz"), iter([1]), np.broadcast_to(np.float32(1), (2, 2)), np.float16(1), np.ma.masked,
    np.empty((2,) * 32, np.int8)[(slice(0, 1),) * 32],
]
FUNCTIONS = [getattr(trntensor, name) for name in trntensor.__all__ if callable(getattr(trntensor, name))]
FUNCTIONS += [getattr(trntensor.epilogue, name) for name in trntensor.epilogue.__all__]
FINE = (TypeError, ValueError, NotImplementedError, MemoryError, OSError, OverflowError, IndexError, AttributeError)


def attempt(function, *arguments, **keywords):
    try:
        function(*arguments, **keywords)
    except trntensor.InternalError:
        raise
    except FINE:
        pass
    except RuntimeError as error:  # "no NeuronCore"
        assert "NeuronCore" in str(error), error


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    yield
    trntensor.set_plan_cache_size(1024)
    trntensor.set_num_threads(0)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_odd_arguments(function):
    for count in (0, 1, 2):
        for arguments in itertools.product(ODD, repeat=count):
            attempt(function, *arguments)
    rng = np.random.default_rng(0)
    for _ in range(300):
        attempt(function, *(ODD[k] for k in rng.integers(0, len(ODD), rng.integers(3, 6))))


@pytest.mark.parametrize(
    "keyword",
    ["alpha", "beta", "out", "dtype", "precision", "target_forward_error", "optimize", "memory_limit", "seed", "num_threads",
     "backend", "nothing", "shapes", "constants"],
)
def test_odd_keywords(keyword):
    a = np.ones((2, 2))
    for value in ODD:
        attempt(trntensor.einsum, "ij,jk->ik", a, a, **{keyword: value})
        attempt(trntensor.multi_einsum, ("ij,jk->ik", a, a), **{keyword: value})
        attempt(trntensor.plan_contraction, "ij,jk->ik", a, a, **{keyword: value})
        attempt(trntensor.contract_expression, "ij,jk->ik", a, a, **{keyword: value})
        attempt(trntensor.contract_path, "ij,jk->ik", a, a, **{keyword: value})


def test_odd_subscripts():
    rng = np.random.default_rng(1)
    alphabet = list("ijkabZ,,..->-> \t\n0_%é\u0301漢\U0001f600\0")
    for _ in range(5000):
        text = "".join(rng.choice(alphabet, rng.integers(0, 12)))
        attempt(trntensor.einsum, text, *([np.ones((2, 2))] * rng.integers(0, 3)))


def test_operands_that_misbehave():
    class Raises:
        def __dlpack__(self, **_):
            raise KeyError("no")

        def __dlpack_device__(self):
            return (1, 0)

    class OddDevice(Raises):
        def __dlpack_device__(self):
            return "cpu"

    class OddArray:
        def __array__(self, *_):
            return 3

    with pytest.raises(KeyError):  # the object's own error is handed on
        trntensor.einsum("i->", Raises())
    attempt(trntensor.einsum, "i->", OddDevice())
    attempt(trntensor.einsum, "i->", OddArray())
    lists = []
    lists.append(lists)
    attempt(trntensor.einsum, "i->", lists)


def test_sizes_beyond_memory():
    wide = np.broadcast_to(np.float64(1), (2**40, 2**15))
    for subscripts in ("ij,kl->ijkl", "ij,kl->"):
        attempt(trntensor.plan_contraction, subscripts, wide, wide)
    attempt(trntensor.einsum, "ij,kl->ijkl", wide, wide)
    attempt(trntensor.einsum, "ij->ij", wide)
    assert trntensor.estimate_flops("ij,kl->", (2**40, 2**15), (2**40, 2**15), shapes=True) == 2**110
    attempt(trntensor.estimate_flops, "i->", (2**62,), shapes=True)
    attempt(trntensor.plan_contraction, "i->", (2**70,), shapes=True)
    attempt(trntensor.plan_contraction, "i->", (-1,), shapes=True)


@pytest.mark.parametrize("name", ["ContractExpression", "ContractionPlan", "Tensor", "epilogue.Expression"])
def test_objects_without_a_value_are_not_made(name):
    kind = type(trntensor.epilogue.element()) if name == "epilogue.Expression" else getattr(trntensor, name)
    for make in (kind, lambda: kind.__new__(kind), lambda: object.__new__(kind), lambda: kind.__base__.__new__(kind)):
        with pytest.raises(TypeError):
            make()


def test_numbers_beyond_64_bits_are_named():
    a = np.ones((2, 2))
    for keyword in ("memory_limit", "num_threads"):
        with pytest.raises(ValueError, match=f"{keyword} is {2**70}"):
            trntensor.einsum("ij->", a, **{keyword: 2**70})
    with pytest.raises(ValueError, match=f"a label is {2**70}"):
        trntensor.einsum(a, [0, 2**70])


def test_internal_error_is_a_runtime_error():
    assert issubclass(trntensor.InternalError, RuntimeError)
