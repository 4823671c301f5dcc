# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Views that library nodes read and write: on the device they are of device memory, before the node becomes code and after."""

import unittest

import dace
import numpy as np
from dace import Memlet
from dace.libraries.blas.nodes.gemm import Gemm
from dace.libraries.standard.nodes.reduce import Reduce
from dace.libraries.standard.nodes.transpose import Transpose

from corpus.shortforms import M, N, elementwise
from emulate import build, check, rewrite, run, waits
from judge import CACHE, quiet
from placing import place

SQUARE, FLAT = [N, N], [N * N]
SMALL = {"M": 3, "N": 5}


def graph(name, arrays, views):
    """Containers in the order given: a view may come before what it views."""
    sdfg = dace.SDFG(name)
    for view, shape in views.items():
        sdfg.add_view(view, shape, dace.float64)
    for array, shape in arrays.items():
        sdfg.add_array(array, shape, dace.float64, transient=array == "held")
    return sdfg, sdfg.add_state("main")


def viewed(state, origin, view, box):
    """A view of what a node has, to read."""
    node = state.add_access(view)
    state.add_edge(origin, None, node, "views", Memlet(f"{origin.data}[{box}]"))
    return node


def summed(state, axes=None):
    node = Reduce("node", "lambda a, b: a + b", axes or [0], 0)
    state.add_node(node)
    return node


def products():
    sdfg, state = graph("products_of_views", dict.fromkeys("ABC", FLAT), dict.fromkeys(("a", "b", "c"), SQUARE))
    node, result = Gemm("node", cin=False), state.add_access("c")
    state.add_node(node)
    for array, view in (("A", "a"), ("B", "b")):
        read = viewed(state, state.add_read(array), view, "0:N * N")
        state.add_edge(read, None, node, f"_{view}", Memlet(f"{view}[0:N, 0:N]"))
    state.add_edge(node, "_c", result, None, Memlet("c[0:N, 0:N]"))
    state.add_edge(result, "views", state.add_write("C"), None, Memlet("C[0:N * N]"))
    return sdfg, lambda A, B: {"C": (A.reshape(5, 5) @ B.reshape(5, 5)).ravel()}


def chains():
    sdfg, state = graph("chain_of_views", {"Z": SQUARE, "R": [N]}, {"last": SQUARE, "first": FLAT})
    first = viewed(state, state.add_read("Z"), "first", "0:N, 0:N")
    node = summed(state, [1])
    state.add_edge(viewed(state, first, "last", "0:N * N"), None, node, None, Memlet("last[0:N, 0:N]"))
    state.add_edge(node, None, state.add_write("R"), None, Memlet("R[0:N]"))
    return sdfg, lambda Z: {"R": Z.sum(axis=1)}


def both_sides():
    """The library node reads it on one side, the map on the other."""
    sdfg, state = graph("view_on_both_sides", {"A": SQUARE, "R": [1], "B": FLAT}, {"flat": FLAT})
    flat, node = viewed(state, state.add_read("A"), "flat", "0:N, 0:N"), summed(state)
    state.add_edge(flat, None, node, None, Memlet("flat[0:N * N]"))
    state.add_edge(node, None, state.add_write("R"), None, Memlet("R[0]"))
    elementwise(state, "b = a + 1", {"a": "flat[i]"}, {"b": "B[i]"}, {"flat": flat}, i="0:N * N")
    return sdfg, lambda A: {"R": np.array([A.sum()]), "B": A.ravel() + 1}


def written():
    sdfg, state = graph("view_written", {"A": SQUARE, "held": FLAT, "B": FLAT}, {"square": SQUARE})
    node, result = Transpose("node", dtype=dace.float64), state.add_access("square")
    state.add_node(node)
    state.add_edge(state.add_read("A"), None, node, "_inp", Memlet("A[0:N, 0:N]"))
    state.add_edge(node, "_out", result, None, Memlet("square[0:N, 0:N]"))
    state.add_edge(result, "views", state.add_access("held"), None, Memlet("held[0:N * N]"))
    elementwise(sdfg.add_state_after(state), "b = a + 1", {"a": "held[i]"}, {"b": "B[i]"}, i="0:N * N")
    return sdfg, lambda A: {"B": A.T.ravel() + 1}


