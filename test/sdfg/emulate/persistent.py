# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Persistent kernels: what DaCe 1.0.2 generates right code of, found in the graph and, again, in the code.

All threads run a persistent kernel's states and wait for each other behind each. Between the parts of one state none waits, of a map
only the last dimension is shared out by the thread's number, and what one thread runs alone it runs beside the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import dace
from dace import SDFG, data
from dace.sdfg import nodes
from dace.sdfg.state import SDFGState

from . import sides
from .sides import Schedule, Side

ONCE = re.compile(r"^ *int (\w+) = [^;]*\bblockIdx\b[^;]*;$", re.MULTILINE)
LOOP = re.compile(r"for \(int (\w+) = ([^;]*\bblockIdx\b[^;]*);[^;]*;([^{]*)\) \{")
BARRIER = "__gbar.Sync();"


def kernels(sdfg: SDFG) -> Iterator[tuple[SDFGState, nodes.MapEntry, nodes.NestedSDFG]]:
    for nested in sdfg.all_sdfgs_recursive():
        for state in nested.states():
            for node in state.nodes():
                if isinstance(node, nodes.NestedSDFG) and node.schedule == Schedule.GPU_Persistent:
                    yield state, state.entry_node(node), node


def violations(sdfg: SDFG) -> list[str]:
    """One line for each thing in a persistent kernel that the code generated of it gets wrong."""
    found = []
    for outer, entry, node in kernels(sdfg):
        if entry is None or entry.schedule != Schedule.GPU_Persistent or entry.map.range.num_elements() != 1:
            found.append(f"{node.label}: is not all of a persistent map of one iteration")
        elif (bounds := entry.map.gpu_launch_bounds) != f"{entry.map.gpu_block_size[0]}, 2" or entry.map.gpu_block_size[1:] != [1, 1]:
            found.append(f"{node.label}: not all of its blocks need fit at the same time ({bounds})")
        found += [f"{node.label}: {wrong}" for wrong in inside(node.sdfg)]
    return found


def inside(kernel: SDFG) -> Iterator[str]:
    written = {node.data for state in kernel.states() for node in state.data_nodes() if state.in_degree(node)}
    for name, desc in kernel.arrays.items():
        if desc.transient and sides.side(desc) is Side.DEVICE:
            yield f"{name} has memory of its own"
    for edge in kernel.edges():
        for name in edge.data.read_symbols() & set(kernel.arrays):
            if name in written or not isinstance(kernel.arrays[name], data.Scalar):
                yield f"edge {edge.src.label} -> {edge.dst.label} reads {name}"
    for state in kernel.states():
        for wrong in in_state(state):
            yield f"{state.label}: {wrong}"


def in_state(state: SDFGState) -> Iterator[str]:
    top = [node for node in state.nodes() if state.entry_node(node) is None and not isinstance(node, nodes.ExitNode)]
    maps = [node for node in top if isinstance(node, nodes.MapEntry)]
    apart = [node for node in top if isinstance(node, nodes.Tasklet)]
    if len(maps) > 1:
        yield "two maps, and no thread waits between them"
    if maps and not any(node.side_effects and not state.all_edges(node) for node in apart):
        yield "may be joined with another state"
    for node in top:
        if isinstance(node, nodes.Tasklet) and state.all_edges(node):
            yield f"tasklet {node.label} beside the maps"
        if not isinstance(node, (nodes.Tasklet, nodes.MapEntry, nodes.AccessNode)):
            yield f"{node.label} is no map"
    for entry in maps:
        sizes = entry.map.range
        if entry.schedule != Schedule.GPU_Device or len(sizes) != 1 or sizes[0][2] != 1:
            yield f"map {entry.label} is not shared out"
    for edge in state.edges():
        if isinstance(edge.src, nodes.AccessNode) and isinstance(edge.dst, nodes.AccessNode) and edge.src in top and not edge.data.is_empty():
            yield f"copies {edge.src.data}"


def device_code(placed: SDFG) -> str:
    with dace.config.set_temporary("compiler", "cuda", "backend", value="cuda"):
        return next(each.clean_code for each in placed.generate_code() if each.title == "CUDA")


def functions(code: str) -> Iterator[tuple[str, str]]:
    """The functions of a device's code in which all threads can wait for each other: name and body."""
    for found in re.finditer(r"^DACE_DFI void (\w+)\([^)]*cub::GridBarrier& +__gbar[^)]*\) \{\n", code, re.MULTILINE):
        yield found[1], code[found.end() : code.index("\n}\n", found.end())]


def unsynchronised(code: str) -> list[str]:
    """What is wrong with the loops that threads share, in the code of persistent kernels: two without a barrier in between, or one that
    some thread's iterations are missing from."""
    found = []
    for name, body in functions(code):
        waited = True
        for each in re.finditer(rf"{LOOP.pattern}|{re.escape(BARRIER)}", body):
            if each[0] == BARRIER:
                waited = True
                continue
            if not waited:
                found.append(f"{name}: {each[1]} runs while other threads are not done with what was before")
            if "blockIdx.x" not in each[2] or "threadIdx.x" not in each[2] or "gridDim.x" not in each[3]:
                found.append(f"{name}: {each[1]} does not reach every iteration")
            waited = False
        if not waited:
            found.append(f"{name}: ends while threads are at work that others may go on with")
        found += [f"{name}: {each[1]} does not reach every iteration" for each in ONCE.finditer(body)]
        divergent = re.findall(r"if \(blockIdx[^{]*\{(?:(?!subgraph end).)*?__gbar", body, re.DOTALL)
        found += [f"{name}: not every thread comes to a barrier" for _ in divergent]
    return found


def barriers(code: str) -> int:
    return sum(body.count(BARRIER) for _, body in functions(code))



