# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading a graph and writing it again is the identity: to DaCe 1.0.2, and in its bytes."""

import contextlib
import gzip
import io
import subprocess
import tempfile
import unittest
from pathlib import Path

import corpus
import dace


def copies(pairs):
    subprocess.run(["ferry-sdfg-copy", *(str(path) for pair in pairs for path in pair)], check=True)


class RoundTrip(unittest.TestCase):
    def test_programs_in_all_forms(self):
        with tempfile.TemporaryDirectory() as folder:
            pairs = []
            for name, program in corpus.programs().items():
                for form, sdfg in corpus.forms(program):
                    path = Path(folder) / f"{name}-{form}.sdfg"
                    sdfg.save(str(path))
                    pairs.append((path, path.with_suffix(".copy.sdfg")))
            copies(pairs)
            for before, after in pairs:
                with self.subTest(before.stem):
                    self.assertEqual(before.read_bytes(), after.read_bytes())
                    self.same_to_dace(before, after)

    def same_to_dace(self, before, after):
        ours = dace.SDFG.from_file(str(after))
        ours.validate()
        self.assertEqual(dace.SDFG.from_file(str(before)).hash_sdfg(), ours.hash_sdfg())
        with contextlib.redirect_stdout(io.StringIO()):
            ours.save(str(after))

    def test_compressed(self):
        with tempfile.TemporaryDirectory() as folder:
            before, after = Path(folder) / "a.sdfgz", Path(folder) / "b.sdfgz"
            corpus.programs()["jacobi"].to_sdfg().save(str(before), compress=True)
            copies([(before, after)])
            self.assertEqual(after.read_bytes()[:2], b"\x1f\x8b")
            self.assertEqual(gzip.decompress(before.read_bytes()), gzip.decompress(after.read_bytes()))
            self.same_to_dace(before, after)


if __name__ == "__main__":
    unittest.main()
