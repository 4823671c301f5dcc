# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The script of `./dev gpu` as far as it goes without a GPU: the code of all ten graphs is made."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "bench" / "sdfg_gpu.py"


class Script(unittest.TestCase):
    def test_makes_code_and_says_what_is_missing(self):
        with tempfile.TemporaryDirectory() as folder:  # with a compiler that is too new, whatever else is there
            compiler = Path(folder, "nvcc")
            compiler.write_text("#!/bin/sh\necho Cuda compilation tools, release 13.0, V13.0.88\n")
            compiler.chmod(0o755)
            environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}
            done = subprocess.run([sys.executable, SCRIPT, "--until", "build"], capture_output=True, text=True, env=environment)
        rows = [line for line in done.stdout.splitlines() if " kernels" in line]
        self.assertEqual(len(rows), 10, done.stdout + done.stderr)
        self.assertFalse([row for row in rows if " 0 kernels" in row])
        self.assertIn("need CUDA 12 or older, and here is release 13.0", done.stdout)
        self.assertEqual(done.returncode, 77)


if __name__ == "__main__":
    unittest.main()
