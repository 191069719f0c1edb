"""The public surface of the original package under the same names, row by row, and the faults that are mended here.

Values are checked with NumPy; what differs on purpose from the original says so.
"""
import numpy as np
import pytest
import trntensor
from conftest import needs_torch, torch
from trntensor import einsum, estimate_flops, multi_einsum, plan_contraction

RNG = np.random.default_rng(3)
A, B = RNG.standard_normal((4, 5)), RNG.standard_normal((5, 6))


# --- einsum --------------------------------------------------------------------------------------------------------

def test_implicit_output_is_the_letters_seen_once_capitals_first():
    np.testing.assert_allclose(einsum("bA,Ac", A, B), np.einsum("bA,Ac", A, B))
    np.testing.assert_allclose(einsum("bA", A), A.T)


def test_alpha_beta_out_are_those_of_blas():
    """Mended: the original read `out` and did not write it."""
    out = np.ones((4, 6))
    result = einsum("ij,jk->ik", A, B, alpha=2.0, beta=0.5, out=out)
    assert result is out
    np.testing.assert_allclose(out, 2 * A @ B + 0.5)


def test_beta_zero_never_reads_out():
    """Mended: the original added 0 * out, so NaN came through."""
    out = np.full((4, 6), np.nan)
    einsum("ij,jk->ik", A, B, out=out)
    np.testing.assert_allclose(out, A @ B)


def test_alpha_scales_before_the_result_is_rounded():
    """Mended: the original rounded first: 3 * float16(2049) = 6144."""
    x = np.array([2048, 1], np.float16)
    assert einsum("i->", x, alpha=3) == np.float16(6147) == 6148


def test_out_of_another_shape_is_an_error():
    """Mended: the original broadcast it."""
    with pytest.raises(ValueError, match="shape"):
        einsum("ij,jk->ik", A, B, out=np.ones(6), beta=1.0)


@pytest.mark.parametrize("name, expected", [("f32", "float32"), ("FLOAT32", "float32"), ("fp16", "float16"),
                                            ("float16", "float16"), ("f64", "float64"), ("float64", "float64")])
def test_dtype_names(name, expected):
    assert einsum("ij,jk->ik", A.astype(np.float16), B.astype(np.float16), dtype=name).dtype == expected


@needs_torch
@pytest.mark.parametrize("name", ["bf16", "bfloat16"])
def test_dtype_bfloat16(name):
    assert einsum("ij->ij", torch.ones(2, 2), dtype=name).dtype == torch.bfloat16
    assert einsum("ij->ij", torch.ones(2, 2), dtype=torch.bfloat16).dtype == torch.bfloat16


def test_dtype_unknown():
    with pytest.raises(ValueError, match="float32"):
        einsum("ij->ij", A, dtype="float7")
    with pytest.raises(TypeError):  # mended: was an AttributeError
        einsum("ij->ij", A, dtype=7)


@pytest.mark.parametrize("precision", ["fast", "kahan", "dd", "sr"])
def test_precision_names(precision):
    """Mended: "kahan" and "dd" are what they say, and "sr" is honoured by every strategy."""
    np.testing.assert_allclose(einsum("ij,jk->ik", A, B, precision=precision), A @ B, atol=1e-13)
    np.testing.assert_allclose(einsum("bij,bjk->bik", A[None], B[None], precision=precision)[0], A @ B, atol=1e-13)
    np.testing.assert_allclose(einsum("ij,jk,kl->il", A, B, B.T, precision=precision), A @ B @ B.T, atol=1e-12)


def test_precision_unknown():
    with pytest.raises(ValueError, match="precision"):
        einsum("ij,jk->ik", A, B, precision="exact")


def test_kahan_of_complex_operands_keeps_the_imaginary_part():
    """Mended: the original cast to real."""
    z = A + 1j * A
    np.testing.assert_allclose(einsum("ij,kj->ik", z, z, precision="kahan"), z @ z.T)


def test_kahan_returns_the_promoted_type():
    """Mended: the original returned the first operand's."""
    assert einsum("ij,jk->ik", A.astype("f4"), B, precision="kahan").dtype == np.float64


