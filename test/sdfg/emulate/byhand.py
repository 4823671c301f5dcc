# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small graph that is placed by hand, to plant faults in."""

from __future__ import annotations

import dace
from dace import SDFG, InterstateEdge, Memlet, SDFGState

from corpus.shortforms import N, elementwise, graph, single


def placed() -> SDFG:
    """A goes to the device, doubles there and comes back; then the host adds one to its first element for `total`."""
    sdfg = graph("placed_by_hand", A=N, total=1)
    sdfg.add_array("gpu_A", [N], dace.float64, storage=dace.StorageType.GPU_Global, transient=True)
    there, work, back, host = (sdfg.add_state(s, is_start_block=s == "there") for s in ("there", "work", "back", "host"))
    copied(there, "A", "gpu_A")
    kernel(work, "b = a * 2", {"a": "gpu_A[i]"}, {"b": "gpu_A[i]"}, i="0:N")
    copied(back, "gpu_A", "A")
    single(host, "t = a + 1", {"a": "A[0]"}, {"t": "total[0]"})
    for before, after in ((there, work), (work, back), (back, host)):
        sdfg.add_edge(before, after, InterstateEdge())
    return sdfg


def copied(state: SDFGState, origin: str, target: str, box: str = "0:N") -> None:
    """A copy of a box, in either direction."""
    state.add_nedge(state.add_read(origin), state.add_write(target), Memlet(f"{origin}[{box}] -> [{box}]"))


def kernel(state: SDFGState, code: str, reads: dict[str, str], writes: dict[str, str], **ranges) -> None:
    before = set(state.nodes())
    elementwise(state, code, reads, writes, **ranges)
    for node in set(state.nodes()) - before:
        if isinstance(node, dace.nodes.MapEntry):
            node.schedule = dace.ScheduleType.GPU_Device
