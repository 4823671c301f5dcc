# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Maps that stay on the host and launch those in them: which they are, and what becomes of the graphs."""

import subprocess
import tempfile
import unittest
from pathlib import Path

import dace
import numpy as np
from dace import SDFG, InterstateEdge, Memlet, nodes

import ferry
import ferry.dace
import judge
import placing
from corpus import PROGRAMS, Program
from corpus.graphs_nested import tasks_of_a_host_map, tasks_of_a_host_map_numpy
from corpus.shortforms import M, N, elementwise, graph, single

STATED, SMALL = {"N": 1000000, "M": 16, "T": 1000}, {"N": 7, "M": 4, "T": 3}


def repeated(body) -> SDFG:
    """A state, filled by `body`, which returns the last if there are more, in a loop of T trips: what it works on is worth the device."""
    sdfg = graph("repeated", A=[M, N])
    sdfg.add_symbol("T", dace.int64)
    state = sdfg.add_state("body", is_start_block=False)
    last = body(sdfg, state)
    sdfg.add_loop(sdfg.add_state("init", is_start_block=True), state, None, "t", "0", "t < T", "t + 1", loop_end_state=last)
    return sdfg


def blocks(state, name="blocks"):
    return state.add_map(name, {"k": "0:M"})


def rows(sdfg, state):
    """A map in a map."""
    (entry, exit_), (inner, inner_exit) = blocks(state), state.add_map("row", {"j": "0:N"})
    work = state.add_tasklet("work", {"a"}, {"b"}, "b = a * 0.5 + 1")
    state.add_memlet_path(state.add_read("A"), entry, inner, work, dst_conn="a", memlet=Memlet("A[k, j]"))
    state.add_memlet_path(work, inner_exit, exit_, state.add_write("A"), src_conn="b", memlet=Memlet("A[k, j]"))


def rows_numpy(A, T):
    for _ in range(T):
        A[:] = A * 0.5 + 1


def buffered(sdfg, state):
    """Two maps in a map, with an array of each block between them; the second begins where the block's number says."""
    sdfg.add_array("held", [N], dace.float64, transient=True)
    (entry, exit_), (first, first_exit) = blocks(state), state.add_map("first", {"j": "0:N"})
    second, second_exit = state.add_map("second", {"j": "k:N"})
    fill = state.add_tasklet("fill", {"a"}, {"h"}, "h = a * 0.5")
    add = state.add_tasklet("add", {"h"}, {"b"}, "b = h + 1")
    held = state.add_access("held")
    state.add_memlet_path(state.add_read("A"), entry, first, fill, dst_conn="a", memlet=Memlet("A[k, j]"))
    state.add_memlet_path(fill, first_exit, held, src_conn="h", memlet=Memlet("held[j]"))
    state.add_memlet_path(held, second, add, dst_conn="h", memlet=Memlet("held[N - 1 - j]"))
    state.add_memlet_path(add, second_exit, exit_, state.add_write("A"), src_conn="b", memlet=Memlet("A[k, j]"))


def buffered_numpy(A, T):
    for _ in range(T):
        for k, row in enumerate(A):
            row[k:] = (row * 0.5)[::-1][k:] + 1


def stepped(sdfg, state):
    """A graph in a map: a loop of maps in the number of the block, a scalar between them, a tasklet that makes it."""
    inner = SDFG("stepped_inner")
    inner.add_symbol("k", dace.int64)
    inner.add_array("row", [N], dace.float64)
    inner.add_scalar("factor", dace.float64, transient=True)
    start, pick, scale = (inner.add_state(s, is_start_block=s == "start") for s in ("start", "pick", "scale"))
    inner.add_edge(pick, scale, InterstateEdge())
    single(pick, "f = a * 0.01", {"a": "row[0]"}, {"f": "factor[0]"})
    elementwise(scale, "b = a * 0.5 + f", {"a": "row[j]", "f": "factor[0]"}, {"b": "row[j]"}, j="0:N")
    inner.add_loop(start, pick, None, "s", "0", "s < k + 1", "s + 1", loop_end_state=scale)
    entry, exit_ = blocks(state)
    node = state.add_nested_sdfg(inner, None, {"row"}, {"row"}, {"N": "N", "k": "k"})
    state.add_memlet_path(state.add_read("A"), entry, node, dst_conn="row", memlet=Memlet("A[k, 0:N]"))
    state.add_memlet_path(node, exit_, state.add_write("A"), src_conn="row", memlet=Memlet("A[k, 0:N]"))


