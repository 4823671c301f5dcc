# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs built by hand: maps and what stands beside them."""

import dace
import numpy as np
from dace import InterstateEdge, Memlet

from .registry import add
from .shortforms import M, N, elementwise, graph, single

LARGE, SMALL = {"N": 4000000}, {"N": 8}


def free_tasklet_before_a_map():
    """A[0] = c, then a map over all of A, in one state."""
    sdfg = graph("free_tasklet_before_a_map", scalars="c", A=N, B=N)
    state = sdfg.add_state()
    nodes = single(state, "a = v", {"v": "c[0]"}, {"a": "A[0]"})
    elementwise(state, "b = a * 2", {"a": "A[i]"}, {"b": "B[i]"}, nodes, i="0:N")
    return sdfg


def free_tasklet_before_a_map_numpy(A, B, c):
    A[0] = c
    B[:] = 2 * A


add(free_tasklet_before_a_map, free_tasklet_before_a_map_numpy, LARGE, SMALL)


def free_tasklet_beside_a_map():
    """The same side by side: the tasklet and the map write different parts of A, without an order."""
    sdfg = graph("free_tasklet_beside_a_map", scalars="c", A=N)
    state = sdfg.add_state()
    single(state, "a = v", {"v": "c[0]"}, {"a": "A[0]"})
    elementwise(state, "b = a * 2", {"a": "A[i]"}, {"b": "A[i]"}, i="1:N")
    return sdfg


def free_tasklet_beside_a_map_numpy(A, c):
    A[1:] *= 2
    A[0] = c


add(free_tasklet_beside_a_map, free_tasklet_beside_a_map_numpy, LARGE, SMALL)


def free_tasklet_after_a_map():
    """One element of what a kernel wrote becomes another element of it, and the host's scalar."""
    sdfg = graph("free_tasklet_after_a_map", A=N, last=1)
    state = sdfg.add_state()
    nodes = elementwise(state, "b = a * 2", {"a": "A[i]"}, {"b": "A[i]"}, i="0:N")
    single(state, "l = a + 1", {"a": "A[N - 1]"}, {"l": "last[0]"}, {"A": nodes["A"]})
    return sdfg


def free_tasklet_after_a_map_numpy(A, last):
    A *= 2
    last[0] = A[-1] + 1


add(free_tasklet_after_a_map, free_tasklet_after_a_map_numpy, LARGE, SMALL)


def tasklets_between_maps():
    """In one state a kernel, a tasklet that picks one element, and a kernel that uses both; grouped carelessly, they wait for each other."""
    sdfg = graph("tasklets_between_maps", A=N, B=N, C=N)
    sdfg.add_scalar("picked", dace.float64, transient=True)
    sdfg.add_scalar("scaled", dace.float64, transient=True)
    state = sdfg.add_state()
    first = elementwise(state, "b = a * 2", {"a": "A[i]"}, {"b": "B[i]"}, i="0:N")["B"]
    picked = single(state, "p = b", {"b": "B[N - 1]"}, {"p": "picked[0]"}, {"B": first})["picked"]
    scaled = single(state, "s = p * 0.5", {"p": "picked[0]"}, {"s": "scaled[0]"}, {"picked": picked})["scaled"]
    elementwise(state, "c = b - s", {"b": "B[i]", "s": "scaled[0]"}, {"c": "C[i]"}, {"B": first, "scaled": scaled}, i="0:N")
    return sdfg


def tasklets_between_maps_numpy(A, B, C):
    B[:] = 2 * A
    C[:] = B - B[-1] / 2


add(tasklets_between_maps, tasklets_between_maps_numpy, LARGE, SMALL)


def tasklet_to_tasklet():
    """Two tasklets hand a number on without an access node between them."""
    sdfg = graph("tasklet_to_tasklet", A=N, B=N)
    sdfg.add_scalar("between", dace.float64, transient=True)
    state = sdfg.add_state()
    first = state.add_tasklet("first", {"a"}, {"o"}, "o = a + 1")
    second = state.add_tasklet("second", {"i"}, {"b"}, "b = i * 2")
    state.add_edge(state.add_read("A"), None, first, "a", Memlet("A[0]"))
    state.add_edge(first, "o", second, "i", Memlet("between[0]"))
    written = state.add_write("B")
    state.add_edge(second, "b", written, None, Memlet("B[0]"))
    after = sdfg.add_state_after(state, "after")
    elementwise(after, "c = a + b", {"a": "A[i]", "b": "B[0]"}, {"c": "A[i]"}, i="0:N")
    return sdfg


