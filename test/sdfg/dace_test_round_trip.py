# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading a graph and writing it again is the identity: to DaCe 1.0.2, and in its bytes. What is changed through the model
is what DaCe takes."""

import gzip
import subprocess
import tempfile
import unittest
from pathlib import Path

import dace

import judge
from ahead import Ahead
from corpus import PROGRAMS


def kept(key):
    name, form = key
    return judge.file(PROGRAMS[name], form)


def files(keys):
    """Where the graphs are that DaCe makes at all."""
    keys = [(name, form) for name, form in keys if not PROGRAMS[name].refusal(form)]
    ahead = Ahead(kept, keys)
    try:
        return [ahead.result(key) for key in keys]
    finally:
        ahead.close()


def one_of_each_family():
    return [(name, "simplified") for name in {program.family: name for name, program in PROGRAMS.items() if not program.refused}.values()]


class RoundTrip(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def run_on(self, command, paths, suffix):
        pairs = [(path, self.folder / path.with_suffix(suffix).name) for path in paths]
        done = subprocess.run(["ferry-sdfg-test", command, *(path for pair in pairs for path in pair)], capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        return pairs

    def test_same_bytes(self):
        pairs = self.run_on("copy", files(judge.graphs(every=True)), ".sdfg")
        self.assertGreater(len(pairs), 500)
        for before, after in pairs:
            with self.subTest(before.stem):
                self.assertEqual(gzip.decompress(before.read_bytes()), after.read_bytes())

    def test_same_to_dace(self):
        for before, after in self.run_on("copy", files(one_of_each_family()), ".sdfg"):
            with self.subTest(before.stem):
                ours = judge.load(after)
                ours.validate()
                self.assertEqual(judge.load(before).hash_sdfg(), ours.hash_sdfg())
                ours.save(str(after))

    def test_compressed(self):
        [(before, after)] = self.run_on("copy", files([("jacobi_plane", "simplified")]), ".sdfgz")
        self.assertEqual(after.read_bytes()[:2], b"\x1f\x8b")
        self.assertEqual(gzip.decompress(before.read_bytes()), gzip.decompress(after.read_bytes()))
        self.assertEqual(dace.SDFG.from_file(str(after)).hash_sdfg(), dace.SDFG.from_file(str(before)).hash_sdfg())

    def test_changed(self):
        for before, after in self.run_on("prepend", files(one_of_each_family()), ".sdfg"):
            with self.subTest(before.stem):
                changed = judge.load(after)
                changed.validate()
                self.assertEqual(changed.number_of_nodes(), judge.load(before).number_of_nodes() + 1)
                self.assertRegex(changed.start_block.label, "^first")
                changed.save(str(after))
                self.run_on("copy", [after], ".again.sdfg")
                judge.load(after.with_suffix(".again.sdfg")).validate()


if __name__ == "__main__":
    unittest.main()