def stepped_numpy(A, T):
    for _ in range(T):
        for k, row in enumerate(A):
            for _ in range(k + 1):
                row[:] = row * 0.5 + row[0] * 0.01


def works_too(sdfg, state):
    """The outer map has a tasklet of its own beside the inner map."""
    sdfg.add_array("head", [M], dace.float64)
    rows(sdfg, state)
    entry, exit_ = (next(n for n in state.nodes() if isinstance(n, t) and n.map.label == "blocks") for t in (nodes.MapEntry, nodes.MapExit))
    work = state.add_tasklet("own", {"h"}, {"o"}, "o = h * 2")
    state.add_memlet_path(state.add_read("head"), entry, work, dst_conn="h", memlet=Memlet("head[k]"))
    state.add_memlet_path(work, exit_, state.add_write("head"), src_conn="o", memlet=Memlet("head[k]"))


def works_too_numpy(A, head, T):
    rows_numpy(A, T)
    head *= 2.0**T


def decided(sdfg, state):
    """A graph in a map that chooses by a number in it: the host reads that, so nothing in it can be launched."""
    inner = SDFG("decided_inner")
    inner.add_array("row", [N], dace.float64)
    start, high, low = (inner.add_state(s, is_start_block=s == "start") for s in ("start", "high", "low"))
    inner.add_edge(start, high, InterstateEdge("row[0] > 0.5"))
    inner.add_edge(start, low, InterstateEdge("row[0] <= 0.5"))
    elementwise(high, "b = a * 0.5", {"a": "row[j]"}, {"b": "row[j]"}, j="0:N")
    elementwise(low, "b = a + 1", {"a": "row[j]"}, {"b": "row[j]"}, j="0:N")
    entry, exit_ = blocks(state)
    node = state.add_nested_sdfg(inner, None, {"row"}, {"row"}, {"N": "N"})
    state.add_memlet_path(state.add_read("A"), entry, node, dst_conn="row", memlet=Memlet("A[k, 0:N]"))
    state.add_memlet_path(node, exit_, state.add_write("A"), src_conn="row", memlet=Memlet("A[k, 0:N]"))


def decided_numpy(A, T):
    for _ in range(T):
        for row in A:
            row[:] = row * 0.5 if row[0] > 0.5 else row + 1


def kernel(state, source, target, reads, writes, name, into=(), out_of=()):
    """A map that halves what it reads and adds 1."""
    inner, inner_exit = state.add_map(name, {"j": "0:N"})
    work = state.add_tasklet(name, {"a"}, {"b"}, "b = a * 0.5 + 1")
    state.add_memlet_path(source, *into, inner, work, dst_conn="a", memlet=Memlet(reads))
    state.add_memlet_path(work, inner_exit, *out_of, target, src_conn="b", memlet=Memlet(writes))


def through(state, name, held):
    """Two maps in a map that hand rows of A on in a container."""
    entry, exit_ = blocks(state, name)
    between = state.add_access(held)
    kernel(state, state.add_read("A"), between, "A[k, j]", f"{held}[j]", f"{name}_first", into=[entry])
    kernel(state, between, state.add_write("A"), f"{held}[j]", "A[k, j]", f"{name}_second", out_of=[exit_])


