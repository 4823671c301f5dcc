# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs built by hand: nested graphs, library nodes, callbacks."""

import dace
import numpy as np
from dace import SDFG, InterstateEdge, Memlet
from dace.libraries.blas.nodes.matmul import MatMul
from dace.libraries.standard.nodes.reduce import Reduce

from .registry import add
from .shortforms import M, N, counted, elementwise, graph, nest, single

LARGE, SMALL = {"N": 4000000}, {"N": 8}


def extent_from_two_deep():
    """A nested graph in a nested graph computes a scalar, which becomes the extent of a map."""
    inner = SDFG("count_inner")
    inner.add_array("given", [2], dace.int64)
    inner.add_array("made", [1], dace.int64)
    single(inner.add_state(), "m = g + h", {"g": "given[0]", "h": "given[1]"}, {"m": "made[0]"})
    middle = SDFG("count_middle")
    middle.add_array("pair", [2], dace.int64)
    middle.add_array("sum", [1], dace.int64)
    nest(middle.add_state(), inner, {"given": "pair[0:2]"}, {"made": "sum[0]"})
    sdfg = graph("extent_from_two_deep", A=N, B=N)
    sdfg.add_array("pair", [2], dace.int64)
    sdfg.add_array("extent", [1], dace.int64, transient=True)
    first, second = sdfg.add_state("first", is_start_block=True), sdfg.add_state("second")
    nest(first, middle, {"pair": "pair[0:2]"}, {"sum": "extent[0]"})
    elementwise(second, "b = a * 3", {"a": "A[i]"}, {"b": "B[i]"}, i="0:length")
    sdfg.add_edge(first, second, InterstateEdge(assignments={"length": "extent[0]"}))
    return sdfg


def extent_from_two_deep_numpy(A, B, pair):
    n = pair.sum()
    B[:n] = 3 * A[:n]


