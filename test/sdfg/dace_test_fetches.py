# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parts of an array of the host's that kernels read: the box that is read crosses alone, where that is cheaper than the array."""

import re
import unittest
from fractions import Fraction

import dace
import numpy as np
from dace import Memlet, nodes
from dace.libraries.blas import Dot

from corpus.shortforms import M, N
from emulate import build, check, rewrite, run, waits
from judge import CACHE, quiet
from placing import explained, place, price

SMALL = {"M": 6, "N": 20}
STATED = {"M": 1000, "N": 3000}
DEVICE, HOST = {"kernel_map": "device"}, {"host_map": "host"}


def kernel(state, reads, extents, writes="B", code="b = a * 2"):
    """A map over `extents` that reads the element `reads` of each i, j."""
    ranges = {p: f"0:{n}" for p, n in zip("ij", extents)}
    state.add_mapped_tasklet("kernel", ranges, {"a": Memlet(reads)}, code, {"b": Memlet(f"{writes}[{', '.join(ranges)}]")}, external_edges=True)


def on_host(state, writes, ranges=None, code="b = 7"):
    state.add_mapped_tasklet("host", ranges or {"i": "0:1"}, {}, code, {"b": Memlet(writes)}, external_edges=True)


def graph(shapes):
    sdfg = dace.SDFG("fetched")
    for name, shape in shapes.items():
        sdfg.add_array(name, shape, dace.float64)
    return sdfg, sdfg.add_state("first")


def loop(sdfg, first, body, trips, last=None):
    before = sdfg.add_state("before")
    sdfg.add_edge(first, before, dace.InterstateEdge())
    sdfg.add_loop(before, body, None, "k", "0", f"k < {trips}", "k + 1", loop_end_state=last)


def first_of_many():
    """A map reads the first ten elements of a big array."""
    sdfg, state = graph({"A": [N], "B": [10]})
    kernel(state, "A[i]", [10])
    return sdfg


def row():
    sdfg, state = graph({"A": [N, N], "B": [N]})
    kernel(state, "A[5, i]", [N])
    return sdfg


def box_a_trip():
    """Each trip of a loop reads another row, and puts it into one that stays on the device."""
    sdfg, first = graph({"A": [N, N], "B": [N]})
    body = sdfg.add_state("body")
    body.add_mapped_tasklet("kernel", {"i": "0:N"}, {"a": Memlet("A[2 * k, i]"), "c": Memlet("B[i]")}, "b = a + c", {"b": Memlet("B[i]")}, external_edges=True)
    loop(sdfg, first, body, 3)
    return sdfg


def whole_later():
    """What one kernel reads a part of another reads whole."""
    sdfg, state = graph({"A": [N], "B": [10], "C": [N]})
    kernel(state, "A[i]", [10])
    kernel(sdfg.add_state_after(state, "second"), "A[i]", ["N"], "C")
    return sdfg


def behind_an_update():
    """The host changes what a kernel reads, in a loop."""
    sdfg, first = graph({"A": [N], "B": [10]})
    body = sdfg.add_state("body")
    on_host(body, "A[k + i]", {"i": "0:3"}, "b = 7 + k")
    second = sdfg.add_state_after(body, "second")
    kernel(second, "A[i]", [10])
    loop(sdfg, first, body, 5, second)
    return sdfg


def several_reads():
    """One kernel reads two boxes of an array: the box around both crosses."""
    sdfg, state = graph({"A": [N], "B": [4]})
    ends = {"a": Memlet("A[i]"), "c": Memlet("A[i + 6]")}
    state.add_mapped_tasklet("kernel", {"i": "0:4"}, ends, "b = a + c", {"b": Memlet("B[i]")}, external_edges=True)
    return sdfg


def also_written():
    """A kernel reads a part and writes another, of an array that is the host's before and behind."""
    sdfg, state = graph({"A": [N]})
    state.add_mapped_tasklet("kernel", {"i": "0:6"}, {"a": Memlet("A[i]")}, "b = a + 1", {"b": Memlet("A[i + 10]")}, external_edges=True)
    return sdfg


def seldom():
    """Behind a condition on an element, which the host has."""
    sdfg, first = graph({"A": [N], "B": [10]})
    then, last = sdfg.add_state("then"), sdfg.add_state("last")
    kernel(then, "A[i]", [10])
    sdfg.add_edge(first, then, dace.InterstateEdge("A[3] > 0"))
    sdfg.add_edge(first, last, dace.InterstateEdge("A[3] <= 0"))
    sdfg.add_edge(then, last, dace.InterstateEdge())
    return sdfg


