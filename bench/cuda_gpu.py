# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ferry's CUDA device on a GPU: every program of test/programs gives there what it gives on the host, and simple kernels are timed against
the memory's bandwidth. Prints a table and leaves it in bench/results/. It ends within three minutes; without a GPU at once, with status 77.

usage: cuda_gpu.py [--fake]     on the fake device of the tests, with tiny arrays, to see that this program works
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "test" / "programs"))

import check

TABLE = ROOT / "bench" / "results" / "cuda-gpu.txt"
SECONDS, RUNS, UNSUPPORTED = 170, 5, 77
TRIPS = 50

# Each goes over n 32-bit floats TRIPS times; bytes an element, read and written.
KERNELS = {
    "map": ("loop xs = xs for _i < trips do map (\\x -> x * 0.5 + 1) xs", 8),
    "reduce": ("loop xs = xs for _i < trips do let s = f32.sum xs in xs with [0] = s * 0.5", 4),
    "scan": ("loop xs = xs for _i < trips do scan (+) 0 xs", 8),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fake", action="store_true")
    fake = parser.parse_args().fake
    os.environ["PATH"] = f"{ROOT / 'build'}:{os.environ['PATH']}"
    if fake:
        os.environ["LD_LIBRARY_PATH"] = str(check.fake_driver())
    os.environ["FERRY_TEST_GPU"] = "1"  # what LD_LIBRARY_PATH says
    devices = subprocess.run(["ferry", "devices"], capture_output=True, text=True, check=True).stdout
    device = next(line for line in devices.splitlines() if line.startswith("  cuda")).strip()
    if device.startswith("cuda      none"):
        print(f"{device}: nothing was run")
        return UNSUPPORTED
    wrong = programs(time.monotonic() + SECONDS / 2)
    lines = [device, *wrong, *times(1000 if fake else 1 << 26)]
    report = "\n".join(lines) + "\n"
    print(report, end="")
    if not fake:
        TABLE.parent.mkdir(parents=True, exist_ok=True)
        TABLE.write_text(report)
    return 1 if len(wrong) > 1 else 0


def programs(end: float) -> list[str]:
    """How many programs gave what they give on the host, then what went wrong."""

    def one(program: Path) -> list[str] | None:
        return differences(program) if time.monotonic() < end else None

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(one, sorted((ROOT / "test" / "programs").glob("*.fut"))))
    checked = [differences for differences in found if differences is not None]
    return [f"{len(checked)} of {len(found)} programs run, {sum(map(bool, checked))} wrong", *(d for some in checked for d in some)]


def differences(program: Path) -> list[str]:
    """Where a program's cases give something else on the device than on the host."""
    wrong = []
    for block in check.blocks(program):
        for entry in (check.re.search(r"^entry:(.*)$", block, check.re.M) or [None, ""])[1].split():
            for case in check.CASE.finditer(block):
                what = f"{program.name}, {entry} {{{case['input']}}}"
                try:
                    host, device = (run(program, entry, case["input"], "--device", which) for which in ("host", "cuda"))
                    if host.returncode != device.returncode or host.returncode and host.stderr != device.stderr:
                        raise check.Failure(f"{what}: {device.stderr.strip() or 'no error'}")
                    check.compare(device.stdout, host.stdout, what)
                except check.Failure as failure:
                    wrong.append(str(failure)[:300])
    return wrong


def run(program: Path, entry: str, text: str, *arguments: str) -> subprocess.CompletedProcess:
    plan = ["--plan", "soacs-on-device"] if "cuda" in arguments else []
    command = ["ferry", "run", str(program), "-e", entry, *arguments, *plan]
    return subprocess.run(command, input=check.expanded(text), capture_output=True, text=True, timeout=60, check=False)


def times(elements: int) -> list[str]:
    """A line for each kernel: what one trip takes, and how many bytes of arrays that is in a second."""
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        program, timings = Path(folder) / "program.fut", Path(folder) / "timings"
        for name, (body, bytes_each) in KERNELS.items():
            program.write_text(f"entry main (n: i64) (trips: i64): f32 =\n  let xs = map f32.i64 (iota n) in ({body})[0]\n", encoding="ascii")
            medians = {}
            for trips in (0, TRIPS):
                done = run(program, "main", f"{elements}i64 {trips}i64", "--device", "cuda", "-r", str(RUNS + 1), "-t", str(timings))
                if done.returncode:
                    return [*lines, f"{name:8} {done.stderr.strip()}"]
                medians[trips] = statistics.median(map(float, timings.read_text().split()[1:]))  # the first one also loads the kernels
            each = (medians[TRIPS] - medians[0]) / TRIPS
            lines.append(f"{name:8} {elements} elements: {each:.1f} us, {elements * bytes_each / max(each, 1e-3) / 1e3:.1f} GB/s")
    return lines


if __name__ == "__main__":
    sys.exit(main())