halves = {"pair": lambda s, rng: np.array([s["N"] // 4, s["N"] // 2])}
add(extent_from_two_deep, extent_from_two_deep_numpy, LARGE, SMALL, given=halves)


def read_through_a_connector():
    """A reaches the nested graph by an input connector only: nothing may be copied back to it."""
    inner = graph("scale_inner", A=N, B=N)
    elementwise(inner.add_state(), "b = a * 2", {"a": "A[i]"}, {"b": "B[i]"}, i="0:N")
    sdfg = graph("read_through_a_connector", A=N, B=N)
    nest(sdfg.add_state(), inner, {"A": "A[0:N]"}, {"B": "B[0:N]"})
    return sdfg


def read_through_a_connector_numpy(A, B):
    B[:] = 2 * A


add(read_through_a_connector, read_through_a_connector_numpy, LARGE, SMALL)


def half(name):
    """Two kernels on a half, and a step of the host between them."""
    inner = SDFG(name)
    inner.add_array("half", [N], dace.float64)
    inner.add_array("most", [1], dace.float64)
    first, second, third = inner.add_state("first", is_start_block=True), inner.add_state("second"), inner.add_state("third")
    elementwise(first, "b = a * 2", {"a": "half[j]"}, {"b": "half[j]"}, j="0:N")
    single(second, "m = h + 1", {"h": "half[N - 1]"}, {"m": "most[0]"})
    elementwise(third, "b = a + m", {"a": "half[j]", "m": "most[0]"}, {"b": "half[j]"}, j="0:N")
    inner.add_edge(first, second, InterstateEdge())
    inner.add_edge(second, third, InterstateEdge())
    return inner


def handed_in_halves():
    """Neither of two nested graphs that have a half of A each can copy all of it."""
    sdfg = graph("handed_in_halves", A=2 * N)
    sdfg.add_array("most", [1], dace.float64, transient=True)
    before, left, right = sdfg.add_state("before", is_start_block=True), sdfg.add_state("left"), sdfg.add_state("right")
    elementwise(before, "b = a + 1", {"a": "A[i]"}, {"b": "A[i]"}, i="0:2*N")
    nest(left, half("left_half"), {"half": "A[0:N]"}, {"half": "A[0:N]", "most": "most[0]"})
    nest(right, half("right_half"), {"half": "A[N:2*N]"}, {"half": "A[N:2*N]", "most": "most[0]"})
    sdfg.add_edge(before, left, InterstateEdge())
    sdfg.add_edge(left, right, InterstateEdge())
    return sdfg


def handed_in_halves_numpy(A):
    A += 1
    for half in (A[: len(A) // 2], A[len(A) // 2 :]):
        half *= 2
        half += half[-1] + 1


add(handed_in_halves, handed_in_halves_numpy, LARGE, SMALL)


def tasks_of_a_host_map():
    """A map over blocks that does nothing but hold maps, which are the work; each block has a length of its own."""
    inner = SDFG("block_inner")
    inner.add_symbol("length", dace.int64)
    inner.add_array("row", [N], dace.float64)
    first, second = inner.add_state("first", is_start_block=True), inner.add_state("second")
    elementwise(first, "b = a * 2", {"a": "row[j]"}, {"b": "row[j]"}, j="0:N")
    elementwise(second, "b = a + 1", {"a": "row[j]"}, {"b": "row[j]"}, j="0:length")
    inner.add_edge(first, second, InterstateEdge())
    sdfg = graph("tasks_of_a_host_map", A=[M, N])
    state = sdfg.add_state()
    entry, exit_ = state.add_map("blocks", {"k": "0:M"})
    node = state.add_nested_sdfg(inner, None, {"row"}, {"row"}, {"N": "N", "length": "k + 1"})
    state.add_memlet_path(state.add_read("A"), entry, node, dst_conn="row", memlet=Memlet("A[k, 0:N]"))
    state.add_memlet_path(node, exit_, state.add_write("A"), src_conn="row", memlet=Memlet("A[k, 0:N]"))
    return sdfg


def tasks_of_a_host_map_numpy(A):
    A *= 2
    for k, row in enumerate(A):
        row[: k + 1] += 1


add(tasks_of_a_host_map, tasks_of_a_host_map_numpy, {"N": 1000000, "M": 16}, {"N": 7, "M": 4})


def extent_of_an_inner_map():
    """The inner extent names the outer map's parameter, so it cannot be the size of a launch."""
    inner = SDFG("triangle_inner")
    inner.add_symbol("k", dace.int64)
    inner.add_array("row", [N], dace.float64)
    elementwise(inner.add_state(), "b = a * 2", {"a": "row[j]"}, {"b": "row[j]"}, j="0:k + 1")
    sdfg = graph("extent_of_an_inner_map", A=[N, N])
    state = sdfg.add_state()
    entry, exit_ = state.add_map("rows", {"k": "0:N"})
    node = state.add_nested_sdfg(inner, None, {"row"}, {"row"}, {"N": "N", "k": "k"})
    state.add_memlet_path(state.add_read("A"), entry, node, dst_conn="row", memlet=Memlet("A[k, 0:N]"))
    state.add_memlet_path(node, exit_, state.add_write("A"), src_conn="row", memlet=Memlet("A[k, 0:N]"))
    return sdfg


def extent_of_an_inner_map_numpy(A):
    A[np.tril_indices(len(A))] *= 2


add(extent_of_an_inner_map, extent_of_an_inner_map_numpy, {"N": 8000}, {"N": 6})


def carried_but_not_read():
    """B is carried through the map to a nested graph that never looks at it."""
    inner = graph("ignorant_inner", a=1, b=1, c=1)
    single(inner.add_state(), "y = x * 2", {"x": "a[0]"}, {"y": "c[0]"})
    sdfg = graph("carried_but_not_read", A=N, B=N, C=N)
    state = sdfg.add_state()
    entry, exit_ = state.add_map("carry", {"i": "0:N"})
    node = state.add_nested_sdfg(inner, None, {"a", "b"}, {"c"})
    for name, connector in (("A", "a"), ("B", "b")):
        state.add_memlet_path(state.add_read(name), entry, node, dst_conn=connector, memlet=Memlet(f"{name}[i]"))
    state.add_memlet_path(node, exit_, state.add_write("C"), src_conn="c", memlet=Memlet("C[i]"))
    return sdfg


def carried_but_not_read_numpy(A, B, C):
    C[:] = 2 * A


add(carried_but_not_read, carried_but_not_read_numpy, LARGE, SMALL)


def scan_in_a_nested_graph():
    """The nested graph has no work for a device and stays whole; the maps around it have."""
    inner = graph("scan_inner", x=N)
    body, before, after = inner.add_state("body"), inner.add_state("before", is_start_block=True), inner.add_state("after")
    single(body, "o = l * 0.5 + v", {"l": "x[k - 1]", "v": "x[k]"}, {"o": "x[k]"})
    inner.add_loop(before, body, after, "k", "1", "k < N", "k + 1")
    sdfg = graph("scan_in_a_nested_graph", A=N, B=N)
    first, second, third = (sdfg.add_state(s, is_start_block=s == "first") for s in ("first", "second", "third"))
    elementwise(first, "b = a * a", {"a": "A[i]"}, {"b": "B[i]"}, i="0:N")
    nest(second, inner, {"x": "B[0:N]"}, {"x": "B[0:N]"})
    elementwise(third, "a = b + 1", {"b": "B[i]"}, {"a": "A[i]"}, i="0:N")
    sdfg.add_edge(first, second, InterstateEdge())
    sdfg.add_edge(second, third, InterstateEdge())
    return sdfg


def scan_in_a_nested_graph_numpy(A, B):
    B[:] = A**2
    for i in range(1, len(B)):
        B[i] += B[i - 1] / 2
    A[:] = B + 1


add(scan_in_a_nested_graph, scan_in_a_nested_graph_numpy, LARGE, SMALL)


def nested_graph_in_a_loop():
    """Each step calls a nested graph that has a kernel and a tasklet between whose elements it chooses."""
    inner = graph("step_inner", x=N, chosen=1)
    first, second = inner.add_state("first", is_start_block=True), inner.add_state("second")
    elementwise(first, "b = a * 1.25", {"a": "x[i]"}, {"b": "x[i]"}, i="0:N")
    single(second, "c = max(a, b)", {"a": "x[0]", "b": "x[N - 1]"}, {"c": "chosen[0]"})
    inner.add_edge(first, second, InterstateEdge())
    sdfg = graph("nested_graph_in_a_loop", x=N, chosen=1)
    sdfg.add_symbol("T", dace.int64)
    loop = counted(sdfg, "steps", "t", "T")
    nest(loop.add_state("body", is_start_block=True), inner, {"x": "x[0:N]"}, {"x": "x[0:N]", "chosen": "chosen[0]"})
    return sdfg


def nested_graph_in_a_loop_numpy(x, chosen, T):
    for _ in range(T):
        x *= 1.25
        chosen[0] = max(x[0], x[-1])


add(nested_graph_in_a_loop, nested_graph_in_a_loop_numpy, {**LARGE, "T": 100}, {**SMALL, "T": 3})


def reduction_under_a_map():
    """A library node in a map neither keeps the map on the host nor makes the map under it a kernel."""
    sdfg = graph("reduction_under_a_map", A=[N, N], B=N)
    state = sdfg.add_state()
    entry, exit_ = state.add_map("rows", {"i": "0:N"})
    node = Reduce("sum", "lambda a, b: a + b", None, 0)
    state.add_node(node)
    node.add_in_connector("IN_0")
    state.add_memlet_path(state.add_read("A"), entry, node, memlet=Memlet("A[i, 0:N]"))
    state.add_memlet_path(node, exit_, state.add_write("B"), memlet=Memlet("B[i]"))
    del node.in_connectors["IN_0"]
    return sdfg


def reduction_under_a_map_numpy(A, B):
    B[:] = A.sum(axis=1)


add(reduction_under_a_map, reduction_under_a_map_numpy, {"N": 8000}, {"N": 6})


def product_by_library():
    """Whether a library multiplies on the host or on the device is the placement's choice."""
    sdfg = graph("product_by_library", A=[N, N], B=[N, N], C=[N, N])
    first, second = sdfg.add_state("first", is_start_block=True), sdfg.add_state("second")
    elementwise(first, "b = a + 1", {"a": "A[i, j]"}, {"b": "A[i, j]"}, i="0:N", j="0:N")
    node = MatMul("product")
    second.add_node(node)
    second.add_edge(second.add_read("A"), None, node, "_a", Memlet("A[0:N, 0:N]"))
    second.add_edge(second.add_read("B"), None, node, "_b", Memlet("B[0:N, 0:N]"))
    second.add_edge(node, "_c", second.add_write("C"), None, Memlet("C[0:N, 0:N]"))
    sdfg.add_edge(first, second, InterstateEdge())
    return sdfg


def product_by_library_numpy(A, B, C):
    A += 1
    C[:] = np.einsum("ij,jk->ik", A, B)


add(product_by_library, product_by_library_numpy, {"N": 5000}, {"N": 5})


def change_first(x):
    x[0] = -x[0]


def callback_between_kernels():
    """A function in Python changes what two kernels use."""
    sdfg = graph("callback_between_kernels", A=N)
    sdfg.add_scalar("change", dace.callback(None, dace.float64[N]))
    names = ("before", "call", "after")
    before, call, after = (sdfg.add_state(s, is_start_block=s == "before") for s in names)
    elementwise(before, "b = a * 2", {"a": "A[i]"}, {"b": "A[i]"}, i="0:N")
    elementwise(after, "b = a + 1", {"a": "A[i]"}, {"b": "A[i]"}, i="0:N")
    tasklet = call.add_tasklet("call", {"a"}, {"b"}, "change(a)", language=dace.Language.CPP, side_effects=True)
    tasklet.code.as_string = "change(b);"
    tasklet.in_connectors["a"] = tasklet.out_connectors["b"] = dace.pointer(dace.float64)
    call.add_edge(call.add_read("A"), None, tasklet, "a", Memlet("A[0:N]"))
    call.add_edge(tasklet, "b", call.add_write("A"), None, Memlet("A[0:N]"))
    sdfg.add_edge(before, call, InterstateEdge())
    sdfg.add_edge(call, after, InterstateEdge())
    return sdfg


def callback_between_kernels_numpy(A):
    A *= 2
    A[0] = -A[0]
    A += 1


add(callback_between_kernels, callback_between_kernels_numpy, LARGE, SMALL, given={"change": lambda s, rng: change_first})


@dace.program
def callback_of_the_front_end(A: dace.float64[N], B: dace.float64[N]):
    B[:] = A * 2.0
    change_first(B)
    A[:] = B + 1.0


def callback_of_the_front_end_numpy(A, B):
    B[:] = 2 * A
    B[0] = -B[0]
    A[:] = B + 1


add(callback_of_the_front_end, callback_of_the_front_end_numpy, LARGE, SMALL)
