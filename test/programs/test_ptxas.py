# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVIDIA's assembler takes the kernels of every program, for two generations of GPUs, and keeps those of benchmarks in registers."""

import os
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import check
import ptxas

BUILD = Path(os.environ.get("FERRY_BUILD", Path(__file__).parents[2] / "build"))


class Assembled(unittest.TestCase):
    def setUp(self):
        os.environ["PATH"] = f"{BUILD}{os.pathsep}{os.environ['PATH']}"
        self.assertTrue(ptxas.assembler(), "no ptxas: PyPI's nvidia-cuda-nvcc-cu12 has it")

    def assemble(self, jobs):
        """The kernels of each (program, entry, architecture)."""

        def one(job):
            try:
                return ptxas.assembled(*job)
            except check.Failure as failure:
                return str(failure)

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = list(pool.map(one, jobs))
        wrong = [text for text in found if isinstance(text, str)]
        self.assertFalse(wrong, "\n".join(wrong))
        return found

    def test_every_program(self):
        programs = sorted(Path(__file__).parent.glob("*.fut"))
        jobs = [(p, entry, arch) for p in programs for entry in ptxas.entries(p) for arch in ptxas.ARCHITECTURES]
        kernels = [kernel for found in self.assemble(jobs) for kernel in found]
        self.assertGreater(len(kernels), 2 * len(programs))

    def test_the_kernels_of_benchmarks_spill_nothing(self):
        programs = sorted((ptxas.ROOT / "bench" / "programs").glob("*.fut"))
        jobs = [(p, entry, arch) for p in programs for entry in ptxas.entries(p) for arch in ptxas.ARCHITECTURES]
        for job, kernels in zip(jobs, self.assemble(jobs)):
            self.assertTrue(kernels, job)
            for kernel in kernels:
                self.assertEqual(kernel.spilled, 0, f"{job}: {kernel}")


if __name__ == "__main__":
    unittest.main()
