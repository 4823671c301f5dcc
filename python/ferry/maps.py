# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which maps the argument `host_maps` names, as the engine is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import dace
from dace import nodes

from ._ferry import PlacementError


def every(sdfg: dace.SDFG) -> Iterator[tuple[dace.SDFGState, nodes.MapEntry]]:
    """The maps of the graph, at every depth."""
    for node, state in sdfg.all_nodes_recursive():
        if isinstance(node, nodes.MapEntry):
            yield state, node


def names(sdfg: dace.SDFG, host_maps: bool | Iterable | None) -> list[str]:
    """A label as it is, a node by its identifier, and "True" for the maps that launch work rather than do it."""
    if host_maps is True:
        return ["True"]
    if isinstance(host_maps, str):
        return [host_maps]
    return [each if isinstance(each, str) else identifier(sdfg, each) for each in host_maps or ()]


def outside(sdfg: dace.SDFG, states: Iterable[dace.SDFGState]) -> list[str]:
    """The identifiers of the maps that are neither in these states nor in graphs nested in them."""
    chosen = set(states)
    return [entry.guid for state, entry in every(sdfg) if chosen.isdisjoint(around(state))]


def around(state: dace.SDFGState | None) -> Iterator[dace.SDFGState]:
    """The state and those that it is nested in."""
    while state is not None:
        yield state
        state = state.sdfg.parent


def identifier(sdfg: dace.SDFG, node) -> str:
    for _, entry in every(sdfg):
        if entry is node or entry.map is getattr(node, "map", node):
            return entry.guid
    labels = ", ".join(sorted({entry.map.label for _, entry in every(sdfg)}))
    raise PlacementError(f"host maps: {node} is no map of the graph; those are {labels or 'none'}")