def test_target_forward_error():
    a, b = A.astype("f4"), B.astype("f4")
    assert einsum("ij,jk->ik", a, b, target_forward_error=1e-4).dtype == np.float32
    with pytest.raises(ValueError):
        einsum("ij,jk->ik", a, b, target_forward_error=1e-4, precision="kahan")


@needs_torch
def test_target_that_the_type_cannot_hold_is_refused():
    """Mended: the original claimed 1e-5 for bfloat16, which rounds by 4e-3."""
    a = torch.ones(2, 2, dtype=torch.bfloat16)
    with pytest.raises(ValueError, match="bound|target"):
        einsum("ij,jk->ik", a, a, target_forward_error=1e-5)


@pytest.mark.parametrize(
    "subscripts, operands, message",
    [
        ("i1,jk->ik", (A, B), "1"),
        ("ij,jk->ik", (A,), "operand|term"),
        ("ijk,jk->ik", (A, B), "operand 0"),
        ("ij,jk->ik", (A, A), "'j'"),
        ("ij,jk->iz", (A, B), "'z'"),
        ("ij,jk->ii", (A, B), "'i'"),
    ],
)
def test_validation_errors(subscripts, operands, message):
    """The last two are mended: the original computed something."""
    with pytest.raises(ValueError, match=message):
        einsum(subscripts, *operands)


def test_extent_one_broadcasts():
    """Mended: the original refused it."""
    np.testing.assert_allclose(einsum("ij,ij->ij", A[:, :1], A), A[:, :1] * A)


M = RNG.standard_normal((3, 3))
T = RNG.standard_normal((3, 3, 3))


@pytest.mark.parametrize(
    "subscripts",
    ["ij,jk->ki", "ij,kj->ki", "ji,kj->ki", "kl,ik->il", "kj,ji", "ij,jk->i", "ij,jk->k", "ij,jk->", "ij,jj->i", "ii,ij->j"],
)
def test_matrix_products_that_the_original_got_wrong(subscripts):
    np.testing.assert_allclose(einsum(subscripts, M, M.T), np.einsum(subscripts, M, M.T))


@pytest.mark.parametrize(
    "subscripts",
    ["bij,bkj->bik", "bji,bjk->bik", "ibj,bjk->bik", "bij,jbk->bik", "ijb,jkb->ikb", "iap,ibp->iab", "bij,bjk->bki",
     "bij,bjk->ibk", "bij,bjk->bi", "bij,bjk->b", "bii,bij->bj"],
)
def test_batched_products_that_the_original_got_wrong(subscripts):
    other = T.transpose(1, 2, 0)
    np.testing.assert_allclose(einsum(subscripts, T, other), np.einsum(subscripts, T, other))


# --- multi_einsum ----------------------------------------------------------------------------------------------------

def test_multi_einsum_returns_a_list_in_order():
    results = multi_einsum(("ij,jk->ik", A, B), ("ij->", A), precision="kahan")
    assert isinstance(results, list)
    np.testing.assert_allclose(results[0], A @ B)
    np.testing.assert_allclose(results[1], A.sum())


def test_multi_einsum_target_and_precision_exclude_each_other():
    with pytest.raises(ValueError, match="contraction 0"):
        multi_einsum(("ij,jk->ik", A, B), precision="dd", target_forward_error=1e-3)


def test_multi_einsum_checks_all_before_it_starts():
    with pytest.raises(ValueError, match="contraction 1"):
        multi_einsum(("ij,jk->ik", A, B), ("ij,jk->ik", A, A))
    with pytest.raises(TypeError):
        multi_einsum("ij,jk->ik", A, B)
    assert multi_einsum() == []


