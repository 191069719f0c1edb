"""numpy.einsum's documented examples, semantics and errors; where we differ, the test says why."""
import numpy as np
import pytest
from trntensor import einsum

a = np.arange(25).reshape(5, 5)
b = np.arange(5)
c = np.arange(6).reshape(2, 3)


@pytest.mark.parametrize(
    "ours, expected",
    [
        (lambda: einsum("ii", a), 60),
        (lambda: einsum(a, [0, 0]), 60),
        (lambda: einsum("ii->i", a), [0, 6, 12, 18, 24]),
        (lambda: einsum(a, [0, 0], [0]), [0, 6, 12, 18, 24]),
        (lambda: einsum("ij->i", a), [10, 35, 60, 85, 110]),
        (lambda: einsum(a, [0, 1], [0]), [10, 35, 60, 85, 110]),
        (lambda: einsum("...j->...", a), [10, 35, 60, 85, 110]),
        (lambda: einsum(a, [Ellipsis, 1], [Ellipsis]), [10, 35, 60, 85, 110]),
        (lambda: einsum("ji", c), [[0, 3], [1, 4], [2, 5]]),
        (lambda: einsum("ij->ji", c), [[0, 3], [1, 4], [2, 5]]),
        (lambda: einsum(c, [1, 0]), [[0, 3], [1, 4], [2, 5]]),
        (lambda: einsum("i,i", b, b), 30),
        (lambda: einsum(b, [0], b, [0]), 30),
        (lambda: einsum("ij,j", a, b), [30, 80, 130, 180, 230]),
        (lambda: einsum(a, [0, 1], b, [1]), [30, 80, 130, 180, 230]),
        (lambda: einsum("...j,j", a, b), [30, 80, 130, 180, 230]),
        (lambda: einsum("..., ...", 3, c), [[0, 3, 6], [9, 12, 15]]),
        (lambda: einsum(",ij", 3, c), [[0, 3, 6], [9, 12, 15]]),
        (lambda: einsum(3, [Ellipsis], c, [Ellipsis]), [[0, 3, 6], [9, 12, 15]]),
        (lambda: einsum("i,j", np.arange(2) + 1, b), [[0, 1, 2, 3, 4], [0, 2, 4, 6, 8]]),
        (lambda: einsum("i...->...", a), [50, 55, 60, 65, 70]),
        (lambda: einsum(a, [0, Ellipsis], [Ellipsis]), [50, 55, 60, 65, 70]),
        (lambda: einsum("ki,jk->ij", np.arange(6).reshape(3, 2), np.arange(12).reshape(4, 3)),
         [[10, 28, 46, 64], [13, 40, 67, 94]]),
        (lambda: einsum("ki,...k->i...", np.arange(6).reshape(3, 2), np.arange(12).reshape(4, 3)),
         [[10, 28, 46, 64], [13, 40, 67, 94]]),
        (lambda: einsum("k...,jk", np.arange(6).reshape(3, 2), np.arange(12).reshape(4, 3)),
         [[10, 28, 46, 64], [13, 40, 67, 94]]),
    ],
)
def test_documented_examples(ours, expected):
    assert np.array_equal(ours(), expected)


def test_documented_tensor_contraction():
    x, y = np.arange(60.0).reshape(3, 4, 5), np.arange(24.0).reshape(4, 3, 2)
    expected = np.tensordot(x, y, axes=([1, 0], [0, 1]))
    assert np.array_equal(einsum("ijk,jil->kl", x, y), expected)
    assert np.array_equal(einsum(x, [0, 1, 2], y, [1, 0, 3], [2, 3]), expected)


def test_documented_chain_with_a_path():
    x = np.ones(64).reshape(2, 4, 8)
    path = np.einsum_path("ijk,ilm,njm,nlk,abc->", x, x, x, x, x, optimize="optimal")[0]
    assert einsum("ijk,ilm,njm,nlk,abc->", x, x, x, x, x, optimize=path) == np.einsum("ijk,ilm,njm,nlk,abc->", x, x, x, x, x, optimize=True)


def test_more_labels_and_operands_than_numpy_has_letters_for():
    n = 40
    arguments = [part for k in range(n) for part in (np.eye(2), [k, k + 1])]
    assert np.array_equal(einsum(*arguments, [0, n]), np.eye(2))


def test_labels_may_be_any_objects_that_sort():
    assert np.array_equal(einsum(c, ["row", "column"]), c.T)
    assert np.array_equal(einsum(c, ["i", "j"], c, ["k", "j"], ["k", "i"]), c @ c.T)


@pytest.mark.parametrize(
    "arguments",
    [
        ("", ),
        ("i..", b),
        ("..i", b),
        ("i....", b),
        ("i->->", b),
        ("i->i->", b),
        ("i-", b),
        ("i>", b),
        ("i%", b),
        ("i.", b),
        ("i,...->", b),
        ("ij", b),
        ("i", a),
        ("i,j", b),
        ("i->j", b),
        ("i->ii", b),
        ("ii->i", c),
        ("i,i", b, b[:3]),
        ("i->i,", b),
        ("......", a),
        ("...i...", a),
    ],
)
def test_errors_are_value_errors_as_in_numpy(arguments):
    with pytest.raises(ValueError):
        np.einsum(*arguments)
    with pytest.raises(ValueError):
        einsum(*arguments)