def of_a_tasklet():
    """A single tasklet between kernels that stays with them."""
    sdfg, state = graph({"A": [N], "B": [N]})
    every = {"i": "0:N"}
    state.add_mapped_tasklet("kernel", every, {}, "b = i", {"b": Memlet("B[i]")}, external_edges=True)
    second = sdfg.add_state_after(state, "second")
    step = second.add_tasklet("step", {"a"}, {"b"}, "b = a")
    second.add_edge(second.add_read("A"), None, step, "a", Memlet("A[7]"))
    second.add_edge(step, "b", second.add_write("B"), None, Memlet("B[4]"))
    third = sdfg.add_state_after(second, "third")
    third.add_mapped_tasklet("kernel", every, {"a": Memlet("B[i]")}, "b = a + 1", {"b": Memlet("B[i]")}, external_edges=True)
    return sdfg


def nested():
    """In a nested graph that is handed the whole array under another name."""
    inner = dace.SDFG("inner")
    for name, shape in {"X": [N], "Y": [10]}.items():
        inner.add_array(name, shape, dace.float64)
    kernel(inner.add_state("inside"), "X[i]", [10], "Y")
    sdfg, state = graph({"A": [N], "B": [10]})
    node = state.add_nested_sdfg(inner, sdfg, {"X"}, {"Y"}, {"N": "N"})
    state.add_edge(state.add_read("A"), None, node, "X", Memlet("A[0:N]"))
    state.add_edge(node, "Y", state.add_write("B"), None, Memlet("B[0:10]"))
    return sdfg


def viewed():
    """Through a view of it: not known to be a part."""
    sdfg, state = graph({"A": [N], "B": [10]})
    sdfg.add_view("V", [10], dace.float64)
    view = state.add_access("V")
    state.add_edge(state.add_read("A"), None, view, "views", Memlet("A[0:10]"))
    entry, exit = state.add_map("kernel_map", {"i": "0:10"})
    step = state.add_tasklet("step", {"a"}, {"b"}, "b = a * 2")
    state.add_memlet_path(view, entry, step, dst_conn="a", memlet=Memlet("V[i]"))
    state.add_memlet_path(step, exit, state.add_write("B"), src_conn="b", memlet=Memlet("B[i]"))
    return sdfg


def of_a_library_node():
    """It reads two rows, by a connector each."""
    sdfg, state = graph({"A": [N, N], "B": [1]})
    node = Dot("node")
    node.implementation = "pure"
    state.add_node(node)
    for connector, at in {"_x": "5", "_y": "6"}.items():
        state.add_edge(state.add_read("A"), None, node, connector, Memlet(f"A[{at}, 0:N]"))
    state.add_edge(node, "_result", state.add_write("B"), None, Memlet("B[0]"))
    return sdfg


def nested_part():
    """In a nested graph that is handed a row, of which a kernel reads a part."""
    inner = dace.SDFG("inner")
    for name, shape in {"X": [N], "Y": [10]}.items():
        inner.add_array(name, shape, dace.float64)
    kernel(inner.add_state("inside"), "X[i + 2]", [10], "Y")
    sdfg, state = graph({"A": [N, N], "B": [10]})
    node = state.add_nested_sdfg(inner, sdfg, {"X"}, {"Y"}, {"N": "N"})
    state.add_edge(state.add_read("A"), None, node, "X", Memlet("A[5, 0:N]"))
    state.add_edge(node, "Y", state.add_write("B"), None, Memlet("B[0:10]"))
    return sdfg


def of_what_the_host_made():
    sdfg, state = graph({"A": [N, N], "B": [N]})
    sdfg.arrays["A"].transient = True
    on_host(state, "A[i, j]", {"i": "0:N", "j": "0:N"}, "b = i - j")
    kernel(sdfg.add_state_after(state, "second"), "A[i, 4]", [N])
    return sdfg


def perhaps_nothing():
    """Without iterations nothing is read, and there may be no such element."""
    sdfg, state = graph({"A": [M], "B": [N]})
    kernel(state, "A[M - 3]", ["M - 3"])
    return sdfg


def first_m():
    """The first elements, as many as a symbol says, which may be below zero."""
    sdfg, state = graph({"A": [N], "B": [N]})
    sdfg.add_symbol("M", dace.int32)
    kernel(state, "A[i]", [M])
    return sdfg


def from_m_on():
    sdfg, state = graph({"A": [N], "B": [N]})
    sdfg.add_symbol("M", dace.int32)
    kernel(state, "A[M + i]", ["N - M"])
    return sdfg


