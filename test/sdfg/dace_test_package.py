# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python package: what it does to live graphs, and how it fits into DaCe."""

import contextlib
import copy
import inspect
import io
import subprocess
import tempfile
import unittest
from pathlib import Path

import dace
import numpy
from dace.transformation.pass_pipeline import Pass, Pipeline

import ferry
import judge
from ferry import _ferry, maps
from corpus import PROGRAMS
from corpus.shortforms import elementwise
from corpus.shortforms import graph as made
from emulate.byhand import kernel
from emulate.byhand import placed as placed_by_hand

JACOBI = PROGRAMS["jacobi_plane"]
SIZES = dict(JACOBI.stated)


def jacobi():
    return judge.graph(JACOBI, "simplified")


def two_maps():
    """Two maps of one label, in a loop each, which are worth the device where A is large."""
    sdfg = made("two_maps", A="N", B="N")
    start, first, second = (sdfg.add_state(s, is_start_block=s == "start") for s in ("start", "first", "second"))
    for state in (first, second):
        elementwise(state, "c = a * 0.5 + b", {"a": "A[i]", "b": "B[i]"}, {"c": "B[i]"}, i="0:N")
    between = sdfg.add_loop(start, first, None, "t", "0", "t < 1000", "t + 1")[2]
    sdfg.add_loop(between, second, None, "t", "0", "t < 1000", "t + 1")
    return sdfg


def in_one_loop(depth):
    """Two states "a" and "b" in one loop, with a map each, in as many graphs: they are worth the device where A and B are large."""
    sdfg = made("in_one_loop", A="N", B="N")
    start, a, b = (sdfg.add_state(s, is_start_block=s == "start") for s in ("start", "a", "b"))
    for state, name in ((a, "A"), (b, "B")):
        halved(state, name, depth)
    sdfg.add_edge(a, b, dace.InterstateEdge())
    sdfg.add_loop(start, a, None, "t", "0", "t < 1000", "t + 1", loop_end_state=b)
    return sdfg


def halved(state, name, depth):
    if depth == 0:
        elementwise(state, "b = a * 0.5 + 1", {"a": f"{name}[i]"}, {"b": f"{name}[i]"}, i="0:N")
        return
    inner = made(f"inner_{name}", **{name: "N"})
    halved(inner.add_state("inner", is_start_block=True), name, depth - 1)
    node = state.add_nested_sdfg(inner, None, {name}, {name}, {"N": "N"})
    node.no_inline = True
    state.add_edge(state.add_read(name), None, node, name, dace.Memlet(f"{name}[0:N]"))
    state.add_edge(node, name, state.add_write(name), None, dace.Memlet(f"{name}[0:N]"))


def alike_kernels():
    """In a loop three maps of one label, one of them in a map, each with two maps of one label and a container between them."""
    sdfg = made("alike_kernels", A=["N", 4], B=["N", 4], C=[4, "N", 4])
    body = sdfg.add_state("body")
    for name in "ABC":
        sdfg.add_array(f"held_{name}", [4], dace.float64, transient=True)
        maps = [body.add_map("around", {"z": "0:4"})] if name == "C" else []
        maps.append(body.add_map("block", {"k": "0:N"}))
        element = f"{name}[z, k, j]" if name == "C" else f"{name}[k, j]"
        held = body.add_access(f"held_{name}")
        into, out_of = [entry for entry, _ in maps], [exit_ for _, exit_ in reversed(maps)]
        steps = ((body.add_read(name), into, element, held, [], f"held_{name}[j]"), (held, [], f"held_{name}[3 - j]", body.add_write(name), out_of, element))
        for source, before, reads, target, behind, writes in steps:
            entry, exit_ = body.add_map("inner", {"j": "0:4"})
            entry.schedule = dace.ScheduleType.Sequential if name == "A" else dace.ScheduleType.Default
            work = body.add_tasklet("work", {"a"}, {"b"}, "b = a * 0.5 + 1")
            body.add_memlet_path(source, *before, entry, work, dst_conn="a", memlet=dace.Memlet(reads))
            body.add_memlet_path(work, exit_, *behind, target, src_conn="b", memlet=dace.Memlet(writes))
    sdfg.add_loop(sdfg.add_state("start", is_start_block=True), body, None, "t", "0", "t < 1000", "t + 1")
    return sdfg


