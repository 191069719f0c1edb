"""Times trntensor.einsum beside numpy.einsum and torch.einsum in one process, on the same memory, taking turns.

NumPy runs with optimize=True. Networks of many operands are contracted by the others along the path that trntensor
found, one einsum a step. Results are compared first. Printed are the least times of each, in milliseconds.

usage: PYTHONPATH=build/release/python python3 bench/python/beside_others.py [overhead] [tccg] [paths]
       [--threads N] [--gflop MOST] [--seconds EACH]
"""
import argparse
import json
import pathlib
import re
import time

import numpy as np
import torch
import trntensor

ROOT = pathlib.Path(__file__).resolve().parents[2]


def numpy_einsum(subscripts, *operands):
    return np.einsum(subscripts, *operands, optimize=len(operands) > 1)


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


def stepwise(function, plan, operands):
    """The plan's path, one call of `function` a step, with letters that all know."""
    operands = list(operands)
    for step in plan.steps:
        labels = sorted(set(step["subscripts"]) - set(",->"))
        text = step["subscripts"].translate({ord(x): "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[k] for k, x in enumerate(labels)})
        given = [operands[k] for k in step["operands"]]
        operands = [o for k, o in enumerate(operands) if k not in step["operands"]] + [function(text, *given)]
    return operands[0]


def runners(subscripts, operands):
    tensors = [torch.from_numpy(o) for o in operands]
    if len(operands) <= 3:
        return {
            "trntensor": lambda: trntensor.einsum(subscripts, *operands),
            "numpy": lambda: numpy_einsum(subscripts, *operands),
            "torch": lambda: torch.einsum(subscripts, *tensors),
            "trntensor of torch": lambda: trntensor.einsum(subscripts, *tensors),
        }
    plan = trntensor.plan_contraction(subscripts, *operands)
    return {
        "trntensor": lambda: trntensor.einsum(subscripts, *operands),
        "numpy": lambda: stepwise(numpy_einsum, plan, operands),
        "torch": lambda: stepwise(torch.einsum, plan, tensors),
        "trntensor of torch": lambda: trntensor.einsum(subscripts, *tensors),
    }


def measure(runs, seconds):
    """Least time of each; they take turns, so that what else the machine does meets all."""
    results = {name: np.asarray(run()) for name, run in runs.items()}
    for name, result in results.items():
        np.testing.assert_allclose(result, results["numpy"], rtol=1e-6, atol=1e-9 * np.abs(results["numpy"]).max(initial=0), err_msg=name)
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suites", nargs="*", default=["overhead", "tccg", "paths"])
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--gflop", type=float, default=20.0, help="leave out what takes more work")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each case")
    options = parser.parse_args()
    if options.threads:
        trntensor.set_num_threads(options.threads)
        torch.set_num_threads(options.threads)
    np.random.seed(0)
    suites = {"overhead": overhead_cases, "tccg": lambda: tccg_cases(options.gflop), "paths": lambda: path_cases(options.gflop)}
    print(f"{'case':36} {'trntensor':>12} {'numpy':>12} {'torch':>12} {'of torch':>12}   best other / ours")
    for suite in options.suites or suites:
        for name, subscripts, operands in suites[suite]():
            times = measure(runners(subscripts, operands), options.seconds)
            ratio = min(times["numpy"], times["torch"]) / times["trntensor"]
            print(f"{name:36} " + " ".join(f"{t * 1e3:12.5f}" for t in times.values()) + f"   {ratio:.2f}", flush=True)


if __name__ == "__main__":
    main()
