# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The engine installed alone, and a project outside of Ferry that finds it and links it."""

import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.stdout}{done.stderr}")
    return done.stdout


class Install(unittest.TestCase):
    def test_an_outside_project_finds_the_engine(self):
        with tempfile.TemporaryDirectory() as folder:
            prefix, build = Path(folder) / "prefix", Path(folder) / "build"
            run("cmake", "--install", ROOT / "build", "--prefix", prefix, "--component", "placement")
            installed = {str(f.relative_to(prefix)) for f in prefix.rglob("*") if f.is_file()}
            self.assertFalse([f for f in installed if "mlir" in f.lower()])
            run("cmake", "-S", ROOT / "test" / "placement" / "outside", "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
                "-DCMAKE_CXX_COMPILER=clang++-22")
            run("cmake", "--build", build)
            self.assertEqual(run(build / "outside"), "device 2 copies\n")


if __name__ == "__main__":
    unittest.main()