def schedules(sdfg):
    return [(node.label, node.schedule) for node, _ in sdfg.all_nodes_recursive() if isinstance(node, dace.nodes.MapEntry)]


def on_device(sdfg):
    return [schedule for _, schedule in schedules(sdfg)].count(dace.ScheduleType.GPU_Device)


class Placing(unittest.TestCase):
    def test_live_graph(self):
        sdfg = jacobi()
        self.assertTrue(ferry.place(sdfg, assume=SIZES))
        sdfg.validate()
        self.assertGreater(on_device(sdfg), 0)
        for nested in sdfg.all_sdfgs_recursive():
            for block in nested.all_control_flow_blocks():
                self.assertIs(block.sdfg, nested)
        self.assertIs(sdfg.cfg_list[0], sdfg)
        self.assertIn("GPU", str(copy.deepcopy(sdfg).to_json()))

    def test_same_as_the_command_line(self):
        with tempfile.TemporaryDirectory() as folder:
            before, after = Path(folder, "before.sdfg"), Path(folder, "after.sdfg")
            sdfg = jacobi()
            sdfg.save(str(before))
            assumed = [word for name, value in SIZES.items() for word in ("--assume", f"{name}={value}")]
            subprocess.run(["ferry", "place", before, "-o", after, *assumed], check=True)
            ferry.place(sdfg, assume=SIZES)
            self.assertEqual(judge.load(after).hash_sdfg(), sdfg.hash_sdfg())

    def test_locations(self):
        sdfg = jacobi()
        self.assertEqual(set(ferry.locations(sdfg).values()), {"host"})
        ferry.place(sdfg, assume=SIZES)
        found = ferry.locations(sdfg)
        self.assertEqual((found["A"], found["B"], found["T"]), ("both", "both", "host"))
        self.assertEqual({place for name, place in found.items() if name.startswith("__tmp")}, {"device"})
        self.assertFalse([name for name in found if name.startswith("gpu_")])

    def test_verbose(self):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            ferry.place(jacobi(), assume=SIZES)
            self.assertEqual(printed.getvalue(), "")
            ferry.place(jacobi(), assume=SIZES, verbose=True)
        self.assertIn("A", printed.getvalue())

    def test_errors_leave_the_graph(self):
        sdfg = jacobi()
        before = sdfg.to_json()
        with self.assertRaisesRegex(ferry.PlacementError, "^machine: there is no profile 'abacus'"):
            ferry.place(sdfg, machine="abacus")
        with self.assertRaisesRegex(ferry.PlacementError, "host maps: there is no map 'nowhere'"):
            ferry.place(sdfg, host_maps=["nowhere"])
        for assume, said in (
            ({"N": 4.5}, "the value of N is 4.5, which is not a whole number"),
            ({"N": "many"}, "the value of N is 'many', which is not a whole number"),
            ({"N": 2**63}, "the value of N is 9223372036854775808, which does not fit"),
            ("N=4", "a dictionary of symbols and their values is expected, not 'N=4'"),
        ):
            with self.assertRaisesRegex(ferry.PlacementError, f"^assume: {said}"):
                ferry.place(sdfg, assume=assume)
        with self.assertRaisesRegex(ferry.PlacementError, "`to_sdfg\\(\\)` makes one"):
            ferry.place(JACOBI)
        sdfg.arrays["A"].storage = dace.StorageType.FPGA_Global
        with self.assertRaisesRegex(ValueError, "container 'A': its storage FPGA_Global"):
            ferry.place(sdfg)
        sdfg.arrays["A"].storage = dace.StorageType.Default
        self.assertEqual(sdfg.to_json(), before)

    def test_assumptions(self):
        """They may be named by symbols and be numbers of NumPy's; what they do not name is said, and what names nothing."""

        def printed(assume):
            with contextlib.redirect_stdout(io.StringIO()) as out:
                ferry.place(two_maps(), assume=assume, verbose=True)
            return out.getvalue()

        self.assertEqual(printed({dace.symbol("N"): numpy.int32(4000)}), printed({"N": 4000}))
        self.assertNotIn("assumed", printed({"N": 4000}))
        self.assertIn("N = 1000", printed(None).splitlines()[-1])
        with self.assertWarnsRegex(UserWarning, "nothing is called 'M', of which a value is assumed; there are 'N'"):
            ferry.place(two_maps(), assume={"M": 4000})

    def test_configuration_stays(self):
        before = copy.deepcopy(dace.Config._config)
        ferry.place(jacobi(), assume=SIZES)
        self.assertEqual(dace.Config._config, before)


