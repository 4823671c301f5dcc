# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Large graphs of one shape each, written without DaCe, which takes minutes to build some of them.

    large.py SHAPE NODES > out.sdfg
"""

from __future__ import annotations

import json
import sys

ALL = ("0", "N - 1")


def array(*shape: str, transient: bool = False, kind: str = "Array") -> dict:
    strides = ["*".join(shape[i + 1 :]) or "1" for i in range(len(shape))]
    attributes = {"dtype": "float64", "shape": list(shape), "strides": strides, "total_size": "*".join(shape), "offset": ["0"] * len(shape)}
    return {"type": kind, "attributes": attributes | ({"transient": True} if transient else {})}


def memlet(data: str, *box: tuple[str, str]) -> dict:
    ranges = [{"start": first, "end": last, "step": "1", "tile": "1"} for first, last in box]
    return {"type": "Memlet", "attributes": {"volume": "1", "data": data, "subset": {"type": "Range", "ranges": ranges}}}


class State:
    def __init__(self, label: str):
        self.label, self.nodes, self.edges = label, [], []

    def node(self, kind: str, name: str, scope: int | None = None, **attributes) -> int:
        entry = None if scope is None else str(scope)
        self.nodes.append({"type": kind, "label": name, "attributes": attributes, "id": len(self.nodes), "scope_entry": entry, "scope_exit": None})
        return len(self.nodes) - 1

    def access(self, data: str, scope: int | None = None, **attributes) -> int:
        return self.node("AccessNode", data, scope, data=data, **attributes)

    def tasklet(self, name: str, ins: str, outs: str, scope: int | None = None) -> int:
        code = {"string_data": "; ".join(f"{out} = 1 + {' + '.join(ins.split()) or '0'}" for out in outs.split()), "language": "Python"}
        return self.node("Tasklet", name, scope, code=code, in_connectors=dict.fromkeys(ins.split()), out_connectors=dict.fromkeys(outs.split()))

    def map(self, name: str, parameter: str, ins: list[str], outs: list[str], scope: int | None = None) -> tuple[int, int]:
        scope_range = memlet("", ALL)["attributes"]["subset"]
        entry = self.node("MapEntry", name, scope, label=name, params=[parameter], range=scope_range, schedule="Default",
                          in_connectors={f"IN_{c}": None for c in ins}, out_connectors={f"OUT_{c}": None for c in ins})
        leave = self.node("MapExit", name, entry, in_connectors={f"IN_{c}": None for c in outs}, out_connectors={f"OUT_{c}": None for c in outs})
        self.nodes[entry]["scope_exit"] = self.nodes[leave]["scope_exit"] = str(leave)
        return entry, leave

    def edge(self, source: int, target: int, carried: dict, out: str | None = None, into: str | None = None) -> None:
        self.edges.append({"type": "MultiConnectorEdge", "attributes": {"data": carried}, "src": str(source), "dst": str(target),
                           "src_connector": out, "dst_connector": into})

    def elementwise(self, name: str, source: str, target: str, node: int | None = None) -> int:
        """A map over all elements of two vectors; `node` is the source's. The target's node."""
        before = self.access(source) if node is None else node
        entry, leave = self.map(name, "i", ["a"], ["b"])
        work, behind = self.tasklet(name + "_work", "a", "b", entry), self.access(target)
        self.edge(before, entry, memlet(source, ALL), None, "IN_a")
        self.edge(entry, work, memlet(source, ("i", "i")), "OUT_a", "a")
        self.edge(work, leave, memlet(target, ("i", "i")), "b", "IN_b")
        self.edge(leave, behind, memlet(target, ALL), "OUT_b")
        return behind


def graph(name: str, arrays: dict, states: list[State], edges=None, symbols: str = "N") -> dict:
    """`edges`: from, to, condition, assignments; else the states are a chain."""
    chain = [(i, i + 1, "1", {}) for i in range(len(states) - 1)]
    blocks = [{"type": "SDFGState", "label": s.label, "id": i, "collapsed": False, "nodes": s.nodes, "edges": s.edges, "attributes": {}}
              for i, s in enumerate(states)]
    between = [{"type": "Edge", "src": str(a), "dst": str(b), "attributes": {"data": {"type": "InterstateEdge", "attributes": {
        "condition": {"string_data": condition, "language": "Python"}, "assignments": assignments}}}}
        for a, b, condition, assignments in (chain if edges is None else edges)]
    arguments = [a for a, made in arrays.items() if "transient" not in made["attributes"]]
    return {"type": "SDFG", "attributes": {"name": name, "arg_names": arguments, "_arrays": arrays, "constants_prop": {},
                                           "symbols": dict.fromkeys(symbols.split(), "int64")},
            "nodes": blocks, "edges": between, "start_block": 0, "dace_version": "1.0.2"}


# ---- Shapes, each of about so many nodes


def states(nodes: int) -> dict:
    """A chain of states of four maps."""
    made = [State(f"s{i}") for i in range(nodes // 20)]
    for state in made:
        for i in range(4):
            state.elementwise(f"map{i}", f"A{i}", f"A{i + 1}")
    return graph("states", {f"A{i}": array("N") for i in range(5)}, made)


def one_state(nodes: int) -> dict:
    """All maps in one state, each behind the one before, through two arrays."""
    state, last = State("s"), None
    for i in range(nodes // 4):
        last = state.elementwise(f"map{i}", f"A{i % 2}", f"A{1 - i % 2}", last)
    return graph("one_state", {"A0": array("N"), "A1": array("N")}, [state])


def containers(nodes: int) -> dict:
    """The same, each with an array of its own."""
    state, last, count = State("s"), None, nodes // 4
    for i in range(count):
        last = state.elementwise(f"map{i}", f"A{i}", f"A{i + 1}", last)
    return graph("containers", {f"A{i}": array("N", transient=0 < i < count) for i in range(count + 1)}, [state])


def sides(nodes: int) -> dict:
    """One state in which host and device take turns, so that it is split at each, with views."""
    state, last = State("s"), None
    arrays = {"A": array("N"), "B": array("N"), "S": {"type": "Stream", "attributes": {"dtype": "float64", "shape": ["1"], "transient": True}}}
    for i in range(nodes // 8):
        arrays[f"view{i}"] = array("N", transient=True, kind="View")
        view = state.access(f"view{i}", in_connectors={"views": None})
        state.edge(state.access("A") if last is None else last, view, memlet("A", ALL), None, "views")
        made, work, last = state.elementwise(f"map{i}", f"view{i}", "B", view), state.tasklet(f"work{i}", "b", "a s"), state.access("A")
        state.edge(made, work, memlet("B", ("0", "0")), None, "b")
        state.edge(work, last, memlet("A", ALL), "a")
        state.edge(work, state.access("S"), memlet("S", ("0", "0")), "s")
    return graph("sides", arrays, [state])


def tasklets(nodes: int) -> dict:
    """One map with all tasklets in it, a scalar between each and the next."""
    state, arrays, last = State("s"), {"A": array("N"), "B": array("N")}, None
    entry, leave = state.map("map", "i", ["a"], ["b"])
    state.edge(state.access("A"), entry, memlet("A", ALL), None, "IN_a")
    state.edge(leave, state.access("B"), memlet("B", ALL), "OUT_b")
    for i in range(nodes // 2):
        work = state.tasklet(f"work{i}", "a", "b", entry)
        if last is None:
            state.edge(entry, work, memlet("A", ("i", "i")), "OUT_a", "a")
        else:
            state.edge(last, work, memlet(f"s{i - 1}", ("0", "0")), None, "a")
        arrays[f"s{i}"] = array("1", transient=True)
        last = state.access(f"s{i}", entry)
        state.edge(work, last, memlet(f"s{i}", ("0", "0")), "b")
    state.edge(last, leave, memlet("B", ("i", "i")), None, "IN_b")
    return graph("tasklets", arrays, [state])


def connectors(nodes: int) -> dict:
    """One map that all containers enter or leave."""
    state, arrays, count = State("s"), {}, nodes // 3
    entry, leave = state.map("map", "i", [f"a{i}" for i in range(count)], [f"b{i}" for i in range(count)])
    for i in range(count):
        arrays |= {f"A{i}": array("N"), f"B{i}": array("N")}
        work = state.tasklet(f"work{i}", "a", "b", entry)
        state.edge(state.access(f"A{i}"), entry, memlet(f"A{i}", ALL), None, f"IN_a{i}")
        state.edge(entry, work, memlet(f"A{i}", ("i", "i")), f"OUT_a{i}", "a")
        state.edge(work, leave, memlet(f"B{i}", ("i", "i")), "b", f"IN_b{i}")
        state.edge(leave, state.access(f"B{i}"), memlet(f"B{i}", ALL), f"OUT_b{i}")
    return graph("connectors", arrays, [state])


def maps(nodes: int) -> dict:
    """One map with all other maps in it."""
    state = State("s")
    entry, leave = state.map("outer", "k", ["a"], ["b"])
    state.edge(state.access("A"), entry, memlet("A", ALL, ALL), None, "IN_a")
    state.edge(leave, state.access("B"), memlet("B", ALL, ALL), "OUT_b")
    for i in range(nodes // 3):
        inner, out = state.map(f"map{i}", "i", ["a"], ["b"], entry)
        work = state.tasklet(f"work{i}", "a", "b", inner)
        state.edge(entry, inner, memlet("A", ("k", "k"), ALL), "OUT_a", "IN_a")
        state.edge(inner, work, memlet("A", ("k", "k"), ("i", "i")), "OUT_a", "a")
        state.edge(work, out, memlet("B", ("k", "k"), ("i", "i")), "b", "IN_b")
        state.edge(out, leave, memlet("B", ("k", "k"), ALL), "OUT_b", "IN_b")
    return graph("maps", {"A": array("N", "N"), "B": array("N", "N")}, [state])


def nested(nodes: int) -> dict:
    """Nested SDFGs of one map, each behind the one before."""
    state = State("s")
    last = state.access("A0")
    for i in range(nodes // 7):
        inner = State("inner")
        inner.elementwise("map", "A", "B")
        node = state.node("NestedSDFG", f"nested{i}", sdfg=graph(f"nested{i}", {"A": array("N"), "B": array("N")}, [inner]),
                          symbol_mapping={"N": "N"}, in_connectors={"A": None}, out_connectors={"B": None})
        state.edge(last, node, memlet(f"A{i % 2}", ALL), None, "A")
        last = state.access(f"A{1 - i % 2}")
        state.edge(node, last, memlet(f"A{1 - i % 2}", ALL), "B")
    return graph("nested", {"A0": array("N"), "A1": array("N")}, [state])


def loops(nodes: int) -> dict:
    """Loops of one map, each behind the one before."""
    made, edges, count = [], [], nodes // 5
    for i in range(count):
        first = len(made)
        made += [State(f"init{i}"), State(f"guard{i}"), State(f"body{i}")]
        made[-1].elementwise(f"map{i}", f"A{i % 2}", f"A{1 - i % 2}")
        edges += [(first, first + 1, "1", {f"i{i}": "0"}), (first + 1, first + 2, f"i{i} < N", {}), (first + 2, first + 1, "1", {f"i{i}": f"i{i} + 1"}),
                  (first + 1, first + 3, f"not (i{i} < N)", {})]
    made.append(State("end"))
    return graph("loops", {"A0": array("N"), "A1": array("N")}, made, edges, " ".join(["N"] + [f"i{i}" for i in range(count)]))


def kernel(nodes: int) -> dict:
    """A loop over one state, whose maps have arrays of their own."""
    made, arrays = [State("init"), State("guard"), State("body"), State("end")], {}
    for i in range(nodes // 5):
        arrays |= {f"A{i}": array("N"), f"B{i}": array("N")}
        made[2].elementwise(f"map{i}", f"A{i}", f"B{i}")
    edges = [(0, 1, "1", {"t": "0"}), (1, 2, "t < 1000", {}), (2, 1, "1", {"t": "t + 1"}), (1, 3, "not (t < 1000)", {})]
    return graph("kernel", arrays, made, edges, "N t")


def exits(nodes: int) -> dict:
    """Behind each map the program may end."""
    made, edges, count = [], [], nodes // 5
    for i in range(count):
        made.append(State(f"s{i}"))
        made[-1].elementwise(f"map{i}", f"A{i % 2}", f"A{1 - i % 2}")
        edges += [(i, i + 1, f"A0[0] > {i}", {}), (i, count, f"not (A0[0] > {i})", {})]
    made.append(State("end"))
    return graph("exits", {"A0": array("N"), "A1": array("N")}, made, edges[:-1])


def depth(nodes: int) -> dict:
    """Maps inside of each other."""
    state = State("s")
    last, scope, entries = state.access("A"), None, []
    for i in range(nodes // 2):
        scope, leave = state.map(f"map{i}", f"i{i}", ["a"], ["b"], scope)
        state.edge(last, scope, memlet("A", ALL), "OUT_a" if entries else None, "IN_a")
        entries.append((scope, leave))
        last = scope
    last = state.tasklet("work", "a", "b", scope)
    state.edge(scope, last, memlet("A", ("i0", "i0")), "OUT_a", "a")
    for _, leave in reversed(entries):
        state.edge(last, leave, memlet("B", ALL), "b" if last == 2 * len(entries) + 1 else "OUT_b", "IN_b")
        last = leave
    state.edge(last, state.access("B"), memlet("B", ALL), "OUT_b")
    return graph("depth", {"A": array("N"), "B": array("N")}, [state])


SHAPES = [states, one_state, containers, sides, tasklets, connectors, maps, nested, loops, kernel, exits]


def main(name: str, nodes: str) -> None:
    print(json.dumps(globals()[name](int(nodes))))


if __name__ == "__main__":
    main(*sys.argv[1:])
