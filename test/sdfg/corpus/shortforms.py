# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Short forms for graphs that are built by hand."""

from __future__ import annotations

import dace
from dace import SDFG, Memlet, SDFGState
from dace.sdfg.state import LoopRegion

M, N = (dace.symbol(s, dtype=dace.int64) for s in "MN")


def graph(name: str, dtype=dace.float64, transients: str = "", scalars: str = "", **arrays) -> SDFG:
    """A graph with arrays of the given shapes; those named in `transients` are its own. The symbols of the shapes come with them."""
    sdfg = SDFG(name)
    for array, shape in arrays.items():
        shape = [s for s in (shape if isinstance(shape, (list, tuple)) else [shape])]
        sdfg.add_array(array, shape, dtype, transient=array in transients.split())
    for scalar in scalars.split():
        sdfg.add_scalar(scalar, dtype)
    return sdfg


def counted(sdfg: SDFG, label: str, variable: str, trips: str) -> LoopRegion:
    """A loop region over `variable` from 0, the first block of the graph."""
    sdfg.using_experimental_blocks = True
    sdfg.add_symbol(variable, dace.int64)
    loop = LoopRegion(label, f"{variable} < {trips}", variable, f"{variable} = 0", f"{variable} = {variable} + 1", sdfg=sdfg)
    sdfg.add_node(loop, is_start_block=not sdfg.nodes())
    return loop


def elementwise(state: SDFGState, code: str, reads: dict[str, str], writes: dict[str, str], nodes=None, **ranges) -> dict:
    """A map with one tasklet: `reads` and `writes` say what each connector is of, for example a="A[i]". Returns the access nodes;
    those given in `nodes` are used instead of new ones."""
    nodes = dict(nodes or {})
    inputs = {c: Memlet(m) for c, m in reads.items()}
    outputs = {c: Memlet(m) for c, m in writes.items()}
    ins = {name: nodes.get(name) or state.add_read(name) for name in dict.fromkeys(m.data for m in inputs.values())}
    outs = {name: nodes.get(name) if name not in ins else None for name in dict.fromkeys(m.data for m in outputs.values())}
    outs = {name: node or state.add_write(name) for name, node in outs.items()}
    label = f"map_over_{'_'.join(m.data for m in outputs.values())}"
    state.add_mapped_tasklet(
        label, ranges, inputs, code, outputs, external_edges=True, input_nodes=ins, output_nodes=outs
    )
    return {**ins, **outs}


def single(state: SDFGState, code: str, reads: dict[str, str], writes: dict[str, str], nodes=None, label="single") -> dict:
    """A tasklet that no map holds. Returns the access nodes, as `elementwise` does."""
    nodes = dict(nodes or {})
    tasklet = state.add_tasklet(label, set(reads), set(writes), code)
    for connector, text in reads.items():
        memlet = Memlet(text)
        if memlet.data not in nodes:
            nodes[memlet.data] = state.add_read(memlet.data)
        state.add_edge(nodes[memlet.data], None, tasklet, connector, memlet)
    written = {}
    for connector, text in writes.items():
        memlet = Memlet(text)
        if memlet.data not in written:
            written[memlet.data] = state.add_write(memlet.data)
        state.add_edge(tasklet, connector, written[memlet.data], None, memlet)
    return {**nodes, **written}


def nest(state: SDFGState, inner: SDFG, reads: dict[str, str], writes: dict[str, str], symbols=None):
    """Nested graph `inner` in the state, between access nodes of its own."""
    node = state.add_nested_sdfg(inner, None, set(reads), set(writes), symbols or {s: s for s in inner.free_symbols})
    for connector, text in reads.items():
        state.add_edge(state.add_read(text.split("[")[0]), None, node, connector, Memlet(text))
    for connector, text in writes.items():
        state.add_edge(node, connector, state.add_write(text.split("[")[0]), None, Memlet(text))
    return node
