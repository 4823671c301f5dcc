# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How `./dev bench` judges what benchmarks print."""

import contextlib
import io
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

import bars


class TestBars(unittest.TestCase):
    def test_sense(self):
        for line, ok in [
            ('{"name": "a", "value": 1.0, "bar": 1.0}', True),
            ('{"name": "a", "value": 1.1, "bar": 1.0}', False),
            ('{"name": "a", "value": 1200, "bar": 1000, "sense": ">="}', True),
            ('{"name": "a", "value": 999, "bar": 1000, "sense": ">="}', False),
            ('{"name": "a", "value": 1, "bar": 1, "ok": false}', False),
        ]:
            self.assertEqual(bars.read_bar(line)["ok"], ok, line)

    def test_other_lines(self):
        self.assertIsNone(bars.read_bar("warming up"))
        for line in ('{"name": "a"}', "{", '{"name": "a", "value": 1, "bar": 1, "sense": "about"}'):
            with self.assertRaises(ValueError):
                bars.read_bar(line)

    def run_shell(self, script: str) -> list[bool]:
        with contextlib.redirect_stdout(io.StringIO()):
            return [b["ok"] for b in bars.run(["bash", "-c", script])]

    def test_run(self):
        bar = '{"name": "a", "value": 1, "bar": 2}'
        self.assertEqual(self.run_shell(f"echo '{bar}'; echo talk; echo '{bar}'"), [True, True])
        self.assertEqual(self.run_shell(f"echo '{bar}'; exit 3"), [True, False])
        self.assertEqual(self.run_shell("echo talk"), [False])
        self.assertEqual(self.run_shell("echo '{'"), [False])

    def test_table(self):
        text = bars.table([bars.read_bar('{"name": "a", "value": 0.5, "bar": 5, "unit": "s", "detail": "why"}')])
        self.assertRegex(text.splitlines()[1], r"^a +0\.5 s +<= 5 s +ok +why$")


if __name__ == "__main__":
    unittest.main()
