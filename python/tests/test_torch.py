"""torch tensors: kinds, types, views, devices, gradients."""
import subprocess
import sys

import numpy as np
import pytest
import trntensor
from conftest import Exporter, needs_torch, torch
from trntensor import contract_expression, einsum

pytestmark = needs_torch


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "float64", "complex64", "complex128", "int8", "uint8",
                                  "int16", "int32", "int64", "bool"])
def test_types(name):
    dtype = getattr(torch, name)
    a = torch.ones(2, 3).to(dtype)
    result = einsum("ij->ij", a)
    assert result.dtype == dtype and torch.equal(result, a) and result.shape == (2, 3)
    assert einsum("ij->", a).shape == () and einsum("ij->", a).dtype == dtype


def test_bfloat16_is_summed_in_float32():
    a = torch.full((1, 4096), 1.0, dtype=torch.bfloat16)
    assert einsum("ij,kj->", a, a).item() == 4096.0  # a running sum in bfloat16 stays at 256


def test_memory_is_read_where_it_is():
    base = torch.arange(24.0).reshape(4, 6)
    for view in (base.T, base[::2, 1::2], base[1:2].expand(3, 6), torch.diagonal(base)):
        letters = "ij"[: view.dim()]
        assert torch.equal(einsum(f"{letters}->{letters}", view), view)


def test_lazy_conjugates_and_negatives():
    z = torch.tensor([1 + 2j, 3 - 1j])
    assert z.conj().is_conj() and torch.equal(einsum("i->i", z.conj()), torch.tensor([1 - 2j, 3 + 1j]))
    assert z.conj().imag.is_neg() and torch.equal(einsum("i->i", z.conj().imag), torch.tensor([-2.0, 1.0]))
    with pytest.raises(TypeError, match="cannot be written to"):
        einsum("i->i", z, out=torch.zeros(2, dtype=z.dtype).conj())


def test_out():
    out = torch.zeros(2, 2)
    version = out._version
    a = torch.ones(2, 3)
    assert einsum("ij,kj->ik", a, a, out=out) is out and torch.equal(out, torch.full((2, 2), 3.0))
    assert out._version > version


def test_write_is_seen_by_recorded_gradients():
    a = torch.ones(3, requires_grad=True)
    factor = torch.ones(3)
    product = a * factor
    einsum("i->i", torch.zeros(3), out=factor)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        product.sum().backward()


def test_list_of_operands_as_torch_has_it():
    a = torch.ones(2, 3)
    assert torch.equal(einsum("ij,kj->ik", [a, a]), torch.full((2, 2), 3.0))


def test_other_devices_and_layouts_are_refused():
    with pytest.raises(NotImplementedError, match=r"operand 1 is a torch tensor on device meta.*\nfix: .*cpu\(\)"):
        einsum("i,i->", torch.ones(2), torch.ones(2, device="meta"))
    with pytest.raises(NotImplementedError, match="sparse"):
        einsum("ij->", torch.ones(2, 2).to_sparse())
    with pytest.raises(TypeError, match="quint8"):
        einsum("i->", torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.quint8))


def test_cuda_is_refused():
    if not torch.cuda.is_available():
        pytest.skip("there is no CUDA device; test_other_devices_and_layouts_are_refused has another one")
    with pytest.raises(NotImplementedError, match="device cuda"):
        einsum("i->", torch.ones(2, device="cuda"))


class Wrapper(torch.Tensor if torch is not None else object):
    """A tensor without memory of its own, as many subclasses are."""

    @staticmethod
    def __new__(cls, inner):
        return torch.Tensor._make_wrapper_subclass(cls, inner.shape, dtype=inner.dtype)

    @classmethod
    def __torch_dispatch__(cls, function, types, arguments=(), keywords=None):
        raise NotImplementedError(function)


def test_tensors_without_memory_are_refused():
    with pytest.raises((TypeError, NotImplementedError), match="operand 0 is a torch tensor"):
        einsum("i->", Wrapper(torch.ones(3)))
    fake = pytest.importorskip("torch._subclasses.fake_tensor")
    with fake.FakeTensorMode():
        tensor = torch.ones(3)
    with pytest.raises((TypeError, NotImplementedError), match="operand 0 is a torch tensor"):
        einsum("i->", tensor)
    with pytest.raises((TypeError, NotImplementedError, ValueError)):
        einsum("i->", torch.nn.UninitializedParameter())


def test_tensors_of_transformations_are_refused():
    def run(row):
        with pytest.raises((TypeError, NotImplementedError)):
            einsum("i->", row)
        return row

    torch.vmap(run)(torch.ones(2, 3)) if hasattr(torch, "vmap") else run(torch.ones(3, device="meta"))