class HostMaps(unittest.TestCase):
    assume = {"N": 10_000_000}

    def placed(self, host_maps):
        sdfg = two_maps()
        entries = [node for node, _ in sdfg.all_nodes_recursive() if isinstance(node, dace.nodes.MapEntry)]
        ferry.place(sdfg, host_maps=host_maps(entries) if callable(host_maps) else host_maps, assume=self.assume)
        sdfg.validate()
        return sdfg

    def test_none(self):
        for none in (False, None, [], ()):
            self.assertEqual(on_device(self.placed(none)), 2)

    def test_by_label(self):
        self.assertEqual(on_device(self.placed(["map_over_B_map"])), 0)

    def test_by_node(self):
        for chosen in (lambda entries: entries[:1], lambda entries: [entries[0].map]):
            sdfg = self.placed(chosen)
            self.assertEqual([state for state, count in on_device_by_state(sdfg).items() if count], ["second"])
            labels = {label for label, at in schedules(sdfg) if at != dace.ScheduleType.GPU_Persistent}
            self.assertEqual(labels, {"map_over_B_map"})

    def test_what_cannot_be_is_said(self):
        sdfg = placed_by_hand()
        label = next(label for label, _ in schedules(sdfg))
        with self.assertWarnsRegex(UserWarning, f"'{label}' is not on the host: scheduled on the GPU"):
            ferry.place(sdfg, host_maps=[label])
        self.assertEqual(on_device(sdfg), 1)


class Callbacks(unittest.TestCase):
    """What calls back never runs in a kernel, however deep it is in a map."""

    def placed(self, calls_back):
        inner = made("inner", a=1)
        state = inner.add_state()
        tasklet = state.add_tasklet("call", {"x"}, {"y"}, "y = x * 0.5 + 1", side_effects=calls_back)
        state.add_edge(state.add_read("a"), None, tasklet, "x", dace.Memlet("a[0]"))
        state.add_edge(tasklet, "y", state.add_write("a"), None, dace.Memlet("a[0]"))
        sdfg = made("calls_back", A="N")
        body = sdfg.add_state("body")
        entry, exit_ = body.add_map("each", {"i": "0:N"})
        node = body.add_nested_sdfg(inner, None, {"a"}, {"a"})
        body.add_memlet_path(body.add_read("A"), entry, node, dst_conn="a", memlet=dace.Memlet("A[i]"))
        body.add_memlet_path(node, exit_, body.add_write("A"), src_conn="a", memlet=dace.Memlet("A[i]"))
        sdfg.add_loop(sdfg.add_state("before"), body, None, "t", "0", "t < 1000", "t + 1")
        ferry.place(sdfg, assume={"N": 10_000_000})
        return on_device(sdfg)

    def test_in_a_nested_graph(self):
        self.assertEqual([self.placed(calls_back) for calls_back in (False, True)], [1, 0])


def on_device_by_state(sdfg):
    """At every depth: a loop that is one kernel has its states in a graph of their own."""
    return {
        state.label: sum(isinstance(n, dace.nodes.MapEntry) and n.schedule == dace.ScheduleType.GPU_Device for n in state.nodes())
        for graph in sdfg.all_sdfgs_recursive()
        for state in graph.states()
    }