def twice_numpy(A, T):
    for _ in range(T):
        A[:] = (A * 0.5 + 1) * 0.5 + 1


def viewed(sdfg, state):
    """A view between two maps in a map."""
    sdfg.add_array("held", [N], dace.float64, transient=True)
    sdfg.add_view("V", [N], dace.float64)
    entry, exit_ = blocks(state)
    held, view = state.add_access("held"), state.add_access("V")
    kernel(state, state.add_read("A"), held, "A[k, j]", "held[j]", "first", into=[entry])
    state.add_edge(held, None, view, "views", Memlet("held[0:N]"))
    kernel(state, view, state.add_write("A"), "V[j]", "A[k, j]", "second", out_of=[exit_])


def two_ports(sdfg, state):
    """A enters and B leaves maps in each other by two connectors each."""
    sdfg.add_array("B", [2, M, N], dace.float64)
    maps = [blocks(state, "outer"), state.add_map("blocks", {"l": "0:1"}), state.add_map("row", {"j": "0:N"})]
    work = state.add_tasklet("work", {"a", "c"}, {"b", "d"}, "b = a * 0.5\nd = c + 1")
    into, out_of = [entry for entry, _ in maps], [exit_ for _, exit_ in reversed(maps)]
    joined(state, "low", [state.add_read("A"), *into, work], "a", ["A[0:M, 0:N]", "A[k, 0:N]", "A[k, 0:N]", "A[k, j]"])
    joined(state, "high", [state.add_read("A"), *into, work], "c", ["A[0:M, 0:N]", "A[k, 0:N]", "A[k, 0:N]", "A[k, N - 1 - j]"])
    joined(state, "low", [work, *out_of, state.add_write("B")], "b", ["B[0, k, j]", "B[0, k, 0:N]", "B[0, k, 0:N]", "B[0, 0:M, 0:N]"])
    joined(state, "high", [work, *out_of, state.add_write("B")], "d", ["B[1, k, j]", "B[1, k, 0:N]", "B[1, k, 0:N]", "B[1, 0:M, 0:N]"])


def joined(state, port, ways, connector, memlets):
    """A memlet path through connectors of this name, which add_memlet_path would join with others of the container."""
    for scope in ways[1:-1]:
        scope.add_in_connector(f"IN_{port}")
        scope.add_out_connector(f"OUT_{port}")
    for step, memlet in enumerate(memlets):
        first, last = ways[step], ways[step + 1]
        out = connector if isinstance(first, nodes.Tasklet) else f"OUT_{port}" if step else None
        into = connector if isinstance(last, nodes.Tasklet) else f"IN_{port}" if step < len(memlets) - 1 else None
        state.add_edge(first, out, last, into, Memlet(memlet))


def two_ports_numpy(A, B, T):
    B[0], B[1] = A * 0.5, A[:, ::-1] + 1


def shared(sdfg, state):
    """Two maps that use one array for themselves, one after the other."""
    sdfg.add_array("held", [N], dace.float64, transient=True)
    through(state, "blocks", "held")
    last = sdfg.add_state("last")
    sdfg.add_edge(state, last, InterstateEdge())
    through(last, "others", "held")
    return last


def shared_numpy(A, T):
    twice_numpy(A, 2 * T)


def not_handed(sdfg, state):
    """What a map in a map reads is the program's and does not come through the outer map's entry."""
    sdfg.add_array("G", [N], dace.float64)
    (entry, exit_), (inner, inner_exit) = blocks(state), state.add_map("row", {"j": "0:N"})
    work = state.add_tasklet("work", {"a", "g"}, {"b"}, "b = a * 0.5 + g")
    state.add_memlet_path(state.add_read("A"), entry, inner, work, dst_conn="a", memlet=Memlet("A[k, j]"))
    read = state.add_read("G")
    state.add_nedge(entry, read, Memlet())
    state.add_memlet_path(read, inner, work, dst_conn="g", memlet=Memlet("G[j]"))
    state.add_memlet_path(work, inner_exit, exit_, state.add_write("A"), src_conn="b", memlet=Memlet("A[k, j]"))