def test_subclasses_with_memory_are_read():
    class Named(torch.Tensor):
        pass

    tensor = torch.arange(3.0).as_subclass(Named)
    assert einsum("i->", tensor) == 3.0


def test_forward_mode_derivatives_are_not_lost_in_silence():
    forward = torch.autograd.forward_ad
    with forward.dual_level():
        dual = forward.make_dual(torch.ones(2), torch.ones(2))
        with pytest.raises(NotImplementedError, match="operand 1 carries a forward-mode derivative"):
            einsum("i,i->", torch.ones(2), dual)
        assert einsum("i->", torch.ones(2)) == 2.0


def test_inference_mode():
    with torch.inference_mode():
        a, out = torch.ones(2, 2), torch.zeros(2)
        assert einsum("ij->i", a, out=out) is out and out.tolist() == [2.0, 2.0]
    with pytest.raises(RuntimeError, match="inference"):  # torch's own rule
        einsum("ij->i", torch.ones(2, 2), out=out)


def test_type_that_torch_does_not_have():
    if hasattr(torch, "uint16"):
        pytest.skip("this torch has uint16")
    with pytest.raises(TypeError, match="the result is uint16"):
        einsum("i->", torch.ones(2, dtype=torch.uint8), dtype="uint16")


def test_torch_is_not_imported_without_a_tensor():
    code = "import sys, numpy, trntensor; trntensor.einsum('i->', numpy.ones(2), dtype='f32'); print('torch' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout == "False\n"


# --- gradients ---------------------------------------------------------------------------------------------------------

GRADIENTS = [
    ("ij,jk->ik", [(2, 3), (3, 4)]),
    ("ij,jk->ki", [(2, 3), (3, 4)]),
    ("ij,jk,kl->il", [(2, 3), (3, 2), (2, 3)]),
    ("bij,bjk->bik", [(2, 2, 3), (2, 3, 2)]),
    ("i,j->ij", [(2,), (3,)]),
    ("ij,ij->", [(2, 3), (2, 3)]),
    ("ii->i", [(3, 3)]),
    ("ii->", [(3, 3)]),
    ("iij->ji", [(2, 2, 3)]),
    ("iii->", [(2, 2, 2)]),
    ("ijij->ij", [(2, 3, 2, 3)]),
    ("ij->", [(2, 3)]),
    ("ij->j", [(2, 3)]),
    ("ij,k->i", [(2, 3), (4,)]),
    ("ij,ij->ij", [(2, 1), (2, 3)]),
    ("ij,ij->i", [(2, 1), (1, 3)]),
    ("...ij,...j->...i", [(2, 1, 2, 3), (2, 3)]),
    ("ij,jj->i", [(2, 3), (3, 3)]),
    (",i->i", [(), (3,)]),
    ("i,i,i->i", [(3,), (3,), (3,)]),
    ("ij", [(2, 3)]),
]


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("subscripts, shapes", GRADIENTS)
def test_gradients(subscripts, shapes, dtype):
    torch.manual_seed(1)
    operands = [torch.randn(s, dtype=getattr(torch, dtype), requires_grad=True) for s in shapes]

    def run(*given):
        return einsum(subscripts, *given, alpha=1.5)

    assert torch.autograd.gradcheck(run, operands)
    assert torch.autograd.gradgradcheck(run, operands)


def test_gradients_equal_those_of_torch():
    torch.manual_seed(2)
    a, b, c = (torch.randn(s, dtype=torch.float64, requires_grad=True) for s in ((3, 4), (4, 5), (5, 3)))
    ours = torch.autograd.grad(einsum("ij,jk,ki->", a, b, c), (a, b, c))
    theirs = torch.autograd.grad(torch.einsum("ij,jk,ki->", a, b, c), (a, b, c))
    for x, y in zip(ours, theirs):
        torch.testing.assert_close(x, y)


def test_gradients_of_other_forms():
    a = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)
    b = torch.randn(3, 2, dtype=torch.float64, requires_grad=True)
    expression = contract_expression("ij,jk->ik", (2, 3), (3, 2))
    for run in (
        lambda a, b: einsum(a, [0, 1], b, [1, 2], [0, 2]),
        lambda a, b: einsum("ij,jk->ik", [a, b]),
        lambda a, b: expression(a, b, alpha=2.0),
        lambda a, b: trntensor.multi_einsum(("ij,jk->ik", a, b), ("ij->", a))[0],
        lambda a, b: einsum("ij,jk->ik", a, b, precision="kahan"),
        lambda a, b: einsum("ij,jk,->ik", a, b, 2.0),
        lambda a, b: einsum("ij,jk,k->ik", a, b, np.arange(2.0)),
    ):
        assert torch.autograd.gradcheck(run, (a, b))
        assert torch.autograd.gradgradcheck(run, (a, b))


