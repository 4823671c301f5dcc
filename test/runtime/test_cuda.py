# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The host side of a CUDA device, on the fake driver of cuda_fake/, which interprets the kernels and does everything as late as it can.

Whatever call of it fails, a run ends with its results or with one message; nothing hangs, nothing is kept.
"""

import os
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

from drivers import BUILD, INPUT, LATER_OUTPUT, OUTPUT, OnDriver

MORE = """
entry first [n] (xs: *[n]i64) (x: i64) : *[n]i64 = xs with [0] = x

entry found [n] (xs: [n]i64) (is: [n]i64) : [n]i64 = map (\\i -> xs[i]) is

entry rows [n] (xs: [n]f64) : [n]f64 = map (\\x -> let ys = scan (+) 0 (replicate 3 x) in ys[2] - ys[0]) xs
"""


class Cuda(OnDriver, unittest.TestCase):
    DRIVER, PREFIX, DEVICE, LEAST_CALLS, MORE = "cuda_fake", "FERRY_CUDA_", "cuda", 50, MORE

    @classmethod
    def setUpClass(cls):
        cls.log = tempfile.NamedTemporaryFile("r", encoding="ascii")
        cls.settings = {"FERRY_CUDA_LOG": cls.log.name}
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.log.close()

    def logged(self):
        """The driver's calls, each with its number if it has one."""
        return Path(self.log.name).read_text(encoding="ascii").splitlines()

    # ---- Faults

    def test_a_gpu_that_is_lost(self):
        self.run_with()
        first_release = next(i for i, call in enumerate(self.logged()) if call.startswith("cuMemFree"))
        refused = sum(self.assert_clear(f"{call}+") for call in range(1, self.calls, 4))
        self.assertGreaterEqual(refused, first_release // 4 - 1)

    # ---- Failures of programs

    def test_the_lowest_items_failure_is_the_runs(self):
        numbers = [*range(600)]
        numbers[300], numbers[17], numbers[500] = -3, 700, 800
        run, _, kept = self.run_with(f"{numbers_text(range(600))} {numbers_text(numbers)}", ["-e", "found"])
        self.assertEqual((run.returncode, run.stdout, kept), (1, "", 0))
        self.assertIn("Index [700] out of bounds for array of shape [600]", run.stderr)

    def test_limited_memory(self):
        run, _, kept = self.run_with(numbers_text(range(1000)) + " 2i64", ["--device-memory", "10K"])
        self.assertEqual((run.returncode, run.stdout, kept), (1, "", 0))
        self.assertRegex(run.stderr, "error: not enough device memory for .ys.: .* of 10240 are free; resident: .xs.")

    # ---- Order

    def test_orders_change_nothing(self):
        for seed in range(1, 6):
            run, _, kept = self.run_with(FERRY_CUDA_ORDER=str(seed))
            self.assert_right(run, kept)
            run, _, kept = self.run_with(arguments=["-e", "later"], FERRY_CUDA_ORDER=str(seed))
            self.assert_right(run, kept, LATER_OUTPUT)

    def test_large_arrays_go_through_pinned_memory(self):
        count = 1_700_000
        array = b"b\2\1 i64" + struct.pack("<q", count) + b"".join(i.to_bytes(8, "little") for i in range(count))
        for order in ("", "1"):
            run, _, kept = self.run_with(array + b"\n77i64", ["-e", "first", "-b"], plan="all-device", FERRY_CUDA_ORDER=order)
            self.assertEqual((run.returncode, kept), (0, 0), run.stderr)
            self.assertEqual(run.stdout, array[:15] + (77).to_bytes(8, "little") + array[23:])
            copies = [int(call.split()[1]) for call in self.logged() if call.startswith("cuMemcpyDtoHAsync") and not call.endswith(" 64")]
            self.assertEqual(copies, [1 << 22] * 3 + [8 * count - 3 * (1 << 22)])

    def test_an_upload_does_not_wait_for_kernels_that_have_nothing_to_do_with_it(self):
        self.run_with(f"{numbers_text(range(9))} {numbers_text(range(9))}", ["-e", "found"])
        calls = [call.split("_")[0].split()[0] for call in self.logged()]
        first, second = (i for i, call in enumerate(calls) if call == "cuMemcpyHtoDAsync")
        self.assertNotIn("cuStreamWaitEvent", calls[first:second])
        launch = calls.index("cuLaunchKernel")
        self.assertIn("cuStreamWaitEvent", calls[second:launch])  # the kernel waits for what it reads
        self.assertNotIn("cuStreamSynchronize", calls[:launch])

    def test_the_host_waits_for_a_download_where_it_uses_it(self):
        self.run_with(arguments=["-e", "later"])
        calls = [call.split("_")[0].split()[0] for call in self.logged()]
        launches = [i for i, call in enumerate(calls) if call == "cuLaunchKernel"]
        self.assertIn("cuMemcpyDtoHAsync", calls[launches[0]:launches[-1]])
        self.assertNotIn("cuEventSynchronize", calls[launches[0]:launches[-1]])

    def test_items_with_arrays_of_their_own(self):
        run, _, kept = self.run_with("[1f64, 2f64, 3f64, 4f64, 5f64, 6f64, 7f64, 8f64, 9f64, 10f64]", ["-e", "rows"])
        self.assert_right(run, kept, "[2.0f64, 4.0f64, 6.0f64, 8.0f64, 10.0f64, 12.0f64, 14.0f64, 16.0f64, 18.0f64, 20.0f64]\n")

    # ---- Devices

    def test_devices_are_listed_and_named(self):
        environment = dict(os.environ, LD_LIBRARY_PATH=str(BUILD / "test" / "runtime" / "cuda_fake"))
        listed = subprocess.run([BUILD / "ferry", "devices"], capture_output=True, text=True, check=True, env=environment).stdout
        self.assertIn("  cuda:0    Fake GPU, a GPU, 1 GiB (compute capability 8.0)\n", listed)
        for device in ("cuda:0", "cuda:Fake", "cuda:GPU"):
            run, _, kept = self.run_with(device=device)
            self.assert_right(run, kept)
        for device, message in (("cuda:1", "there is no CUDA device 1; they are numbered from 0 to 0"),
                                ("cuda:Real", "no CUDA device has 'Real' in its name; `ferry devices` lists them")):  # fmt: skip
            run, _, kept = self.run_with(device=device)
            self.assertEqual((run.returncode, run.stderr, kept), (1, f"ferry: error: {message}\n", 0))

    def test_older_and_newer_gpus(self):
        for capability in (70, 89, 90, 103, 250):
            run, _, kept = self.run_with(FERRY_CUDA_CAPABILITY=str(capability))
            self.assert_right(run, kept)
        run, _, kept = self.run_with(FERRY_CUDA_CAPABILITY="61")
        self.assertEqual((run.returncode, kept), (1, 0))
        self.assertIn("error: Fake GPU: its compute capability is below 7.0", run.stderr)

    def test_without_a_driver(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "libcuda.so.1").write_text("no library")
            environment = dict(os.environ, LD_LIBRARY_PATH=folder)
            command = [BUILD / "ferry", "run", self.program, "--device", "cuda"]
            run = subprocess.run(command, input=INPUT, capture_output=True, text=True, check=False, env=environment)
        self.assertEqual((run.returncode, run.stderr), (1, "ferry: error: NVIDIA's driver is not installed (libcuda.so.1)\n"))


def numbers_text(numbers) -> str:
    return "[" + ", ".join(f"{number}i64" for number in numbers) + "]"


if __name__ == "__main__":
    unittest.main()
