# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes of a placed graph one that needs no GPU and still has two memories.

Storage on the device becomes a buffer of its own on the CPU, a kernel a sequential map, a call of a GPU library DaCe's own graph for
it. What was a copy between the memories stays a copy, so a copy too few leaves old or poisoned numbers. Beside each copy and
each kernel stands a tasklet that counts: it has no edges of data, so nothing that DaCe makes of the rest changes.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

from dace import SDFG, Memlet, data, dtypes, symbolic
from dace.codegen.targets import cpp
from dace.sdfg import infer_types, nodes
from dace.sdfg.state import ConditionalBlock, LoopRegion, SDFGState

from . import check, sides
from .sides import KERNELS, Place, Schedule, Side, Storage

DECLARATIONS = """
#ifndef FERRY_EMULATE
#define FERRY_EMULATE
namespace ferry_emulate {{
static long long counts[{size}];
static inline void ferry_count(int slot, long long by) {{
    counts[slot] += by;
}}
static inline void ferry_poison(void *begin, long long bytes) {{
    unsigned char *at = static_cast<unsigned char *>(begin);
    for (long long i = 0; i < bytes; ++i) at[i] = 0x5A;
}}
}}
extern "C" __attribute__((visibility("default"))) long long *ferry_emulate_counts() {{ return ferry_emulate::counts; }}
#endif
"""


@dataclass(frozen=True)
class Kernel:
    label: str
    in_loop: bool


@dataclass
class Emulation:
    """`counters` says what the slots of the program's counters mean: copies to the device, bytes of them, copies to the host, bytes of
    them, then for each kernel its launches and how many of these were of a single thread."""

    sdfg: SDFG
    kernels: list[Kernel]
    declared: set[str]
    """Names of the graph's own scalars and small arrays, which the program declares and does not allocate."""

    @property
    def slots(self) -> int:
        return 4 + 2 * len(self.kernels)


def emulated(placed: SDFG) -> Emulation:
    """The placed graph is not changed."""
    sdfg = check.settled(placed)
    emulation = Emulation(sdfg, [], set())
    for place in list(sides.places(sdfg)):
        if not place.inside:
            count_in(emulation, place)
    for node, state in list(sdfg.all_nodes_recursive()):
        if isinstance(node, nodes.LibraryNode):
            make_pure(node)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check.expand(sdfg, lambda node: True)
        infer_types.infer_connector_types(sdfg)
        infer_types.set_default_schedule_and_storage_types(sdfg, None)
    for nested in sdfg.all_sdfgs_recursive():
        bring_to_the_host(emulation, nested)
    sdfg.append_global_code(DECLARATIONS.format(size=emulation.slots), "frame")
    return emulation


def make_pure(node: nodes.LibraryNode) -> None:
    if check.is_call(node) or node.implementation not in type(node).implementations:
        node.implementation = "pure" if "pure" in type(node).implementations else None
    if node.schedule in KERNELS or node.schedule == Schedule.GPU_Default:
        node.schedule = Schedule.Sequential


def count_in(emulation: Emulation, place: Place) -> None:
    """Puts a counting tasklet beside each copy and each kernel of the graph itself."""
    for state in place.sdfg.states():
        for edge in check.transfers(place, state):
            desc = place.sdfg.arrays[edge.data.data]
            first = state.memlet_path(edge)[0].src
            to_device = sides.side(place.sdfg.arrays[sides.container(state, first)]) is Side.HOST
            slot = 0 if to_device else 2
            subset = edge.data.subset if edge.data.subset is not None else edge.data.other_subset
            size = f"({spelled(subset.num_elements())}) * sizeof({desc.dtype.ctype})"
            add_counter(state, edge, f"ferry_emulate::ferry_count({slot}, 1); ferry_emulate::ferry_count({slot + 1}, {size});")
        for node in list(state.nodes()):
            if is_kernel(state, node):
                slot = 4 + 2 * len(emulation.kernels)
                emulation.kernels.append(Kernel(node.label, in_loop(place, state, node)))
                some, one = sizes(state, node)
                code = f"ferry_emulate::ferry_count({slot}, {some}); ferry_emulate::ferry_count({slot + 1}, {one});"
                add_counter(state, node, code)


