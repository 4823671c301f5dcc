# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of devices share whose driver is a library of the tests: it counts calls, has any of them fail, and reports what was not given back."""

import os
import subprocess
import tempfile
from pathlib import Path

BUILD = Path(os.environ.get("FERRY_BUILD", Path(__file__).parents[2] / "build"))

# Uploads, kernels, one that fails on demand, a peek, a scalar that stays on the device, downloads.
PROGRAM = """
entry main [n] (xs: [n]i64) (d: i64) : ([n]i64, i64) =
  let ys = map (\\x -> x / d + 1) xs
  let s = i64.sum ys
  in (map (\\y -> y * s) ys, ys[n - 1])
"""
# A download that the host awaits when it has computed something else, and kernels that write where it was read.
LATER = """
entry later [n] (xs: [n]i64) (d: i64) : ([n]i64, [n]i64, i64) =
  let ys = map (* d) xs
  let s = loop s = d for i < n do s * 3 + i
  let zs = scan (+) 0 (map (+ s) ys)
  let vs = scan i64.max i64.lowest zs
  in (ys, vs, loop t = s for i < n do t + ys[i])
"""
LATER_OUTPUT = "[8i64, 12i64, 18i64]\n[67i64, 138i64, 215i64]\n97i64\n"
INPUT, OUTPUT = "[4i64, 6i64, 9i64] 2i64", "[36i64, 48i64, 60i64]\n5i64\n"


class OnDriver:
    """A program in a folder of its own, run on a driver in test/runtime/DRIVER, whose settings begin with PREFIX."""

    DRIVER = PREFIX = DEVICE = ""
    LEAST_CALLS = 0  # of a run
    MORE = ""  # entry points of the program
    settings: dict[str, str] = {}

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.program = Path(cls.folder.name) / "program.fut"
        cls.program.write_text(PROGRAM + LATER + cls.MORE, encoding="utf-8")
        _, cls.calls, _ = cls.run_with(cls)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_with(self, text=INPUT, arguments=(), device=None, plan="soacs-on-device", cache="", **settings):
        """The finished process, how many calls of the driver there were, and how many objects it did not give back. Without a cache all
        processes make the same calls."""
        report = Path(self.folder.name) / "report"
        report.unlink(missing_ok=True)
        environment = dict(os.environ, FERRY_CACHE=str(cache), LD_LIBRARY_PATH=str(BUILD / "test" / "runtime" / self.DRIVER),
                           **{self.PREFIX + "REPORT": str(report)}, **self.settings, **settings)  # fmt: skip
        command = [str(BUILD / "ferry"), "run", str(self.program), "--device", device or self.DEVICE, "--plan", plan, *arguments]
        text = text if isinstance(text, bytes) else text.encode("ascii")
        run = subprocess.run(command, input=text, capture_output=True, timeout=60, check=False, env=environment)
        calls, kept = map(int, report.read_text(encoding="ascii").split())
        if "-b" not in arguments:
            run.stdout, run.stderr = run.stdout.decode("utf-8"), run.stderr.decode("utf-8")
        return run, calls, kept

    def assert_right(self, run, kept, output=OUTPUT):
        self.assertEqual((run.returncode, run.stdout, kept), (0, output, 0), run.stderr)

    def assert_clear(self, fault, cache=""):
        """Whether the run was refused, by one message."""
        run, _, kept = self.run_with(cache=cache, **{self.PREFIX + "FAULT": fault})
        what = f"fault at call {fault}: status {run.returncode}\n{run.stdout}{run.stderr}"
        self.assertEqual(kept, 0, what)
        if run.returncode == 0:  # a call whose answer is not needed
            self.assertEqual(run.stdout, OUTPUT, what)
            return False
        self.assertEqual((run.returncode, run.stdout), (1, ""), what)
        errors = [line for line in run.stderr.splitlines() if "error:" in line]
        self.assertEqual(len(errors), 1, what)
        return True

    def test_without_faults(self):
        run, calls, kept = self.run_with()
        self.assert_right(run, kept)
        self.assertEqual(calls, self.calls)
        self.assertGreater(calls, self.LEAST_CALLS)

    def test_each_call_in_turn(self):
        refused = sum(self.assert_clear(str(call)) for call in range(1, self.calls + 1))
        self.assertGreater(refused, self.calls // 2)

    def test_a_failing_program_gives_all_back(self):
        run, _, kept = self.run_with("[4i64, 6i64, 9i64] 0i64")
        self.assertEqual((run.returncode, run.stdout, kept), (1, "", 0))
        self.assertIn("program.fut:3:23: error: division by zero", run.stderr)
