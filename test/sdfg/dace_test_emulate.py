# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The harness itself: wrong placements give wrong numbers, right ones right numbers, and what is executed is counted."""

import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import dace
import numpy as np
from dace import InterstateEdge, Memlet

import judge
from corpus import PROGRAMS
from corpus.shortforms import counted, elementwise, graph, single
from emulate import build, check, rewrite, run
from emulate.byhand import copied, kernel, placed

SIZE = {"N": 8}


def state_of(sdfg, label):
    return next(s for s in sdfg.states() if s.label == label)


def emptied(state):
    state.remove_nodes_from(list(state.nodes()))


def outcome(sdfg, sizes=SIZE, **arguments):
    judge.CACHE.mkdir(parents=True, exist_ok=True)
    arguments = arguments or {"A": np.arange(1.0, 9), "total": np.zeros(1), "N": 8}
    return judge.quiet(lambda: run.run(build.build(rewrite.emulated(sdfg), judge.CACHE), arguments, sizes))


class Cache(unittest.TestCase):
    def test_source_that_another_process_compiles_stays_whole(self):
        def compiles(command, **_):
            Path(command[command.index("-o") + 1]).touch()
            return mock.Mock(returncode=0)

        with tempfile.TemporaryDirectory() as folder:
            library = Path(folder, "libsame.so")
            library.with_suffix(".cpp").write_text("as it was")
            with library.with_suffix(".cpp").open() as other, mock.patch.object(build.subprocess, "run", compiles):
                build.compile_shared("as it is", library, [])
                self.assertEqual(other.read(), "as it was")
            self.assertEqual(sorted(path.name for path in Path(folder).iterdir()), ["libsame.cpp", "libsame.so"])
            self.assertEqual(library.with_suffix(".cpp").read_text(), "as it is")


class Numbers(unittest.TestCase):
    def test_right_placement(self):
        made = outcome(placed())
        np.testing.assert_array_equal(made.arguments["A"], 2 * np.arange(1.0, 9))
        self.assertEqual(made.arguments["total"], [3])
        counts = made.counts
        self.assertEqual((counts.to_device, counts.bytes_to_device, counts.to_host, counts.bytes_to_host), (1, 64, 1, 64))
        self.assertEqual((counts.total_launches, counts.single_in_loops), (1, 0))

    def test_placed_graph_is_not_changed(self):
        sdfg = placed()
        before = sdfg.to_json()
        outcome(sdfg)
        self.assertEqual(before, sdfg.to_json())

    def test_missing_copy_to_the_device_shows_poison(self):
        sdfg = placed()
        emptied(state_of(sdfg, "there"))
        self.assertGreater(outcome(sdfg).arguments["A"].min(), 1e100)

    def test_missing_copy_to_the_host_shows_old_numbers(self):
        sdfg = placed()
        emptied(state_of(sdfg, "back"))
        np.testing.assert_array_equal(outcome(sdfg).arguments["A"], np.arange(1.0, 9))

    def test_host_write_between_needs_a_second_copy(self):
        sdfg = placed()
        state = sdfg.add_state_before(state_of(sdfg, "work"), "late")
        single(state, "b = 100.0", {}, {"b": "A[3]"})
        self.assertEqual(outcome(sdfg).arguments["A"][3], 8)
        copied(sdfg.add_state_after(state, "again"), "A", "gpu_A")
        self.assertEqual(outcome(sdfg).arguments["A"][3], 200)

    def test_part_of_a_copy(self):
        sdfg = placed()
        state = state_of(sdfg, "back")
        emptied(state)
        copied(state, "gpu_A", "A", "2:5")
        made = outcome(sdfg)
        np.testing.assert_array_equal(made.arguments["A"], [1, 2, 6, 8, 10, 6, 7, 8])
        self.assertEqual((made.counts.to_host, made.counts.bytes_to_host), (1, 24))

    def test_scalars_on_the_device_begin_poisoned(self):
        sdfg = placed()
        sdfg.add_scalar("gpu_s", dace.float64, storage=dace.StorageType.GPU_Global, transient=True)
        kernel(state_of(sdfg, "work"), "b = s", {"s": "gpu_s[0]"}, {"b": "gpu_A[i]"}, i="0:1")
        self.assertGreater(outcome(sdfg).arguments["A"][0], 1e100)

    def test_scalars_and_small_arrays_of_the_host_begin_poisoned(self):
        for kind in ("scalar", "array"):
            sdfg = placed()
            if kind == "scalar":
                sdfg.add_scalar("mine", dace.float64, transient=True)
            else:
                sdfg.add_array("mine", [2], dace.float64, transient=True, storage=dace.StorageType.Register)
            single(state_of(sdfg, "host"), "b = s", {"s": "mine[0]"}, {"b": "A[1]"})
            self.assertGreater(outcome(sdfg).arguments["A"][1], 1e100)

    def test_returned_arrays_begin_poisoned(self):
        sdfg = graph("returned", A=8, __return=8)
        elementwise(sdfg.add_state(), "r = a", {"a": "A[i]"}, {"r": "__return[i]"}, i="0:4")
        made = outcome(sdfg, A=np.arange(8.0))
        np.testing.assert_array_equal(made.returned[0][:4], np.arange(4.0))
        self.assertGreater(made.returned[0][4:].min(), 1e100)

    def test_half_of_an_array_in_one_arm(self):
        """DaCe's own placement destroys the half of C that one arm does not write."""
        program = PROGRAMS["half_in_one_arm"]
        verdict = judge.judge(program, judge.graph(program, "simplified"), daces_own)
        self.assertRegex(verdict.problems["numbers"], "C differs most at its element 4")


