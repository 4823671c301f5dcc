# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which memory a container is in, which code runs in kernels, and which accesses a graph makes from where.

A walk over a graph goes through nested graphs and knows, for each place, whether a kernel runs it. Inside a kernel, storage that
belongs to the kernel itself (registers, shared memory, whatever a nested graph in it allocates) is LOCAL.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from dace import SDFG, data, dtypes
from dace.sdfg import nodes
from dace.sdfg import utils as sdutil
from dace.sdfg.state import ConditionalBlock, LoopRegion, SDFGState

Storage, Schedule = dtypes.StorageType, dtypes.ScheduleType

DEVICE_STORAGE = {Storage.GPU_Global, Storage.GPU_Shared}
HOST_STORAGE = {Storage.Default, Storage.Register, Storage.CPU_Heap, Storage.CPU_Pinned, Storage.CPU_ThreadLocal}
KERNELS = set(dtypes.GPU_SCHEDULES)


class Side(Enum):
    HOST = "host"
    DEVICE = "device"
    LOCAL = "local"


def side(desc: data.Data) -> Side:
    """The memory of a container that is accessed outside every kernel."""
    if desc.storage in DEVICE_STORAGE:
        return Side.DEVICE
    if desc.storage in HOST_STORAGE:
        return Side.HOST
    raise ValueError(f"storage {desc.storage} belongs to another accelerator")


@dataclass(frozen=True)
class Place:
    """A graph as it is reached: `inside` says that a kernel runs all of it, `path` names the way there."""

    sdfg: SDFG
    inside: bool
    path: tuple[str, ...]


def places(sdfg: SDFG) -> Iterator[Place]:
    """The graph and all that are nested in it, outermost first."""
    pending = [Place(sdfg, False, ())]
    while pending:
        place = pending.pop()
        yield place
        for state in place.sdfg.states():
            for node in state.nodes():
                if isinstance(node, nodes.NestedSDFG):
                    inside = place.inside or kernel_of(state, node) is not None or node.schedule in KERNELS
                    pending.append(Place(node.sdfg, inside, (*place.path, state.label, node.label)))


def kernel_of(state: SDFGState, node: nodes.Node) -> nodes.EntryNode | None:
    """The map in this state that is a kernel and holds the node; a map's own entry and exit belong to what is around it."""
    if isinstance(node, nodes.ExitNode):
        node = state.entry_node(node)
    scopes = state.scope_dict()
    scope = scopes[node]
    found = None
    while scope is not None:
        if scope.schedule in KERNELS:
            found = scope
        scope = scopes[scope]
    return found


def origin(state: SDFGState, node: nodes.AccessNode) -> nodes.AccessNode | None:
    """The access node of the container that a view aliases, through all views between; None if no access node is reached."""
    seen = set()
    while isinstance(state.sdfg.arrays[node.data.split(".")[0]], data.View):
        if node in seen:
            return None
        seen.add(node)
        edge = sdutil.get_view_edge(state, node)
        if edge is None:
            return None
        path = state.memlet_path(edge)
        node = path[0].src if edge.dst is node else path[-1].dst
        if not isinstance(node, nodes.AccessNode):
            return None
    return node


def is_view_edge(state: SDFGState, edge) -> bool:
    """Whether an edge between access nodes defines a view, and so copies nothing."""
    for node in (edge.src, edge.dst):
        if isinstance(node, nodes.AccessNode) and isinstance(state.sdfg.arrays[node.data.split(".")[0]], data.View):
            if sdutil.get_view_edge(state, node) is edge:
                return True
    return "views" in (edge.src_conn, edge.dst_conn) or "set" in (edge.src_conn, edge.dst_conn)


def container(state: SDFGState, node: nodes.AccessNode) -> str:
    """The name of the container that an access node reads or writes, views followed."""
    found = origin(state, node)
    return (found or node).data.split(".")[0]


def local_names(sdfg: SDFG) -> set[str]:
    """Transients of which every access node lies in a kernel of this graph."""
    held: dict[str, bool] = {}
    for state in sdfg.states():
        for node in state.data_nodes():
            name = node.data.split(".")[0]
            held[name] = held.get(name, True) and kernel_of(state, node) is not None
    return {name for name, within in held.items() if within and sdfg.arrays[name].transient}


@dataclass(frozen=True)
class Access:
    """`name` of `place.sdfg` is read or written at `where`, by a kernel or by the host."""

    place: Place
    name: str
    reads: bool
    inside: bool
    where: str


def accesses(place: Place) -> Iterator[Access]:
    """Every access in the graph itself but those of library nodes that the host calls; of nested graphs only what their own
    graph says, except those that a kernel holds."""
    for state in place.sdfg.states():
        yield from state_accesses(place, state)
    yield from control_accesses(place)