def not_handed_numpy(A, G, T):
    for _ in range(T):
        A[:] = A * 0.5 + G


def undeclared(sdfg, state, value="0.5"):
    """What is launched names symbols that the graph assigns and does not declare, one of them no integer."""
    last = sdfg.add_state("last")
    sdfg.add_edge(state, last, InterstateEdge(assignments={"factor": value, "more": "t + 1"}))
    (entry, exit_), (inner, inner_exit) = blocks(last), last.add_map("row", {"j": "0:N"})
    work = last.add_tasklet("work", {"a"}, {"b"}, "b = a * factor + more")
    last.add_memlet_path(last.add_read("A"), entry, inner, work, dst_conn="a", memlet=Memlet("A[k, j]"))
    last.add_memlet_path(work, inner_exit, exit_, last.add_write("A"), src_conn="b", memlet=Memlet("A[k, j]"))
    return last


def undeclared_numpy(A, T):
    for t in range(T):
        A[:] = A * 0.5 + t + 1


def untyped(sdfg, state):
    """The same with a symbol whose type cannot be told."""
    return undeclared(sdfg, state, "1 if t > 0 else 2")


def untyped_numpy(A, T):
    for t in range(T):
        A[:] = A * (1 if t > 0 else 2) + t + 1


def kept(sdfg, state):
    """What is between two maps in a map is the host's by the program's own word."""
    sdfg.add_array("held", [N], dace.float64, transient=True, storage=dace.StorageType.CPU_Heap)
    through(state, "blocks", "held")


def read_by_control(sdfg, state):
    """What is between two maps in a map is read by the loop around them."""
    sdfg.add_array("held", [N], dace.float64, transient=True)
    through(state, "blocks", "held")
    last = sdfg.add_state("last")
    sdfg.add_edge(state, last, InterstateEdge(assignments={"first": "held[0]"}))
    return last


def deep(depth, name="deep"):
    """A map in as many graphs in each other."""
    sdfg = graph(f"{name}{depth}", A=[N])
    state = sdfg.add_state("only", is_start_block=True)
    if depth == 0:
        elementwise(state, "b = a + 1", {"a": "A[i]"}, {"b": "A[i]"}, i="0:N")
        return sdfg
    node = state.add_nested_sdfg(deep(depth - 1), None, {"A"}, {"A"}, {"N": "N"})
    state.add_edge(state.add_read("A"), None, node, "A", Memlet("A[0:N]"))
    state.add_edge(node, "A", state.add_write("A"), None, Memlet("A[0:N]"))
    return sdfg


def program(body, reference) -> Program:
    return Program(body.__name__, "host_maps", lambda: repeated(body), reference, STATED, SMALL)


def schedules(sdfg):
    return {n.map.label: n.schedule.name for n, _ in sdfg.all_nodes_recursive() if isinstance(n, nodes.MapEntry)}


def text(sdfg):
    return dace.serialize.dumps(sdfg.to_json())


