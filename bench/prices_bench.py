# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Predicted / measured time of each operation and copy on an OpenCL device, by a profile that is measured here: every program of
test/programs, at the sizes of its `placed` lines, under the cheapest plan and with every array combinator on either side. Counted is what takes a
microsecond or more. The bar is how far the middle of the ratios is from 1."""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from measure import BENCH

PROGRAMS = BENCH.parent / "test" / "programs"
PLANS = ["auto", "soacs-on-device", "all-host"]
RUNS = 7
BAR = 1.25

sys.path.insert(0, str(PROGRAMS))
import check  # noqa: E402


def cases(path):
    """(entry, arguments) of each size that the program is placed at."""
    found = {}
    for block in check.blocks(path):
        entries = check.re.findall(r"^entry: *(.*)$", block, check.re.M)
        first = entries[0].split()[0] if entries else "main"
        for placed in check.PLACED.finditer(block):
            found[placed["entry"] or first, placed["input"]] = None
    return list(found)


def ratios(path, entry, text, plan, profile, trace):
    """(what, ratio) of each part that was long enough."""
    options = [str(path), "-e", entry, "--device", "opencl", "--machine", str(profile), "--plan", plan]
    arguments = check.expanded(text)
    run = subprocess.run(["ferry", "run", *options, "-r", str(RUNS), "--trace", str(trace)], input=arguments, capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(f"{path.name} {entry} {{{text}}}, {plan}: {run.stderr}")
    beside = subprocess.run(["ferry", "explain", *options, "--input", "--against", str(trace), "--json"], input=arguments, stdout=subprocess.PIPE,
                            text=True, check=True)
    return [(part["what"], part["ratio"]) for part in json.loads(beside.stdout)["parts"] if part["ratio"] is not None]


def kind(what):
    if what.startswith("to the"):
        return "copies"
    return what.rsplit(", ", 1)[-1] if what.endswith((", host", ", device")) else "scalars"


def main():
    found = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        profile, trace = Path(folder) / "profile.json", Path(folder) / "trace.json"
        began = time.perf_counter()
        subprocess.run(["ferry", "calibrate", "-o", str(profile)], check=True, stdout=subprocess.DEVNULL)
        seconds = time.perf_counter() - began
        for path in sorted(PROGRAMS.glob("*.fut")):
            for entry, text in cases(path):
                here = {plan: ratios(path, entry, text, plan, profile, trace) for plan in PLANS}
                for parts in here.values():
                    for what, ratio in parts:
                        found[kind(what)].append(ratio)
                print(f"{path.stem} {entry} {{{text}}}: " + "; ".join(
                    f"{plan} " + " ".join(f"{ratio:.2f}" for _, ratio in parts) for plan, parts in here.items() if parts), flush=True)
    every = [ratio for each in found.values() for ratio in each]
    quarters = statistics.quantiles(every, n=4)
    for name, each in sorted(found.items()):
        print(f"{name}: {statistics.median(each):.2f} in the middle of {len(each)}")
    print(f"half of all are between {quarters[0]:.2f} and {quarters[2]:.2f}")
    middle = statistics.median(every)
    print(json.dumps({"name": "time to calibrate an OpenCL device", "value": round(seconds, 1), "bar": 60, "sense": "<", "unit": "seconds"}))
    print(json.dumps({"name": "predicted / measured time of an operation, OpenCL", "value": round(max(middle, 1 / middle), 3), "bar": BAR,
                      "sense": "<=", "unit": "ratio", "detail": f"{middle:.2f} in the middle of {len(every)}; how far from 1"}), flush=True)


if __name__ == "__main__":
    main()
