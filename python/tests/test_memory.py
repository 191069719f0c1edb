"""Operands are read where they are, results are not copied, and a call takes the memory its plan says."""
import subprocess
import sys
import textwrap

import numpy as np
import pytest
import trntensor
from conftest import needs_torch, torch
from trntensor import einsum


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


# What a call may take besides operands and result: the packed blocks of the threads (docs/architecture.md: at most
# 12 MiB each, and the process' own pages that it touches for the first time.
WORKSPACE = 2 * 12 * 2**20 + 8 * 2**20


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
