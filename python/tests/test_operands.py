"""What may be an operand, and what comes back."""
import array
import sys

import numpy as np
import pytest
import trntensor
from conftest import Exporter, needs_torch, torch
from trntensor import einsum


class HasArray:
    """An object that NumPy can make an array of."""

    def __array__(self, dtype=None):
        return np.arange(3.0)


def test_array_out_of_arrays():
    assert type(einsum("ij->ji", np.ones((2, 3)))) is np.ndarray


def test_scalar_out_of_arrays_without_axes_left():
    assert type(einsum("i->", np.ones(3, np.float32))) is np.float32
    assert type(einsum("i->", np.ones(3, np.int8))) is np.int8


def test_tensor_out_of_tensors():
    t = trntensor.Tensor([[1, 2], [3, 4]], dtype="bfloat16")
    result = einsum("ij->j", t)
    assert type(result) is trntensor.Tensor and result.dtype == "bfloat16" and result.tolist() == [4.0, 6.0]


def test_lists_numbers_and_buffers_are_arrays():
    assert einsum("ij,j", [[1, 2], [3, 4]], (1, 1)).tolist() == [3, 7]
    assert einsum("i->", array.array("d", [1.5, 2.5])) == 4.0
    assert einsum("i->", memoryview(np.arange(4))) == 6
    assert einsum(",->", 3, 2.5) == 7.5


@pytest.mark.parametrize(
    "number, dtype, expected",
    [
        (2, "float32", "float32"),
        (2.5, "float32", "float32"),
        (2.5, "int32", "float64"),
        (2, "uint8", "uint8"),
        (True, "int8", "int8"),
        (2, "bool", "int64"),
        (1j, "float32", "complex64"),
        (1j, "float64", "complex128"),
        (1j, "int16", "complex128"),
        (2.5, "complex64", "complex64"),
    ],
)
def test_python_number_takes_the_type_of_the_others(number, dtype, expected):
    result = einsum("i,->i", np.ones(2, dtype), number)
    assert result.dtype == expected
    assert result.tolist() == [number, number]


def test_python_number_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="300 does not fit into uint8"):
        einsum("i,->i", np.ones(2, np.uint8), 300)
    with pytest.raises(ValueError, match="does not fit into int64"):
        einsum("->", 2**64)


def test_subclasses_and_array_method_are_converted_as_numpy_does():
    assert type(einsum("ij->j", np.matrix([[1, 2], [3, 4]]))) is np.ndarray
    assert einsum("ij->j", np.matrix([[1, 2], [3, 4]])).tolist() == [4, 6]
    masked = np.ma.masked_array([1.0, 2.0], [True, False])
    assert einsum("i->", masked) == np.einsum("i->", masked)
    assert einsum("i->", HasArray()) == 3.0
    assert einsum("i->", np.recarray(2, [("x", float)])["x"] * 0) == 0.0


@pytest.mark.parametrize("dtype", [">f4", ">i8", ">c16", ">f2"])
def test_foreign_byte_order_is_read(dtype):
    a = np.arange(6).reshape(2, 3).astype(dtype)
    result = einsum("ij,kj->ik", a, a)
    assert result.dtype == np.dtype(dtype).newbyteorder("=")
    assert np.array_equal(result, np.einsum("ij,kj->ik", a, a))


def test_field_of_a_record_with_odd_strides():
    records = np.zeros(4, np.dtype([("tag", "u1"), ("x", "f8")]))
    records["x"] = [1, 2, 3, 4]
    assert einsum("i->", records["x"]) == 10.0


def test_unaligned_memory():
    raw = np.zeros(33, np.uint8)
    x = raw[1:].view(np.float64)
    x[:] = [1, 2, 3, 4]
    assert not x.flags.aligned and einsum("i,i->", x, x) == 30.0


