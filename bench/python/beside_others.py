"""Times trntensor.einsum beside numpy.einsum and torch.einsum in one process, on the same memory, taking turns.

The others run as they are, where that ends, and along an optimised path: NumPy's own (optimize=True) for two operands,
for more the one that trntensor found, one einsum a step. Results are compared first. Printed are the least times in
milliseconds, of NumPy and torch the better of both ways; the last column is the best of the others over ours.

usage: PYTHONPATH=build/release/python python3 bench/python/beside_others.py [overhead] [tccg] [paths]
       [--threads N] [--gflop MOST] [--seconds EACH]
"""
import argparse
import json
import os
import pathlib
import re
import sys
import time

if "--threads" in sys.argv:  # read by the libraries of linear algebra when they are loaded
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = sys.argv[sys.argv.index("--threads") + 1]

import numpy as np
import torch
import trntensor

LARGEST_LOOP_NEST = 5e7  # multiply-adds that NumPy is asked to do in one loop nest
ROOT = pathlib.Path(__file__).resolve().parents[2]


def overhead_cases():
    for subscripts in ("ij,jk->ik", "ij,ij->", "ij->ji", "ij,j->i", "i,j->ij", "ij,jk,kl->il"):
        yield subscripts, subscripts, [np.random.rand(*(4,) * len(t)) for t in subscripts.split("->")[0].split(",")]


def tccg_cases(most):
    """The rows of cli/bench/suite_tccg.cpp, axes in row-major order."""
    rows = re.findall(r'\{"(\w+)", "([\w,>-]+)", "([\w=,]+)"\}', (ROOT / "cli/bench/suite_tccg.cpp").read_text())
    for name, subscripts, text in rows:
        sizes = {label: int(size) for label, size in (part.split("=") for part in text.split(","))}
        if 2 * np.prod([float(s) for s in sizes.values()]) <= most * 1e9:
            terms = subscripts.split("->")[0].split(",")
            yield name, subscripts, [np.random.rand(*(sizes[x] for x in term)) for term in terms]


def path_cases(most):
    """tests/data/paths: the networks that take no more work than asked for."""
    for file in sorted((ROOT / "tests/data/paths").glob("*.json")):
        network = json.loads(file.read_text())
        text = ",".join("".join(chr(0x4E00 + x) for x in term) for term in network["inputs"])
        text += "->" + "".join(chr(0x4E00 + x) for x in network["output"])
        shapes = [tuple(network["sizes"][x] for x in term) for term in network["inputs"]]
        plan = trntensor.plan_contraction(text, *shapes, shapes=True)
        if plan.estimated_flops > most * 1e9 or plan.peak_bytes > 2**31:
            continue
        yield network["name"], text, [np.random.rand(*s) / np.sqrt(max(s, default=1)) for s in shapes]


LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def with_letters_of_all(subscripts):
    """The same with letters that all know, or None where there are too many."""
    labels = sorted(set(subscripts) - set(",->"))
    if len(labels) > len(LETTERS):
        return None
    return subscripts.translate({ord(label): letter for label, letter in zip(labels, LETTERS)})


def stepwise(function, steps, operands):
    """One call of `function` for each step: subscripts, and positions in the list of what there is."""
    operands = list(operands)
    for subscripts, positions in steps:
        result = function(subscripts, *(operands[k] for k in positions))
        operands = [o for k, o in enumerate(operands) if k not in positions] + [result]
    return operands[0]


def numpy_optimised(subscripts, *operands):
    return np.einsum(subscripts, *operands, optimize=True)


def runners(subscripts, operands):
    """What takes turns: ours, and others by name, which begins with the library's."""
    tensors = [torch.from_numpy(o) for o in operands]
    text, plan = with_letters_of_all(subscripts), trntensor.plan_contraction(subscripts, *operands)
    runs = {
        "ours": lambda: trntensor.einsum(subscripts, *operands),
        "ours of torch": lambda: trntensor.einsum(subscripts, *tensors),
    }
    if text is not None and len(operands) <= 3:
        runs["torch"] = lambda: torch.einsum(text, *tensors)
        if plan.naive_macs < LARGEST_LOOP_NEST:
            runs["numpy"] = lambda: np.einsum(text, *operands)
    if len(operands) == 2:
        runs["numpy, path"] = lambda: numpy_optimised(text, *operands)
    elif len(operands) > 2:
        steps = [(with_letters_of_all(step["subscripts"]), step["operands"]) for step in plan.steps]
        runs["numpy, path"] = lambda: stepwise(numpy_optimised, steps, operands)
        runs["torch, path"] = lambda: stepwise(torch.einsum, steps, tensors)
    return runs


def compare(runs):
    results = {name: np.asarray(run()) for name, run in runs.items()}
    expected = next(result for name, result in results.items() if not name.startswith("ours"))
    for name, result in results.items():
        np.testing.assert_allclose(result, expected, rtol=1e-6, atol=1e-9 * np.abs(expected).max(initial=0), err_msg=name)


def measure(runs, seconds):
    """Least time of each; they take turns, so that what else the machine does meets all."""
    best, spent, repeats = dict.fromkeys(runs, np.inf), 0.0, {}
    for name, run in runs.items():
        start = time.perf_counter()
        run()
        repeats[name] = max(1, int(1e-3 / max(time.perf_counter() - start, 1e-7)))
    while spent < seconds:
        for name, run in runs.items():
            start = time.perf_counter()
            for _ in range(repeats[name]):
                run()
            elapsed = time.perf_counter() - start
            best[name] = min(best[name], elapsed / repeats[name])
            spent += elapsed
    return best


def best_of(times, library):
    return min((time for name, time in times.items() if name.startswith(library)), default=float("nan"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", default=["overhead", "tccg", "paths"])
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--gflop", type=float, default=20.0, help="leave out what takes more work")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each case")
    options = parser.parse_args()
    if options.threads:
        trntensor.set_num_threads(options.threads)  # NumPy's were said above
        torch.set_num_threads(options.threads)
    np.random.seed(0)
    suites = {"overhead": overhead_cases, "tccg": lambda: tccg_cases(options.gflop), "paths": lambda: path_cases(options.gflop)}
    print(f"{'case':36} {'ours':>12} {'of torch':>12} {'numpy':>12} {'torch':>12}   best other / ours")
    ratios = []
    for suite in options.suites or suites:
        for name, subscripts, operands in suites[suite]():
            runs = runners(subscripts, operands)
            compare(runs)
            times = measure(runs, options.seconds)
            others = [best_of(times, "numpy"), best_of(times, "torch")]
            ratios.append(np.nanmin(others) / times["ours"])
            row = [times["ours"], times["ours of torch"], *others]
            print(f"{name:36} " + " ".join(f"{t * 1e3:12.5f}" for t in row) + f"   {ratios[-1]:.2f}", flush=True)
    print(f"{len(ratios)} cases, geometric mean {np.exp(np.mean(np.log(ratios))):.2f}, least {min(ratios):.2f}, "
          f"below 1: {sum(r < 1 for r in ratios)}")


if __name__ == "__main__":
    main()