# --- plans -------------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize(
    "subscripts, shapes, strategy, transposed",
    [
        ("ij,jk->ik", [(2, 3), (3, 4)], "matmul", (False, False)),
        ("ji,jk->ik", [(3, 2), (3, 4)], "matmul", (True, False)),
        ("ij,kj->ik", [(2, 3), (4, 3)], "matmul", (False, True)),
        ("ap,bp->ab", [(48, 128), (48, 128)], "matmul", (False, True)),
        ("bij,bjk->bik", [(5, 2, 3), (5, 3, 4)], "bmm", (False, False)),
        ("iap,ibp->iab", [(5, 2, 3), (5, 4, 3)], "bmm", (False, True)),
        ("i,j->ij", [(2,), (3,)], "general", (False, False)),
        ("ij->ji", [(2, 3)], "unary", (False, False)),
        ("ij,jk,kl->il", [(2, 3), (3, 4), (4, 5)], "path", (False, False)),
    ],
)
def test_plan_strategy_and_transposes(subscripts, shapes, strategy, transposed):
    """The names "torch" and "pytorch" of the original are "general" (or "unary") and "host" here."""
    plan = plan_contraction(subscripts, *shapes, shapes=True)
    assert (plan.strategy, plan.backend) == (strategy, "host")
    assert (plan.transA, plan.transB) == transposed
    assert plan.subscripts == subscripts


def test_plan_indices():
    plan = plan_contraction("bij,bjk->bik", (5, 2, 3), (5, 3, 4), shapes=True)
    assert plan.contraction_indices == ["j"]
    assert plan.batch_indices == ["b"]
    assert plan.output_indices == ["b", "i", "k"]


def test_plan_estimated_flops():
    """Mended: always 0 in the original."""
    assert plan_contraction("ij,jk->ik", A, B).estimated_flops == 2 * 4 * 5 * 6


def test_plan_path_is_positions_in_the_current_list():
    plan = plan_contraction("mi,na,mnP->iaP", (256, 16), (256, 32), (256, 256, 256), shapes=True)
    assert plan.contraction_path == [(0, 2), (0, 1)]
    assert plan.macs < 3.1e8  # mended: the original's order took 8.6e9


def test_plan_precision():
    assert plan_contraction("ij,jk->ik", A, B, precision="kahan").precision == "kahan"


def test_plan_is_immutable():
    """Mended: the original handed out the cached object, which could be changed."""
    plan = plan_contraction("ij,jk->ik", A, B)
    with pytest.raises(AttributeError):
        plan.strategy = "path"


def test_estimate_flops():
    assert estimate_flops("ij,jk->ik", A, B) == 4 * 5 * 6
    assert estimate_flops("ab,bc->ac", (10**7, 10**7), (10**7, 10**7), shapes=True) == 10**21
    with pytest.raises(ValueError):
        estimate_flops("ij,jk->ik", A, A)


# --- cache -------------------------------------------------------------------------------------------------------------

def test_plan_cache():
    trntensor.clear_plan_cache()
    assert trntensor.plan_cache_info()["size"] == 0
    einsum("ij,jk->ik", A, B)
    einsum("ij,jk->ik", A, B)
    info = trntensor.plan_cache_info()
    assert info["size"] == 1 and info["hits"] == 1 and info["misses"] == 1


def test_plan_cache_tells_types_apart():
    """Mended: the original's key had no type."""
    trntensor.clear_plan_cache()
    einsum("ij,jk->ik", A, B)
    einsum("ij,jk->ik", A.astype("f4"), B.astype("f4"))
    assert trntensor.plan_cache_info()["size"] == 2


def test_plan_cache_is_bounded():
    """Mended: the original's grew without end."""
    trntensor.set_plan_cache_size(3)
    try:
        for n in range(1, 9):
            einsum("i->", np.ones(n))
        assert trntensor.plan_cache_info()["size"] == 3
    finally:
        trntensor.set_plan_cache_size(1024)


# --- precision -----------------------------------------------------------------------------------------------------------

def test_select_precision_for_error():
    assert trntensor.select_precision_for_error("float32", 64, 1e-3) == "fast"
    assert trntensor.select_precision_for_error("float32", 10**6, 1e-7) == "kahan"
    assert trntensor.select_precision_for_error(np.float64, 10**6, 2e-16) in ("kahan", "dd")
    with pytest.raises(ValueError):
        trntensor.select_precision_for_error("bf16", 64, 1e-5)


