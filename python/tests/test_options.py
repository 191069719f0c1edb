"""The keywords of einsum."""
import numpy as np
import pytest
import trntensor
from conftest import needs_torch, torch
from trntensor import einsum

A = np.arange(6.0).reshape(2, 3)


def test_out_is_written_in_place_and_returned():
    out = np.full((2, 2), np.nan)
    assert einsum("ij,kj->ik", A, A, out=out) is out
    assert np.array_equal(out, A @ A.T)


def test_out_with_strides():
    buffer = np.full((4, 4), 7.0)
    einsum("ij,kj->ik", A, A, out=buffer[::2, ::2])
    assert np.array_equal(buffer[::2, ::2], A @ A.T)
    assert np.all(buffer[1::2] == 7) and np.all(buffer[:, 1::2] == 7)


def test_out_without_axes():
    out = np.zeros(())
    assert einsum("i,i->", A[0], A[1], out=out) is out and out == A[0] @ A[1]


def test_alpha_and_beta():
    out = np.ones((2, 2))
    einsum("ij,kj->ik", A, A, out=out, alpha=2, beta=3)
    assert np.array_equal(out, 2 * (A @ A.T) + 3)
    assert np.array_equal(einsum("ij->ij", A, alpha=0.5), A / 2)
    assert einsum("i->", np.ones(2, complex), alpha=1j) == 2j


def test_beta_zero_does_not_read_out():
    out = np.full(3, np.inf)
    einsum("ij->j", A, out=out, beta=0)
    assert np.array_equal(out, A.sum(0))


def test_out_of_a_narrower_type():
    out = np.zeros(3, np.float32)
    einsum("ij->j", A, out=out)
    assert out.tolist() == A.sum(0).tolist()


@pytest.mark.parametrize(
    "out, error, message",
    [
        (np.zeros(2), ValueError, "shape"),
        (np.zeros(3, int), ValueError, "out"),
        (np.broadcast_to(np.zeros(1), (3,)), ValueError, "read-only"),
        ([0.0, 0.0, 0.0], TypeError, "out is a list"),
        (3.0, TypeError, "out is a float"),
        (np.zeros(3, ">f8"), TypeError, "native byte order"),
        (memoryview(b"x" * 24), ValueError, ""),
    ],
)
def test_out_that_cannot_be(out, error, message):
    with pytest.raises(error, match=message):
        einsum("ij->j", A, out=out)


def test_out_that_overlaps_an_operand():
    a = A.copy()
    with pytest.raises(ValueError, match="overlap|share"):
        einsum("ij->ij", a, out=a)


def test_beta_without_out():
    with pytest.raises(ValueError, match="no out"):
        einsum("ij->j", A, beta=1)


@pytest.mark.parametrize("dtype", ["f32", "FLOAT32", np.float32, np.dtype("f4"), "float32"])
def test_dtype_by_name_and_type(dtype):
    assert einsum("ij->j", A.astype(np.float32), dtype=dtype).dtype == np.float32


@pytest.mark.parametrize("name", ["?", "i1", "u2", "i4", "f2", "f4", "f8", "c8", "c16", "half", "single", "double", "<f8", "d"])
def test_dtype_names_of_numpy(name):
    assert einsum("i->i", np.ones(2, bool), dtype=name).dtype == np.dtype(name)


@pytest.mark.parametrize("name", ["i8", "u8", "f16", "I8"])
def test_dtype_names_that_count_bytes_or_bits_are_refused(name):
    """"i8" is int64 in NumPy and int8 in other places: neither is taken in silence."""
    with pytest.raises(ValueError, match="counts bytes in NumPy and bits elsewhere"):
        einsum("i->i", np.ones(2, bool), dtype=name)


@pytest.mark.parametrize("name", [">f8", "f4,f4", "U3", "O", "longdouble", "nothing"])
def test_dtype_names_of_no_numbers_of_ours(name):
    with pytest.raises(ValueError, match="unknown dtype"):
        einsum("i->i", np.ones(2, bool), dtype=name)


def test_dtype_of_python():
    assert einsum("i->", np.ones(2, np.int8), dtype=float).dtype == np.float64
    assert einsum("i->", np.ones(2, bool), dtype=int) == 2
    assert einsum("i->", np.ones(2), dtype=complex).dtype == np.complex128


