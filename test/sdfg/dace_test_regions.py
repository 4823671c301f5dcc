# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""DaCe 2.0's regions: every copy has a place, also on the way of a break, a continue or a return, past a conditional block, and
between the trips of a loop that ends with its condition.

DaCe 1.0.2 builds what is written when both memories are emulated. Graphs say that DaCe 2.0 wrote them, or Ferry would give DaCe 1.0.2 states and
edges instead.
"""

import json
import subprocess
import tempfile
import unittest

import dace
import numpy as np
from dace.sdfg.state import LoopRegion

from ahead import Ahead
from emulate import build, check, rewrite, run
from judge import ALL, CACHE, load, quiet
from regions import Regions

PLACED = range(60)
SKIPPED = (3, 16, 37)  # A copy is wanted where no branch is taken.
FLAT = (17,)  # A copy is wanted behind a loop that a jump leaves too.
JUDGED = PLACED if ALL else (*SKIPPED, *FLAT)  # With their numbers.


def written_by(version, path):
    with open(path) as file:
        graph = json.load(file)
    graph["dace_version"] = version
    with open(path, "w") as file:
        json.dump(graph, file)


def placed(seed):
    """The graph, and as it is placed."""
    made = Regions(seed)
    quiet(made.sdfg.validate)
    with tempfile.TemporaryDirectory() as folder:
        given, result = f"{folder}/given.sdfg", f"{folder}/placed.sdfg"
        made.sdfg.save(given)
        unplaced = load(given)
        written_by("2.0.0a1", given)
        pins = [option for name, side in made.pins.items() for option in ("--pin", f"{name}={side}")]
        done = subprocess.run(["ferry", "place", given, "-o", result, "--assume", "N=2000000", *pins], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr.strip())
        written_by(dace.__version__, result)
        return unplaced, load(result)


def loops(sdfg):
    return sum(isinstance(region, LoopRegion) for region in sdfg.all_control_flow_regions())


def numbers(sdfg):
    """What the arrays hold in the end, for each of the values of the symbols."""
    CACHE.mkdir(parents=True, exist_ok=True)
    built = quiet(lambda: build.build(rewrite.emulated(sdfg), CACHE))
    names = sorted(set("ABCD") & set(sdfg.arglist()))
    results = []
    for f in (0, 1, 3):
        random = np.random.default_rng(5)
        arguments = {name: random.random(4 if name == "D" else 8) for name in names}
        outcome = run.run(built, arguments, {s: v for s, v in {"N": 8, "f": f}.items() if s in sdfg.arglist()})
        results.append([outcome.arguments[name] for name in names])
    return results


def verdict(seed):
    unplaced, result = placed(seed)
    quiet(result.validate)
    if wrong := quiet(check.violations, result):
        return "\n".join(wrong)
    same = all(np.allclose(a, b) for wanted, found in zip(numbers(unplaced), numbers(result)) for a, b in zip(wanted, found))
    return "right" if same else "wrong numbers"


class Places(unittest.TestCase):
    def test_every_copy_has_one(self):
        for seed in PLACED:
            with self.subTest(seed):
                placed(seed)

    def test_regions_stay(self):
        for seed in SKIPPED:
            given, result = placed(seed)
            self.assertEqual(loops(result), loops(given))
            self.assertTrue(any(arm.label.startswith("else") for arm in result.all_control_flow_regions()))
        for seed in FLAT:
            self.assertEqual(loops(placed(seed)[1]), 0)


class Numbers(unittest.TestCase):
    ahead = Ahead(verdict, JUDGED)

    @classmethod
    def tearDownClass(cls):
        cls.ahead.close()


for each in JUDGED:
    setattr(Numbers, f"test_{each}", lambda self, seed=each: self.assertEqual(self.ahead.result(seed), "right"))

if __name__ == "__main__":
    unittest.main()