def tasklet_to_tasklet_numpy(A, B):
    B[0] = 2 * A[0] + 2
    A += B[0]


add(tasklet_to_tasklet, tasklet_to_tasklet_numpy, LARGE, SMALL)


def half_written():
    """The map writes half of B; the other half is what the caller had there."""
    sdfg = graph("half_written", A=N, B=N)
    elementwise(sdfg.add_state(), "b = a * 3", {"a": "A[i]"}, {"b": "B[i]"}, i="0:N//2")
    return sdfg


def half_written_numpy(A, B):
    half = len(A) // 2
    B[:half] = 3 * A[:half]


add(half_written, half_written_numpy, LARGE, SMALL)


def written_where_it_matters():
    """A write that happens or not, element by element, is no whole write."""
    sdfg = graph("written_where_it_matters", A=N, B=N)
    state = sdfg.add_state()
    outputs = {"b": Memlet("B[i]", dynamic=True)}
    code = "if a > 0.5:\n    b = a"
    state.add_mapped_tasklet("choose", {"i": "0:N"}, {"a": Memlet("A[i]")}, code, outputs, external_edges=True)
    return sdfg


def written_where_it_matters_numpy(A, B):
    B[A > 0.5] = A[A > 0.5]


add(written_where_it_matters, written_where_it_matters_numpy, LARGE, SMALL)


def added_into():
    """Conflicts are resolved into elements that had values before."""
    sdfg = graph("added_into", A=[N, N], B=N)
    state = sdfg.add_state()
    outputs = {"b": Memlet("B[j]", wcr="lambda x, y: x + y")}
    ranges = {"i": "0:N", "j": "0:N"}
    state.add_mapped_tasklet("columns", ranges, {"a": Memlet("A[i, j]")}, "b = a", outputs, external_edges=True)
    return sdfg


def added_into_numpy(A, B):
    B += A.sum(axis=0)


add(added_into, added_into_numpy, {"N": 8000}, {"N": 6})


def nothing_to_map():
    """Maps over ranges of no element and of less than none."""
    sdfg = graph("nothing_to_map", A=N)
    sdfg.add_symbol("M", dace.int64)
    empty, negative, some = sdfg.add_state("empty", is_start_block=True), sdfg.add_state("negative"), sdfg.add_state("some")
    elementwise(empty, "b = a * 2", {"a": "A[i]"}, {"b": "A[i]"}, i="0:M")
    elementwise(negative, "b = a * 3", {"a": "A[i]"}, {"b": "A[i]"}, i="5:M - 3")
    elementwise(some, "b = a + 1", {"a": "A[i]"}, {"b": "A[i]"}, i="M:N")
    sdfg.add_edge(empty, negative, InterstateEdge())
    sdfg.add_edge(negative, some, InterstateEdge())
    return sdfg


def nothing_to_map_numpy(A, M):
    A += 1


add(nothing_to_map, nothing_to_map_numpy, {"N": 4000000, "M": 0}, {"N": 8, "M": 0})


def map_that_works_and_launches():
    """The outer map has a tasklet of its own beside the inner map, so it is no map that only launches."""
    sdfg = graph("map_that_works_and_launches", A=[M, N], head=M)
    state = sdfg.add_state()
    entry, exit_ = state.add_map("outer", {"k": "0:M"})
    inner_entry, inner_exit = state.add_map("inner", {"j": "0:N"})
    work = state.add_tasklet("work", {"h"}, {"o"}, "o = h * 2")
    read, write = state.add_read("head"), state.add_write("head")
    state.add_memlet_path(read, entry, work, dst_conn="h", memlet=Memlet("head[k]"))
    state.add_memlet_path(work, exit_, write, src_conn="o", memlet=Memlet("head[k]"))
    scale = state.add_tasklet("scale", {"a"}, {"b"}, "b = a * 2")
    A, B = state.add_read("A"), state.add_write("A")
    state.add_memlet_path(A, entry, inner_entry, scale, dst_conn="a", memlet=Memlet("A[k, j]"))
    state.add_memlet_path(scale, inner_exit, exit_, B, src_conn="b", memlet=Memlet("A[k, j]"))
    return sdfg


def map_that_works_and_launches_numpy(A, head):
    A *= 2
    head *= 2


add(map_that_works_and_launches, map_that_works_and_launches_numpy, {"N": 100000, "M": 128}, {"N": 5, "M": 3})