def is_kernel(state: SDFGState, node: nodes.Node) -> bool:
    """Whether the node is launched by the host: a map on the device or a call of a GPU library."""
    if sides.kernel_of(state, node) is not None:
        return False
    if isinstance(node, nodes.EntryNode):
        return node.schedule in KERNELS
    return isinstance(node, nodes.LibraryNode) and node.implementation in check.DEVICE_LIBRARIES


def sizes(state: SDFGState, node: nodes.Node) -> tuple[str, str]:
    """C++ for whether it has threads at all, and for whether it has a single one."""
    if not isinstance(node, nodes.MapEntry) or dynamic(state, node):
        return "1", "0"  # A library's, or only known where the kernel is launched.
    if node.schedule == Schedule.GPU_Persistent:
        return "1", "0"  # As many as the device runs at the same time.
    extents = [spelled(size) for size in node.map.range.size()]
    return " && ".join(f"{e} > 0" for e in extents), " && ".join(f"{e} == 1" for e in extents)


def dynamic(state: SDFGState, node: nodes.MapEntry) -> bool:
    return any(e.dst_conn and not e.dst_conn.startswith("IN_") for e in state.in_edges(node))


def in_loop(place: Place, state: SDFGState, node: nodes.Node) -> bool:
    """Whether the host may launch it more than once a run."""
    sdfg = place.sdfg
    while True:
        if state.scope_dict()[node] is not None or in_cycle(state):
            return True
        if sdfg.parent is None:
            return False
        sdfg, state, node = sdfg.parent_sdfg, sdfg.parent, sdfg.parent_nsdfg_node


def in_cycle(block) -> bool:
    import networkx

    while True:
        region = block.parent_graph
        block = next((b for b in region.nodes() if isinstance(b, ConditionalBlock) and block in b.nodes()), block)
        if isinstance(region, LoopRegion):
            return True
        component = next(c for c in networkx.strongly_connected_components(region.nx) if block in c)
        if len(component) > 1 or region.edges_between(block, block):
            return True
        if isinstance(region, SDFG):
            return False
        block = region


def spelled(expression) -> str:
    return f"(long long)({cpp.sym2cpp(symbolic.simplify(expression) if symbolic.issymbolic(expression) else expression)})"


def add_counter(state: SDFGState, beside, code: str) -> None:
    """In the scope of the node, or of the edge's source."""
    tasklet = state.add_tasklet("ferry_count", {}, {}, code, language=dtypes.Language.CPP, side_effects=True)
    if isinstance(beside, nodes.Node):
        scope = state.scope_dict()[beside]
    else:
        scope = beside.src if isinstance(beside.src, nodes.EntryNode) else state.scope_dict()[beside.src]
    if scope is not None:
        state.add_nedge(scope, tasklet, Memlet())
        state.add_nedge(tasklet, state.exit_node(scope), Memlet())


def bring_to_the_host(emulation: Emulation, sdfg: SDFG) -> None:
    """Device storage to the heap, shared memory to registers, kernels and host maps to loops in order."""
    for name, desc in sdfg.arrays.items():
        for member in members(desc):
            if member.storage == Storage.GPU_Global:
                member.storage = Storage.CPU_Heap
            elif member.storage == Storage.GPU_Shared:
                member.storage = Storage.Register
            elif member.storage == Storage.CPU_Pinned:
                member.storage = Storage.CPU_Heap
        if desc.transient and type(desc) in (data.Scalar, data.Array):
            emulation.declared.add(name)
    for state in sdfg.states():
        for node in state.nodes():
            if isinstance(node, (nodes.EntryNode, nodes.NestedSDFG)):
                if node.schedule in KERNELS or node.schedule in (Schedule.GPU_Default, Schedule.CPU_Multicore):
                    node.schedule = Schedule.Sequential


def members(desc: data.Data):
    yield desc
    if isinstance(desc, data.Structure):
        for member in desc.members.values():
            yield from members(member)
