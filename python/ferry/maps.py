# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which maps the argument `host_maps` names, and how the engine is told: it knows maps by their labels."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import dace
from dace import nodes

from ._ferry import PlacementError


def every(sdfg: dace.SDFG) -> Iterator[tuple[dace.SDFGState, nodes.MapEntry]]:
    """The maps of the graph, at every depth."""
    for node, state in sdfg.all_nodes_recursive():
        if isinstance(node, nodes.MapEntry):
            yield state, node


def named(sdfg: dace.SDFG, host_maps: bool | Iterable | None) -> list[nodes.Map]:
    """The maps that `host_maps` names, as `place` has it."""
    if host_maps is True:
        return [entry.map for state, entry in every(sdfg) if state.scope_dict()[entry] is None and launches(state, entry)]
    chosen = []
    for name in host_maps or ():
        found = [entry.map for _, entry in every(sdfg) if is_named(entry, name)]
        if not found:
            raise PlacementError(f"host_maps: there is no map {name!r}" if isinstance(name, str) else f"host_maps: {name} is no map of the graph")
        chosen += [m for m in found if not any(m is other for other in chosen)]
    return chosen


def is_named(entry: nodes.MapEntry, name) -> bool:
    return entry.map.label == name if isinstance(name, str) else entry is name or entry.map is getattr(name, "map", name)


def launches(state: dace.SDFGState, entry: nodes.MapEntry) -> bool:
    """Whether a map only launches the work of maps in it: it holds maps, itself or in nested graphs, and beside them nothing
    that works."""
    scope = [node for node in state.scope_children()[entry] if not isinstance(node, nodes.ExitNode)]
    if any(isinstance(node, (nodes.Tasklet, nodes.LibraryNode)) for node in scope):
        return False
    if any(isinstance(node, nodes.EntryNode) for node in scope):
        return True
    return any(only_launches(node.sdfg) for node in scope if isinstance(node, nodes.NestedSDFG))


def only_launches(sdfg: dace.SDFG) -> bool:
    """Whether a nested graph has maps and outside of them nothing that works."""
    outermost = [node for state in sdfg.states() for node in state.scope_children()[None]]
    return any(isinstance(n, nodes.EntryNode) for n in outermost) and not any(isinstance(n, nodes.Tasklet) for n in outermost)


@dataclass
class Apart:
    labels: list[str] = field(default_factory=list)
    """Of the chosen maps, and of no others."""
    former: dict[str, str] = field(default_factory=dict)
    """What maps were called that have another label now."""

    def restore(self, sdfg: dace.SDFG) -> None:
        for _, entry in every(sdfg):
            entry.map.label = self.former.get(entry.map.label, entry.map.label)

    def with_former_labels(self, text: str) -> str:
        for now, before in self.former.items():
            text = text.replace(now, before)
        return text


@contextlib.contextmanager
def told_apart(sdfg: dace.SDFG, chosen: list[nodes.Map]) -> Iterator[Apart]:
    """While it lasts, the chosen maps have labels that no others have."""
    others = {entry.map.label for _, entry in every(sdfg) if not any(entry.map is each for each in chosen)}
    apart = Apart()
    try:
        for each in chosen:
            if each.label in others:
                label = f"host_map_{len(apart.former)}_{each.label}"
                apart.former[label] = each.label
                each.label = label
            apart.labels.append(each.label)
        yield apart
    finally:
        apart.restore(sdfg)
