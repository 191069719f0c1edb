"""Plans as values, prepared contractions, and paths in opt_einsum's form."""
import pickle

import numpy as np
import pytest
import trntensor
from trntensor import ContractionPlan, contract_expression, contract_path, einsum, plan_contraction

SHAPES = [(2, 3), (3, 4), (4, 5)]
CHAIN = [np.ones(s) for s in SHAPES]


def test_plan_pickles_prints_and_compares():
    plan = plan_contraction("ij,jk,kl->il", *CHAIN)
    copy = pickle.loads(pickle.dumps(plan))
    assert copy == plan and hash(copy) == hash(plan) and copy is not plan
    assert plan != plan_contraction("ij,jk,kl->li", *CHAIN) and plan != 3
    assert str(plan) == plan.to_table() and plan.to_table() in repr(plan)
    assert ContractionPlan.from_json(plan.to_json()) == plan


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_every_protocol_pickles(protocol):
    plan = plan_contraction("ij,jk,kl->il", *CHAIN)
    assert pickle.loads(pickle.dumps(plan, protocol)) == plan
    expression = contract_expression("ij,jk->ik", (2, 3), (3, 4))
    assert repr(pickle.loads(pickle.dumps(expression, protocol))) == repr(expression)


def test_plan_in_a_notebook():
    html = plan_contraction("ij,jk,kl->il", *CHAIN)._repr_html_()
    assert html.startswith("<table>") and html.count("<tr>") == 3 and "ij,jk&rarr;ik" in html
    assert "->" not in html


def test_plan_of_damaged_json():
    with pytest.raises(ValueError, match="JSON|json"):
        ContractionPlan.from_json("{")
    with pytest.raises(ValueError):
        ContractionPlan.from_json("[]")


def test_plan_fields_of_ours():
    plan = plan_contraction("ij,jk,kl->il", *CHAIN)
    assert plan.dtype == "float64" and plan.shape == (2, 5) and plan.input_dtypes == ["float64"] * 3
    assert plan.input_shapes == SHAPES and plan.output_labels == [0, 3] and plan.extents == [2, 3, 4, 5]
    assert plan.macs == sum(step["macs"] for step in plan.steps) == 2 * 3 * 4 + 2 * 4 * 5
    assert plan.naive_macs == 120 and plan.largest_elements == 20 and plan.peak_bytes > 0
    assert plan.method == "optimal" and 0 < plan.error_bound < 1e-13
    assert plan.steps[0]["subscripts"] == "ij,jk->ik" and plan.steps[0]["strategy"] == "matmul"


def test_plan_of_the_interleaved_form():
    plan = plan_contraction(CHAIN[0], [5, 6], CHAIN[1], [6, 7], [7, 5])
    assert plan.shape == (4, 2)


def test_plan_by_shapes_takes_arrays_too():
    assert plan_contraction("ij,jk->ik", (2, 3), CHAIN[1], shapes=True).shape == (2, 4)


def test_what_the_plan_says_is_what_an_explicit_path_gives():
    plan = plan_contraction("ij,jk,kl->il", *CHAIN)
    assert plan_contraction("ij,jk,kl->il", *CHAIN, optimize=plan.contraction_path).macs == plan.macs


def test_contract_path_prints_as_opt_einsum():
    path, info = contract_path("ab,bc,cd->ad", (10, 20), (20, 30), (30, 40), shapes=True)
    assert path == [(0, 1), (0, 1)]
    assert str(info).splitlines() == [
        "  Complete contraction:  ab,bc,cd->ad",
        "         Naive scaling:  4",
        "     Optimized scaling:  3",
        "      Naive FLOP count:  7.200e+05",
        "  Optimized FLOP count:  3.600e+04",
        "   Theoretical speedup:  2.000e+01",
        "  Largest intermediate:  4.000e+02 elements",
        "-" * 80,
        "scaling        BLAS                current                             remaining",
        "-" * 80,
        "   3           GEMM              ab,bc->ac                             cd,ac->ad",
        "   3           GEMM              ac,cd->ad                                ad->ad",
    ]
    assert info.path == path and info.eq == "ab,bc,cd->ad" and info.scale_list == [3, 3]
    assert info.size_dict == {"a": 10, "b": 20, "c": 30, "d": 40} and info.size_list == [300, 400]


def test_contract_path_costs_equal_those_of_numpy():
    path, info = contract_path("ab,bc,cd->ad", *(np.ones(s) for s in ((10, 20), (20, 30), (30, 40))))
    text = np.einsum_path("ab,bc,cd->ad", *(np.ones(s) for s in ((10, 20), (20, 30), (30, 40))), optimize=["einsum_path", *path])[1]
    for line in text.splitlines()[1:3] + text.splitlines()[3:5]:
        name, value = line.split(":")
        ours = {"Naive scaling": len(info.indices), "Optimized scaling": max(info.scale_list),
                "Naive FLOP count": info.naive_cost, "Optimized FLOP count": info.opt_cost}[name.strip()]
        assert float(value) == pytest.approx(ours, rel=1e-3)