def interior():
    sdfg, state = graph({"A": [N, N], "B": [N, N]})
    kernel(state, "A[i + 1, j + 1]", ["N - 2", "N - 2"])
    return sdfg


def rows():
    sdfg, state = graph({"A": [N, N], "B": [N, N]})
    sdfg.add_symbol("M", dace.int32)
    kernel(state, "A[i + 2, j]", [M, N])
    return sdfg


def block():
    sdfg, state = graph({"A": [N, N], "B": [N, N]})
    sdfg.add_symbol("M", dace.int32)
    kernel(state, "A[i + 1, j + 2]", [M, M])
    return sdfg


def block_of_a_cube():
    sdfg, state = graph({"A": [10, N, N], "B": [N, N]})
    sdfg.add_symbol("M", dace.int32)
    ranges = {"i": "0:M", "j": "0:M", "k": "0:3"}
    state.add_mapped_tasklet("kernel", ranges, {"a": Memlet("A[k + 1, i + 1, j + 2]")}, "b = a", {"b": Memlet("B[i, j]", wcr="lambda a, b: a + b")},
                             external_edges=True)
    return sdfg


def around_two():
    """The first elements and one more, in one box."""
    sdfg, state = graph({"A": [N], "B": [N]})
    sdfg.add_symbol("M", dace.int32)
    ends = {"a": Memlet("A[i]"), "c": Memlet("A[4]")}
    state.add_mapped_tasklet("kernel", {"i": "0:M"}, ends, "b = a + c", {"b": Memlet("B[i]")}, external_edges=True)
    return sdfg


def of_an_extent_that_is_read():
    """How many elements are read only the map knows."""
    sdfg, state = graph({"A": [N], "B": [N]})
    sdfg.add_array("count", [1], dace.int64)
    entry, exit = state.add_map("kernel_map", {"i": "0:n"})
    entry.add_in_connector("n")
    state.add_edge(state.add_read("count"), None, entry, "n", Memlet("count[0]"))
    step = state.add_tasklet("step", {"a"}, {"b"}, "b = a * 2")
    state.add_memlet_path(state.add_read("A"), entry, step, dst_conn="a", memlet=Memlet("A[i]"))
    state.add_memlet_path(step, exit, state.add_write("B"), src_conn="b", memlet=Memlet("B[i]"))
    return sdfg


def element_of_the_trip():
    """As that, but in every trip of a loop there is one; and the host makes the array anew each time."""
    sdfg, first = graph({"A": [N, 8], "B": [M]})
    body = sdfg.add_state("body")
    on_host(body, "A[i, j]", {"i": "0:N", "j": "0:8"}, "b = i * j + k")
    second = sdfg.add_state_after(body, "second")
    second.add_mapped_tasklet("kernel", {"i": "0:M"}, {"a": Memlet("A[k, 3]"), "c": Memlet("B[i]")}, "b = a + c", {"b": Memlet("B[i]")}, external_edges=True)
    loop(sdfg, first, body, "N", second)
    return sdfg


def same_box_each_trip():
    """Every trip of a loop reads the same box of an array that nothing changes: it is copied once, before the loop."""
    sdfg, first = graph({"A": [N], "B": [10]})
    body = sdfg.add_state("body")
    body.add_mapped_tasklet("kernel", {"i": "0:10"}, {"a": Memlet("A[i + 3]"), "c": Memlet("B[i]")}, "b = a + c * k", {"b": Memlet("B[i]")}, external_edges=True)
    loop(sdfg, first, body, "M")
    sdfg.add_symbol("M", dace.int32)
    return sdfg


def same_boxes_behind_an_update():
    """As that, of what the host has changed before; two kernels read a box each, one of them by a symbol."""
    sdfg, first = graph({"A": [N, N], "B": [N]})
    on_host(first, "A[i, 0]", {"i": "0:N"}, "b = i")
    sdfg.add_symbol("M", dace.int32)
    body = sdfg.add_state("body")
    body.add_mapped_tasklet("kernel", {"i": "0:N"}, {"a": Memlet("A[M, i]"), "c": Memlet("B[i]")}, "b = a + c", {"b": Memlet("B[i]")}, external_edges=True)
    second = sdfg.add_state_after(body, "second")
    second.add_mapped_tasklet("kernel", {"i": "0:N"}, {"a": Memlet("A[M + 1, i]"), "c": Memlet("B[i]")}, "b = a + c", {"b": Memlet("B[i]")}, external_edges=True)
    loop(sdfg, first, body, 40, second)
    return sdfg


