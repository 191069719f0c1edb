"""Operands are read where they are, results are not copied, and a call takes the memory its plan says."""
import array as array_module
import subprocess
import sys
import textwrap

import numpy as np
import pytest
import trntensor
from conftest import Exporter, needs_torch, torch
from trntensor import _core, einsum


def address(array):
    return array.__array_interface__["data"][0]


def peak_growth(code):
    """Bytes by which the peak of a new process grows while `run()` of the code runs."""
    program = textwrap.dedent(code) + textwrap.dedent("""
        def high_water():
            with open("/proc/self/status") as status:
                return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))
        def reset():
            with open("/proc/self/clear_refs", "w") as file:
                file.write("5")
        warm_up()
        reset()
        before = high_water()
        run()
        print(high_water() - before)
    """)
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    return int(answer.stdout)


# What a call may take besides operands and result: the packed blocks of the threads, at most 12 MiB each, and the
# process' own pages that it touches for the first time.
WORKSPACE = 2 * 12 * 2**20 + 8 * 2**20


BASE = np.arange(120.0).reshape(4, 5, 6)
VIEWS = {
    "contiguous": BASE,
    "transposed": BASE.transpose(2, 0, 1),
    "fortran": np.asfortranarray(BASE),
    "every second": BASE[::2, 1::2, ::3],
    "reversed": BASE[::-1, :, ::-1],
    "broadcast": np.broadcast_to(BASE[:, :1], BASE.shape),
    "diagonal": np.einsum("iij->ij", BASE[:, :4]),
    "slice": BASE[1:3, 2],
    "without axes": BASE[1, 2, 3, ...],
    "empty": BASE[:0],
    "unaligned": np.zeros(81, np.uint8)[1:].view(np.float64),
    "of a record": np.zeros(3, [("x", "f8"), ("y", "f8")])["y"],
    "subclass": np.matrix([[1.0, 2.0]]),
}


@pytest.mark.parametrize("name", VIEWS)
def test_arrays_are_read_where_they_are(name):
    array = VIEWS[name]
    [(where, strides, dtype)] = _core._operand_memory(array)
    assert where == address(array) and dtype == "float64"
    assert all(ours == theirs for ours, theirs, extent in zip(strides, array.strides, array.shape) if extent > 1)


def test_read_only_arrays_are_read_where_they_are():
    array = np.arange(3)
    array.flags.writeable = False
    assert _core._operand_memory(array)[0][0] == address(array)


@needs_torch
@pytest.mark.parametrize("view", ["a", "a.t()", "a[::2, 1::2]", "a[:1].expand(3, 6)", "a.diagonal()", "a.bfloat16()", "a > 3",
                                  "a.requires_grad_()", "torch.nn.Parameter(a)", "torch.complex(a, a)"])
def test_torch_tensors_are_read_where_they_are(view):
    tensor = eval(view, {"torch": torch, "a": torch.arange(24.0).reshape(4, 6)})
    [(where, strides, dtype)] = _core._operand_memory(tensor)
    assert where == tensor.data_ptr() and dtype == str(tensor.dtype).replace("torch.", "")
    assert strides == tuple(stride * tensor.element_size() for stride in tensor.stride())


def test_other_objects_are_read_where_they_are():
    numbers = array_module.array("d", [1.0, 2.0])
    tensor = trntensor.Tensor(BASE)
    assert [entry[0] for entry in _core._operand_memory(numbers, memoryview(BASE), tensor, Exporter(BASE))] == [
        numbers.buffer_info()[0], address(BASE), address(np.asarray(tensor)), address(BASE)
    ]


def test_what_is_copied():
    """Foreign byte order, strides that are no whole numbers of elements, lists."""
    records = np.zeros(3, [("tag", "u1"), ("x", "f8")])["x"]
    for array in (np.arange(3.0).astype(">f8"), records):
        assert _core._operand_memory(array)[0][0] != address(array)


@needs_torch
def test_lazy_conjugates_are_copied():
    tensor = torch.tensor([1 + 2j]).conj()
    assert _core._operand_memory(tensor)[0][0] != tensor.data_ptr()


def test_large_results_are_the_memory_that_was_written():
    result = einsum("i,j->ij", np.ones(100), np.ones(100))
    assert not result.flags.owndata and type(result.base).__name__ == "PyCapsule"