def by_command(sdfg, *names, sizes=STATED):
    """As `ferry place --host-maps` places it, and what that says."""
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder, "before.sdfg"), Path(folder, "after.sdfg")
        sdfg.save(str(before))
        options = [word for name, size in sizes.items() for word in ("--assume", f"{name}={size}")]
        options += [word for name in names for word in ("--host-maps", name)]
        done = subprocess.run(["ferry", "place", before, "-o", after, "--machine", "h200", *options], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return judge.load(after), done.stderr


class Kernels(unittest.TestCase):
    """A host map's inner maps are kernels, one a trip, where that is worth it."""

    def placed(self, body, reference, launches, names=("blocks",), **expected):
        sdfg = repeated(body)
        verdict = judge.judge(program(body, reference), repeated(body), lambda given: by_command(given, *names)[0])
        self.assertEqual(str(verdict), "right")
        self.assertEqual(verdict.counts.total_launches, launches)
        made, said = by_command(sdfg, *names)
        self.assertEqual({label: schedules(made)[label] for label in expected}, expected)
        self.assertEqual(said, "")
        again, _ = by_command(made)
        self.assertEqual(again.hash_sdfg(), made.hash_sdfg())
        ferry.place(sdfg, host_maps=list(names), machine="h200", assume=STATED)
        self.assertEqual(sdfg.hash_sdfg(), made.hash_sdfg())
        price, bound = placing.price(made, STATED), ferry._ferry.place(text(repeated(body)), "", "h200", STATED, list(names), False).bound
        self.assertAlmostEqual(price.total / bound, 1, delta=1e-6)

    def test_map_in_a_map(self):
        self.placed(rows, rows_numpy, 12, blocks="Sequential", row="GPU_Device")

    def test_by_structure(self):
        self.placed(rows, rows_numpy, 12, names=["True"], blocks="Sequential", row="GPU_Device")
        self.placed(rows, rows_numpy, 12, names=["all-launching"], blocks="Sequential", row="GPU_Device")

    def test_buffer_between_maps(self):
        self.placed(buffered, buffered_numpy, 24, blocks="Sequential", first="GPU_Device", second="GPU_Device")

    def test_graph_in_a_map(self):
        self.placed(stepped, stepped_numpy, 60, blocks="Sequential", map_over_row_map="GPU_Device")

    def test_outer_map_of_a_named_one(self):
        """A named map is in no kernel, so what is around it is none."""
        made, _ = by_command(repeated(rows), "row")
        self.assertNotIn("GPU_Device", schedules(made).values())

    def test_own_work(self):
        self.placed(works_too, works_too_numpy, 24, blocks="Sequential", row="GPU_Device", own_once="GPU_Device")

    def test_view_between_maps(self):
        self.placed(viewed, twice_numpy, 24, blocks="Sequential", first="GPU_Device", second="GPU_Device")

    def test_two_connectors_of_one_container(self):
        self.placed(two_ports, two_ports_numpy, 12, ["outer", "blocks"], blocks="Sequential", row="GPU_Device")

    def test_symbols_that_are_not_declared(self):
        self.placed(undeclared, undeclared_numpy, 12, blocks="Sequential", row="GPU_Device")

    def test_tasks(self):
        tasks = Program("tasks", "host_maps", tasks_of_a_host_map, tasks_of_a_host_map_numpy, STATED, SMALL)
        verdict = judge.judge(tasks, tasks_of_a_host_map(), lambda given: by_command(given, "True", sizes={"N": 1000000, "M": 16})[0])
        self.assertEqual(str(verdict), "right")


class Naming(unittest.TestCase):
    def test_none(self):
        """False, None and the empty list are one answer, and all of them that without any."""
        free = schedules(by_command(repeated(rows))[0])
        self.assertEqual(free["blocks"], "GPU_Device")
        for none in ("False", "None", "none", "[]"):
            self.assertEqual(schedules(by_command(repeated(rows), none)[0]), free)
        for none in (False, None, [], ()):
            for place in (self.by_package, self.by_pass):
                self.assertEqual(schedules(place(repeated(rows), none)), free)

    def by_package(self, sdfg, host_maps):
        ferry.place(sdfg, host_maps=host_maps, machine="h200", assume=STATED)
        return sdfg

    def by_pass(self, sdfg, host_maps):
        ferry.dace.OffloadToAccelerator(machine="h200", assume=STATED, host_maps=host_maps).apply_pass(sdfg, {})
        return sdfg

    def test_nodes(self):
        for place in (self.by_package, self.by_pass):
            for name in (lambda e: e, lambda e: e.map, lambda e: e.map.label, lambda e: e.guid):
                sdfg = repeated(rows)
                entry = next(n for n, _ in sdfg.all_nodes_recursive() if isinstance(n, nodes.MapEntry) and n.map.label == "blocks")
                self.assertEqual(schedules(place(sdfg, [name(entry)]))["blocks"], "Sequential")
            self.assertEqual(schedules(place(repeated(rows), True))["blocks"], "Sequential")

    def test_by_identifier_on_the_command_line(self):
        sdfg = repeated(rows)
        entry = next(n for n, _ in sdfg.all_nodes_recursive() if isinstance(n, nodes.MapEntry) and n.map.label == "blocks")
        self.assertEqual(schedules(by_command(sdfg, entry.guid)[0])["blocks"], "Sequential")

    def test_own_work_is_no_launching(self):
        self.assertEqual(schedules(by_command(repeated(works_too), "True")[0])["blocks"], "GPU_Device")

    def test_unknown_name(self):
        with self.assertRaisesRegex(RuntimeError, "host maps: there is no map 'nowhere'; there are 'blocks', 'row'\\n"):
            by_command(repeated(rows), "nowhere")
        with self.assertRaisesRegex(ferry.PlacementError, "host maps: there is no map 'nowhere'; there are 'blocks', 'row'"):
            self.by_package(repeated(rows), ["nowhere"])

    def stays(self, body, reference, names, why):
        """The maps stay plain ones of the host, and Ferry says why."""
        verdict = judge.judge(program(body, reference), repeated(body), lambda given: by_command(given, *names)[0])
        self.assertEqual(str(verdict), "right")
        self.assertEqual(verdict.counts.total_launches, 0)
        self.assertIn(f"note: 'blocks' launches nothing: {why}\n", by_command(repeated(body), *names)[1])

    def test_what_cannot_be_launched_stays(self):
        self.stays(decided, decided_numpy, ["blocks"], "control flow in it reads 'row'")
        self.stays(shared, shared_numpy, ["blocks", "others"], "'held' is used outside of it too")
        self.stays(not_handed, not_handed_numpy, ["blocks"], "'G' is used outside of it too")
        self.stays(read_by_control, twice_numpy, ["blocks"], "'held' is used outside of it too")
        self.stays(kept, twice_numpy, ["blocks"], "'held' is in CPU_Heap")
        self.stays(untyped, untyped_numpy, ["blocks"], "the type of symbol 'factor' is not known; declare it")

    def test_deep_nesting(self):
        """What is asked of a graph is not asked twice of those in it."""
        sdfg = deep(60)
        outer = graph("outer", A=[N])
        state = outer.add_state("only", is_start_block=True)
        entry, exit_ = state.add_map("blocks", {"k": "0:4"})
        node = state.add_nested_sdfg(sdfg, None, {"A"}, {"A"}, {"N": "N"})
        state.add_memlet_path(state.add_read("A"), entry, node, dst_conn="A", memlet=Memlet("A[0:N]"))
        state.add_memlet_path(node, exit_, state.add_write("A"), src_conn="A", memlet=Memlet("A[0:N]"))
        self.assertIn("blocks", schedules(by_command(outer, "True")[0]))

    def test_what_cannot_stay_is_said(self):
        sdfg = repeated(rows)
        for node, _ in sdfg.all_nodes_recursive():
            if isinstance(node, nodes.MapEntry) and node.map.label == "blocks":
                node.schedule = dace.ScheduleType.GPU_Device
        sdfg.arrays["A"].storage = dace.StorageType.GPU_Global
        for name in ("blocks", "row"):
            self.assertIn(f"note: '{name}' is not on the host: scheduled on the GPU", by_command(sdfg, name)[1])
            with self.assertWarnsRegex(UserWarning, f"'{name}' is not on the host: scheduled on the GPU"):
                self.by_package(dace.SDFG.from_json(sdfg.to_json()), [name])


if __name__ == "__main__":
    unittest.main()