@needs_torch
def test_dtype_of_torch():
    assert einsum("i->", np.ones(2, np.float32), dtype=torch.float64).dtype == np.float64
    assert einsum("i->i", torch.ones(2), dtype=torch.bfloat16).dtype == torch.bfloat16


@pytest.mark.parametrize("dtype, error", [("f33", ValueError), (3, TypeError), ("", ValueError), ([1], TypeError)])
def test_dtype_that_is_none(dtype, error):
    with pytest.raises(error):
        einsum("i->", np.ones(2), dtype=dtype)


def test_precision():
    x = np.array([1e16, 1.0, -1e16] * 3)
    ones = np.ones_like(x)
    assert einsum("i,i->", x, ones, precision="kahan") == 3.0
    assert einsum("i,i->", x, ones, precision="dd") == 3.0
    with pytest.raises(ValueError, match="fast.*kahan"):
        einsum("i->", x, precision="best")


def test_stochastic_rounding_by_seed():
    x = np.full(1000, 1 + 2.0**-30, np.float64)
    first = einsum("i->i", x, precision="sr", dtype="f32", seed=1)
    assert np.array_equal(first, einsum("i->i", x, precision="sr", dtype="f32", seed=1))
    assert set(np.unique(first)) <= {np.float32(1), np.nextafter(np.float32(1), np.float32(2))}
    with pytest.raises(ValueError, match="seed"):
        einsum("i->", x, seed=-1)


def test_target_forward_error():
    x = np.ones((4, 1000), np.float32)
    plan = trntensor.plan_contraction("ij,kj->ik", x, x, target_forward_error=1e-6)
    assert plan.error_bound <= 1e-6 and plan.precision == "kahan"
    with pytest.raises(ValueError, match="precision"):
        einsum("ij,kj->ik", x, x, target_forward_error=1e-6, precision="dd")
    with pytest.raises(ValueError):
        einsum("ij,kj->ik", x, x, target_forward_error=1e-12)


CHAIN = [np.ones(s) for s in ((2, 30), (30, 30), (30, 4))]


@pytest.mark.parametrize(
    "optimize",
    [True, False, None, "auto", "greedy", "optimal", "dp", "branch-all", "random-greedy", [(1, 2), (0, 1)],
     ["einsum_path", (0, 1), (0, 1)], ((0, 1, 2),)],
)
def test_optimize(optimize):
    assert np.all(einsum("ij,jk,kl->il", *CHAIN, optimize=optimize) == 900)


def test_optimize_takes_a_path_of_numpy():
    path = np.einsum_path("ij,jk,kl->il", *CHAIN, optimize="greedy")[0]
    assert np.all(einsum("ij,jk,kl->il", *CHAIN, optimize=path) == 900)


def test_optimize_by_a_function():
    seen = []

    def last_first(inputs, output, sizes, memory_limit):
        seen.append((inputs, output, sizes, memory_limit))
        return [(1, 2), (0, 1)]

    plan = trntensor.plan_contraction("ij,jk,kl->il", *CHAIN, optimize=last_first, memory_limit=2**20)
    assert plan.contraction_path == [(1, 2), (0, 1)] and plan.method == "given"
    assert seen[0] == ([{"i", "j"}, {"j", "k"}, {"k", "l"}], {"i", "l"}, {"i": 2, "j": 30, "k": 30, "l": 4}, 2**20)


@pytest.mark.parametrize(
    "optimize, error",
    [("best", ValueError), ([(0, 1)], ValueError), ([(0, 5), (0, 1)], ValueError), (3, TypeError), ([1, 2], TypeError),
     (("greedy", 100), NotImplementedError), (lambda *a: None, TypeError), ([("a", "b")], TypeError)],
)
def test_optimize_that_makes_no_sense(optimize, error):
    with pytest.raises(error):
        einsum("ij,jk,kl->il", *CHAIN, optimize=optimize)


def test_memory_limit():
    with pytest.raises(MemoryError, match="memory"):
        einsum("i,j->ij", np.ones(1000), np.ones(1000), memory_limit="1M")
    assert einsum("i,j->ij", np.ones(1000), np.ones(1000), memory_limit="8M").shape == (1000, 1000)
    with pytest.raises(ValueError, match="memory_limit"):
        einsum("i->", np.ones(2), memory_limit="many")