def daces_own(sdfg):
    sdfg.apply_gpu_transformations()
    return sdfg


class Counts(unittest.TestCase):
    def in_a_loop(self, **extents):
        """Three steps, each with a copy to the device and a kernel."""
        sdfg = placed()
        loop = counted(sdfg, "steps", "t", "3")
        state = loop.add_state("step", is_start_block=True)
        copied(state, "A", "gpu_A", "0:2")
        kernel(state, "b = a", {"a": "gpu_A[i]"}, {"b": "gpu_A[i]"}, **extents)
        sdfg.add_edge(sdfg.sink_nodes()[0], loop, InterstateEdge())
        return outcome(sdfg).counts

    def test_copies_in_loops(self):
        counts = self.in_a_loop(i="0:N")
        self.assertEqual((counts.to_device, counts.bytes_to_device), (4, 64 + 3 * 16))
        self.assertEqual((counts.total_launches, counts.single_in_loops), (4, 0))

    def test_single_threads_in_loops(self):
        self.assertEqual(self.in_a_loop(i="0:1").single_in_loops, 3)
        self.assertEqual(self.in_a_loop(i="2:N - 5").single_in_loops, 3)

    def test_empty_kernels_are_not_launched(self):
        self.assertEqual(self.in_a_loop(i="0:N - 8").total_launches, 1)
        self.assertEqual(self.in_a_loop(i="0:N - 12").total_launches, 1)
        self.assertEqual(self.in_a_loop(i="0:N - 12", j="0:N - 10").total_launches, 1)

    def test_loops_of_states(self):
        sdfg = placed()
        before, body, after = (sdfg.add_state(s) for s in ("before", "body", "after"))
        sdfg.add_edge(state_of(sdfg, "host"), before, InterstateEdge())
        kernel(body, "b = a", {"a": "gpu_A[i]"}, {"b": "gpu_A[i]"}, i="0:1")
        sdfg.add_loop(before, body, after, "k", "0", "k < 5", "k + 1")
        counts = outcome(sdfg).counts
        self.assertEqual((counts.total_launches, counts.single_in_loops), (6, 5))

    def test_copies_and_kernels_under_a_host_map(self):
        inner = graph("inner", x="N")
        inner.arrays["x"].storage = dace.StorageType.GPU_Global
        kernel(inner.add_state(), "b = a + 1", {"a": "x[i]"}, {"b": "x[i]"}, i="0:N")
        sdfg = placed()
        state = sdfg.add_state_before(state_of(sdfg, "back"), "many")
        entry, exit_ = state.add_map("four", {"k": "0:4"}, schedule=dace.ScheduleType.CPU_Multicore)
        node = state.add_nested_sdfg(inner, None, {"x"}, {"x"}, {"N": "N"})
        state.add_memlet_path(state.add_read("gpu_A"), entry, node, dst_conn="x", memlet=Memlet("gpu_A[0:N]"))
        state.add_memlet_path(node, exit_, state.add_write("gpu_A"), src_conn="x", memlet=Memlet("gpu_A[0:N]"))
        self.assertEqual(judge.quiet(check.violations, sdfg), [])
        made = outcome(sdfg)
        self.assertEqual(made.counts.total_launches, 5)
        self.assertEqual(made.arguments["A"][0], 6)


class Processes(unittest.TestCase):
    def test_crash_and_hang(self):
        started = time.monotonic()
        with self.assertRaisesRegex(run.RunError, "did not end within 0.5 s"):
            run.forked(lambda: time.sleep(30), 0.5)
        self.assertLess(time.monotonic() - started, 10)
        with self.assertRaisesRegex(run.RunError, "ended with signal 11"):
            run.forked(lambda: __import__("ctypes").string_at(0), 5)
        with self.assertRaisesRegex(run.RunError, "ZeroDivisionError"):
            run.forked(lambda: 1 / 0, 5)
        self.assertEqual(run.forked(lambda: 7, 5), 7)

    def test_compiler_errors(self):
        sdfg = placed()
        tasklet = state_of(sdfg, "host").add_tasklet("bad", {}, {}, "no_such_function();", language=dace.Language.CPP)
        tasklet.side_effects = True
        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(build.BuildError, "no_such_function"):
            judge.quiet(build.build, rewrite.emulated(sdfg), Path(folder))

    def test_same_code_is_compiled_once(self):
        with tempfile.TemporaryDirectory() as folder:
            first = judge.quiet(build.build, rewrite.emulated(placed()), Path(folder))
            stamp = first.library.stat().st_mtime_ns
            second = judge.quiet(build.build, rewrite.emulated(placed()), Path(folder))
            self.assertEqual((second.library, second.library.stat().st_mtime_ns), (first.library, stamp))


class Differences(unittest.TestCase):
    def test_each_kind(self):
        made = run.Outcome({"A": np.array([1.0, 2]), "n": 3}, (np.array([5.0]),), run.Counts())
        self.assertEqual(run.differences(made, {"A": np.array([1.0, 2]), "n": 3}, (np.array([5.0]),), 1e-9), [])
        self.assertIn("element 1", run.differences(made, {"A": np.array([1.0, 3])}, (np.array([5.0]),), 1e-9)[0])
        self.assertIn("returns 1 values", run.differences(made, {}, (), 1e-9)[0])
        self.assertIn("has 1 elements", run.differences(made, {}, (np.zeros(2),), 1e-9)[0])
        self.assertIn("returned 0", run.differences(made, {}, (np.array([np.nan]),), 1e-9)[0])


if __name__ == "__main__":
    unittest.main()
