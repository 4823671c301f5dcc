# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ferry run` of a program that it has compiled before: the same in every respect, and without the compiler."""

import hashlib
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

PROGRAM = """import "scale"

#[cpu_function]
def last [n] (xs: [n]i64) : i64 = xs[n - 1]

entry main [n] (xs: [n]i64) (d: i64) : ([n]i64, i64) =
  let ys = map (\\x -> scale x / d) xs
  in (ys, last ys)

entry warned [n] (xs: [n]i64) = map (\\x -> let y = last (replicate 2 x) in y) xs
"""
SCALE = "def scale (x: i64) : i64 = 10 * x\n"
INPUT, OUTPUT = "[1i64, 2i64, 3i64] 2i64", "[5i64, 10i64, 15i64]\n15i64\n"


class Cache(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.cache = self.folder / "cache" / "ferry"
        self.program = self.folder / "program.fut"
        self.program.write_text(PROGRAM, encoding="utf-8")
        (self.folder / "scale.fut").write_text(SCALE, encoding="utf-8")

    def start(self, *arguments, **settings):
        environment = dict(os.environ, FERRY_CACHE=str(self.cache), **settings)
        return subprocess.Popen(["ferry", "run", str(self.program), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, env=environment)  # fmt: skip

    def ferry(self, *arguments, text=INPUT, **settings):
        """The exit status, what it printed, and whether it loaded the compiler."""
        trace = self.folder / "trace"
        with self.start(*arguments, LD_DEBUG="files", LD_DEBUG_OUTPUT=str(trace), **settings) as run:
            out, err = run.communicate(text)
        loaded = ""
        for part in self.folder.glob("trace.*"):
            loaded += part.read_text(encoding="utf-8")
            part.unlink()
        self.assertIn("libc.so", loaded)
        return run.returncode, out, err, "libMLIR" in loaded

    def files(self):
        return sorted(self.cache.glob("*")) if self.cache.exists() else []

    def assert_right(self, compiled, *arguments, **settings):
        self.assertEqual(self.ferry(*arguments, **settings), (0, OUTPUT, "", compiled))

    def test_second_run_does_not_compile(self):
        self.assert_right(True)
        self.assertEqual(len(self.files()), 2)
        for file in self.files():
            self.assertRegex(file.name, "^[0-9a-f]{64}$")
        self.assert_right(False)
        # Code for the host alone is for any arguments; a plan is for theirs.
        self.assertEqual(self.ferry(text="[4i64] 2i64"), (0, "[20i64]\n20i64\n", "", False))

    def test_what_a_plan_depends_on(self):
        for change in ((), ("--machine", "pcie4"), ("--plan", "all-device"), ("--pin", "last=host"), ("--explain",), ("--assume", "n=3")):
            status, out, explained, compiled = self.ferry("--device", "sim", *change)
            self.assertEqual((status, out, compiled), (0, OUTPUT, True), explained)
            self.assertEqual(self.ferry("--device", "sim", *change), (0, OUTPUT, explained, False))
        self.assertTrue(self.ferry("--device", "sim", text="[1i64, 2i64] 2i64")[3])
        self.assertTrue(self.ferry("--device", "sim", text="[1i64, 2i64, 3i64] 1i64")[3])
        self.assert_right(True, "--device", "opencl")
        self.assert_right(False, "--device", "opencl")

    def test_reports(self):
        reports = [self.folder / "first.json", self.folder / "second.json"]
        for report in reports:
            self.assert_right(report == reports[0], "--device", "sim", "--report", str(report))
        first, second = (report.read_text(encoding="utf-8") for report in reports)
        self.assertEqual(first, second)
        self.assertIn('"exact": true', first)
        observed = ("--observed", str(reports[0]))
        self.assert_right(True, *observed)
        self.assert_right(False, *observed)
        reports[0].write_text(first + " ", encoding="utf-8")
        self.assert_right(True, *observed)

    def test_changed_sources(self):
        self.assert_right(True)
        (self.folder / "scale.fut").write_text(SCALE.replace("10", "20"), encoding="utf-8")
        self.assertEqual(self.ferry(), (0, "[10i64, 20i64, 30i64]\n30i64\n", "", True))
        self.program.write_text(PROGRAM.replace("/ d", "+ d"), encoding="utf-8")
        self.assertEqual(self.ferry(), (0, "[22i64, 42i64, 62i64]\n62i64\n", "", True))
        (self.folder / "scale.fut").unlink()
        status, out, err, compiled = self.ferry()
        self.assertEqual((status, out, compiled), (1, "", True))
        self.assertIn("cannot read the imported file", err)

    def test_messages(self):
        failing = self.ferry(text="[1i64] 0i64")
        self.assertEqual(failing[:2], (1, ""))
        self.assertIn("program.fut:7:23: error: division by zero\n  let ys", failing[2])
        self.assertEqual(self.ferry(text="[1i64] 0i64"), failing[:3] + (False,))
        arguments = ("-e", "warned", "--device", "sim")
        warned = self.ferry(*arguments, text="[1i64]")
        self.assertEqual(warned[:2], (0, "[1i64]\n"))
        self.assertIn("warning:", warned[2])
        self.assertEqual(self.ferry(*arguments, text="[1i64]"), warned[:3] + (False,))
        # Another shape compiles again, and warns once.
        self.assertEqual(self.ferry(*arguments, text="[1i64, 2i64]")[2], warned[2])

    def test_damaged_files(self):
        self.assert_right(True)
        whole = {file: file.read_bytes() for file in self.files()}
        for damage in (lambda b: b[:-1], lambda b: b[:20], lambda b: b"", lambda b: b[:-9] + bytes([b[-9] ^ 1]) + b[-8:]):
            for file, content in whole.items():
                file.write_bytes(damage(content))
            self.assert_right(True)
            self.assertEqual({file: file.read_bytes() for file in self.files()}, whole)
        first, second = whole
        first.write_bytes(whole[second])  # whole, but another's
        second.write_bytes(whole[first])
        self.assert_right(True)
        self.assertEqual({file: file.read_bytes() for file in self.files()}, whole)

    def test_code_that_cannot_be_loaded(self):
        """Whole, but for another processor, or in need of libraries that are newer than those here: it is made again."""
        self.assert_right(True)
        whole = {file: file.read_bytes() for file in self.files()}
        (file,) = (file for file, content in whole.items() if b"\x7fELF" in content)
        header = len(b"ferry cache 1\n") + 32
        code = whole[file].index(b"\x7fELF", header)
        for place, byte in ((18, 0xF3), (0, 0), (5, 2)):  # the processor, the format, the order of bytes
            content = bytearray(whole[file][header:])
            content[code - header + place] = byte
            file.write_bytes(b"ferry cache 1\n" + hashlib.sha256(file.name.encode() + content).digest() + content)
            self.assert_right(True)
            self.assertEqual({file: file.read_bytes() for file in self.files()}, whole)
        self.assert_right(False)

    @unittest.skipIf(os.geteuid(), "only root can give files away")
    def test_files_of_others(self):
        self.assert_right(True)
        for file in self.files():
            os.chown(file, 12345, 12345)
            file.chmod(0o644)
        self.assert_right(True)
        self.assertEqual({file.stat().st_uid for file in self.files()}, {0}, "they are replaced")
        self.assert_right(False)

    def test_folders_that_cannot_be(self):
        (self.folder / "file").write_text("", encoding="utf-8")
        for folder in ("/proc/none", str(self.folder / "file" / "ferry")):
            self.cache = folder
            self.assertEqual(self.ferry(), (0, OUTPUT, "", True))
        self.cache = ""
        self.assert_right(True)
        self.assert_right(True)
        self.assertEqual({entry.name for entry in self.folder.iterdir()}, {"program.fut", "scale.fut", "file"})

    def test_usual_folders(self):
        for settings, folder in (({"XDG_CACHE_HOME": str(self.folder / "xdg")}, "xdg/ferry"), ({"XDG_CACHE_HOME": "", "HOME": str(self.folder)}, ".cache/ferry")):
            environment = {name: value for name, value in os.environ.items() if name != "FERRY_CACHE"}
            subprocess.run(["ferry", "run", str(self.program)], input=INPUT, text=True, env=dict(environment, **settings), check=True, capture_output=True)
            self.assertEqual(len(list((self.folder / folder).iterdir())), 2)

    def test_limit(self):
        (self.folder / "cache").mkdir()
        self.cache.mkdir()
        (self.cache / "not-ours").write_bytes(bytes(100_000))
        self.assert_right(True)
        size = sum(file.stat().st_size for file in self.files() if re.fullmatch("[0-9a-f]{64}", file.name))
        limit = str(2 * size)
        for d in range(2, 8):
            self.assertEqual(self.ferry("--device", "sim", text=f"[2i64] {d}i64", FERRY_CACHE_LIMIT=limit)[0], 0)
            kept = [file for file in self.files() if file.name != "not-ours"]
            self.assertLessEqual(sum(file.stat().st_size for file in kept), 2 * size)
            self.assertGreater(len(kept), 1)
        self.assertTrue((self.cache / "not-ours").exists())
        self.assertFalse(self.ferry("--device", "sim", text="[2i64] 7i64")[3])

    def test_at_the_same_time(self):
        runs = [self.start() for _ in range(6)]
        for run in runs:
            with run:
                self.assertEqual(run.communicate(INPUT), (OUTPUT, ""))
        self.assertEqual(len(self.files()), 2)
        self.assert_right(False)


if __name__ == "__main__":
    unittest.main()