# How many copies of a part of A to the device are written, and how many of all of it.
CASES = {
    first_of_many: (1, 0),
    row: (1, 0),
    box_a_trip: (1, 0),
    whole_later: (0, 1),
    behind_an_update: (1, 0),
    several_reads: (1, 0),
    also_written: (1, 0),
    seldom: (1, 0),
    of_a_tasklet: (1, 0),
    nested: (1, 0),
    viewed: (0, 1),
    of_a_library_node: (1, 0),
    nested_part: (1, 0),
    of_what_the_host_made: (1, 0),
    perhaps_nothing: (1, 0),
    first_m: (1, 0),
    from_m_on: (1, 0),
    interior: (1, 0),
    rows: (1, 0),
    block: (1, 0),
    block_of_a_cube: (1, 0),
    around_two: (1, 0),
    of_an_extent_that_is_read: (0, 1),
    same_box_each_trip: (1, 0),
    same_boxes_behind_an_update: (1, 0),
    element_of_the_trip: (1, 0),
}


def to_the_device(placed):
    """The copies of a part, and of all, of an array of the host's into memory of the device's of another name."""
    part = whole = 0
    for sdfg in placed.all_sdfgs_recursive():
        for state in sdfg.states():
            for edge in state.edges():
                ends = [n.data for n in (edge.src, edge.dst) if isinstance(n, nodes.AccessNode)]
                if len(ends) == 2 and ends[0] in "AX" and "gpu_" + ends[0] in ends[1]:
                    isWhole = edge.data.subset.num_elements() == sdfg.arrays[ends[0]].total_size
                    part, whole = part + (not isWhole), whole + isWhole
    return part, whole


def outcome(sdfg, sizes):
    """What the arrays are behind a run of the graph, emulated where it is placed."""
    CACHE.mkdir(parents=True, exist_ok=True)
    built = quiet(lambda: build.build(rewrite.emulated(sdfg), CACHE))
    return run.run(built, given(sdfg, sizes), sizes).arguments


def given(sdfg, sizes):
    random = np.random.default_rng(3)

    def values(array):
        shape = [int(dace.symbolic.evaluate(s, sizes)) for s in array.shape]
        return random.random(shape) if array.dtype == dace.float64 else np.full(shape, 5, array.dtype.type)

    return {name: values(array) for name, array in sorted(sdfg.arrays.items()) if not array.transient and not isinstance(array, dace.data.View)}


# Copied where it serves more than one run of a kernel.
ONCE = {same_box_each_trip, same_boxes_behind_an_update}
# Sizes for which there is no iteration, too.
EMPTY = {from_m_on: (20, 23)} | {make: (0, -3) for make in (first_m, rows, block, block_of_a_cube, around_two)}


class Fetches(unittest.TestCase):
    def judge(self, make):
        pins = {label: side for label, side in (DEVICE | HOST | {"step": "device", "node": "device"}).items() if label in labels(make())}
        placed, text = quiet(explained, make(), STATED, pins)
        quiet(placed.validate)
        self.assertEqual(to_the_device(placed), CASES[make])
        self.assertEqual(quiet(check.violations, placed), [])
        self.assertEqual(waits.unwaited(quiet(waits.host_code, placed)), [])
        once = text.count("  to the device: A[")  # for all that reads it
        self.assertEqual(text.count(" fetches what it reads of ") + once, CASES[make][0])
        self.assertEqual(once, int(make in ONCE))
        bound = Fraction(re.search(r"costs less than ([0-9/]+) ps", text)[1])
        self.assertAlmostEqual(price(placed, STATED).total / float(bound), 1, delta=1e-9)
        for sizes in [SMALL] + [SMALL | {"M": m} for m in EMPTY.get(make, ())]:
            found = outcome(placed, sizes)
            for name, wanted in outcome(make(), sizes).items():
                np.testing.assert_allclose(found[name], wanted, err_msg=f"{name} where M is {sizes['M']}")
        again = quiet(place, placed, STATED, pins)
        self.assertEqual(again.hash_sdfg(), placed.hash_sdfg())


def labels(sdfg):
    return {node.label for nested in sdfg.all_sdfgs_recursive() for state in nested.states() for node in state.nodes() if hasattr(node, "label")}


for each in CASES:
    setattr(Fetches, "test_" + each.__name__, lambda self, make=each: self.judge(make))

if __name__ == "__main__":
    unittest.main()
