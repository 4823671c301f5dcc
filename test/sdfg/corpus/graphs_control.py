# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs built by hand: branches, loops, blocks that leave early, symbols that come from data."""

import dace
import numpy as np
from dace import InterstateEdge
from dace.properties import CodeBlock
from dace.sdfg.state import BreakBlock, ConditionalBlock, ContinueBlock, ControlFlowRegion, LoopRegion, ReturnBlock

from .registry import add
from .shortforms import M, N, counted, elementwise, graph, single

LARGE, SMALL = {"N": 4000000}, {"N": 8}


def half_in_one_arm():
    """One arm writes all of C and the other its first half, which must not cost the second half."""
    sdfg = graph("half_in_one_arm", A=N, C=N)
    sdfg.add_symbol("f", dace.int64)
    start, end = sdfg.add_state("start", is_start_block=True), sdfg.add_state("end")
    whole, half = sdfg.add_state("whole"), sdfg.add_state("half")
    elementwise(whole, "c = a + 1", {"a": "A[i]"}, {"c": "C[i]"}, i="0:N")
    elementwise(half, "c = a - 1", {"a": "A[i]"}, {"c": "C[i]"}, i="0:N//2")
    sdfg.add_edge(start, whole, InterstateEdge("f > 0"))
    sdfg.add_edge(start, half, InterstateEdge("f <= 0"))
    sdfg.add_edge(whole, end, InterstateEdge())
    sdfg.add_edge(half, end, InterstateEdge())
    return sdfg


