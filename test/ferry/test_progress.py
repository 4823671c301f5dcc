# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A stage that takes long is named on a terminal, and nowhere else. Here it is the wait for arguments."""

import os
import pty
import subprocess
import tempfile
import time
import unittest
from pathlib import Path


class Progress(unittest.TestCase):
    def run_with(self, standard_error):
        """Standard output, and the error stream if it is a pipe, of a run that gets its argument late."""
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "next.fut"
            program.write_text("entry main (n: i64) : i64 = n + 1\n", encoding="utf-8")
            with subprocess.Popen(["ferry", "run", str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=standard_error) as run:
                time.sleep(3)
                return run.communicate(b"3i64")

    def test_on_a_terminal(self):
        mine, theirs = pty.openpty()
        out, _ = self.run_with(theirs)
        os.close(theirs)
        self.assertRegex(os.read(mine, 4096).decode(), r"^ferry: [a-z ]+, 2 s\r\n")
        os.close(mine)
        self.assertEqual(out, b"4i64\n")

    def test_elsewhere(self):
        self.assertEqual(self.run_with(subprocess.PIPE), (b"4i64\n", b""))


if __name__ == "__main__":
    unittest.main()
