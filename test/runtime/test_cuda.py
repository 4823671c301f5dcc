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

BUILD = Path(os.environ.get("FERRY_BUILD", Path(__file__).parents[2] / "build"))

# Uploads, kernels, one that fails on demand, a peek, a scalar that stays on the device, downloads.
PROGRAM = """
entry main [n] (xs: [n]i64) (d: i64) : ([n]i64, i64) =
  let ys = map (\\x -> x / d + 1) xs
  let s = i64.sum ys
  in (map (\\y -> y * s) ys, ys[n - 1])

entry first [n] (xs: *[n]i64) (x: i64) : *[n]i64 = xs with [0] = x

entry found [n] (xs: [n]i64) (is: [n]i64) : [n]i64 = map (\\i -> xs[i]) is

entry rows [n] (xs: [n]f64) : [n]f64 = map (\\x -> let ys = scan (+) 0 (replicate 3 x) in ys[2] - ys[0]) xs
"""
INPUT, OUTPUT = "[4i64, 6i64, 9i64] 2i64", "[36i64, 48i64, 60i64]\n5i64\n"


class Cuda(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.program = Path(cls.folder.name) / "program.fut"
        cls.program.write_text(PROGRAM, encoding="utf-8")
        cls.log = Path(cls.folder.name) / "log"
        _, cls.calls, _ = cls.run_with(cls)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_with(self, text=INPUT, arguments=(), device="cuda", plan="soacs-on-device", **settings):
        """The finished process, how many calls of the driver there were, and how many objects it did not give back."""
        report = Path(self.folder.name) / "report"
        report.unlink(missing_ok=True)
        environment = dict(os.environ, FERRY_CACHE="", LD_LIBRARY_PATH=str(BUILD / "test" / "runtime" / "cuda_fake"), FERRY_CUDA_REPORT=str(report),
                           FERRY_CUDA_LOG=str(self.log), **settings)  # fmt: skip
        command = [str(BUILD / "ferry"), "run", str(self.program), "--device", device, "--plan", plan, *arguments]
        text = text if isinstance(text, bytes) else text.encode("ascii")
        run = subprocess.run(command, input=text, capture_output=True, timeout=60, check=False, env=environment)
        calls, kept = map(int, report.read_text(encoding="ascii").split()) if report.exists() else (0, 0)
        if "-b" not in arguments:
            run.stdout, run.stderr = run.stdout.decode("utf-8"), run.stderr.decode("utf-8")
        return run, calls, kept

    def logged(self):
        """The driver's calls, each with its number if it has one."""
        return self.log.read_text(encoding="ascii").splitlines()

    def assert_right(self, run, kept, output):
        self.assertEqual((run.returncode, run.stdout, kept), (0, output, 0), run.stderr)

    # ---- Faults

    def assert_clear(self, fault):
        run, _, kept = self.run_with(FERRY_CUDA_FAULT=fault)
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
        self.assert_right(run, kept, OUTPUT)
        self.assertEqual(calls, self.calls)
        self.assertGreater(calls, 50)

    def test_each_call_in_turn(self):
        refused = sum(self.assert_clear(str(call)) for call in range(1, self.calls + 1))
        self.assertGreater(refused, self.calls // 2)

    def test_a_gpu_that_is_lost(self):
        self.run_with()
        first_release = next(i for i, call in enumerate(self.logged()) if call.startswith("cuMemFree"))
        refused = sum(self.assert_clear(f"{call}+") for call in range(1, self.calls, 4))
        self.assertGreaterEqual(refused, first_release // 4 - 1)

    # ---- Failures of programs

    def test_a_failing_program_gives_all_back(self):
        run, _, kept = self.run_with("[4i64, 6i64, 9i64] 0i64")
        self.assertEqual((run.returncode, run.stdout, kept), (1, "", 0))
        self.assertIn("program.fut:3:23: error: division by zero", run.stderr)

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
            self.assert_right(run, kept, OUTPUT)

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
            self.assert_right(run, kept, OUTPUT)
        for device, message in (("cuda:1", "there is no CUDA device 1; they are numbered from 0 to 0"),
                                ("cuda:Real", "no CUDA device has 'Real' in its name; `ferry devices` lists them")):  # fmt: skip
            run, _, kept = self.run_with(device=device)
            self.assertEqual((run.returncode, run.stderr, kept), (1, f"ferry: error: {message}\n", 0))

    def test_older_and_newer_gpus(self):
        for capability in (70, 89, 90, 103, 250):
            run, _, kept = self.run_with(FERRY_CUDA_CAPABILITY=str(capability))
            self.assert_right(run, kept, OUTPUT)
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