class Prices(unittest.TestCase):
    """The evaluator that the benchmark compares graphs with."""

    def price(self, sdfg, **sizes):
        return _ferry.price(dace.serialize.dumps(sdfg.to_json()), sdfg.name, "h200", sizes)

    def test_copies_and_kernels(self):
        """By hand: A goes to the device and back, for one kernel; a tasklet of the host's follows."""
        price = self.price(placed_by_hand(), N=10**6)
        self.assertEqual((price.bytes_to_device, price.bytes_to_host), (8e6, 8e6))
        self.assertEqual((price.launches, price.single_threaded), (1, 0))
        self.assertAlmostEqual(self.price(placed_by_hand(), N=2 * 10**6).total / price.total, 2, delta=0.1)

    def test_loops(self):
        sdfg = placed_by_hand()
        before, body, after = (sdfg.add_state(s) for s in ("before", "body", "after"))
        sdfg.add_edge(next(s for s in sdfg.states() if s.label == "host"), before, dace.InterstateEdge())
        kernel(body, "b = a", {"a": "gpu_A[i]"}, {"b": "gpu_A[i]"}, i="0:1")
        sdfg.add_loop(before, body, after, "k", "0", "k < 50", "k + 1")
        price = self.price(sdfg, N=10**6)
        self.assertAlmostEqual(price.launches, 51, delta=1e-3)
        self.assertAlmostEqual(price.single_threaded, 50, delta=1e-3)

    def test_memlets_that_say_too_much(self):
        """A map's outer memlet may name far more than its inner ones add up to; what moves is what those say."""
        sdfg = two_maps()
        exact = self.price(sdfg, N=10**6).total
        for node, state in sdfg.all_nodes_recursive():
            if isinstance(node, dace.nodes.MapEntry):
                for edge in (*state.in_edges(node), *state.out_edges(state.exit_node(node))):
                    edge.data.subset = dace.subsets.Range([(0, "1000*N", 1)])
        self.assertEqual(self.price(sdfg, N=10**6).total, exact)

    def test_symbols_that_are_assigned(self):
        """A map over what is assigned from N is as large as one over N."""
        totals = []
        for extent, assignments in (("N", {}), ("length", {"length": "N"})):
            sdfg = made("assigned", A="N")
            sdfg.add_symbol("length", dace.int64)
            before, work = sdfg.add_state("before"), sdfg.add_state("work")
            sdfg.add_edge(before, work, dace.InterstateEdge(assignments=assignments))
            elementwise(work, "b = a + 1", {"a": "A[i]"}, {"b": "A[i]"}, i=f"0:{extent}")
            totals.append(self.price(sdfg, N=10**6).total)
        self.assertEqual(*totals)

    def test_nothing_on_the_device(self):
        price = self.price(two_maps(), N=1000)
        self.assertEqual((price.bytes_to_device, price.bytes_to_host, price.launches), (0, 0, 0))
        self.assertGreater(price.total, 0)

    def test_price_is_that_of_the_plan(self):
        sdfg = jacobi()
        bound = _ferry.place(dace.serialize.dumps(sdfg.to_json()), sdfg.name, "h200", SIZES, [], False).bound
        ferry.place(sdfg, machine="h200", assume=SIZES)
        self.assertAlmostEqual(self.price(sdfg, **SIZES).total / bound, 1, delta=1e-3)


class SingleThreads(unittest.TestCase):
    """Launches of one thread that are made again and again: the cheapest plan without each of them costs no less."""

    def test_proved_cheapest(self):
        program = PROGRAMS["means_by_radius"]
        text = dace.serialize.dumps(judge.graph(program, "simplified").to_json())
        placed = _ferry.place(text, program.name, "h200", dict(program.stated), [], False, True)
        self.assertTrue(placed.single_threads)
        for name, price in placed.single_threads:
            self.assertIn(" in state ", name)
            self.assertGreaterEqual(price, placed.cost)
        self.assertEqual(_ferry.place(text, program.name, "h200", dict(program.stated), [], False).single_threads, [])