def in_a_kernel():
    sdfg, state = graph("view_in_a_kernel", {"A": [M, N, N], "B": [M]}, {"flat": FLAT})
    entry, exit_ = state.add_map("outer", {"i": "0:M"})
    flat, node = state.add_access("flat"), summed(state)
    state.add_memlet_path(state.add_read("A"), entry, flat, dst_conn="views", memlet=Memlet("A[i, 0:N, 0:N]"))
    state.add_edge(flat, None, node, None, Memlet("flat[0:N * N]"))
    state.add_memlet_path(node, exit_, state.add_write("B"), memlet=Memlet("B[i]"))
    return sdfg, lambda A: {"B": A.sum(axis=(1, 2))}


def in_a_nested_graph():
    inner, state = graph("inner", {"a": SQUARE, "r": [1]}, {"flat": FLAT})
    node = summed(state)
    state.add_edge(viewed(state, state.add_read("a"), "flat", "0:N, 0:N"), None, node, None, Memlet("flat[0:N * N]"))
    state.add_edge(node, None, state.add_write("r"), None, Memlet("r[0]"))
    sdfg, state = graph("view_in_a_nested_graph", {"A": FLAT, "R": [1]}, {"square": SQUARE})
    square = viewed(state, state.add_read("A"), "square", "0:N * N")
    nested = state.add_nested_sdfg(inner, None, {"a"}, {"r"}, {"N": "N"})
    state.add_edge(square, None, nested, "a", Memlet("square[0:N, 0:N]"))
    state.add_edge(nested, "r", state.add_write("R"), None, Memlet("R[0]"))
    return sdfg, lambda A: {"R": np.array([A.sum()])}


class Views(unittest.TestCase):
    def judge(self, make):
        for node, other in (("device", "device"), ("device", "host"), ("host", "device")):
            with self.subTest(node=node, map=other):
                given, expected = make()
                placed = quiet(place, given, {"M": 1000, "N": 2000}, {"node": node, "outer": node, "map_over_B_map": other})
                quiet(placed.validate)
                self.assertEqual(quiet(check.violations, placed), [])
                self.assertEqual(waits.unwaited(quiet(waits.host_code, placed)), [])
                self.assert_computes(placed, expected)

    def assert_computes(self, sdfg, expected):
        CACHE.mkdir(parents=True, exist_ok=True)
        random = np.random.default_rng(1)
        shapes = {n: [int(dace.symbolic.evaluate(s, SMALL)) for s in d.shape] for n, d in sdfg.arglist().items() if isinstance(d, dace.data.Array)}
        arguments = {name: random.random(shape) for name, shape in shapes.items()}
        names = expected.__code__.co_varnames[: expected.__code__.co_argcount]
        wanted = expected(*(arguments[n].copy() for n in names))
        sizes = {s: v for s, v in SMALL.items() if s in sdfg.arglist()}
        outcome = run.run(quiet(lambda: build.build(rewrite.emulated(sdfg), CACHE)), arguments, sizes)
        for name, value in wanted.items():
            np.testing.assert_allclose(outcome.arguments[name], value, rtol=1e-9)

    def test_products(self):
        self.judge(products)

    def test_chains(self):
        self.judge(chains)

    def test_both_sides(self):
        self.judge(both_sides)

    def test_written(self):
        self.judge(written)

    def test_in_a_kernel(self):
        self.judge(in_a_kernel)

    def test_in_a_nested_graph(self):
        self.judge(in_a_nested_graph)


if __name__ == "__main__":
    unittest.main()
