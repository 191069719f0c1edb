"""Python around a call: the lock, signals, threads, forks, and the end of the interpreter."""
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
import trntensor
from trntensor import einsum

# Seconds of work for two cores, in blocks of milliseconds.
LONG_WORK = """
    import numpy as np, signal, sys, threading, time
    import trntensor
    a = np.ones((7000, 7000))
    def long_work():
        trntensor.einsum("ij,jk->ik", a, a, precision="kahan")
"""


def run(code, before=LONG_WORK):
    program = textwrap.dedent(before) + textwrap.dedent(code)
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)


def test_interrupt_ends_long_work():
    answer = run("""
        import os
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        start = time.monotonic()
        try:
            long_work()
        except KeyboardInterrupt:
            print("interrupted" if time.monotonic() - start < 3 else "too late")
        print(trntensor.einsum("i->", np.ones(3)))
    """)
    assert answer.stdout == "interrupted\n3.0\n", answer.stderr


def test_signals_reach_the_main_thread_when_another_one_imported():
    answer = run("""
        class Alarm(Exception): pass
        def handler(*_): raise Alarm("time is up")
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        try: long_work()
        except Alarm as alarm: print(alarm)
    """, LONG_WORK.replace("import trntensor", """
    thread = threading.Thread(target=lambda: __import__("trntensor"))
    thread.start()
    thread.join()
    import trntensor"""))
    assert answer.stdout == "time is up\n", answer.stderr


def test_error_of_a_signal_handler_ends_long_work():
    answer = run("""
        class Alarm(Exception): pass
        def handler(*_): raise Alarm("time is up")
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        try: long_work()
        except Alarm as alarm: print(alarm)
    """)
    assert answer.stdout == "time is up\n", answer.stderr


def test_handler_that_returns_does_not_end_work():
    answer = run("""
        count = 0
        def handler(*_):
            global count
            count += 1
            assert trntensor.einsum("i->", np.ones(100000)) == 100000  # may contract on its own
        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        b = np.ones((2500, 2500))
        result = trntensor.einsum("ij,jk->ik", b, b, precision="kahan")
        signal.setitimer(signal.ITIMER_REAL, 0)
        print(np.all(result == 2500), count > 1)
    """)
    assert answer.stdout == "True True\n", answer.stderr


def test_lock_is_released_while_work_lasts():
    answer = run("""
        ticks, done = 0, False
        def tick():
            global ticks
            while not done:
                ticks += 1
                time.sleep(0.005)
        thread = threading.Thread(target=tick)
        thread.start()
        b = np.ones((2500, 2500))
        start = ticks
        trntensor.einsum("ij,jk->ik", b, b, precision="kahan", num_threads=1)
        seen = ticks - start
        done = True
        thread.join()
        print(seen > 5)
    """)
    assert answer.stdout == "True\n", answer.stderr


@pytest.mark.parametrize("delay", [0.0, 0.1, 0.3])
def test_end_of_the_interpreter_with_work_in_daemon_threads(delay):
    answer = run(f"""
        for _ in range(4):
            threading.Thread(target=long_work, daemon=True).start()
        time.sleep({delay})
    """)
    assert answer.returncode == 0, answer.stderr


def test_end_of_a_child_that_a_thread_at_work_left_behind():
    answer = run("""
        import os
        threading.Thread(target=long_work, daemon=True).start()
        time.sleep(0.1)
        child = os.fork()
        if child == 0:
            sys.exit(3)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """)
    assert answer.stdout == "3\n", answer.stderr
    assert answer.returncode == 0, answer.stderr


def test_many_threads_at_once():
    rng = np.random.default_rng(1)
    operands = [(rng.standard_normal((k + 2, 40)), rng.standard_normal((40, k + 3))) for k in range(20)]
    failures = []

    def work(seed):
        order = np.random.default_rng(seed).integers(0, len(operands), 300)
        for k in order:
            a, b = operands[k]
            if not np.allclose(einsum("ij,jk->ik", a, b), a @ b):
                failures.append(k)
            if k == 3:
                trntensor.clear_plan_cache()

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_one_expression_in_many_threads():
    expression = trntensor.contract_expression("ij,jk->ik", (30, 30), (30, 30))
    failures = []

    def work(seed):
        rng = np.random.default_rng(seed)
        for _ in range(100):
            a = rng.standard_normal((30, 30)).astype(rng.choice(["f4", "f8"]))
            if not np.allclose(expression(a, a), a @ a, atol=1e-3):
                failures.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


