# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whatever call of an OpenCL driver fails, a run ends with its results or with one message; nothing hangs, nothing is kept."""

import ctypes.util
import unittest
from pathlib import Path

from drivers import LATER_OUTPUT, OnDriver


def real_loader() -> str:
    """The path of the loader that programs get."""
    name = ctypes.util.find_library("OpenCL")
    handle = ctypes.CDLL(name)
    for line in Path("/proc/self/maps").read_text(encoding="ascii").splitlines():
        if name.split(".so")[0] in line:
            return line.split()[-1]
    raise FileNotFoundError(f"{name} ({handle}) is mapped from nowhere")


class OpenClFaults(OnDriver, unittest.TestCase):
    DRIVER, PREFIX, DEVICE, LEAST_CALLS = "opencl_faults", "FERRY_OPENCL_", "opencl", 30

    @classmethod
    def setUpClass(cls):
        cls.settings = {"FERRY_OPENCL_REAL": real_loader()}
        super().setUpClass()

    def test_each_call_in_turn_from_the_cache(self):
        cache = Path(self.folder.name) / "cache"
        self.run_with(cache=cache)
        run, calls, kept = self.run_with(cache=cache)
        self.assert_right(run, kept)
        refused = sum(self.assert_clear(str(call), cache) for call in range(1, calls + 1))
        # A binary that is refused, or cannot be built, is made anew.
        self.assertLess(refused, calls)

    def test_a_device_that_is_lost(self):
        refused = sum(self.assert_clear(f"{call}+") for call in range(1, self.calls, 3))
        self.assertEqual(refused, len(range(1, self.calls, 3)))

    def test_delays_change_nothing(self):
        for seed in range(1, 4):
            run, _, kept = self.run_with(FERRY_OPENCL_DELAY=str(seed))
            self.assert_right(run, kept)
            run, _, kept = self.run_with(arguments=["-e", "later"], FERRY_OPENCL_DELAY=str(seed))
            self.assert_right(run, kept, LATER_OUTPUT)


if __name__ == "__main__":
    unittest.main()
