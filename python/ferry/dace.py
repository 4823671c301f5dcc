# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ferry as a pass of DaCe, and in the place of `SDFG.apply_gpu_transformations`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import dace
from dace import properties
from dace.sdfg.scope import is_in_scope
from dace.transformation import pass_pipeline

from . import maps
from .placing import place


@properties.make_properties
class OffloadToAccelerator(pass_pipeline.Pass):
    """Places a graph as `ferry.place` does. Which maps stay on the host is no property: nodes have no meaning in another run."""

    CATEGORY: str = "Optimization Preparation"

    machine = properties.Property(dtype=str, default=None, allow_none=True, desc="A profile, or a JSON file with one")
    assume = properties.DictProperty(str, int, default={}, desc="Values of symbols, by which the plan is priced")
    verbose = properties.Property(dtype=bool, default=False, desc="Whether to print why everything is where it is")

    def __init__(
        self,
        machine: str | None = None,
        assume: Mapping[str, int] | None = None,
        verbose: bool = False,
        host_maps: bool | Iterable | None = False,
    ):
        super().__init__()
        self.machine, self.assume, self.verbose, self._host_maps = machine, dict(assume or {}), verbose, host_maps

    def modifies(self) -> pass_pipeline.Modifies:
        return pass_pipeline.Modifies.Everything

    def should_reapply(self, modified: pass_pipeline.Modifies) -> bool:
        return modified != pass_pipeline.Modifies.Nothing

    def apply_pass(self, sdfg: dace.SDFG, pipeline_results: dict) -> bool | None:
        """True if anything changed."""
        return place(sdfg, self._host_maps, self.machine, self.assume, self.verbose) or None

    def report(self, pass_retval: bool | None) -> str | None:
        return "Placed on host and device." if pass_retval else None


def apply_gpu_transformations(
    sdfg: dace.SDFG,
    states: Iterable[dace.SDFGState] | None = None,
    validate: bool = True,
    validate_all: bool = False,
    permissive: bool = False,
    sequential_innermaps: bool = True,
    register_transients: bool = True,
    simplify: bool = True,
    **options,
) -> None:
    """Places the graph; for callers of `SDFG.apply_gpu_transformations`, whose place it takes by
    `dace.SDFG.apply_gpu_transformations = ferry.dace.apply_gpu_transformations`.

    :param states: Where maps may go to the device, graphs nested there included: all states by default. Those of the other
        states are host maps. The graph is then not simplified, which would fuse states and inline graphs.
    :param validate: Whether DaCe validates the placed graph; so does `validate_all`.
    :param permissive: No difference: only what keeps the meaning is done.
    :param sequential_innermaps: If False, maps in kernels keep the schedules that they had.
    :param register_transients: If False, containers of kernels keep the storage that they had.
    :param simplify: Whether the graph is simplified before it is placed.
    :param options: As of `ferry.place`.
    """
    if states is not None:
        options["host_maps"] = maps.names(sdfg, options.get("host_maps")) + maps.outside(sdfg, states)
    elif simplify:
        sdfg.simplify(validate=validate, validate_all=validate_all)
    # By identifier: labels are not unique, and a graph's name changes with where it is.
    schedules = {entry.guid: entry.schedule for state, entry in maps.every(sdfg) if is_inner(state, entry)}
    storages = {node.guid: desc.storage for node, desc in accesses(sdfg)}
    if place(sdfg, **options):
        if not sequential_innermaps:
            for entry in inner_maps(sdfg):
                entry.schedule = schedules.get(entry.guid, entry.schedule)
        if not register_transients:
            for node, desc in accesses(sdfg):
                if desc.storage == dace.StorageType.Register:
                    desc.storage = storages.get(node.guid, desc.storage)
    if validate or validate_all:
        sdfg.validate()


def accesses(sdfg: dace.SDFG) -> Iterator[tuple[dace.nodes.AccessNode, dace.data.Data]]:
    """The access nodes of the graph, at every depth, with what they access."""
    for node, state in sdfg.all_nodes_recursive():
        if isinstance(node, dace.nodes.AccessNode):
            yield node, node.desc(state.sdfg)


def inner_maps(sdfg: dace.SDFG) -> Iterator[dace.nodes.MapEntry]:
    """The maps in kernels."""
    for state, entry in maps.every(sdfg):
        if is_in_scope(state.sdfg, state, entry, dace.dtypes.GPU_SCHEDULES):
            yield entry


def is_inner(state: dace.SDFGState, node: dace.nodes.Node) -> bool:
    """Whether the node is in a scope, also of a graph around."""
    while state is not None:
        if state.entry_node(node) is not None:
            return True
        node, state = state.sdfg.parent_nsdfg_node, state.sdfg.parent
    return False