def test_a_call_takes_the_memory_that_its_plan_says():
    code = """
        import numpy as np, trntensor
        shapes = [(3000, 3000), (3000, 2000), (2000, 3000)]
        a, b, c = (np.ones(shape) for shape in shapes)
        path = [(0, 1), (0, 1)]
        def warm_up(): trntensor.einsum("ij,jk,kl->il", a[:500, :500], b[:500, :500], c[:500, :500], optimize=path)
        def run():
            global result
            result = trntensor.einsum("ij,jk,kl->il", a, b, c, optimize=path)
    """
    shapes = [(3000, 3000), (3000, 2000), (2000, 3000)]
    planned = trntensor.plan_contraction("ij,jk,kl->il", *shapes, shapes=True, optimize=[(0, 1), (0, 1)]).peak_bytes
    assert planned == (3000 * 2000 + 3000 * 3000) * 8
    assert planned * 0.9 < peak_growth(code) < planned + WORKSPACE


@pytest.mark.parametrize("view", ["a", "a.T", "a[::-1]", "a[::2, ::2]"])
def test_no_operand_is_copied(view):
    growth = peak_growth(f"""
        import numpy as np, trntensor
        a = np.ones((6000, 6000))  # 288 MB
        x = np.ones(({view}).shape[1])
        def warm_up(): trntensor.einsum("ij,j->i", a[:500, :500].copy(), np.ones(500))
        def run(): trntensor.einsum("ij,j->i", {view}, x)
    """)
    assert growth < WORKSPACE


def test_broadcast_operand_is_not_materialised():
    growth = peak_growth("""
        import numpy as np, trntensor
        a = np.broadcast_to(np.ones(1), (100000, 5000))  # 4 GB if it were
        def warm_up(): trntensor.einsum("ij->", np.ones((500, 500)))
        def run(): assert trntensor.einsum("ij->i", a).shape == (100000,)
    """)
    assert growth < WORKSPACE


def test_result_is_not_copied():
    result_bytes = 4000 * 4000 * 8
    growth = peak_growth("""
        import numpy as np, trntensor
        a, b = np.ones(4000), np.ones(4000)
        def warm_up(): trntensor.einsum("i,j->ij", a[:500], b[:500])
        def run():
            global result
            result = trntensor.einsum("i,j->ij", a, b)
    """)
    assert result_bytes * 0.9 < growth < result_bytes + WORKSPACE


@needs_torch
def test_torch_operand_and_result_are_not_copied():
    result_bytes = 4000 * 4000 * 8
    growth = peak_growth("""
        import torch, trntensor
        a = torch.ones(4000, 4000, dtype=torch.float64)
        def warm_up(): trntensor.einsum("ij->ji", a[:500, :500])
        def run():
            global result
            result = trntensor.einsum("ij->ji", a)
    """)
    assert result_bytes * 0.9 < growth < result_bytes + WORKSPACE


def test_out_is_the_memory_given():
    out = np.zeros((300, 300))
    before = address(out)
    result = einsum("i,j->ij", np.ones(300), np.ones(300), out=out)
    assert address(result) == before and result is out and np.all(out == 1)


def test_tensors_share_memory_with_those_who_ask():
    tensor = trntensor.Tensor(np.zeros(10))
    assert address(np.asarray(tensor)) == address(np.from_dlpack(tensor))


def test_results_outlive_everything_else():
    results = [einsum("i,j->ij", np.full(100, float(k)), np.ones(100)) for k in range(50)]
    for k, result in enumerate(results):
        assert np.all(result == k) and result.flags.writeable and result.flags.aligned and result.flags.c_contiguous


def test_nothing_leaks():
    growth = peak_growth("""
        import numpy as np, trntensor
        a = np.ones((300, 300))
        def once():
            trntensor.einsum("ij,jk->ik", a, a)
            try: trntensor.einsum("ij,jk->iz", a, a)
            except ValueError: pass
            trntensor.einsum("ij->", a.tolist()[:3])
            np.asarray(trntensor.Tensor(a))
            trntensor.plan_contraction("ij,jk->ik", a, a).to_json()
        def warm_up():
            for _ in range(20): once()
        def run():
            for _ in range(300): once()
    """)
    assert growth < 10 * 2**20  # one leaked result a call would be 216 MB


def test_threads_of_a_call_take_no_memory_after_it():
    growth = peak_growth("""
        import numpy as np, trntensor
        B, eps_occ, eps_vir = np.ones((2, 3, 4)), -np.ones(2), np.ones(3)
        def once(): trntensor.mp2_energy(B, eps_occ, eps_vir, num_threads=2)
        def warm_up():
            for _ in range(100): once()
        def run():
            for _ in range(2000): once()
    """)
    assert growth < 2 * 2**20  # 1 KiB a call