@pytest.mark.parametrize(
    "error, arguments, keywords",
    [
        (ValueError, ("",), {}),
        (TypeError, (0, 0), {}),
        (TypeError, ("", 0), {"out": "test"}),
        (TypeError, ("", 0), {"bad_arg": 0}),
        (TypeError, (None,) * 63, {}),
        (ValueError, ("", 0, 0), {}),
        (ValueError, (",", 0, [0], [0]), {}),
        (ValueError, (",", [0]), {}),
        (ValueError, ("i", 0), {}),
        (ValueError, ("ij", [0, 0]), {}),
        (ValueError, ("...i", 0), {}),
        (ValueError, ("i...j", [0, 0]), {}),
        (ValueError, ("i...", 0), {}),
        (ValueError, ("ij...", [0, 0]), {}),
        (ValueError, ("i..", [0, 0]), {}),
        (ValueError, (".i...", [0, 0]), {}),
        (ValueError, ("j->..j", [0, 0]), {}),
        (ValueError, ("j->.j...", [0, 0]), {}),
        (ValueError, ("i%...", [0, 0]), {}),
        (ValueError, ("...j$", [0, 0]), {}),
        (ValueError, ("i->&", [0, 0]), {}),
        (ValueError, ("i->ij", [0, 0]), {}),
        (ValueError, ("ij->jij", [[0, 0], [0, 0]]), {}),
        (ValueError, ("ii", np.ones((2, 3))), {}),
        (ValueError, ("ii->i", np.ones((2, 3))), {}),
        (ValueError, ("i", np.ones((2, 3))), {}),
        (ValueError, ("i->i", [[0, 1], [0, 1]]), {"out": np.ones((2, 2))}),
    ],
)
def test_errors_of_numpy(error, arguments, keywords):
    """Those that its own test_einsum_errors asks for, but for `order`, `casting` and dtype="bad_data_type"."""
    with pytest.raises(error):
        np.einsum(*arguments, **keywords)
    with pytest.raises(error):
        einsum(*arguments, **keywords)


def test_error_names_the_label_as_in_numpy():
    with pytest.raises(ValueError, match="'b'"):
        einsum("aabcb,abc", np.ones((3, 3, 4, 5, 6)), np.ones((3, 4, 5)))


@pytest.mark.parametrize("labels", [np.array([0, 0]), list(np.array([0, 0])), (0, 0), np.array([0, 0], np.uint8)])
def test_lists_of_labels_may_be_arrays(labels):
    assert einsum(a, labels) == 60 == np.einsum(a, [0, 0])


def test_ranges_are_lists_of_labels():
    assert np.array_equal(einsum(c, range(2), range(1, -1, -1)), c.T)


@pytest.mark.parametrize("labels", [np.array([0.0, 0.0]), a, "ij", {0: 1}, 3, None, iter([0, 0])])
def test_other_things_are_no_lists_of_labels(labels):
    with pytest.raises(TypeError, match="not a list of labels"):
        einsum(a, labels)


@pytest.mark.parametrize("arguments", [(), (a,), (a, b), (0,), (b, ["x", 0], ["x"]), (None,)])
def test_calls_that_are_none(arguments):
    with pytest.raises((TypeError, ValueError)):
        einsum(*arguments)


def test_integers_wrap_and_bool_is_or_of_ands():
    x = np.full(3, 100, np.int8)
    assert einsum("i->", x) == np.einsum("i->", x) and einsum("i->", x).dtype == np.int8
    assert einsum("i,i->", np.array([True, True]), np.array([False, True])) is np.True_


# --- where we differ, on purpose ----------------------------------------------------------------------------------------

def test_results_are_never_views_of_operands():
    """numpy.einsum("ii->i", a) is a view that can be written through: a result that is sometimes memory of an operand and
    sometimes not is a trap, so it never is."""
    x = np.zeros((3, 3))
    einsum("ii->i", x)[:] = 1
    assert not x.any()


def test_ellipsis_missing_from_the_output_is_summed():
    """As numpy does with optimize=True, torch and opt_einsum; without it numpy refuses."""
    assert np.array_equal(einsum("i...->i", a), a.sum(1))


def test_out_that_shares_memory_is_refused():
    """numpy makes a copy of the operand in silence."""
    x = np.ones((2, 2))
    with pytest.raises(ValueError):
        einsum("ij->ji", x, out=x)


def test_types_do_not_depend_on_values():
    """As in NumPy 2: arrays without axes count as others; only Python's numbers adapt."""
    assert einsum("i,->i", np.ones(2, np.float32), np.float64(2)).dtype == np.float64
    assert einsum("i,->i", np.ones(2, np.float32), 2.0).dtype == np.float32


def test_half_precision_is_summed_in_single():
    """numpy sums float16 in float16 where the summed axis is not the inner one: ones stay at 2048."""
    assert einsum("ij->j", np.ones((4096, 2), np.float16)).tolist() == [4096, 4096]


@pytest.mark.parametrize("keyword", ["order", "casting"])
def test_keywords_of_numpy_that_have_no_meaning_here(keyword):
    """Results are C-contiguous; `dtype` casts to kinds as wide or wider."""
    with pytest.raises(TypeError, match=keyword):
        einsum("i->i", b, **{keyword: "K"})


def test_casting_to_a_lower_kind_is_refused():
    with pytest.raises(ValueError, match="dtype"):
        einsum("i->i", np.ones(2), dtype=int)