def half_in_one_arm_numpy(A, C, f):
    if f > 0:
        C[:] = A + 1
    else:
        C[: len(C) // 2] = A[: len(C) // 2] - 1


add(half_in_one_arm, half_in_one_arm_numpy, {**LARGE, "f": 0}, {**SMALL, "f": 0})


def arms(region, label: str, *branches):
    """A conditional block in the region; each branch is a condition, or None for the last, and a block or a state's name."""
    block = ConditionalBlock(label)
    region.add_node(block, is_start_block=not region.nodes())
    for condition, content in branches:
        arm = ControlFlowRegion(f"{label}_{len(block.branches)}", sdfg=region.sdfg)
        block.add_branch(CodeBlock(condition) if condition else None, arm)
        if isinstance(content, str):
            arm.add_state(content, is_start_block=True)
        else:
            arm.add_node(content, is_start_block=True)
    return block


def half_in_a_conditional_block():
    """The same with regions instead of edges."""
    sdfg = graph("half_in_a_conditional_block", A=N, C=N)
    sdfg.add_symbol("f", dace.int64)
    sdfg.using_experimental_blocks = True
    block = arms(sdfg, "which", ("f > 0", "whole"), (None, "half"))
    cases = (("0:N", "c = a + 1"), ("0:N//2", "c = a - 1"))
    for (extent, code), (_, arm) in zip(cases, block.branches):
        elementwise(arm.start_block, code, {"a": "A[i]"}, {"c": "C[i]"}, i=extent)
    return sdfg


add(
    half_in_a_conditional_block,
    lambda A, C, f: half_in_one_arm_numpy(A, C, f),
    {**LARGE, "f": 0},
    {**SMALL, "f": 0},
)


def condition_on_an_element_of_a_table():
    """A loop whose condition reads one element of a table that kernels fill: the table need not cross for it."""
    sdfg = graph("condition_on_an_element_of_a_table", table=[N, N])
    before, body, after = (sdfg.add_state(s, is_start_block=s == "before") for s in ("before", "body", "after"))
    guard = sdfg.add_state("guard")
    elementwise(body, "t = s * 0.5", {"s": "table[i, j]"}, {"t": "table[i, j]"}, i="0:N", j="0:N")
    sdfg.add_edge(before, guard, InterstateEdge(assignments={"k": "0"}))
    sdfg.add_edge(guard, body, InterstateEdge("table[1, 2] > 0.01 and k < 50"))
    sdfg.add_edge(body, guard, InterstateEdge(assignments={"k": "k + 1"}))
    sdfg.add_edge(guard, after, InterstateEdge("not (table[1, 2] > 0.01 and k < 50)"))
    return sdfg


def condition_on_an_element_of_a_table_numpy(table):
    for _ in range(50):
        if table[1, 2] > 0.01:
            table /= 2


add(condition_on_an_element_of_a_table, condition_on_an_element_of_a_table_numpy, {"N": 8000}, {"N": 4})


def row_pointers_in_headers():
    """Loops over compressed rows: the pointers are read where the loop is entered and where it is left."""
    sdfg = graph("row_pointers_in_headers", vals=M, x=N, y=N)
    for name, shape in (("rows", N + 1), ("cols", M)):
        sdfg.add_array(name, [shape], dace.int64)
    start = sdfg.add_state("start", is_start_block=True)
    clear, step, end = (sdfg.add_state(s) for s in ("clear", "step", "end"))
    outer, inner, next_row = (sdfg.add_state(s) for s in ("outer", "inner", "next_row"))
    single(clear, "out = 0.0", {}, {"out": "y[i]"})
    tasklet = step.add_tasklet("step", {"v", "c", "all", "old"}, {"out"}, "out = old + v * all[c]")
    for connector, memlet in {"v": "vals[j]", "c": "cols[j]", "all": "x[0:N]", "old": "y[i]"}.items():
        step.add_edge(step.add_read(memlet.split("[")[0]), None, tasklet, connector, dace.Memlet(memlet))
    step.add_edge(tasklet, "out", step.add_write("y"), None, dace.Memlet("y[i]"))
    sdfg.add_edge(start, outer, InterstateEdge(assignments={"i": "0"}))
    sdfg.add_edge(outer, clear, InterstateEdge("i < N"))
    sdfg.add_edge(outer, end, InterstateEdge("i >= N"))
    sdfg.add_edge(clear, inner, InterstateEdge(assignments={"j": "rows[i]"}))
    sdfg.add_edge(inner, step, InterstateEdge("j < rows[i + 1]"))
    sdfg.add_edge(step, inner, InterstateEdge(assignments={"j": "j + 1"}))
    sdfg.add_edge(inner, next_row, InterstateEdge("j >= rows[i + 1]"))
    sdfg.add_edge(next_row, outer, InterstateEdge(assignments={"i": "i + 1"}))
    return sdfg


def row_pointers_in_headers_numpy(rows, cols, vals, x, y):
    y[:] = [np.sum(vals[a:b] * x[cols[a:b]]) for a, b in zip(rows, rows[1:])]


add(
    row_pointers_in_headers,
    row_pointers_in_headers_numpy,
    {"N": 131072, "M": 2621440},
    {"N": 6, "M": 15},
    given={
        "rows": lambda s, rng: np.linspace(0, s["M"], s["N"] + 1).astype(np.int64),
        "cols": lambda s, rng: rng.integers(0, s["N"], s["M"]),
    },
)


def accumulation_carried_by_a_loop():
    """It gains no map, and no launch a step."""
    sdfg = graph("accumulation_carried_by_a_loop", A=N, total=1)
    before, after = sdfg.add_state("before", is_start_block=True), sdfg.add_state("after")
    elementwise(before, "b = a * a", {"a": "A[i]"}, {"b": "A[i]"}, i="0:N")
    body = sdfg.add_state("body")
    single(body, "t = s + a", {"s": "total[0]", "a": "A[k]"}, {"t": "total[0]"})
    sdfg.add_loop(before, body, after, "k", "0", "k < N", "k + 1")
    return sdfg


def accumulation_carried_by_a_loop_numpy(A, total):
    A *= A
    total += A.sum()


add(accumulation_carried_by_a_loop, accumulation_carried_by_a_loop_numpy, LARGE, SMALL)


def loop_with_break_and_continue():
    """Rows are scaled until one begins below zero; those that begin below a half are left out."""
    sdfg = graph("loop_with_break_and_continue", A=[N, N])
    loop = counted(sdfg, "rows", "r", "N")
    last = arms(loop, "last", ("A[r, 0] < 0", BreakBlock("leave")))
    small = arms(loop, "small", ("A[r, 0] < 0.5", ContinueBlock("skip")))
    scale = loop.add_state("scale")
    elementwise(scale, "b = a * 2", {"a": "A[r, j]"}, {"b": "A[r, j]"}, j="0:N")
    loop.add_edge(last, small, InterstateEdge())
    loop.add_edge(small, scale, InterstateEdge())
    return sdfg


def loop_with_break_and_continue_numpy(A):
    for row in A:
        if row[0] < 0:
            break
        if row[0] >= 0.5:
            row *= 2


last_negative = {"A": lambda s, rng: rng.uniform(0.1, 1, (s["N"], s["N"])) * np.where(np.arange(s["N"]) < s["N"] - 2, 1, -1)[:, None]}
add(loop_with_break_and_continue, loop_with_break_and_continue_numpy, {"N": 8000}, {"N": 7}, given=last_negative)


def return_from_the_middle():
    sdfg = graph("return_from_the_middle", A=N, B=N)
    sdfg.using_experimental_blocks = True
    first = sdfg.add_state("first", is_start_block=True)
    elementwise(first, "b = a + 1", {"a": "A[i]"}, {"b": "B[i]"}, i="0:N")
    early = arms(sdfg, "early", ("B[0] > 1.5", ReturnBlock("leave")))
    second = sdfg.add_state("second")
    elementwise(second, "b = a * 2", {"a": "B[i]"}, {"b": "A[i]"}, i="0:N")
    sdfg.add_edge(first, early, InterstateEdge())
    sdfg.add_edge(early, second, InterstateEdge())
    return sdfg


def return_from_the_middle_numpy(A, B):
    B[:] = A + 1
    if B[0] <= 1.5:
        A[:] = 2 * B


add(return_from_the_middle, return_from_the_middle_numpy, LARGE, SMALL)


def inverted_loop():
    """Its body runs before its condition is looked at."""
    sdfg = graph("inverted_loop", A=N)
    sdfg.using_experimental_blocks = True
    loop = LoopRegion("halve", "A[0] > 0.2", sdfg=sdfg, inverted=True)
    sdfg.add_node(loop, is_start_block=True)
    body = loop.add_state("body", is_start_block=True)
    elementwise(body, "b = a * 0.5", {"a": "A[i]"}, {"b": "A[i]"}, i="0:N")
    return sdfg


def inverted_loop_numpy(A):
    A /= 2
    while A[0] > 0.2:
        A /= 2


add(inverted_loop, inverted_loop_numpy, LARGE, SMALL)


def loop_region_over_kernels():
    """A region that DaCe names as a loop, with two kernels a step."""
    sdfg = graph("loop_region_over_kernels", A=N, B=N)
    sdfg.add_symbol("T", dace.int64)
    loop = counted(sdfg, "steps", "t", "T")
    there, back = loop.add_state("there", is_start_block=True), loop.add_state("back")
    sides = {"l": "A[i - 1]", "r": "A[i + 1]"}
    elementwise(there, "b = 0.5 * (l + r)", sides, {"b": "B[i]"}, i="1:N-1")
    elementwise(back, "a = b", {"b": "B[i]"}, {"a": "A[i]"}, i="1:N-1")
    loop.add_edge(there, back, InterstateEdge())
    return sdfg


def loop_region_over_kernels_numpy(A, B, T):
    for _ in range(T):
        B[1:-1] = (A[:-2] + A[2:]) / 2
        A[1:-1] = B[1:-1]


add(loop_region_over_kernels, loop_region_over_kernels_numpy, {**LARGE, "T": 1000}, {**SMALL, "T": 3})


def symbol_from_data():
    """What is read on an edge becomes the extent of a map and part of an index."""
    sdfg = graph("symbol_from_data", A=N, B=N)
    sdfg.add_array("count", [2], dace.int64)
    first, second = sdfg.add_state("first", is_start_block=True), sdfg.add_state("second")
    elementwise(first, "d = c * 2", {"c": "count[i]"}, {"d": "count[i]"}, i="0:2")
    elementwise(second, "b = a + 1", {"a": "A[i + skip]"}, {"b": "B[i]"}, i="0:extent")
    sdfg.add_edge(first, second, InterstateEdge(assignments={"extent": "count[0]", "skip": "count[1]"}))
    return sdfg


def symbol_from_data_numpy(A, B, count):
    count *= 2
    n, skip = count
    B[:n] = A[skip : skip + n] + 1


add(
    symbol_from_data,
    symbol_from_data_numpy,
    LARGE,
    SMALL,
    given={"count": lambda s, rng: np.array([s["N"] // 4, 1])},
)


def first_used_late():
    """D is used by the last kernels only: its copy may begin as early as every path wants it, and no earlier."""
    sdfg = graph("first_used_late", A=N, B=N, D=N)
    names = ("kernel_a", "kernel_b", "wanted", "unwanted", "end")
    states = {s: sdfg.add_state(s, is_start_block=s == "kernel_a") for s in names}
    elementwise(states["kernel_a"], "b = a + 1", {"a": "A[i]"}, {"b": "B[i]"}, i="0:N")
    elementwise(states["kernel_b"], "a = b * 2", {"b": "B[i]"}, {"a": "A[i]"}, i="0:N")
    elementwise(states["wanted"], "b = a + d", {"a": "A[i]", "d": "D[i]"}, {"b": "B[i]"}, i="0:N")
    elementwise(states["unwanted"], "b = a", {"a": "A[i]"}, {"b": "B[i]"}, i="0:N")
    sdfg.add_symbol("f", dace.int64)
    sdfg.add_edge(states["kernel_a"], states["kernel_b"], InterstateEdge())
    sdfg.add_edge(states["kernel_b"], states["wanted"], InterstateEdge("f > 0"))
    sdfg.add_edge(states["kernel_b"], states["unwanted"], InterstateEdge("f <= 0"))
    sdfg.add_edge(states["wanted"], states["end"], InterstateEdge())
    sdfg.add_edge(states["unwanted"], states["end"], InterstateEdge())
    return sdfg


def first_used_late_numpy(A, B, D, f):
    A[:] = 2 * (A + 1)
    B[:] = A + D if f > 0 else A


add(first_used_late, first_used_late_numpy, {**LARGE, "f": 0}, {**SMALL, "f": 0})


def host_step_between_kernels():
    """One element is changed between two kernels of each step of a loop."""
    sdfg = graph("host_step_between_kernels", A=N)
    sdfg.add_symbol("T", dace.int64)
    before, after = sdfg.add_state("before", is_start_block=True), sdfg.add_state("after")
    grow, fix, damp = (sdfg.add_state(s) for s in ("grow", "fix", "damp"))
    elementwise(grow, "b = a * 1.5", {"a": "A[i]"}, {"b": "A[i]"}, i="0:N")
    single(fix, "b = a - 0.25 * c", {"a": "A[0]", "c": "A[N - 1]"}, {"b": "A[0]"})
    elementwise(damp, "b = a * 0.5", {"a": "A[i]"}, {"b": "A[i]"}, i="0:N")
    sdfg.add_edge(grow, fix, InterstateEdge())
    sdfg.add_edge(fix, damp, InterstateEdge())
    sdfg.add_loop(before, grow, after, "t", "0", "t < T", "t + 1", loop_end_state=damp)
    return sdfg


def host_step_between_kernels_numpy(A, T):
    for _ in range(T):
        A *= 1.5
        A[0] -= A[-1] / 4
        A *= 0.5


add(host_step_between_kernels, host_step_between_kernels_numpy, {**LARGE, "T": 100}, {**SMALL, "T": 3})