@pytest.mark.parametrize("dtype", ["float16", "longdouble", "clongdouble", "O", "U3", "M8[s]", "m8[s]", "f4,f4"])
def test_types_that_are_not_ours(dtype):
    a = np.zeros(2, dtype)
    if dtype == "float16":
        assert einsum("i->i", a).dtype == np.float16
        return
    with pytest.raises(TypeError, match="operand 1 is an array of"):
        einsum("i,i->", np.ones(2), a)


@pytest.mark.parametrize("thing", [None, object(), {1: 2}, {1, 2}, "ij", b"ab", ValueError, [object()], ["a"]])
def test_what_is_no_array(thing):
    with pytest.raises(TypeError):
        einsum("i->", thing)


def test_ragged_lists():
    with pytest.raises(ValueError):
        einsum("ij->", [[1, 2], [3]])


def test_other_library_by_dlpack():
    # The library of Exporter (these tests) has no from_dlpack, so the result is ours.
    result = einsum("i->i", Exporter(np.arange(3.0)))
    assert type(result) is trntensor.Tensor and result.tolist() == [0.0, 1.0, 2.0]


def test_other_library_gets_its_own_kind(monkeypatch):
    monkeypatch.setattr(sys.modules[Exporter.__module__], "from_dlpack", lambda t: ("imported", t.tolist()), raising=False)
    assert einsum("i->i", Exporter(np.arange(3.0))) == ("imported", [0.0, 1.0, 2.0])


def test_dlpack_on_another_device_is_refused():
    with pytest.raises(NotImplementedError, match=r"Exporter is on DLPack device \(2, 0\)"):
        einsum("i->", Exporter(np.arange(3.0), (2, 0)))


def test_dlpack_that_lies():
    class Liar(Exporter):
        def __dlpack__(self, **options):
            return "no capsule"

    with pytest.raises(TypeError, match="__dlpack__ returned a str"):
        einsum("i->", Liar(None))


def test_tensor_is_read_by_others_without_a_copy():
    t = trntensor.Tensor(np.arange(6.0).reshape(2, 3))
    a = np.asarray(t)
    a[0, 0] = 7
    assert t.tolist()[0][0] == 7.0 and np.from_dlpack(t)[0, 0] == 7.0
    assert trntensor.Tensor(a).tolist() == a.tolist()
    assert repr(trntensor.Tensor([1, 2])) == "trntensor.Tensor([1, 2], dtype=int64)"


def test_tensor_gives_its_memory_as_asked():
    t = trntensor.Tensor([1.0, 2.0])
    alias = np.asarray(t)
    copy = np.from_dlpack(Exporter(type("T", (), {"__dlpack__": lambda self: t.__dlpack__(copy=True)})()))
    alias[0] = 5
    assert t.tolist() == [5.0, 2.0] and copy.tolist() == [1.0, 2.0]
    assert t.__dlpack__(stream=None, max_version=(1, 0), dl_device=(1, 0), copy=None)
    with pytest.raises(BufferError, match="host"):
        t.__dlpack__(dl_device=(2, 0))


def test_tensor_of_a_type_that_buffers_cannot_name():
    with pytest.raises(BufferError, match="bfloat16"):
        memoryview(trntensor.Tensor([1.0], dtype="bf16"))


def test_bfloat16_that_numpy_does_not_have():
    if "ml_dtypes" in sys.modules:
        pytest.skip("ml_dtypes is installed")
    with pytest.raises(TypeError, match="install the package ml_dtypes"):
        einsum("i->i", np.ones(2, np.float32), dtype="bf16")


@pytest.mark.parametrize("out", [np.float64(1), memoryview(np.zeros((), ">f8")), HasArray(), [0.0], 1.0],
                         ids=lambda out: type(out).__name__)
def test_out_that_would_be_lost_is_refused(out):
    with pytest.raises(TypeError, match=r"out is a .* that cannot be written to in place"):
        einsum("i->", np.ones(3), out=out)


@needs_torch
def test_torch_decides_beside_numpy():
    result = einsum("i,i->i", np.arange(3.0), torch.ones(3, dtype=torch.float64))
    assert isinstance(result, torch.Tensor) and result.tolist() == [0.0, 1.0, 2.0]
