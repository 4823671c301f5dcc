# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The script of `./dev gpu` as far as it goes without a GPU: the code of all ten graphs is made."""

import os
import subprocess
import sys
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "bench" / "sdfg_gpu.py"


class Script(unittest.TestCase):
    def test_makes_code_and_says_what_is_missing(self):
        environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"}
        done = subprocess.run([sys.executable, SCRIPT, "--until", "build"], capture_output=True, text=True, env=environment)
        rows = [line for line in done.stdout.splitlines() if " kernels" in line]
        self.assertEqual(len(rows), 10, done.stdout + done.stderr)
        self.assertFalse([row for row in rows if " 0 kernels" in row])
        if "no CUDA compiler" in done.stdout:
            self.assertEqual(done.returncode, 77)


if __name__ == "__main__":
    unittest.main()
