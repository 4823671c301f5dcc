# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executables of `ferry build` come to what `ferry run` comes to, take the options of Futhark's executables, and need nothing of Ferry.

Of the programs of test/programs a few are built in every run of the tests, with FERRY_ALL each, for both devices."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "test" / "programs"
BUILD = Path(os.environ.get("FERRY_BUILD", ROOT / "build"))
sys.path.append(str(PROGRAMS))

import check

ALL = bool(os.environ.get("FERRY_ALL"))
FEW = {"sim": ["consumed_argument", "filter", "half_floats", "records", "two_entries"], "opencl": ["histogram"]}

PROGRAM = """entry main [n] (xs: [n]i64) (d: i64) : ([n]i64, i64) =
  let ys = map (/ d) xs
  in (ys, i64.sum ys)
entry index [n] (xs: [n]f32) (i: i64) : f32 = xs[i]
"""


def execute(*command, text="", **options):
    run = subprocess.run([str(part) for part in command], input=text, capture_output=True, text=True, timeout=300, check=False, **options)
    return run.returncode, run.stdout, run.stderr


class Build(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.source = cls.folder / "division.fut"
        cls.source.write_text(PROGRAM, encoding="utf-8")
        cls.program = cls.folder / "division"
        cls.built = execute("ferry", "build", cls.source, "--device", "sim")

    def run_it(self, *arguments, text="[5i64, 6i64] 2i64"):
        return execute(self.program, *arguments, text=text)

    def test_is_named_as_its_source(self):
        self.assertEqual(self.built, (0, "", ""))
        self.assertEqual(self.run_it(), (0, "[2i64, 3i64]\n5i64\n", ""))

    def test_needs_nothing_of_ferry(self):
        libraries = re.findall(r"^\s*(\S+)", execute("ldd", self.program)[1], re.M)
        self.assertLessEqual({name.split(".so")[0].split("/")[-1] for name in libraries},
                             {"linux-vdso", "libm", "libmvec", "libc", "ld-linux-x86-64"})  # fmt: skip
        self.assertEqual(execute(self.program, text="[4] 2", env={}, cwd="/"), (0, "[2i64]\n2i64\n", ""))

    def test_results(self):
        self.assertEqual(self.run_it("-n"), (0, "", ""))
        self.assertEqual(self.run_it("--entry-point=index", text="[1.5f32, 2] 1"), (0, "2.0f32\n", ""))
        binary = subprocess.run([self.program, "-be", "index"], input=b"[1.5] 0", capture_output=True, check=True).stdout
        self.assertEqual(binary, b"b\x02\x00 f32\x00\x00\xc0\x3f\n")
        self.assertEqual(subprocess.run([self.program, "-e", "index"], input=b"b\x02\x01 f32" + (1).to_bytes(8, "little") + binary[7:11] + b" 0i64", capture_output=True, check=True).stdout, b"1.5f32\n")

    def test_times(self):
        times = self.folder / "times"
        for arguments, count in (((), 1), (("-r", "3"), 3), (("--runs=2",), 2)):
            self.assertEqual(self.run_it("-n", "-t", times, *arguments), (0, "", ""))
            self.assertRegex(times.read_text(encoding="ascii"), rf"^(\d+\n){{{count}}}$")
        self.assertEqual(self.run_it("-t", "/proc/none"), (1, "", f"{self.program}: cannot open /proc/none: No such file or directory\n"))

    def test_logs(self):
        for arguments, runs in (("-L", 1), ("-D", 1), ("-Lr2", 3), ("-P", 0)):
            status, out, err = self.run_it(arguments)
            self.assertEqual((status, out), (0, "[2i64, 3i64]\n5i64\n"))
            self.assertRegex(err, r"\d+ uploads \(\d+ bytes\).* \d+ launches\n")
            self.assertEqual(err.count("run of main: "), runs)

    def test_devices(self):
        self.assertIn("0 uploads (0 bytes)", self.run_it("-d", "host", "-L")[2])
        self.assertEqual(self.run_it("--device", "sim", "--threads", "1")[:2], (0, "[2i64, 3i64]\n5i64\n"))
        status, _, err = self.run_it("-d", "opencl")
        self.assertEqual((status, err), (1, f"{self.program}: --device: this program runs on the host and on sim, not on 'opencl'; `ferry build --device` chooses\n"))
        self.assertEqual(execute("ferry", "run", self.source, "--threads", "3", text="[4] 2"), (0, "[2i64]\n2i64\n", ""))
        self.assertEqual(execute("ferry", "run", self.source, "--threads", "0", text="[4] 2")[:2], (2, ""))
        soacs = self.folder / "soacs"
        self.assertEqual(execute("ferry", "build", self.source, "-o", soacs, "-e", "main", "--plan", "soacs-on-device")[0], 0)
        status, _, err = execute(soacs, "--device-memory", "100", text=f"[{'1,' * 100}] 1")
        self.assertEqual(status, 1)
        self.assertIn("device memory", err)
        self.assertEqual(execute(soacs, "-e", "index")[0], 1)

    def test_errors(self):
        for arguments, text, message in (
            ((), "[1] 0", f"{self.source}:2:16: error: division by zero"),
            (("-d", "host"), "[1] 0", f"{self.source}:2:16: error: division by zero"),
            (("-e", "index"), "[1] 1", f"{self.source}:4:47: error: Index [1] out of bounds for array of shape [1]."),
            ((), "[1]", "<stdin>:1:4: error: no more values"),
            ((), "[1] 2 3", "<stdin>:1:7: error: more values than 'main' has parameters, 2"),
            (("-e", "none"), "", "no entry point 'none'. Select another with --entry-point. Options are:\nmain\nindex\n"),
            (("-x",), "", "unknown option: -x\n"),
            (("--nothing",), "", "unknown option: --nothing\n"),
            (("-e",), "", "missing argument for option -e\n"),
            (("--runs",), "", "missing argument for option --runs\n"),
            (("-r", "0"), "", "need a positive number of runs, not 0\n"),
            (("-r", "2x"), "", "need a positive number of runs, not 2x\n"),
            (("--threads=no",), "", "need a positive number of threads, not no\n"),
            (("--device-memory=lots",), "", "--device-memory: 'lots' is no number of bytes, such as 512M\n"),
            (("--param=n=3",), "", "unknown parameter: n\n"),
            (("--tuning=/proc/none",), "", "cannot open /proc/none: No such file or directory\n"),
            (("--tuning=/proc/loadavg",), "", "when loading tuning from '/proc/loadavg': unknown parameter: "),
            (("more",), "", "excess non-option: more\n"),
        ):
            status, out, err = self.run_it(*arguments, text=text)
            self.assertEqual((status, out), (1, ""), err)
            self.assertTrue(err.startswith(f"{self.program}: {message}"), err)

    def test_help(self):
        status, out, err = self.run_it("--help")
        self.assertEqual((status, err), (0, ""))
        self.assertTrue(out.startswith(f"Usage: {self.program} [OPTION]...\n"))
        self.assertEqual(self.run_it("--print-params"), (0, "", ""))
        self.assertEqual(self.run_it("--tuning=/dev/null", "-n"), (0, "", ""))

    def test_processors(self):
        """Code for any processor has nothing of what only some can do; code for another one is refused before it runs."""
        source, program = self.folder / "map.fut", self.folder / "map"
        source.write_text("entry main [n] (xs: [n]f32) = map (\\x -> x * x + 1) xs", encoding="utf-8")
        wide = {}
        for cpu in ("x86-64", "x86-64-v3"):
            self.assertEqual(execute("ferry", "build", source, "-o", program, "--cpu", cpu), (0, "", ""))
            wide[cpu] = "%ymm" in execute("/usr/lib/llvm-22/bin/llvm-objdump", "-d", "--no-show-raw-insn", program)[1]
            if cpu == "x86-64" or "avx2" in Path("/proc/cpuinfo").read_text(encoding="ascii"):
                self.assertEqual(execute(program, text="[3]"), (0, "[10.0f32]\n", ""))
        self.assertEqual(wide, {"x86-64": False, "x86-64-v3": True})
        content = program.read_bytes()
        feature = b"\x04" + bytes(7) + b"avx2"
        self.assertEqual(content.count(feature), 1)
        program.write_bytes(content.replace(feature, feature[:-4] + b"avx9"))
        status, out, err = execute(program, text="[3]")
        self.assertEqual((status, out), (1, ""))
        self.assertRegex(err, f"^{program}: this program was built for a processor that has .*avx9, and this one has not; `ferry build --cpu x86-64` builds for all\n$")

    def test_where_ferry_is_installed(self):
        place = self.folder / "installed"
        self.assertEqual(execute("cmake", "--install", BUILD, "--prefix", place)[0], 0)
        ferry = place / "bin" / "ferry"
        self.assertEqual(execute(ferry, "run", self.source, text="[4] 2", env=dict(os.environ, FERRY_CACHE="")), (0, "[2i64]\n2i64\n", ""))
        self.assertEqual(execute(ferry, "build", self.source, "-o", self.folder / "there"), (0, "", ""))
        (place / "lib" / "ferry" / "libferry-standalone.a").unlink()
        self.assertIn("the run-time for executables is not where ferry is installed", execute(ferry, "build", self.source, "-o", self.folder / "there")[2])
        (place / "lib" / "ferry" / "ferry-compiler.so").unlink()
        self.assertIn("ferry: error: the compiler cannot be loaded: there is no ferry-compiler.so", execute(ferry, "check", self.source)[2])

    def test_what_cannot_be_built(self):
        output = self.folder / "old"
        output.write_text("as it was", encoding="utf-8")
        wrong = self.folder / "wrong.fut"
        wrong.write_text("entry main (x: i64) = x + true", encoding="utf-8")
        empty = self.folder / "empty.fut"
        empty.write_text("def f (x: i64) = x", encoding="utf-8")
        nothing = self.folder / "nothing"
        nothing.mkdir(exist_ok=True)
        for arguments, environment, status, message in (
            ((wrong,), {}, 1, "wrong.fut:1:27: error: the right operand of '+' has type 'bool'"),
            ((empty,), {}, 1, "empty.fut: error: there is no entry point"),
            ((self.source, "-e", "none"), {}, 1, "division.fut: error: there is no entry point 'none'"),
            ((self.folder / "gone.fut",), {}, 1, "gone.fut: error: cannot read the file"),
            ((self.source, "--device", "opencl:0"), {}, 2, "ferry: error: --device: 'opencl:0' is one of several"),
            ((self.source, "--cpu", "pentium4"), {}, 2, "ferry: error: --cpu: LLVM knows no processor 'pentium4' of this architecture; x86-64 is any, native the one that is here"),
            ((self.source, "--cpu", "nothing"), {}, 2, "ferry: error: --cpu: LLVM knows no processor 'nothing' of this architecture"),
            ((self.source, "--plan", "none"), {}, 2, "ferry: error: --plan: "),
            ((self.source,), {"PATH": str(nothing)}, 1, "ferry: error: `ferry build` links with the machine's C++ compiler, and there is no c++"),
            ((self.source,), {"CXX": "no-such-compiler"}, 1, "ferry: error: CXX names 'no-such-compiler', which is no program"),
            ((self.source,), {"CXX": "false"}, 1, "cannot link the executable: "),
        ):
            ferry = execute("sh", "-c", "command -v ferry")[1].strip()
            found = execute(ferry, "build", *arguments, "-o", output, env=dict(os.environ, **environment))
            self.assertEqual(found[:2], (status, ""), found[2])
            self.assertIn(message, found[2])
            self.assertEqual(output.read_text(encoding="utf-8"), "as it was")
        status, _, err = execute("ferry", "build", self.source, "-o", "/proc/none/program")
        self.assertEqual(status, 1)
        self.assertIn("/proc/none/program: cannot write the executable", err)
        self.assertEqual({file.name for file in self.folder.glob("old*")}, {"old"}, "what is unfinished is removed")


class Programs(unittest.TestCase):
    def cases(self, source):
        """Each entry with each input that has a result or an error."""
        for block in check.blocks(source):
            entries = re.search(r"entry:(.*)", block)
            for entry in entries[1].split() if entries else ():
                for case in check.CASE.finditer(block):
                    yield entry, case

    def check_program(self, name, device):
        source = PROGRAMS / f"{name}.fut"
        cases = list(self.cases(source))
        if not cases:
            return
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / name
            self.assertEqual(execute("ferry", "build", source, "-o", program, "--device", device), (0, "", ""))
            for entry, case in cases:
                text = check.expanded(case["input"])
                wanted = execute("ferry", "run", source, "-e", entry, "--device", "host", text=text)
                for where in ("host", device):
                    what = f"{name}, {entry} {{{case['input']}}} ({where})"
                    status, out, err = execute(program, "-e", entry, "-d", where, text=text)
                    self.assertEqual(status, wanted[0], what + err)
                    check.compare(out, wanted[1], what)
                    if case["error"]:
                        self.assertRegex(err, case["error"], what)

    def test_programs(self):
        everything = sorted(path.stem for path in PROGRAMS.glob("*.fut"))
        for device, few in FEW.items():
            for name in everything if ALL else few:
                with self.subTest(program=name, device=device):
                    self.check_program(name, device)


if __name__ == "__main__":
    unittest.main()
