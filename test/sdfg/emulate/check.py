# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a placed graph may not do, found without running it."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterator

from dace import SDFG, data, dtypes
from dace.sdfg import infer_types, nodes
from dace.sdfg.state import SDFGState

from . import sides
from .sides import Access, Place, Side

# Implementations of library nodes that are calls from the host with pointers into device memory.
DEVICE_LIBRARIES = ("cuBLAS", "cuSolverDn", "cuSPARSE", "cuFFT", "cuTENSOR", "rocBLAS", "CUDA (device)")
HOST_LIBRARIES = ("MKL", "OpenBLAS", "OpenMP", "HPTT", "TTGT")


def violations(placed: SDFG) -> list[str]:
    """One line for each access to a container from code that cannot reach it, and for each disagreement about storage."""
    found = [*disagreements(placed)]
    sdfg = settled(placed)
    for place in sides.places(sdfg):
        local = sides.local_names(place.sdfg)
        for access in sides.accesses(place):
            if wrong := judged(access, local):
                found.append(wrong)
        if not place.inside:
            found += library_violations(place)
        found += wrong_views(place)
        found += copies_that_accumulate(place)
    return list(dict.fromkeys(found))


def settled(placed: SDFG) -> SDFG:
    """A copy in which DaCe has chosen what is left at its default and has expanded what expands to a graph."""
    sdfg = copy.deepcopy(placed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        infer_types.infer_connector_types(sdfg)
        infer_types.set_default_schedule_and_storage_types(sdfg, None)
        expand(sdfg, lambda node: not is_call(node))
        infer_types.infer_connector_types(sdfg)
        infer_types.set_default_schedule_and_storage_types(sdfg, None)
    return sdfg


def expand(sdfg: SDFG, wanted: Callable[[nodes.LibraryNode], bool]) -> None:
    """Expands the library nodes that are wanted, and those among what they expand to, at every depth."""
    pending = [state for nested in sdfg.all_sdfgs_recursive() for state in nested.states()]
    while pending:
        state = pending.pop()
        chosen = [n for n in state.nodes() if isinstance(n, nodes.LibraryNode) and wanted(n)]
        for node in chosen:
            before = set(state.nodes())
            node.expand(state.sdfg, state)
            for new in set(state.nodes()) - before:
                if isinstance(new, nodes.NestedSDFG):
                    pending += [s for nested in new.sdfg.all_sdfgs_recursive() for s in nested.states()]
        if chosen:
            pending.append(state)


def is_call(node: nodes.LibraryNode) -> bool:
    """Whether the library node is a call of a vendor's library rather than a graph of DaCe's own."""
    return node.implementation in DEVICE_LIBRARIES + HOST_LIBRARIES


def judged(access: Access, local: set[str]) -> str | None:
    desc = access.place.sdfg.arrays[access.name]
    verb = "reads" if access.reads else "writes"
    if access.inside:
        if access.place.inside or access.name in local or sides.side(desc) is Side.DEVICE:
            return None
        if isinstance(desc, data.Scalar) and access.reads:
            return None  # An argument of the kernel, passed by value.
        return f"{access.where}: kernel {verb} host container {access.name} ({desc.storage.name})"
    if sides.side(desc) is Side.DEVICE:
        return f"{access.where}: host {verb} device container {access.name} ({desc.storage.name})"
    return None


def library_violations(place: Place) -> list[str]:
    """Operands of calls on the wrong side. A scalar may be the host's for any call."""
    wrong = []
    for state in place.sdfg.states():
        for node in state.nodes():
            if isinstance(node, nodes.LibraryNode) and is_call(node) and sides.kernel_of(state, node) is None:
                wanted = Side.DEVICE if node.implementation in DEVICE_LIBRARIES else Side.HOST
                where = "/".join((*place.path, state.label, node.label))
                for name in operands(state, node):
                    desc = place.sdfg.arrays[name]
                    if sides.side(desc) is not wanted and not isinstance(desc, data.Scalar):
                        wrong.append(f"{where}: {node.implementation} uses {sides.side(desc).value} container {name}")
    return wrong


def operands(state: SDFGState, node: nodes.Node) -> list[str]:
    names = [sides.source(state, e) for e in state.in_edges(node) if not e.data.is_empty()]
    names += [sides.target(state, e) for e in state.out_edges(node) if not e.data.is_empty()]
    return list(dict.fromkeys(names))


def wrong_views(place: Place) -> list[str]:
    """Views and references outside kernels that name another memory than what they alias."""
    wrong = []
    for state in place.sdfg.states():
        for node in state.data_nodes():
            if place.inside or sides.kernel_of(state, node) is not None:
                continue
            desc = place.sdfg.arrays[node.data.split(".")[0]]
            for kind, aliased in aliases(state, node, desc):
                origin = place.sdfg.arrays[aliased]
                if sides.side(desc) is not sides.side(origin):
                    where = "/".join((*place.path, state.label, node.data))
                    wrong.append(f"{where}: {kind} on the {sides.side(desc).value} of {aliased} on the {sides.side(origin).value}")
    return wrong


def aliases(state: SDFGState, node: nodes.AccessNode, desc: data.Data) -> Iterator[tuple[str, str]]:
    """What the access node makes its container an alias of."""
    if isinstance(desc, data.View) and (found := sides.origin(state, node)):
        yield "view", found.data.split(".")[0]
    if isinstance(desc, data.Reference):
        for edge in state.in_edges(node):
            if edge.dst_conn == "set" and isinstance(edge.src, nodes.AccessNode):
                yield "reference", sides.container(state, edge.src)


def copies_that_accumulate(place: Place) -> list[str]:
    """A copy from one memory to the other cannot resolve write conflicts."""
    wrong = []
    for state in place.sdfg.states():
        for edge in transfers(place, state):
            if edge.data.wcr is not None:
                where = "/".join((*place.path, state.label))
                wrong.append(f"{where}: copy {edge.data} from one memory to the other resolves conflicts")
    return wrong


def transfers(place: Place, state: SDFGState) -> list:
    """The edges of a state that copy from one memory to the other, each the innermost of its path."""
    found = []
    if place.inside:
        return found
    for edge in state.edges():
        if edge.data.is_empty() or sides.is_view_edge(state, edge):
            continue
        path = state.memlet_path(edge)
        first, last = path[0].src, path[-1].dst
        if not isinstance(first, nodes.AccessNode) or not isinstance(last, nodes.AccessNode) or not is_leaf(state, edge, path):
            continue
        if any(sides.kernel_of(state, n) is not None for n in (first, last)):
            continue
        ends = [place.sdfg.arrays[sides.container(state, n)] for n in (first, last)]
        if any(isinstance(d, (data.Stream, data.Structure, data.ContainerArray)) for d in ends):
            continue
        if sides.side(ends[0]) is not sides.side(ends[1]):
            found.append(edge)
    return found


def is_leaf(state: SDFGState, edge, path) -> bool:
    """Whether the edge is the one of its path in the innermost scope, where the copy is executed."""
    depths = [depth(state, e) for e in path]
    return depths[path.index(edge)] == max(depths) and path.index(edge) == depths.index(max(depths))


def depth(state: SDFGState, edge) -> int:
    scopes = state.scope_dict()
    scope = edge.src if isinstance(edge.src, nodes.EntryNode) else scopes[edge.src]
    count = 0
    while scope is not None:
        count, scope = count + 1, scopes[scope]
    return count


def disagreements(placed: SDFG) -> list[str]:
    """Where a nested graph outside kernels says another memory for a container than the graph around it does."""
    wrong = []
    for place in sides.places(placed):
        for state in place.sdfg.states():
            for node in state.nodes():
                if isinstance(node, nodes.NestedSDFG) and not place.inside and sides.kernel_of(state, node) is None:
                    wrong += disagreements_at(place, state, node)
    return wrong


def disagreements_at(place: Place, state: SDFGState, node: nodes.NestedSDFG) -> list[str]:
    wrong = []
    pairs = [(e.dst_conn, sides.source(state, e)) for e in state.in_edges(node) if not e.data.is_empty()]
    pairs += [(e.src_conn, sides.target(state, e)) for e in state.out_edges(node) if not e.data.is_empty()]
    for inner_name, outer_name in dict.fromkeys(pairs):
        inner, outer = node.sdfg.arrays.get(inner_name), place.sdfg.arrays[outer_name]
        if inner is None or dtypes.StorageType.Default in (inner.storage, outer.storage):
            continue
        if sides.side(inner) is not sides.side(outer):
            where = "/".join((*place.path, state.label, node.label))
            wrong.append(f"{where}: {inner_name} is on the {sides.side(inner).value}, {outer_name} on the {sides.side(outer).value}")
    return wrong
