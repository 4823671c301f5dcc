# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels on the first OpenCL device, against OpenCL C written by hand: of two ways to write each the better one for the device. What is timed is all
launches of a run, with arrays on the device already; of both sides the least of several runs."""

import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from measure import BENCH, baseline_seconds, compile_baseline, in_binary, ratio_bar

RUNS, PAIRS, BAR = 7, 5, 1.2
ELEMENTS, SIDE, FACTOR = 1 << 24, 4096, 512


def cases():
    """(entry, arguments, what the same is by numpy)"""
    random = np.random.default_rng(1)
    floats = random.random(ELEMENTS, np.float32)
    square = floats[:SIDE * SIDE].reshape(SIDE, SIDE)
    a, b = random.random((2, FACTOR, FACTOR), np.float32)
    numbers = random.integers(0, 256, ELEMENTS, np.int32)
    return [("sum", [floats], floats.sum()), ("scan", [floats], floats.cumsum(dtype=np.float64)),
            ("histogram", [np.array(256), numbers], np.bincount(numbers, minlength=256)), ("transposed", [square], square.T), ("product", [a, b], a @ b)]


def on_device(entry, arguments, wanted, trace):
    """The time of all launches, after a look at the result."""
    command = ["ferry", "run", str(BENCH / "programs" / "kernels.fut"), "-e", entry, "-b", "--device", "opencl", "--plan", "all-device"]
    run = subprocess.run([*command, "-r", str(RUNS), "--trace", str(trace)], input=arguments, stdout=subprocess.PIPE, check=True)
    found = np.frombuffer(run.stdout[-4 * wanted.size:], np.float32 if wanted.dtype.kind == "f" else np.int32).reshape(wanted.shape)
    if not np.allclose(found, wanted, rtol=1e-4):
        raise SystemExit(f"{entry}: a wrong result")
    return sum(part["least"] for part in json.loads(trace.read_text())["parts"] if part["kind"] == "launch") * 1e-12


def main():
    with tempfile.TemporaryDirectory() as folder:
        baseline = compile_baseline(folder, "opencl_kernels", "-l:libOpenCL.so.1", "-lm")
        for entry, arguments, wanted in cases():
            inputs = [Path(folder) / str(i) for i, array in enumerate(arguments) if array.ndim]
            for path, array in zip(inputs, [array for array in arguments if array.ndim]):
                array.tofile(path)
            given = b"".join(map(in_binary, arguments))
            pairs, better = [], []
            for _ in range(PAIRS):
                ours = on_device(entry, given, wanted, Path(folder) / "trace.json")
                theirs = [baseline_seconds(baseline, BENCH / "baselines" / "opencl_kernels.cl", entry, variant, RUNS, *inputs) for variant in (0, 1)]
                pairs.append((ours, min(theirs)))
                better.append(theirs)
            print(f"{entry} by hand, for GPUs and for processors: " + ", ".join(f"{min(times) * 1e3:.2f} ms" for times in zip(*better)), flush=True)
            ratio_bar(f"{entry} on OpenCL / OpenCL C by hand", BAR, pairs)


main()
