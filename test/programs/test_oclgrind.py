# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of a handful of programs under oclgrind, which sees accesses outside of buffers, races and misuse of the interface.

Its exit status says nothing; its log is empty if all went well. It does not see what the optimizer of its old LLVM makes, so that is off.
"""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import check

BUILD = Path(os.environ.get("FERRY_BUILD", Path(__file__).parents[2] / "build"))
LOADER = "/usr/lib/oclgrind/liboclgrind-rt-icd.so"
PROGRAMS = ["chain", "filter", "frontier", "histogram", "index_on_the_device", "matrix_powers", "narrow_numbers", "rows",
            "scalar_on_the_device", "scan_then_loop", "swap", "transposed"]  # fmt: skip

RACE = """
__kernel void race(__global int *to) { to[0] = get_global_id(0); }
__kernel void beyond(__global int *to) { to[get_global_id(0) + 1] = 1; }
"""


class UnderOclgrind(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.log = Path(self.folder.name) / "log"

    def under_oclgrind(self, tool, options, command, text=""):
        """The finished process and what the log says."""
        environment = dict(os.environ, PATH=f"{BUILD}{os.pathsep}{os.environ['PATH']}", OCL_ICD_VENDORS=LOADER)
        self.log.unlink(missing_ok=True)
        run = subprocess.run([tool, "--data-races", *options, "--log", str(self.log), *command], input=text, capture_output=True, text=True,
                             timeout=120, check=False, env=environment)  # fmt: skip
        return run, self.log.read_text(encoding="utf-8") if self.log.exists() else ""

    def test_it_sees_what_is_wrong(self):
        source = Path(self.folder.name) / "broken.cl"
        source.write_text(RACE, encoding="ascii")
        for kernel, said in (("race", "data race"), ("beyond", "Invalid write")):
            simulation = Path(self.folder.name) / "broken.sim"
            simulation.write_text(f"{source} {kernel} 4 1 1 4 1 1 <size=16 fill=0>\n", encoding="ascii")
            _, log = self.under_oclgrind("oclgrind-kernel", [], [str(simulation)])
            self.assertIn(said, log)

    def cases(self, program):
        """(entry, input) of the smaller cases of a program, and what each must print."""
        for block in check.blocks(program):
            for entry in re.search(r"entry:(.*)", block)[1].split():
                for case in check.CASE.finditer(block):
                    text = check.expanded(case["input"])
                    if len(text) < 500 and not re.search(r"\d{4}i64", text):
                        yield entry, text

    def test_programs(self):
        count = 0
        for name in PROGRAMS:
            program = str(Path(__file__).parent / f"{name}.fut")
            for entry, text in self.cases(program):
                what = f"{name}, {entry} {{{text}}}"
                host = subprocess.run([BUILD / "ferry", "run", program, "-e", entry, "--device", "host"], input=text, capture_output=True,
                                      text=True, timeout=60, check=False)  # fmt: skip
                command = ["ferry", "run", program, "-e", entry, "--device", "opencl:Oclgrind", "--plan", "soacs-on-device"]
                run, log = self.under_oclgrind("oclgrind", ["--check-api", "--build-options", "-cl-opt-disable"], command, text)
                self.assertEqual(log.strip(), "", what)
                self.assertEqual(run.returncode, host.returncode, f"{what}: {run.stderr}")
                check.compare(run.stdout, host.stdout, what)
                count += 1
        self.assertGreater(count, 2 * len(PROGRAMS))


if __name__ == "__main__":
    unittest.main()