def test_backend():
    for name in ("auto", "host", "pytorch"):
        assert einsum("i->", np.ones(2), backend=name) == 2
    with pytest.raises(RuntimeError, match="NeuronCore"):
        einsum("i->", np.ones(2), backend="nki")
    with pytest.raises(ValueError, match="backend"):
        einsum("i->", np.ones(2), backend="cuda")


def test_num_threads():
    assert einsum("i->", np.ones(2), num_threads=1) == 2
    with pytest.raises(ValueError, match="num_threads"):
        einsum("i->", np.ones(2), num_threads=-1)


def test_unknown_keyword_is_named_with_those_there_are():
    with pytest.raises(TypeError, match="unexpected keyword argument 'ouput'.*\n.*alpha, out"):
        einsum("i->", np.ones(2), ouput=1)


@pytest.mark.parametrize("keyword", ["alpha", "beta", "target_forward_error", "memory_limit", "seed", "num_threads"])
def test_keywords_of_a_wrong_type(keyword):
    with pytest.raises(TypeError, match=keyword):
        einsum("i->", np.ones(2), **{keyword: [1]})


NUMBERS = [
    ("num_threads", lambda n: trntensor.mp2_energy(*MP2, num_threads=n)),
    ("n_frozen", lambda n: trntensor.mp2_energy(*MP2, n_frozen=n)),
    ("count", trntensor.set_num_threads),
    ("plans", trntensor.set_plan_cache_size),
    ("K", lambda n: trntensor.select_precision_for_error("float64", n, 1e-3)),
]
MP2 = [[[1.0]]], [-1.0], [1.0]


@pytest.mark.parametrize("name, call", NUMBERS, ids=[name for name, _ in NUMBERS])
def test_whole_numbers_of_functions(name, call):
    for wrong in ("x", None, 1.5):
        with pytest.raises(TypeError, match=f"^{name} is"):
            call(wrong)
    for beyond in (2**70, -(2**70)):
        with pytest.raises(ValueError, match=f"^{name} is"):
            call(beyond)
    with pytest.raises(ValueError, match="-1"):
        call(-1)


def test_real_numbers_of_functions():
    for wrong in ("x", [1.0, "x"]):
        with pytest.raises((TypeError, ValueError), match="scaling"):
            trntensor.mp2_energy(*MP2, scaling=wrong)
    with pytest.raises(TypeError, match="^scaling is"):
        trntensor.sos_mp2_energy(*MP2, scaling="x")
    with pytest.raises(TypeError, match="^target_forward_error is"):
        trntensor.select_precision_for_error("float64", 4, "x")


def test_memory_limit_below_zero():
    with pytest.raises(ValueError, match="memory_limit is -1"):
        einsum("i->", np.ones(2), memory_limit=-1)


def test_message_goes_on_after_a_null_byte():
    with pytest.raises(ValueError, match=r"ka\\0han.*\n"):
        einsum("i->", np.ones(2), precision="ka\0han")


def test_expression_of_a_wrong_type():
    with pytest.raises(TypeError, match="^expression is"):
        trntensor.epilogue.einsum_with_epilogue("ij->ij", A, expression="x")


@needs_torch
def test_scale_that_requires_a_gradient_is_refused():
    scale = torch.tensor(2.0, requires_grad=True)
    for keyword in ("alpha", "beta"):
        with pytest.raises(NotImplementedError, match=f"{keyword} requires a gradient"):
            einsum("i->", np.ones(2), **{keyword: scale})
    with torch.no_grad():
        assert einsum("i->", np.ones(2), alpha=scale) == 4
    assert einsum("i->", np.ones(2), alpha=scale.item()) == 4


def test_numbers_beyond_float64():
    for keyword in ("alpha", "target_forward_error"):
        with pytest.raises(ValueError, match=f"{keyword} is beyond"):
            einsum("i->", np.ones(2), **{keyword: 10**400})


@pytest.mark.parametrize("subscripts", [None, b"i->"])
def test_subscripts_of_a_wrong_type(subscripts):
    with pytest.raises(TypeError, match="^subscripts is .*, not a str"):
        einsum(subscripts, np.ones(2))
