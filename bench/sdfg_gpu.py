# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Placed DaCe graphs on a GPU: five programs as Ferry places them and as DaCe itself does, built by DaCe with the CUDA compiler,
checked against NumPy and timed. Prints a table and leaves it in bench/results/. It ends within five minutes, whatever is there:
without a CUDA compiler that DaCe's headers are for after the code is made, without a GPU after the build, with exit status 77 either way.

usage: sdfg_gpu.py [--until code|build|run]
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "bench" / "results" / "sdfg-gpu.txt"
PROGRAMS = ("jacobi_plane", "haar_wavelet", "bodies", "softmax", "returned_and_passed")
WHO = ("Ferry", "DaCe")
STEPS = ("code", "build", "run")
MACHINE = "h200"
ARCHITECTURE = "90"  # of that machine; DaCe asks a GPU that is there for its own
SECONDS, RUNS = 300, 5
UNSUPPORTED = 77


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--until", choices=STEPS, default="run")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(one(*options.one, options.until)))
        return 0
    until, missing = reachable(options.until)
    end = time.monotonic() + SECONDS
    rows = [child(program, who, until, end) for program in PROGRAMS for who in WHO]
    report = "\n".join([*map(line, rows), *ratios(rows), *([missing] if missing else [])]) + "\n"
    print(report, end="")
    if options.until == "run":
        TABLE.parent.mkdir(parents=True, exist_ok=True)
        TABLE.write_text(report)
    return 1 if any("error" in row for row in rows) else UNSUPPORTED if missing else 0


def reachable(until: str) -> tuple[str, str]:
    """The last step that can be done here, and what is missing for those behind it."""
    if until != "code" and not shutil.which("nvcc"):
        return "code", "there is no CUDA compiler (nvcc) here: code was made, nothing was built"
    if until != "code" and (version := newer_than_dace_reads()):
        return "code", f"DaCe 1.0.2's headers need CUDA 12 or older, and here is {version}: code was made, nothing was built"
    if until == "run" and (not shutil.which("nvidia-smi") or subprocess.run(["nvidia-smi", "-L"], capture_output=True).returncode):
        return "build", "there is no GPU here: the graphs were built, nothing was run"
    return until, ""


def newer_than_dace_reads() -> str:
    """The CUDA compiler's version, if its headers no longer have what DaCe's use (cub::TransformInputIterator)."""
    found = re.search(r"release (\d+)\.\d+", subprocess.run(["nvcc", "--version"], capture_output=True, text=True).stdout)
    return found[0] if found and int(found[1]) > 12 else ""


def child(program: str, who: str, until: str, end: float) -> dict:
    """A row, from a process of its own that ends in time."""
    row = {"program": program, "who": who}
    command = [sys.executable, "-W", "ignore", __file__, "--until", until, "--one", program, who]
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=max(1, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            return row | {"error": "it did not end in time"}
    if done.returncode:
        return row | {"error": (done.stderr.strip().splitlines() or [f"it ended with status {done.returncode}"])[-1][:160]}
    return row | json.loads(done.stdout.splitlines()[-1])


def one(name: str, who: str, until: str) -> dict:
    import dace

    sys.path.insert(0, str(ROOT / "test" / "sdfg"))
    import ferry
    import judge
    from corpus import PROGRAMS as KNOWN

    program = KNOWN[name]
    sdfg = judge.graph(program, "simplified")
    if who == "Ferry":
        ferry.place(sdfg, machine=MACHINE, assume=dict(program.stated))
    else:
        judge.quiet(sdfg.apply_gpu_transformations)
    dace.Config.set("compiler", "cuda", "backend", value="cuda")
    dace.Config.set("compiler", "cuda", "cuda_arch", value=ARCHITECTURE)
    code = judge.quiet(sdfg.generate_code)
    row = {"kernels": sum(text.clean_code.count("__global__ void") for text in code)}
    if until == "code":
        return row
    start = time.monotonic()
    built = judge.quiet(sdfg.compile)
    row["build_s"] = time.monotonic() - start
    return row if until == "build" else row | measured(program, sdfg, built)


def measured(program, sdfg, built) -> dict:
    """Whether the numbers are NumPy's, at the small size, and the median time of a run at the stated one."""
    from emulate import run

    arguments = program.arguments(sdfg, program.small)
    expected, returned = program.expected(arguments, program.small)
    given = run.own(arguments)
    result = built(**given, **missing(given, program.small))
    outcome = run.Outcome(given, result if isinstance(result, tuple) else () if result is None else (result,), run.Counts())
    wrong = run.differences(outcome, expected, returned, program.tolerance)
    arguments, seconds = program.arguments(sdfg, program.stated), []
    for _ in range(RUNS + 1):
        given = run.own(arguments)
        start = time.perf_counter()
        built(**given, **missing(given, program.stated))
        seconds.append(time.perf_counter() - start)
    return {"wrong": "; ".join(wrong), "ms": 1e3 * statistics.median(seconds[1:])}  # the first one also warms up


def missing(given: dict, sizes) -> dict:
    return {name: size for name, size in sizes.items() if name not in given}


def line(row: dict) -> str:
    found = row.get("error") or ", ".join(
        [f"{row['kernels']} kernels"]
        + ([f"built in {row['build_s']:.1f} s"] if "build_s" in row else [])
        + ([f"{row['wrong'] or 'right numbers'}, {row['ms']:.3f} ms"] if "ms" in row else [])
    )
    return f"{row['program']:22} {row['who']:6} {found}"


def ratios(rows: list[dict]) -> list[str]:
    times = {(row["program"], row["who"]): row["ms"] for row in rows if "ms" in row}
    return [
        f"{program:22} DaCe / Ferry {times[program, 'DaCe'] / times[program, 'Ferry']:.2f}"
        for program in PROGRAMS
        if all((program, who) in times for who in WHO)
    ]


if __name__ == "__main__":
    os.environ.setdefault("PYTHONHASHSEED", "0")
    sys.exit(main())
