# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Placing a program does not change its results, whatever the plan; nothing touches an array on the other side.

The interpreter runs each random program as it is and as placed, and refuses an operation on the wrong side.
FERRY_RANDOM_PROGRAMS and FERRY_RANDOM_SEED choose how many, and from which seed on.
"""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import random_program

BUILD = Path(os.environ.get("FERRY_BUILD", Path(__file__).parents[2] / "build"))
PLANS = ["auto", "all-host", "all-device", "arrays-on-device", "soacs-on-device"]
# What the plan is made for: all that there is to know, or only other sizes than the four elements of the run.
ARGUMENTS = ["4,4,2,4", "1,1,?,?", "100000,100000,?,?"]


def place(folder: str, seed: int, plan: str, arguments: str) -> str | None:
    """What went wrong, if anything."""
    path = Path(folder) / f"{seed}.mlir"
    path.write_text(random_program.program(seed))
    passes = (
        "canonicalize,cse,array-rotate,array-place{plan=%s args=%s ticks=true report=true},array-check-placed"
        % (plan, arguments)
    )
    result = subprocess.run(
        [BUILD / "ferry-interpret", path, "main", f"--passes={passes}"],
        input="[5i64, -3i64, 8i64, 2i64] [1i64, 2i64, 3i64, 4i64] 2i64 4i64",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if result.returncode == 0 and "unplanned transfers 0\n" in result.stderr:
        return None
    return f"seed {seed}, plan {plan}, arguments {arguments}: {result.stderr.strip()[:2000]}"


class RandomPrograms(unittest.TestCase):
    def test_same_results_under_every_plan(self):
        first = int(os.environ.get("FERRY_RANDOM_SEED", "0"))
        count = int(os.environ.get("FERRY_RANDOM_PROGRAMS", "30"))
        wrong = []
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(first, first + count):
                for number, plan in enumerate(PLANS):
                    wrong.append(place(folder, seed, plan, ARGUMENTS[(seed + number) % len(ARGUMENTS)]))
        wrong = [each for each in wrong if each]
        self.assertFalse(wrong, "\n\n".join(wrong[:10]))


if __name__ == "__main__":
    unittest.main()
