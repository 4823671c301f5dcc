# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parts of an array that the host reads or writes between kernels: the box that is touched crosses alone, if DaCe can copy it."""

import unittest

import dace
import numpy as np
from dace import Memlet, nodes

from corpus.shortforms import M, N
from emulate import build, check, rewrite, run, waits
from judge import CACHE, quiet
from placing import place

SMALL = {"M": 4, "N": 20}
ROWS, CUBE = [N, N], [N, N, N]

# What the host touches for each i, j, k from 0, the shape of the array, how many of each, and whether that alone crosses.
PARTS = {
    "box": ("i + 2, j + 3", ROWS, (3, 4), True),
    "column": ("i, 3", ROWS, (8,), True),
    "row": ("5, i", ROWS, (20,), True),
    "backwards": ("N - 1 - i", [N], (8,), True),
    "box of a cube": ("i + 2, j + 3, k + 1", CUBE, (3, 4, 5), True),
    "plane of a cube": ("i + 2, 3, j", CUBE, (3, 4), True),
    "columns of a cube": ("i + 2, j, 6", CUBE, (3, 4), False),
    "as many as a symbol says": ("i + 2", [N], (M,), True),
    "all but the ends": ("i + 1", [N], (N - 2,), True),
    "a block of rows": ("i + M, j", ROWS, (M, N), True),
    "a block": ("i + M, j + 1", ROWS, (M, M), True),
}
GAPS = {  # A write leaves the elements between, so that no box is written; a read takes them along.
    "every second": ("2 * i", [N], (8,), True),
    "a diagonal": ("i, i", ROWS, (8,), True),
    "a grid": ("3 * i + 1, 2 * j", ROWS, (4, 4), True),
}


def touched(index, shape, extents, writes):
    """Kernels before and behind a map of the host, which reads the elements at `index`, or writes them."""
    sdfg = dace.SDFG("part")
    sdfg.add_array("A", shape, dace.float64)
    sdfg.add_array("B", list(extents), dace.float64)
    ranges = {p: f"0:{n}" for p, n in zip("ijk", extents)}
    here, there = f"A[{index}]", f"B[{', '.join(ranges)}]"
    reads, writes = (there, here) if writes else (here, there)
    doubled(sdfg.add_state("first"), "before", shape)
    state = sdfg.add_state_after(sdfg.sink_nodes()[0], "host")
    state.add_mapped_tasklet("host", ranges, {"a": Memlet(reads)}, "b = a + 1", {"b": Memlet(writes)}, external_edges=True)
    doubled(sdfg.add_state_after(state, "last"), "behind", shape)
    return sdfg


def numbers(extents):
    return [int(dace.symbolic.evaluate(extent, SMALL)) for extent in extents]


def doubled(state, label, shape):
    every = {f"e{d}": f"0:{size}" for d, size in enumerate(shape)}
    element = {"x": Memlet(f"A[{', '.join(every)}]")}
    state.add_mapped_tasklet(label, every, {"a": element["x"]}, "b = a * 2", {"b": element["x"]}, external_edges=True)


def copied(box, shape, extents):
    """A kernel makes A, a part of which is copied to B, of which a map of the host makes Q. And what Q is then."""
    sdfg = dace.SDFG("part_copied")
    for name, size in (("X", shape), ("A", shape), ("B", extents), ("Q", extents)):
        sdfg.add_array(name, list(size), dace.float64, transient=name in "AB")
    state = sdfg.add_state("first")
    every = {f"e{d}": f"0:{size}" for d, size in enumerate(shape)}
    here = ", ".join(every)
    state.add_mapped_tasklet("before", every, {"x": Memlet(f"X[{here}]")}, "a = x * 2", {"a": Memlet(f"A[{here}]")}, external_edges=True)
    state = sdfg.add_state_after(state, "copy")
    state.add_nedge(state.add_read("A"), state.add_write("B"), Memlet(f"A[{box}] -> [{', '.join(f'0:{n}' for n in extents)}]"))
    ranges = {p: f"0:{n}" for p, n in zip("ij", extents)}
    there = ", ".join(ranges)
    state = sdfg.add_state_after(state, "last")
    state.add_mapped_tasklet("host", ranges, {"b": Memlet(f"B[{there}]")}, "q = b + 1", {"q": Memlet(f"Q[{there}]")}, external_edges=True)
    return sdfg, eval(f"X[{box}] * 2 + 1", {"X": np.random.default_rng(3).random([SMALL["N"]] * len(shape))})


def computed(sdfg, names="AB"):
    CACHE.mkdir(parents=True, exist_ok=True)
    built = quiet(lambda: build.build(rewrite.emulated(sdfg), CACHE))
    random = np.random.default_rng(3)
    outcome = run.run(built, {name: random.random(numbers(sdfg.arrays[name].shape)) for name in names}, SMALL)
    return [outcome.arguments[name] for name in names]


def expected(index, shape, extents, writes):
    """The same with NumPy."""
    random, extents = np.random.default_rng(3), numbers(extents)
    A, B = random.random([SMALL["N"]] * len(shape)), random.random(extents)
    A *= 2
    for at in np.ndindex(*extents):
        there = eval(f"({index},)", dict(zip("ijk", at)) | SMALL)
        if writes:
            A[there] = B[at] + 1
        else:
            B[at] = A[there] + 1
    A *= 2
    return A, B


def copies(sdfg):
    """How many copies of a part of A there are."""
    ends = [(e, s) for s in sdfg.states() for e in s.edges() if isinstance(e.src, nodes.AccessNode) and isinstance(e.dst, nodes.AccessNode)]
    return sum("A" in (e.src.data, e.dst.data) and e.data.subset.num_elements() != s.parent.arrays["A"].total_size for e, s in ends)


class Parts(unittest.TestCase):
    def judge(self, part, writes, alone):
        given = touched(*part[:3], writes)
        placed = quiet(place, given, {"M": 20, "N": 200}, {"before_map": "device", "host_map": "host", "behind_map": "device"})
        quiet(placed.validate)
        self.assertEqual(quiet(check.violations, placed), [])
        self.assertEqual(waits.unwaited(quiet(waits.host_code, placed)), [])
        self.assertEqual(copies(placed), int(alone))
        for wanted, found in zip(expected(*part[:3], writes), computed(placed)):
            np.testing.assert_allclose(found, wanted)

    def test_read(self):
        for name, part in {**PARTS, **GAPS}.items():
            with self.subTest(name):
                self.judge(part, writes=False, alone=part[3])

    def test_written(self):
        for name, part in PARTS.items():
            with self.subTest(name):
                self.judge(part, writes=True, alone=part[3])

    def test_copied(self):
        """A part of what only the device has is copied to an array of the host's."""
        boxes = {"0:16:2": [8], "0:8, 3": [8], "2:5, 0:4": [3, 4], "2:5, 0:4, 6": [3, 4], "0:8:2, 0:4": [4, 4]}
        for box, extents in boxes.items():
            with self.subTest(box):
                given, expected = copied(box, [N] * (box.count(",") + 1), extents)
                placed = quiet(place, given, {"N": 300}, {"before_map": "device", "host_map": "host"})
                quiet(placed.validate)
                self.assertEqual(waits.unwaited(quiet(waits.host_code, placed)), [])
                np.testing.assert_allclose(computed(placed, "XQ")[1], expected)

    def test_written_with_gaps(self):
        for name, part in GAPS.items():
            with self.subTest(name):
                self.judge(part, writes=True, alone=False)


if __name__ == "__main__":
    unittest.main()
