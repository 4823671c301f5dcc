# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs give the same results on the host and placed, whatever the plan, and sim counts what the plan said.

FERRY_RANDOM_PROGRAMS and FERRY_RANDOM_SEED choose how many, and from which seed on; FERRY_RANDOM_KEEP is a folder for those that fail.
"""

import os
import random
import tempfile
import unittest
from pathlib import Path

import check
import random_futhark

BUILD = Path(os.environ.get("FERRY_BUILD", Path(__file__).parents[2] / "build"))
SIZES = [1, 2, 5, 100, 3000, 40000]


def arguments(seed: int) -> str:
    rng = random.Random(seed)
    n = rng.choice(SIZES)
    return f"{rng.randrange(5)}i64 [{', '.join(f'{rng.randint(-20, 20)}i64' for _ in range(n))}]"


def lengths_vary(report) -> bool:
    """Whether an array had different lengths in different trips, of which a plan knows the average at best."""
    lengths = [seen for site, seen in report["observed"].items() if " extent " in site or " parameter " in site]
    return any(seen["least"] != seen["most"] for seen in lengths)


def failures(folder: str, seed: int) -> list[str]:
    path = Path(folder) / f"random{seed}.fut"
    path.write_text(random_futhark.program(seed), encoding="utf-8")
    text = arguments(seed)
    expected, _ = check.ferry(path, "main", ["--device", "host"], text)
    if expected.returncode != 0:
        return [f"seed {seed}, host: {expected.stderr[:1000]}"]
    wrong = []
    for plan in check.PLANS:
        what = f"seed {seed}, plan {plan}"
        try:
            run, report = check.ferry(path, "main", ["--device", "sim", "--plan", plan], text)
            if run.returncode != 0:
                raise check.Failure(f"{what}: status {run.returncode}: {run.stderr[:1000]}")
            if run.stdout != expected.stdout:
                raise check.Failure(f"{what}: other results than on the host")
            if not lengths_vary(report):
                check.check_counters(report, what)
        except check.Failure as failure:
            wrong.append(str(failure))
    if not wrong:
        path.unlink()
    return wrong


class RandomPrograms(unittest.TestCase):
    def test_every_plan_keeps_its_word(self):
        os.environ["PATH"] = f"{BUILD}{os.pathsep}{os.environ['PATH']}"
        first = int(os.environ.get("FERRY_RANDOM_SEED", "0"))
        count = int(os.environ.get("FERRY_RANDOM_PROGRAMS", "25"))
        wrong = []
        with tempfile.TemporaryDirectory() as temporary:
            folder = os.environ.get("FERRY_RANDOM_KEEP", temporary)
            for seed in range(first, first + count):
                wrong += failures(folder, seed)
        self.assertFalse(wrong, "\n".join(wrong))


if __name__ == "__main__":
    unittest.main()
