"""bfloat16 arrays of NumPy: of the package ml_dtypes, or of the stand-in for it (ml_dtypes.cpp) that CTest names."""
import importlib.util
import os
import subprocess
import sys
import textwrap

import pytest

STAND_IN = os.environ.get("TRNTENSOR_STAND_IN", "")
pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("ml_dtypes") is None and not os.path.isdir(STAND_IN), reason="neither ml_dtypes nor its stand-in"
)


def run(code):
    """In a process of its own: nobody else is to find the stand-in imported."""
    program = textwrap.dedent("""
        import sys
        sys.path.append(sys.argv[1])
        import ml_dtypes, numpy as np, trntensor
        from trntensor import _core, einsum
        ONE = 0x3F80
        def ones(*shape):
            array = np.empty(shape, ml_dtypes.bfloat16)
            array.view(np.uint16)[...] = ONE
            return array
    """) + textwrap.dedent(code)
    answer = subprocess.run([sys.executable, "-c", program, STAND_IN], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def test_array_in_array_out():
    run("""
        a = ones(2, 300)
        result = einsum("ij,kj->ik", a, a)
        assert type(result) is np.ndarray and result.dtype == np.dtype(ml_dtypes.bfloat16) and result.shape == (2, 2)
        assert np.all(result.view(np.uint16) == 0x4396)  # 300, summed in float32; a running bfloat16 stays at 256
    """)


def test_read_where_it_is():
    run("""
        a = ones(4, 6)
        for view in (a, a.T, a[::2, ::-1], np.broadcast_to(a[:1], a.shape)):
            [(where, strides, dtype)] = _core._operand_memory(view)
            assert where == view.__array_interface__["data"][0] and strides == view.strides and dtype == "bfloat16"
    """)


def test_out_and_mixed_types():
    run("""
        a, out = ones(3), np.empty((), ml_dtypes.bfloat16)
        assert einsum("i,i->", a, a, out=out) is out and out.view(np.uint16) == 0x4040
        assert einsum("i,i->i", a, np.ones(3, np.float32)).dtype == np.float32
    """)


def test_dtype_by_name_type_and_torch():
    run("""
        a = np.ones((2, 3), np.float32)
        for dtype in ("bf16", "bfloat16", ml_dtypes.bfloat16, np.dtype(ml_dtypes.bfloat16)):
            assert einsum("ij->ij", a, dtype=dtype).dtype == np.dtype(ml_dtypes.bfloat16)
        assert trntensor.plan_contraction("i->i", ones(2)).dtype == "bfloat16"
    """)