def order_without_data():
    """An empty memlet says that the map comes after the tasklet, and nothing else."""
    sdfg = graph("order_without_data", A=N, B=N)
    state = sdfg.add_state()
    first = single(state, "b = 7.0", {}, {"b": "B[0]"})["B"]
    entry, exit_ = state.add_map("all", {"i": "0:N"})
    tasklet = state.add_tasklet("all", {"a"}, {"b"}, "b = a + 1")
    state.add_memlet_path(state.add_read("A"), entry, tasklet, dst_conn="a", memlet=Memlet("A[i]"))
    state.add_memlet_path(tasklet, exit_, state.add_write("B"), src_conn="b", memlet=Memlet("B[i]"))
    state.add_nedge(first, entry, Memlet())
    return sdfg


def order_without_data_numpy(A, B):
    B[:] = A + 1


add(order_without_data, order_without_data_numpy, LARGE, SMALL)


def transient_of_one_kernel():
    """An array that only the threads of one kernel use is their registers."""
    sdfg = graph("transient_of_one_kernel", transients="held", A=[N, 4], B=N, held=4)
    state = sdfg.add_state()
    entry, exit_ = state.add_map("rows", {"i": "0:N"})
    held = state.add_access("held")
    fill = state.add_tasklet("fill", {"a"}, {"h"}, "for k in range(4):\n    h[k] = a[k] * a[3 - k]")
    total = state.add_tasklet("total", {"h"}, {"b"}, "b = h[0] + h[1] + h[2] + h[3]")
    state.add_memlet_path(state.add_read("A"), entry, fill, dst_conn="a", memlet=Memlet("A[i, 0:4]"))
    state.add_edge(fill, "h", held, None, Memlet("held[0:4]"))
    state.add_edge(held, None, total, "h", Memlet("held[0:4]"))
    state.add_memlet_path(total, exit_, state.add_write("B"), src_conn="b", memlet=Memlet("B[i]"))
    return sdfg


def transient_of_one_kernel_numpy(A, B):
    B[:] = np.sum(A * A[:, ::-1], axis=1)


add(transient_of_one_kernel, transient_of_one_kernel_numpy, LARGE, SMALL)


def work_of_both_kinds_in_a_state():
    """A map and a loop in C++ that one thread had better not run on a device, in one state."""
    sdfg = graph("work_of_both_kinds_in_a_state", A=N, B=N, C=N)
    state = sdfg.add_state()
    elementwise(state, "b = a * a", {"a": "A[i]"}, {"b": "B[i]"}, i="0:N")
    code = "c[0] = a[0]; for (long long k = 1; k < N; ++k) c[k] = 0.5 * c[k - 1] + a[k];"
    tasklet = state.add_tasklet("scan", {"a"}, {"c"}, code, language=dace.Language.CPP)
    tasklet.in_connectors["a"] = tasklet.out_connectors["c"] = dace.pointer(dace.float64)
    state.add_edge(state.add_read("A"), None, tasklet, "a", Memlet("A[0:N]"))
    state.add_edge(tasklet, "c", state.add_write("C"), None, Memlet("C[0:N]"))
    return sdfg


def work_of_both_kinds_in_a_state_numpy(A, B, C):
    B[:] = A**2
    C[0] = A[0]
    for i in range(1, len(A)):
        C[i] = C[i - 1] / 2 + A[i]


add(work_of_both_kinds_in_a_state, work_of_both_kinds_in_a_state_numpy, LARGE, SMALL)


def extent_read_by_the_map():
    """The map itself reads where it ends."""
    sdfg = graph("extent_read_by_the_map", A=N, B=N)
    sdfg.add_array("ends", [2], dace.int64)
    state = sdfg.add_state()
    entry, exit_ = state.add_map("part", {"i": "begin:end"})
    ends = state.add_read("ends")
    for k, connector in enumerate(("begin", "end")):
        entry.add_in_connector(connector)
        state.add_edge(ends, None, entry, connector, Memlet(f"ends[{k}]"))
    tasklet = state.add_tasklet("part", {"a"}, {"b"}, "b = a * 2")
    state.add_memlet_path(state.add_read("A"), entry, tasklet, dst_conn="a", memlet=Memlet("A[i]"))
    state.add_memlet_path(tasklet, exit_, state.add_write("B"), src_conn="b", memlet=Memlet("B[i]"))
    return sdfg


def extent_read_by_the_map_numpy(A, B, ends):
    B[ends[0] : ends[1]] = 2 * A[ends[0] : ends[1]]


quarters = {"ends": lambda s, rng: np.array([s["N"] // 4, 3 * s["N"] // 4])}
add(extent_read_by_the_map, extent_read_by_the_map_numpy, LARGE, SMALL, given=quarters)