@pytest.mark.parametrize("call", [
    "trntensor.multi_einsum(given, given)",
    "einsum_with_epilogue('ij,jk->ik', a, a, expression=sum('ik', element() + tensor('t', 'i')), tensors=given)",
])
def test_operands_outlive_the_list_they_came_in(call):
    """Another thread empties the list, and fills the memory of its arrays with other numbers, while they are contracted."""
    answer = run(f"""
        from trntensor.epilogue import einsum_with_epilogue, element, sum, tensor
        n = 1500
        a = np.ones((n, n))
        given = ["ij,jk->ik", np.ones((n, n)), np.ones((n, n))] if "multi" in {call!r} else {{"t": np.ones(n * 40)[::40]}}
        started, kept = threading.Event(), []
        def empty():
            started.wait()
            time.sleep(0.01)
            given.clear()
            for _ in range(20): kept.append(np.full((n, n), 7.0))
        thread = threading.Thread(target=empty)
        thread.start()
        started.set()
        result = {call}
        thread.join()
        print(all(np.all(r == n) for r in result) if isinstance(result, list) else float(result) == n * n * (n + 1))
    """)
    assert answer.stdout == "True\n", answer.stdout + answer.stderr


def _in_child(n):
    a = np.ones((n, n))
    return float(einsum("ij,jk->", a, a))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_child_processes_contract(method):
    a = np.ones((600, 600))
    einsum("ij,jk->ik", a, a)  # the threads of the parent are at work when it forks
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(_in_child, [10, 500, 700]).get(timeout=60) == [1e3, 500.0**3, 700.0**3]


def test_fork_while_other_threads_contract():
    answer = run("""
        import os
        stop = False
        def contract():
            k = 0
            while not stop:
                k = k % 50 + 1
                trntensor.einsum("ij,jk->ik", np.ones((k, 300)), np.ones((300, 300)))
                trntensor.clear_plan_cache()
        threads = [threading.Thread(target=contract) for _ in range(3)]
        for thread in threads: thread.start()
        for _ in range(40):
            child = os.fork()
            if child == 0:
                ok = trntensor.einsum("ij,jk->", np.ones((301, 300)), np.ones((300, 300))) == 301 * 300 * 300
                os._exit(0 if ok else 1)
            deadline = time.monotonic() + 20
            while True:
                pid, status = os.waitpid(child, os.WNOHANG)
                if pid: break
                if time.monotonic() > deadline:
                    os.kill(child, signal.SIGKILL)
                    print("a child hangs")
                    break
                time.sleep(0.002)
            if status: print("a child failed", status)
        stop = True
        for thread in threads: thread.join()
        print("done")
    """)
    assert answer.stdout == "done\n", answer.stdout + answer.stderr


@pytest.mark.parametrize("name", [n for n in trntensor.__all__ if n != "epilogue"])
def test_everything_public_can_be_pickled(name):
    thing = getattr(trntensor, name)
    assert pickle.loads(pickle.dumps(thing)) is thing
    assert thing.__module__ in ("trntensor", "trntensor._path", "trntensor._core")


def test_import_without_numpy():
    code = """
        import sys
        sys.modules["numpy"] = None  # as if it were not installed
        import trntensor
        t = trntensor.einsum("ij,jk->ik", [[1.0, 2.0]], trntensor.Tensor([[3.0], [4.0]]))
        print(type(t).__name__, t.tolist(), trntensor.einsum("i->", [1, 2, 3]).tolist())
        import array
        print(trntensor.einsum("i,i->i", array.array("f", [1, 2]), [True, False]).tolist())
        print(memoryview(t).tolist(), trntensor.einsum("->", 2j).tolist())
        for bad in ([[1], [1, 2]], ["a"], object()):
            try: trntensor.einsum("ij->", bad)
            except (TypeError, ValueError) as error: print(type(error).__name__)
    """
    program = textwrap.dedent(code)
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert answer.stdout.splitlines() == [
        "Tensor [[11.0]] 6",
        "[1.0, 0.0]",
        "[[11.0]] 2j",
        "ValueError",
        "TypeError",
        "TypeError",
    ], answer.stderr