def state_accesses(place: Place, state: SDFGState) -> Iterator[Access]:
    for node in state.nodes():
        inside = place.inside or kernel_of(state, node) is not None
        where = "/".join((*place.path, state.label, str(node)))
        if isinstance(node, nodes.NestedSDFG):
            if not place.inside and (inside or node.schedule in KERNELS):
                yield from nested_accesses(place, state, node, where)
        elif isinstance(node, nodes.CodeNode) and (inside or not isinstance(node, nodes.LibraryNode)):
            yield from code_accesses(place, state, node, inside, where)
        elif isinstance(node, nodes.EntryNode):
            # What a map's range is read from, and the stream of a consume scope.
            for edge in state.in_edges(node):
                if edge.dst_conn and not edge.dst_conn.startswith("IN_") and not edge.data.is_empty():
                    yield Access(place, source(state, edge), True, inside, where)
        elif isinstance(node, nodes.AccessNode) and inside:
            yield from copies_inside(place, state, node, where)


def source(state: SDFGState, edge) -> str:
    first = state.memlet_path(edge)[0].src
    return container(state, first) if isinstance(first, nodes.AccessNode) else edge.data.data


def target(state: SDFGState, edge) -> str:
    last = state.memlet_path(edge)[-1].dst
    return container(state, last) if isinstance(last, nodes.AccessNode) else edge.data.data


def code_accesses(place: Place, state: SDFGState, node: nodes.CodeNode, inside: bool, where: str) -> Iterator[Access]:
    """What code hands to other code directly is no container's, whatever the memlet names."""
    for edge in state.in_edges(node):
        if not edge.data.is_empty() and isinstance(state.memlet_path(edge)[0].src, nodes.AccessNode):
            yield Access(place, source(state, edge), True, inside, where)
    for edge in state.out_edges(node):
        if not edge.data.is_empty() and isinstance(state.memlet_path(edge)[-1].dst, nodes.AccessNode):
            yield Access(place, target(state, edge), False, inside, where)


def nested_accesses(place: Place, state: SDFGState, node: nodes.NestedSDFG, where: str) -> Iterator[Access]:
    """What a nested graph in a kernel touches of what is around it."""
    for edge in state.in_edges(node):
        if not edge.data.is_empty() and touches(node.sdfg, edge.dst_conn):
            yield Access(place, source(state, edge), True, True, where)
    for edge in state.out_edges(node):
        if not edge.data.is_empty() and touches(node.sdfg, edge.src_conn):
            yield Access(place, target(state, edge), False, True, where)


def touches(sdfg: SDFG, name: str) -> bool:
    for state in sdfg.states():
        for node in state.data_nodes():
            if node.data.split(".")[0] == name and any(uses(state, edge) for edge in state.all_edges(node)):
                return True
    return any(name in names for names, _ in control_reads(sdfg))


def uses(state: SDFGState, edge) -> bool:
    """Whether a memlet ends at something that uses it: nothing does where a nested graph has it as an unused connector."""
    if edge.data.is_empty():
        return False
    for leaf in state.memlet_tree(edge).leaves():
        for node, connector in ((leaf.src, leaf.src_conn), (leaf.dst, leaf.dst_conn)):
            if isinstance(node, nodes.NestedSDFG) and touches(node.sdfg, connector):
                return True
            if isinstance(node, nodes.CodeNode) and not isinstance(node, nodes.NestedSDFG):
                return True
        if isinstance(leaf.src, nodes.AccessNode) and isinstance(leaf.dst, nodes.AccessNode):
            return True
        if isinstance(leaf.dst, nodes.EntryNode) and not (leaf.dst_conn or "IN_").startswith("IN_"):
            return True
    return False


def copies_inside(place: Place, state: SDFGState, node: nodes.AccessNode, where: str) -> Iterator[Access]:
    """Copies between containers in a kernel: both ends are accessed by it."""
    for edge in state.in_edges(node):
        first = state.memlet_path(edge)[0].src
        if isinstance(first, nodes.AccessNode) and not edge.data.is_empty() and not is_view_edge(state, edge):
            yield Access(place, container(state, first), True, True, where)
            yield Access(place, container(state, node), False, True, where)
    for edge in state.out_edges(node):
        last = state.memlet_path(edge)[-1].dst
        if isinstance(last, nodes.AccessNode) and not edge.data.is_empty() and not is_view_edge(state, edge):
            yield Access(place, container(state, node), True, True, where)
            yield Access(place, container(state, last), False, True, where)


def control_accesses(place: Place) -> Iterator[Access]:
    for names, where in control_reads(place.sdfg):
        for name in sorted(names):
            yield Access(place, name, True, place.inside, "/".join((*place.path, where)))


def control_reads(sdfg: SDFG) -> Iterator[tuple[set[str], str]]:
    """Containers that edges between states, loop headers and conditions read."""
    known = set(sdfg.arrays)
    for region in sdfg.all_control_flow_regions():
        if isinstance(region, LoopRegion):
            statements = (region.init_statement, region.loop_condition, region.update_statement)
            yield set().union(*(names_in(s) for s in statements if s)) & known, f"loop {region.label}"
        for block in region.nodes():
            if isinstance(block, ConditionalBlock):
                yield set().union(*(names_in(c) for c, _ in block.branches if c)) & known, f"condition {block.label}"
        for edge in region.edges():
            yield edge.data.read_symbols() & known, f"edge {edge.src.label} -> {edge.dst.label}"


def names_in(code) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(code.as_string)) if isinstance(node, ast.Name)}
