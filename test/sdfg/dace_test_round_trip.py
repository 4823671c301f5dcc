# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading a graph and writing it again is the identity: to DaCe 1.0.2, and in its bytes. What is changed through the model
is what DaCe takes."""

import gzip
import subprocess
import tempfile
import unittest
from pathlib import Path

import corpus
import dace


def run(command, pairs):
    subprocess.run(["ferry-sdfg-test", command, *(str(path) for pair in pairs for path in pair)], check=True)


class RoundTrip(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def test_identity(self):
        pairs = [(path, self.folder / path.name) for path in sorted(corpus.folder().iterdir())]
        self.assertEqual(len(pairs), 3 * len(corpus.programs()))
        run("copy", pairs)
        for before, after in pairs:
            with self.subTest(before.stem):
                self.assertEqual(before.read_bytes(), after.read_bytes())
                ours = dace.SDFG.from_file(str(after))
                ours.validate()
                self.assertEqual(dace.SDFG.from_file(str(before)).hash_sdfg(), ours.hash_sdfg())
                ours.save(str(after))

    def test_compressed(self):
        before, after = self.folder / "a.sdfgz", self.folder / "b.sdfgz"
        graph = corpus.graphs()["jacobi", "simplified"]
        graph.save(str(before), compress=True)
        run("copy", [(before, after)])
        self.assertEqual(after.read_bytes()[:2], b"\x1f\x8b")
        self.assertEqual(gzip.decompress(before.read_bytes()), gzip.decompress(after.read_bytes()))
        self.assertEqual(dace.SDFG.from_file(str(after)).hash_sdfg(), dace.SDFG.from_file(str(before)).hash_sdfg())

    def test_changed(self):
        pairs = [(path, self.folder / path.name) for path in sorted(corpus.folder().glob("*-simplified.sdfg"))]
        run("prepend", pairs)
        for before, after in pairs:
            with self.subTest(before.stem):
                changed = dace.SDFG.from_file(str(after))
                changed.validate()
                self.assertEqual(changed.number_of_nodes(), dace.SDFG.from_file(str(before)).number_of_nodes() + 1)
                self.assertEqual(changed.start_block.label, "first")
                changed.save(str(after))
                run("copy", [(after, after)])
                dace.SDFG.from_file(str(after)).validate()


if __name__ == "__main__":
    unittest.main()
