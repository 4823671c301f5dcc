# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs all tests of a tree that `./dev test` has built, and closes with `N passed, N failed` over all runners.

usage: run.py [PART|REGEX]
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "test" / "ground"), str(ROOT / "test" / "docs")]

import console
import dace_suite
import files
import lint
import lit_suite
import python_suite
import unit
from outcome import Outcome

TEST, BUILD, SANITIZED = ROOT / "test", ROOT / "build", ROOT / "build-sanitize"
JOBS = os.environ.get("JOBS") or str(os.cpu_count())

# Each part takes a pattern, or None for all of its tests. `tidy` takes minutes and is run only where it is asked for.
PARTS = {
    "lint": lambda pattern: lint.texts(ROOT, pattern),
    "python": lambda pattern: python_suite.run(TEST, pattern),
    "dace": lambda pattern: dace_suite.run(ROOT, BUILD, pattern),
    "unit": lambda pattern: unit.run(BUILD, pattern, JOBS),
    "lit": lambda pattern: lit_suite.run(ROOT, BUILD, pattern, JOBS),
    "docs": lambda pattern: console.run(ROOT, pattern),
    "sanitize": lambda pattern: unit.run(SANITIZED, pattern, JOBS),
    "tidy": lambda pattern: lint.quick_tidy(ROOT, pattern),
}


def main(arguments: list[str]) -> int:
    os.environ["PATH"] = f"{BUILD}:{os.environ['PATH']}"
    os.environ["VIRTUAL_ENV"] = sys.prefix  # where a package has NVIDIA's libdevice
    os.environ["FERRY_CACHE"] = str(BUILD / "test" / "cache")
    wanted = arguments[0] if arguments else None
    pattern = None if wanted in PARTS else wanted
    parts = [wanted] if wanted in PARTS else [part for part in PARTS if part != "tidy"]
    outcomes: dict[str, list[Outcome]] = {}
    seconds: dict[str, float] = {}
    for part in parts:
        print(f"== test {part}", flush=True)
        start = time.monotonic()
        try:
            outcomes[part] = PARTS[part](pattern)
        except Exception as error:  # The sum is printed whatever a runner does.
            outcomes[part] = [Outcome(part, "failed", note=f"its runner broke: {error!r}")]
        seconds[part] = time.monotonic() - start
    if wanted is None:
        outcomes["files"] = uncovered(outcomes)
    return summary(outcomes, seconds)


def uncovered(outcomes: dict[str, list[Outcome]]) -> list[Outcome]:
    """A failed outcome for each file that holds tests on disk and of which no runner ran one."""
    ran = {o.file.resolve() for part in outcomes.values() for o in part if o.file and o.status != "skipped"}
    return [
        Outcome(str(path.relative_to(ROOT)), "failed", path, "no runner ran a test of this file")
        for path in sorted(files.test_files(TEST) - ran)
    ]


def summary(outcomes: dict[str, list[Outcome]], seconds: dict[str, float]) -> int:
    print("== summary")
    total = {"passed": 0, "failed": 0, "skipped": 0}
    for part, results in outcomes.items():
        count = {status: sum(o.status == status for o in results) for status in total}
        for status, n in count.items():
            total[status] += n
        if part in seconds:
            print(f"{part:10} {count['passed']:6} passed {count['failed']:4} failed {count['skipped']:4} skipped  {seconds[part]:7.1f} s")
    for part, results in outcomes.items():
        for o in results:
            if o.status != "passed":
                print(f"{o.status}: {part}: {o.name}" + (f": {o.note}" if o.note else ""))
    if total["passed"] + total["failed"] == 0:
        print("no test matches")
        total["failed"] = 1
    print(f"{total['passed']} passed, {total['failed']} failed", flush=True)
    return 1 if total["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