class InDaCe(unittest.TestCase):
    def test_pass_and_method_agree(self):
        by_pass, by_method, by_pipeline = jacobi(), jacobi(), jacobi()
        placing = ferry.dace.OffloadToAccelerator(assume=SIZES)
        self.assertTrue(placing.apply_pass(by_pass, {}))
        self.assertIn("OffloadToAccelerator", Pipeline([placing]).apply_pass(by_pipeline, {}))
        ferry.dace.apply_gpu_transformations(by_method, simplify=False, assume=SIZES)
        self.assertGreater(on_device(by_pass), 0)
        self.assertEqual(schedules(by_pass), schedules(by_method))
        self.assertEqual(schedules(by_pass), schedules(by_pipeline))

    def test_pass_is_serialized(self):
        before = ferry.dace.OffloadToAccelerator(machine="h200", assume={"N": 3}, verbose=True, host_maps=["m"])
        after = Pass.from_json(before.to_json())
        self.assertEqual((after.machine, after.assume, after.verbose), ("h200", {"N": 3}, True))
        self.assertNotIn("host_maps", str(before.to_json()))

    def test_method_takes_what_daces_takes(self):
        ours = inspect.signature(ferry.dace.apply_gpu_transformations).parameters
        for name, parameter in inspect.signature(dace.SDFG.apply_gpu_transformations).parameters.items():
            if name != "self":
                self.assertEqual(ours[name].default, parameter.default)

    def test_states(self):
        sdfg = two_maps()
        second = next(s for s in sdfg.states() if s.label == "second")
        ferry.dace.apply_gpu_transformations(sdfg, states=[second], simplify=False, assume=HostMaps.assume)
        self.assertEqual([state for state, count in on_device_by_state(sdfg).items() if count], ["second"])

    def test_states_of_a_loop(self):
        """States that simplification would fuse, and graphs in them; a state in a chosen one is chosen."""
        for options in ({"simplify": False}, {}):
            for depth in (0, 1):
                for choice, expected in (("a", ["A"]), ("b", ["B"]), ("ab", ["A", "B"]), ("", [])):
                    sdfg = in_one_loop(depth)
                    states = [state for state in sdfg.states() if state.label in tuple(choice)]
                    ferry.dace.apply_gpu_transformations(sdfg, states=states, assume=HostMaps.assume, **options)
                    self.assertEqual([label for label, at in sorted(schedules(sdfg)) if at == dace.ScheduleType.GPU_Device], [f"map_over_{name}_map" for name in expected])

    def test_states_and_host_maps(self):
        for host_maps in (True, False, None, [], "map_over_B_map", ["map_over_B_map"]):
            sdfg = in_one_loop(0)
            states = [state for state in sdfg.states() if state.label == "a"]
            ferry.dace.apply_gpu_transformations(sdfg, states=states, assume=HostMaps.assume, host_maps=host_maps)
            self.assertEqual([label for label, at in schedules(sdfg) if at == dace.ScheduleType.GPU_Device], ["map_over_A_map"])

    def test_schedules_and_storages_that_stay(self):
        """Of two kernels of one label, with a map and a container each, also where a kernel is in a map that moves."""
        for host_maps in ([], ["around"]):
            sdfg = alike_kernels()
            before = {entry.guid: entry.schedule for state, entry in maps.every(sdfg) if ferry.dace.is_inner(state, entry)}
            ferry.dace.apply_gpu_transformations(
                sdfg, sequential_innermaps=False, register_transients=False, simplify=False, assume={"N": 1_000_000}, host_maps=host_maps
            )
            inner = [entry for entry in ferry.dace.inner_maps(sdfg) if entry.guid in before]
            self.assertEqual(len(inner), 6 if host_maps else 7)
            for entry in inner:
                self.assertEqual(entry.schedule, before[entry.guid])
            kept = {name: desc.storage for _, name, desc in sdfg.arrays_recursive() if name.startswith("held")}
            self.assertEqual(set(kept.values()), {dace.StorageType.Default})

    def test_method_of_the_class(self):
        before = dace.SDFG.apply_gpu_transformations
        self.addCleanup(setattr, dace.SDFG, "apply_gpu_transformations", before)
        dace.SDFG.apply_gpu_transformations = ferry.dace.apply_gpu_transformations
        sdfg = jacobi()
        sdfg.apply_gpu_transformations(assume=SIZES)
        self.assertEqual(ferry.locations(sdfg)["A"], "both")


if __name__ == "__main__":
    unittest.main()
