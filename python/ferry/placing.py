# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Placing a live graph.

The engine reads and writes graphs as DaCe saves them. So the graph is saved to text, placed, loaded, and the object that the
caller has takes over what was loaded; an error leaves it as it was.
"""

from __future__ import annotations

import json
import operator
import warnings
from collections.abc import Iterable, Iterator, Mapping

import dace
from dace.sdfg.state import ConditionalBlock, ControlFlowRegion

from . import _ferry, maps
from ._ferry import PlacementError

MACHINE = "pcie4"
NOT_SAVED = {"_build_folder", "_cfg_list", "_orig_name", "_parent", "_parent_graph", "_parent_nsdfg_node", "_parent_sdfg"}


def place(
    sdfg: dace.SDFG,
    host_maps: bool | Iterable | None = False,
    machine: str | None = None,
    assume: Mapping[str, int] | None = None,
    verbose: bool = False,
) -> bool:
    """Changes the graph so that DaCe builds it for host and device as the cheapest plan says.

    :param host_maps: Maps that stay on the host: labels or nodes; True names those that launch work rather than do it.
    :param machine: A profile (`ferry devices` lists them) or a JSON file with one.
    :param assume: Values of symbols, by which the plan is priced; 1000 for those that are not named.
    :param verbose: Whether to print why everything is where it is.
    :return: Whether anything changed.
    :raises PlacementError: What is wrong with the graph or with an argument; the graph is then as it was.
    """
    if not isinstance(sdfg, dace.SDFG):
        raise PlacementError(f"there is no graph to place but {sdfg!r}; `to_sdfg()` makes one of a DaCe program")
    text = dace.serialize.dumps(sdfg.to_json())
    placed = _ferry.place(text, sdfg.name, machine or MACHINE, values(assume), maps.names(sdfg, host_maps), verbose)
    for note in placed.notes:
        warnings.warn(note, stacklevel=2)
    if verbose:
        print(placed.explanation, end="")
    if placed.text == text:
        return False
    take_over(sdfg, dace.SDFG.from_json(json.loads(placed.text)))
    return True


def values(assume: Mapping[str, int] | None) -> dict[str, int]:
    """As the engine takes them: the keys may be DaCe's symbols, the values whole numbers of any type."""
    if not isinstance(assume or {}, Mapping):
        raise PlacementError(f"assume: a dictionary of symbols and their values is expected, not {assume!r}")
    return {str(name): whole(name, value) for name, value in (assume or {}).items()}


def whole(name, value) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise PlacementError(f"assume: the value of {name} is {value!r}, which is not a whole number") from None
    if not -(2**63) <= number < 2**63:
        raise PlacementError(f"assume: the value of {name} is {number}, which does not fit into 64 bits")
    return number


def take_over(sdfg: dace.SDFG, loaded: dace.SDFG) -> None:
    """Gives the graph all that the loaded one has; what the file does not hold stays: what it is nested in, its build folder."""
    for block in blocks(loaded):
        if block.sdfg is loaded:
            block.sdfg = sdfg
        if block.parent_graph is loaded:
            block.parent_graph = sdfg
        for node in block.nodes() if isinstance(block, dace.SDFGState) else ():
            if isinstance(node, dace.nodes.NestedSDFG):
                node.sdfg.parent_sdfg = sdfg
    kept = {name: value for name, value in vars(sdfg).items() if name in NOT_SAVED}
    vars(sdfg).update(vars(loaded))
    vars(sdfg).update(kept)
    sdfg._sdfg = sdfg
    sdfg.reset_cfg_list()


def blocks(region) -> Iterator:
    """The blocks of a graph at every depth, without those of nested graphs. The arms of a conditional block are told where
    they are, which DaCe 1.0.2 forgets where it loads them."""
    for block in region.nodes():
        yield block
        if isinstance(block, ConditionalBlock):
            for _, arm in block.branches:
                arm.sdfg, arm.parent_graph = block.sdfg, block.parent_graph
                yield arm
                yield from blocks(arm)
        elif isinstance(block, ControlFlowRegion):
            yield from blocks(block)
