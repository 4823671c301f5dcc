# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whatever call of an OpenCL driver fails, a run ends with its results or with one message; nothing hangs, nothing is kept."""

import ctypes.util
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

BUILD = Path(os.environ.get("FERRY_BUILD", Path(__file__).parents[2] / "build"))

# Uploads, kernels, one that fails on demand, a peek, a scalar that stays on the device, downloads.
PROGRAM = """
entry main [n] (xs: [n]i64) (d: i64) : ([n]i64, i64) =
  let ys = map (\\x -> x / d + 1) xs
  let s = i64.sum ys
  in (map (\\y -> y * s) ys, ys[n - 1])
"""
INPUT, OUTPUT = "[4i64, 6i64, 9i64] 2i64", "[36i64, 48i64, 60i64]\n5i64\n"


def real_loader() -> str:
    """The path of the loader that programs get."""
    name = ctypes.util.find_library("OpenCL")
    handle = ctypes.CDLL(name)
    for line in Path("/proc/self/maps").read_text(encoding="ascii").splitlines():
        if name.split(".so")[0] in line:
            return line.split()[-1]
    raise FileNotFoundError(f"{name} ({handle}) is mapped from nowhere")


class OpenClFaults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.program = Path(cls.folder.name) / "program.fut"
        cls.program.write_text(PROGRAM, encoding="utf-8")
        cls.real = real_loader()
        _, cls.calls, _ = cls.run_with(cls)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_with(self, text=INPUT, cache="", **settings):
        """The finished process, its calls of the driver, and the objects that it did not give back. Without a cache all processes make the same calls."""
        report = Path(self.folder.name) / "report"
        report.unlink(missing_ok=True)
        environment = dict(os.environ, FERRY_CACHE=str(cache), LD_LIBRARY_PATH=str(BUILD / "test" / "runtime" / "opencl_faults"),
                           FERRY_OPENCL_REAL=self.real, FERRY_OPENCL_REPORT=str(report), **settings)  # fmt: skip
        command = [str(BUILD / "ferry"), "run", str(self.program), "--device", "opencl", "--plan", "soacs-on-device"]
        run = subprocess.run(command, input=text, capture_output=True, text=True, timeout=60, check=False, env=environment)
        calls, kept = map(int, report.read_text(encoding="ascii").split())
        return run, calls, kept

    def test_without_faults(self):
        run, calls, kept = self.run_with()
        self.assertEqual((run.returncode, run.stdout, kept), (0, OUTPUT, 0), run.stderr)
        self.assertEqual(calls, self.calls)
        self.assertGreater(calls, 30)

    def assert_clear(self, fault, cache=""):
        run, _, kept = self.run_with(FERRY_OPENCL_FAULT=fault, cache=cache)
        what = f"fault at call {fault}: status {run.returncode}\n{run.stdout}{run.stderr}"
        self.assertEqual(kept, 0, what)
        if run.returncode == 0:  # a call whose answer is not needed
            self.assertEqual(run.stdout, OUTPUT, what)
            return False
        self.assertEqual((run.returncode, run.stdout), (1, ""), what)
        errors = [line for line in run.stderr.splitlines() if "error:" in line]
        self.assertEqual(len(errors), 1, what)
        return True

    def test_each_call_in_turn(self):
        refused = sum(self.assert_clear(str(call)) for call in range(1, self.calls + 1))
        self.assertGreater(refused, self.calls // 2)

    def test_each_call_in_turn_from_the_cache(self):
        cache = Path(self.folder.name) / "cache"
        self.run_with(cache=cache)
        run, calls, kept = self.run_with(cache=cache)
        self.assertEqual((run.returncode, run.stdout, kept), (0, OUTPUT, 0), run.stderr)
        refused = sum(self.assert_clear(str(call), cache) for call in range(1, calls + 1))
        # A binary that is refused, or cannot be built, is made anew.
        self.assertLess(refused, calls)

    def test_a_device_that_is_lost(self):
        refused = sum(self.assert_clear(f"{call}+") for call in range(1, self.calls, 3))
        self.assertEqual(refused, len(range(1, self.calls, 3)))

    def test_a_failing_program_gives_all_back(self):
        run, _, kept = self.run_with("[4i64, 6i64, 9i64] 0i64")
        self.assertEqual((run.returncode, run.stdout, kept), (1, "", 0))
        self.assertIn("program.fut:3:23: error: division by zero", run.stderr)

    def test_delays_change_nothing(self):
        for seed in range(1, 4):
            run, _, kept = self.run_with(FERRY_OPENCL_DELAY=str(seed))
            self.assertEqual((run.returncode, run.stdout, kept), (0, OUTPUT, 0), run.stderr)


if __name__ == "__main__":
    unittest.main()