def test_path_of_a_network_larger_than_floats_count():
    n = 400
    text = ",".join(chr(0x4E00 + k) + chr(0x4E01 + k) for k in range(n)) + "->" + chr(0x4E00) + chr(0x4E00 + n)
    path, info = contract_path(text, *[(10, 10)] * n, shapes=True)
    assert len(path) == n - 1 and info.naive_cost == 10 ** (n + 1) * n and info.speedup == float("inf")
    assert "4.000e+403" in str(info) and info.plan.naive_macs == 10 ** (n + 1)
    assert trntensor.estimate_flops(text, *[(10, 10)] * n, shapes=True) == 10 ** (n + 1)


def test_path_of_one_operand():
    path, info = contract_path("ij->j", np.ones((2, 3)))
    assert path == [(0,)] and "ij->j" in str(info)


def test_path_pickles():
    _, info = contract_path("ij,jk->ik", np.ones((2, 3)), np.ones((3, 4)))
    assert str(pickle.loads(pickle.dumps(info))) == str(info)


# --- contract_expression -----------------------------------------------------------------------------------------------

def test_expression_by_shapes_takes_any_type_and_strides():
    expression = contract_expression("ij,jk->ik", (2, 3), (3, 4))
    for dtype in ("f4", "f8", "c8", "i4"):
        a, b = np.arange(6).reshape(2, 3).astype(dtype), np.arange(12).reshape(4, 3).astype(dtype).T
        result = expression(a, b)
        assert result.dtype == dtype and np.array_equal(result, a @ b)


def test_expression_with_constants():
    weights = np.arange(12.0).reshape(3, 4)
    expression = contract_expression("ij,jk->ik", (2, 3), weights, constants=[1])
    assert np.array_equal(expression(np.ones((2, 3))), np.ones((2, 3)) @ weights)
    copy = pickle.loads(pickle.dumps(expression))
    assert np.array_equal(copy(np.ones((2, 3))), np.ones((2, 3)) @ weights)
    with pytest.raises(ValueError, match="2 operands given, the expression takes 1"):
        expression(np.ones((2, 3)), weights)


def test_expression_writes_to_out():
    expression = contract_expression("ij,jk->ik", (2, 3), (3, 4), precision="kahan")
    out = np.ones((2, 4))
    assert expression(CHAIN[0], CHAIN[1], out=out, alpha=2, beta=1) is out and np.all(out == 7)


def test_expression_refuses_other_shapes():
    expression = contract_expression("ij,jk->ik", (2, 3), (3, 4))
    with pytest.raises(ValueError, match="shape"):
        expression(np.ones((2, 2)), np.ones((2, 4)))
    expression(CHAIN[0], CHAIN[1])
    with pytest.raises(ValueError, match="operand 0 has shape"):
        expression(np.ones((3, 3)), CHAIN[1])


def test_expression_says_what_it_is():
    expression = contract_expression("ij,jk->ik", (2, 3), (3, 4))
    assert repr(expression) == "<ContractExpression ij,jk->ik of shapes [(2, 3), (3, 4)]>"
    assert expression.plan == plan_contraction("ij,jk->ik", (2, 3), (3, 4), shapes=True)


@pytest.mark.parametrize("arguments, keywords", [
    ((), {}), ((3,), {}), (("ij", (2, 3), (4,)), {}), (("ij,jk", (2, 3), (4, 5)), {}),
    (("ij,jk", (2, 3), (3, 5)), {"constants": [2]}), (("ij,jk", (2, 3), (3, 5)), {"constants": [1]}),
    (("ij", (2, 3)), {"alpha": 2}),
])
def test_expression_of_nonsense(arguments, keywords):
    with pytest.raises((TypeError, ValueError)):
        contract_expression(*arguments, **keywords)


# --- epilogues -----------------------------------------------------------------------------------------------------------

def test_epilogue():
    from trntensor.epilogue import einsum_with_epilogue, element, exp, max, sum, tensor

    rng = np.random.default_rng(2)
    a, b, e = rng.standard_normal((4, 5)), rng.standard_normal((5, 6)), rng.standard_normal(4)
    x = element()
    product = a @ b
    softmax = einsum_with_epilogue("ik,kj->ij", a, b, expression=exp(x - max("j", x)) / sum("j", exp(x - max("j", x))))
    expected = np.exp(product - product.max(1, keepdims=True))
    np.testing.assert_allclose(softmax, expected / expected.sum(1, keepdims=True))
    scaled = einsum_with_epilogue("ik,kj->ij", a, b, expression=1 - 2 * x / tensor("e", "i"), tensors={"e": e}, output="ji")
    np.testing.assert_allclose(scaled, (1 - 2 * product / e[:, None]).T)
    with pytest.raises(ValueError):
        einsum_with_epilogue("ik,kj->ij", a, b, expression=tensor("f", "i"))
    with pytest.raises(TypeError):
        einsum_with_epilogue("ik,kj->ij", a, b)
    assert element() == element() and hash(element()) == hash(element()) and element() != element("ji")