# --- quantum -------------------------------------------------------------------------------------------------------------

def mp2_by_loops(b, occ, vir):
    t = np.einsum("iap,jbp->ijab", b, b)
    d = occ[:, None, None, None] + occ[None, :, None, None] - vir[None, None, :, None] - vir[None, None, None, :]
    return np.sum(t * (2 * t - t.transpose(0, 1, 3, 2)) / d)


INTEGRALS = RNG.standard_normal((3, 5, 7))
OCCUPIED, VIRTUAL = -1 - RNG.random(3), 1 + RNG.random(5)


def test_mp2_energy():
    energy = trntensor.mp2_energy(INTEGRALS, OCCUPIED, VIRTUAL)
    assert isinstance(energy, np.float64)
    np.testing.assert_allclose(energy, mp2_by_loops(INTEGRALS, OCCUPIED, VIRTUAL), rtol=1e-12)


@needs_torch
def test_mp2_energy_of_torch_tensors_is_one_without_axes():
    energy = trntensor.mp2_energy(*(torch.from_numpy(x) for x in (INTEGRALS, OCCUPIED, VIRTUAL)))
    assert isinstance(energy, torch.Tensor) and energy.shape == ()
    np.testing.assert_allclose(energy.item(), mp2_by_loops(INTEGRALS, OCCUPIED, VIRTUAL), rtol=1e-12)


@pytest.mark.parametrize("b, occ, vir, message", [
    (INTEGRALS[0], OCCUPIED, VIRTUAL, "B"),
    (INTEGRALS, OCCUPIED[:2], VIRTUAL, "eps_occ"),
    (INTEGRALS, OCCUPIED, VIRTUAL[:2], "eps_vir"),
])
def test_mp2_energy_refuses_wrong_shapes(b, occ, vir, message):
    with pytest.raises(ValueError, match=message):
        trntensor.mp2_energy(b, occ, vir)


def test_mp2_options():
    parts = trntensor.mp2_energies(INTEGRALS, OCCUPIED, VIRTUAL, pairs=True)
    np.testing.assert_allclose(parts["correlation_energy"], parts["opposite_spin"] + parts["same_spin"])
    np.testing.assert_allclose(parts["pair_energies"].sum(), parts["correlation_energy"])
    np.testing.assert_allclose(parts["scs_energy"], trntensor.mp2_energy(INTEGRALS, OCCUPIED, VIRTUAL, scaling="scs"))
    np.testing.assert_allclose(parts["sos_energy"], trntensor.sos_mp2_energy(INTEGRALS, OCCUPIED, VIRTUAL))
    np.testing.assert_allclose(
        2 * parts["opposite_spin"], trntensor.mp2_energy(INTEGRALS, OCCUPIED, VIRTUAL, scaling=(2.0, 0.0))
    )
    frozen = trntensor.mp2_energy(INTEGRALS, OCCUPIED, VIRTUAL, n_frozen=1)
    np.testing.assert_allclose(frozen, mp2_by_loops(INTEGRALS[1:], OCCUPIED[1:], VIRTUAL))
    with pytest.raises(MemoryError):
        trntensor.mp2_energy(INTEGRALS, OCCUPIED, VIRTUAL, memory_limit=8)
    with pytest.raises(ValueError, match="scaling"):
        trntensor.mp2_energy(INTEGRALS, OCCUPIED, VIRTUAL, scaling="best")


def test_ao_to_mo_transform():
    eri, occ, vir = RNG.standard_normal((6, 6, 4)), RNG.standard_normal((6, 2)), RNG.standard_normal((6, 3))
    result = trntensor.ao_to_mo_transform(eri, occ, vir)
    np.testing.assert_allclose(result, np.einsum("mi,na,mnP->iaP", occ, vir, eri))
    assert trntensor.plan_ao_to_mo_transform(eri, occ, vir).strategy == "path"
    for arguments in ((eri[0], occ, vir), (eri[:5], occ, vir), (eri, occ[:5], vir), (eri, occ, vir[:5])):
        with pytest.raises(ValueError):
            trntensor.ao_to_mo_transform(*arguments)
