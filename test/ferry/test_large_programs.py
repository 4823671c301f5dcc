# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs whose size is in one dimension: chains longer than a stack is deep, loops in loops in loops. Planned in time that grows with the program."""

import subprocess
import tempfile
import unittest
from pathlib import Path


def chain(length: int, result: str) -> str:
    """Whole numbers, each computed from the one before."""
    lets = "\n".join(f"  let x{i + 1} = x{i} * 3 + (x{i} // 7 + m)" for i in range(length))
    return f"entry main (m: i64) : i64 =\n  let x0 = m\n{lets}\n  in {result}\n"


def nest(depth: int, row: str) -> str:
    """Loops that carry an array through all of them; `row` is what the innermost makes of it."""
    loops = " ".join(f"loop xs{i + 1} = xs{i} for i{i} < m do" for i in range(depth))
    return f"entry main [n] (m: i64) (xs0: *[n]i64) : *[]i64 =\n  let ys: *[]i64 = {loops} {row.format(f'xs{depth}')} in ys\n"


class LargePrograms(unittest.TestCase):
    def test_a_chain_is_compiled(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "large.fut"
            path.write_text(chain(20000, "x20000"), encoding="utf-8")
            done = subprocess.run(["ferry", "run", path], input="3i64", capture_output=True, text=True, timeout=100, check=False)
        x = 3
        for _ in range(20000):
            x = (x * 3 + (abs(x) // 7 * (1 if x >= 0 else -1)) + 3 + 2**63) % 2**64 - 2**63
        self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", f"{x}i64\n"))

    def explained(self, program: str, *options: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "large.fut"
            path.write_text(program, encoding="utf-8")
            done = subprocess.run(["ferry", "explain", path, *options], capture_output=True, text=True, timeout=100, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            return done.stdout

    def test_a_chain_is_no_recursion(self):
        self.assertIn("no plan costs less", self.explained(chain(20000, "reduce (+) 0 (iota (x20000 % 100))")))

    def test_a_nest_is_gone_through_once(self):
        self.assertIn("no plan costs less", self.explained(nest(40, "({0} with [0] = {0}[0] + 1)")))

    def test_a_nest_that_changes_extents_is_not_gone_through_for_ever(self):
        self.assertIn("no plan costs less", self.explained(nest(24, "map (+ 1) {0}[1:]").replace("[n]i64) : *", "[]i64) : *").replace("main [n]", "main")))


if __name__ == "__main__":
    unittest.main()