def test_gradients_of_real_tensors_beside_complex_ones_are_real():
    a = torch.randn(3, dtype=torch.float64, requires_grad=True)
    z = torch.randn(3, dtype=torch.complex128, requires_grad=True)
    assert torch.autograd.gradcheck(lambda a, z: einsum("i,i->i", a, z), (a, z))
    assert torch.autograd.grad(einsum("i,i->", a, z).abs(), a)[0].dtype == torch.float64


class HasArray:
    """An object that NumPy can make an array of."""

    def __array__(self, dtype=None):
        return np.array([1 + 2j, 3 - 1j])


@pytest.mark.parametrize("constant", [
    np.array([1 + 2j, 3 - 1j]), [1 + 2j, 3 - 1j], (1 + 2j, 3 - 1j), memoryview(np.array([1 + 2j, 3 - 1j])), HasArray(),
    Exporter(np.array([1 + 2j, 3 - 1j])), trntensor.Tensor([1 + 2j, 3 - 1j]),
], ids=lambda constant: type(constant).__name__)
def test_gradients_beside_complex_constants_of_any_kind(constant):
    z = torch.tensor([2 - 1j, 0.5j], dtype=torch.complex128, requires_grad=True)
    assert torch.autograd.gradcheck(lambda z: einsum("i,i->", z, constant), (z,))
    assert torch.autograd.gradgradcheck(lambda z: einsum("i,i,i->", z, z, constant), (z,))


@pytest.mark.parametrize("number", [2 + 3j, np.complex64(2 + 3j), np.complex128(2 + 3j), np.array(2 + 3j)],
                         ids=lambda number: type(number).__name__)
def test_gradients_beside_complex_numbers_of_any_kind(number):
    z = torch.tensor([2 - 1j, 0.5j], dtype=torch.complex128, requires_grad=True)
    assert torch.autograd.gradcheck(lambda z: einsum("i,->i", z, number), (z,))
    assert torch.autograd.gradcheck(lambda z: einsum("i->i", z, alpha=number), (z,))


def test_gradients_have_the_precision_that_an_error_target_chose():
    a = torch.ones(1, 1, requires_grad=True)
    b = torch.rand(1, 100000, generator=torch.Generator().manual_seed(3))
    einsum("ij,jk->", a, b, target_forward_error=1e-7).backward()
    assert a.grad.item() == b.double().sum().float().item()  # sums in float32 are off by more than one rounding


def test_gradients_keep_the_types_of_operands():
    a = torch.randn(3, dtype=torch.float32, requires_grad=True)
    b = torch.randn(3, dtype=torch.float64, requires_grad=True)
    einsum("i,i->", a, b, dtype="float64").backward()
    assert a.grad.dtype == torch.float32 and b.grad.dtype == torch.float64


def test_the_same_tensor_twice():
    a = torch.randn(3, 3, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda a: einsum("ij,jk->ik", a, a), (a,))


def test_ao_to_mo_transform_has_gradients():
    tensors = [torch.randn(s, dtype=torch.float64, requires_grad=True) for s in ((3, 3, 2), (3, 2), (3, 1))]
    assert torch.autograd.gradcheck(trntensor.ao_to_mo_transform, tensors)


def test_what_has_no_gradients_says_so():
    a = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="out"):
        einsum("i->i", a, out=torch.zeros(2))
    with pytest.raises(RuntimeError, match="out requires gradients"):
        einsum("i->i", torch.zeros(2), out=a)
    with torch.no_grad():
        assert not einsum("i->i", a, out=torch.zeros(2)).requires_grad
        assert einsum("i->i", torch.zeros(2), out=a).tolist() == [0.0, 0.0]
    b = torch.ones(1, 1, 1, requires_grad=True)
    with pytest.raises(NotImplementedError, match="no derivative"):
        trntensor.mp2_energy(b, torch.tensor([-1.0]), torch.tensor([1.0]))


def test_no_gradients_are_recorded_where_none_are_wanted():
    a = torch.ones(2, 2, requires_grad=True)
    with torch.no_grad():
        assert not einsum("ij->i", a).requires_grad
    assert not einsum("ij->i", a.detach()).requires_grad
    assert einsum("ij->i", a).requires_grad


def test_parameters_of_modules_are_tensors():
    layer = torch.nn.Linear(3, 2)
    x = torch.ones(4, 3)
    torch.testing.assert_close(einsum("bi,oi->bo", x, layer.weight), torch.einsum("bi,oi->bo", x, layer.weight))
