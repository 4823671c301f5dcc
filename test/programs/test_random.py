# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs give the same results on the host and placed, whatever the plan, on sim and on devices of OpenCL and CUDA, which
count what the plan said.

FERRY_RANDOM_PROGRAMS and FERRY_RANDOM_SEED choose how many, and from which seed on; FERRY_RANDOM_KEEP is a folder for those that fail.
"""

import os
import random
import tempfile
import unittest
from pathlib import Path

import check
import random_futhark
import random_typed

BUILD = Path(os.environ.get("FERRY_BUILD", Path(__file__).parents[2] / "build"))
SIZES = [1, 2, 5, 100, 3000, 40000]


def arguments(seed: int) -> str:
    rng = random.Random(seed)
    n = rng.choice(SIZES)
    return f"{rng.randrange(5)}i64 [{', '.join(f'{rng.randint(-20, 20)}i64' for _ in range(n))}]"


def typed_arguments(seed: int) -> str:
    """Sizes around powers of two, and none; numbers of any size."""
    rng = random.Random(seed)
    n, m = rng.choice([0, 1, 2, 3, 5, 7, 16, 17, 31, 33, 64, 100, 257]), rng.choice([0, 1, 2, 3, 8, 17])
    numbers = [str(rng.choice([rng.randint(-20, 20), rng.randint(-(2**63), 2**63 - 1)])) + "i64" for _ in range(n)]
    rows = ["[" + ", ".join(str(rng.randint(-(2**31), 2**31 - 1)) for _ in range(m)) + "]" for _ in range(n)]
    xs = f"[{', '.join(numbers)}]" if n else "empty([0]i64)"
    xss = f"[{', '.join(rows)}]" if n and m else f"empty([{n}][{m}]i32)"
    return f"{rng.randrange(4)}i64 {xs} {xss}"


def lengths_vary(report) -> bool:
    """Whether an array had different lengths in different trips, of which a plan knows the average at best."""
    lengths = [seen for site, seen in report["observed"].items() if " extent " in site or " parameter " in site]
    return any(seen["least"] != seen["most"] for seen in lengths)


def results(path: Path, arguments: list[str], text: str, what: str, memory: str = "0"):
    run, report = check.ferry(path, "main", arguments, text, memory)
    if run.returncode != 0:
        raise check.Failure(f"{what}: status {run.returncode}: {run.stderr[:1000]}")
    return run.stdout, report


def failures(path: Path, text: str, what: str) -> list[str]:
    """What goes wrong with a program: on the host, also with memory checked, and under each plan."""
    wrong = []
    try:
        expected, _ = results(path, ["--device", "host"], text, f"{what}, host")
        if results(path, ["--device", "host"], text, f"{what}, host with memory checked", "after")[0] != expected:
            wrong.append(f"{what}: other results on the host with memory checked")
    except check.Failure as failure:
        return [str(failure)]
    for device, plan, options in [("sim", plan, []) for plan in check.PLANS] + check.KERNEL_RUNS:
        run = f"{what}, {' '.join([device, *options])}, plan {plan}"
        try:
            found, report = results(path, ["--device", device, "--plan", plan, *options], text, run, check.memory_checked(device, plan))
            if found != expected:
                raise check.Failure(f"{run}: other results than on the host")
            if not lengths_vary(report):
                check.check_counters(report, run, device)
        except check.Failure as failure:
            wrong.append(str(failure))
    if not wrong:
        path.unlink()
    return wrong


class RandomPrograms(unittest.TestCase):
    def run_programs(self, kind: str, generator, made_for, count: str):
        os.environ["PATH"] = f"{BUILD}{os.pathsep}{os.environ['PATH']}"
        first = int(os.environ.get("FERRY_RANDOM_SEED", "0"))
        wrong = []
        with tempfile.TemporaryDirectory() as temporary:
            folder = os.environ.get("FERRY_RANDOM_KEEP", temporary)
            for seed in range(first, first + int(os.environ.get("FERRY_RANDOM_PROGRAMS", count))):
                path = Path(folder) / f"{kind}{seed}.fut"
                path.write_text(generator.program(seed), encoding="utf-8")
                wrong += failures(path, made_for(seed), f"{kind} {seed}")
        self.assertFalse(wrong, "\n".join(wrong))

    def test_every_plan_keeps_its_word(self):
        self.run_programs("placed", random_futhark, arguments, "25")

    def test_all_types_and_shapes(self):
        self.run_programs("typed", random_typed, typed_arguments, "25")


if __name__ == "__main__":
    unittest.main()
