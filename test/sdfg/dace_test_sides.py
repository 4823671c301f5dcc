# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The harness itself: accesses from the wrong side are found wherever they stand, and right graphs are left alone."""

import copy
import unittest

import dace
from dace import InterstateEdge, Memlet
from dace.libraries.blas.nodes.matmul import MatMul
from dace.libraries.standard.nodes.reduce import Reduce
from dace.properties import CodeBlock
from dace.sdfg.state import ConditionalBlock, ControlFlowRegion

from corpus.shortforms import N, counted, elementwise, graph, nest, single
from emulate import check
from emulate.byhand import kernel, placed, copied
from judge import quiet

DEVICE, HOST = dace.StorageType.GPU_Global, dace.StorageType.CPU_Heap


def violations(sdfg):
    return quiet(check.violations, sdfg)


class Sides(unittest.TestCase):
    def assert_found(self, sdfg, *parts):
        found = violations(sdfg)
        self.assertTrue(any(all(p in line for p in parts) for line in found), f"{parts} not in {found}")

    def assert_right(self, sdfg):
        quiet(sdfg.validate)
        self.assertEqual(violations(sdfg), [])

    def test_right_placement(self):
        self.assert_right(placed())

    def test_twin_in_host_memory(self):
        sdfg = placed()
        sdfg.arrays["gpu_A"].storage = HOST
        self.assert_found(sdfg, "kernel reads host container gpu_A")
        self.assert_found(sdfg, "kernel writes host container gpu_A")

    def test_host_tasklet_reads_the_twin(self):
        sdfg = placed()
        state = sdfg.add_state_after(sdfg.sink_nodes()[0], "wrong")
        single(state, "t = a", {"a": "gpu_A[0]"}, {"t": "total[0]"})
        self.assert_found(sdfg, "wrong/single", "host reads device container gpu_A")

    def test_host_map_writes_the_twin(self):
        sdfg = placed()
        elementwise(sdfg.add_state_after(sdfg.sink_nodes()[0], "wrong"), "b = 1", {}, {"b": "gpu_A[i]"}, i="0:N")
        for state in sdfg.states():
            for node in state.nodes():
                if isinstance(node, dace.nodes.MapEntry) and state.label == "wrong":
                    node.schedule = dace.ScheduleType.CPU_Multicore
        self.assert_found(sdfg, "wrong/", "host writes device container gpu_A")

    def test_conditions_bounds_and_assignments(self):
        for edge in (InterstateEdge("gpu_A[0] > 1"), InterstateEdge(assignments={"s": "gpu_A[1]"})):
            sdfg = placed()
            sdfg.add_edge(sdfg.sink_nodes()[0], sdfg.add_state("wrong"), edge)
            self.assert_found(sdfg, "edge", "host reads device container gpu_A")
        sdfg = placed()
        loop = counted(sdfg, "wrong", "t", "gpu_A[0]")
        loop.add_state("body", is_start_block=True)
        sdfg.add_edge(sdfg.sink_nodes()[0], loop, InterstateEdge())
        self.assert_found(sdfg, "loop wrong", "host reads device container gpu_A")
        sdfg = placed()
        block = ConditionalBlock("wrong")
        sdfg.add_node(block)
        arm = ControlFlowRegion("arm", sdfg=sdfg)
        block.add_branch(CodeBlock("gpu_A[0] > 1"), arm)
        arm.add_state("body", is_start_block=True)
        sdfg.add_edge(sdfg.sink_nodes()[0], block, InterstateEdge())
        self.assert_found(sdfg, "condition wrong", "host reads device container gpu_A")

    def test_extent_read_from_the_device(self):
        sdfg = placed()
        sdfg.add_array("gpu_ends", [1], dace.int64, storage=DEVICE, transient=True)
        state = next(s for s in sdfg.states() if s.label == "work")
        entry = next(n for n in state.nodes() if isinstance(n, dace.nodes.MapEntry))
        entry.map.range = dace.subsets.Range.from_string("0:end")
        entry.add_in_connector("end")
        state.add_edge(state.add_read("gpu_ends"), None, entry, "end", Memlet("gpu_ends[0]"))
        self.assert_found(sdfg, "host reads device container gpu_ends")

    def test_scalars(self):
        sdfg = placed()
        sdfg.add_scalar("factor", dace.float64)
        state = sdfg.add_state_before(next(s for s in sdfg.states() if s.label == "back"), "more")
        kernel(state, "b = a * f", {"a": "gpu_A[i]", "f": "factor[0]"}, {"b": "gpu_A[i]"}, i="0:N")
        self.assert_right(sdfg)
        kernel(state, "b = 1.0", {}, {"b": "factor[0]"}, i="0:1")
        self.assert_found(sdfg, "kernel writes host container factor")

    def test_kernels_own_transients(self):
        sdfg = placed()
        sdfg.add_array("held", [2], dace.float64, transient=True)
        state = next(s for s in sdfg.states() if s.label == "work")
        entry, exit_ = state.add_map("own", {"i": "0:N"}, schedule=dace.ScheduleType.GPU_Device)
        first, second = state.add_tasklet("first", {"a"}, {"h"}, "h[0] = a"), state.add_tasklet("second", {"h"}, {"b"}, "b = h[0]")
        held = state.add_access("held")
        state.add_memlet_path(state.add_read("gpu_A"), entry, first, dst_conn="a", memlet=Memlet("gpu_A[i]"))
        state.add_edge(first, "h", held, None, Memlet("held[0:2]"))
        state.add_edge(held, None, second, "h", Memlet("held[0:2]"))
        state.add_memlet_path(second, exit_, state.add_write("gpu_A"), src_conn="b", memlet=Memlet("gpu_A[i]"))
        self.assertEqual(violations(sdfg), [])
        sdfg.add_state_after(sdfg.sink_nodes()[0], "also").add_nedge(
            *(s.add_access(n) for s, n in ((sdfg.sink_nodes()[0], "held"), (sdfg.sink_nodes()[0], "total"))), Memlet("held[0]")
        )
        self.assert_found(sdfg, "kernel reads host container held")

    def test_copy_in_a_kernel(self):
        sdfg = placed()
        sdfg.add_array("row", [4], dace.float64, transient=True, storage=dace.StorageType.Register)
        state = next(s for s in sdfg.states() if s.label == "work")
        entry, exit_ = state.add_map("rows", {"i": "0:N - 4"}, schedule=dace.ScheduleType.GPU_Device)
        row, use = state.add_access("row"), state.add_tasklet("use", {"r"}, {"b"}, "b = r[0]")
        state.add_memlet_path(state.add_read("A"), entry, row, memlet=Memlet("A[i:i + 4] -> [0:4]"))
        state.add_edge(row, None, use, "r", Memlet("row[0:4]"))
        state.add_memlet_path(use, exit_, state.add_write("gpu_A"), src_conn="b", memlet=Memlet("gpu_A[i]"))
        self.assert_found(sdfg, "kernel reads host container A")

    def test_views(self):
        sdfg = placed()
        sdfg.add_view("flat", [N], dace.float64)
        state = sdfg.add_state_after(sdfg.sink_nodes()[0], "viewed")
        flat = state.add_access("flat")
        state.add_edge(state.add_read("gpu_A"), None, flat, "views", Memlet("gpu_A[0:N]"))
        single(state, "t = a", {"a": "flat[0]"}, {"t": "total[0]"}, {"flat": flat})
        self.assert_found(sdfg, "viewed/flat", "view on the host of gpu_A on the device")
        self.assert_found(sdfg, "viewed/single", "host reads device container gpu_A")
        sdfg.arrays["flat"].storage = DEVICE
        found = violations(sdfg)
        self.assertFalse(any("view on" in line for line in found), found)
        self.assert_found(sdfg, "viewed/single", "host reads device container gpu_A")

    def test_chain_of_views(self):
        sdfg = placed()
        for name in ("second", "first"):
            sdfg.add_view(name, [N], dace.float64, storage=DEVICE if name == "first" else HOST)
        state = sdfg.add_state_after(sdfg.sink_nodes()[0], "viewed")
        first, second = state.add_access("first"), state.add_access("second")
        state.add_edge(state.add_read("gpu_A"), None, first, "views", Memlet("gpu_A[0:N]"))
        state.add_edge(first, None, second, "views", Memlet("first[0:N]"))
        single(state, "t = a", {"a": "second[0]"}, {"t": "total[0]"}, {"second": second})
        self.assert_found(sdfg, "viewed/second", "view on the host of gpu_A on the device")
        self.assert_found(sdfg, "viewed/single", "host reads device container gpu_A")

    def test_references(self):
        sdfg = placed()
        sdfg.add_reference("either", [N], dace.float64, storage=HOST)
        state = sdfg.add_state_after(sdfg.sink_nodes()[0], "set")
        state.add_edge(state.add_read("gpu_A"), None, state.add_write("either"), "set", Memlet("gpu_A[0:N]"))
        self.assert_found(sdfg, "set/either", "reference on the host of gpu_A on the device")
        sdfg.arrays["either"].storage = DEVICE
        self.assertEqual(violations(sdfg), [])

    def test_nested_graphs(self):
        inner = graph("inner", x=N, y=1)
        single(inner.add_state("deep"), "o = i", {"i": "x[0]"}, {"o": "y[0]"})
        outer = graph("outer", x=N, y=1)
        nest(outer.add_state("middle"), inner, {"x": "x[0:N]"}, {"y": "y[0]"})
        sdfg = placed()
        nest(sdfg.add_state_after(sdfg.sink_nodes()[0], "wrong"), outer, {"x": "gpu_A[0:N]"}, {"y": "total[0]"})
        self.assert_found(sdfg, "wrong/outer/middle/inner/deep/single", "host reads device container x")

    def test_nested_graph_says_another_memory(self):
        inner = graph("inner", x=N)
        inner.arrays["x"].storage = HOST
        kernel(inner.add_state(), "b = a", {"a": "x[i]"}, {"b": "x[i]"}, i="0:N")
        sdfg = placed()
        nest(sdfg.add_state_after(sdfg.sink_nodes()[0], "wrong"), inner, {"x": "gpu_A[0:N]"}, {"x": "gpu_A[0:N]"})
        self.assert_found(sdfg, "wrong/inner", "x is on the host, gpu_A on the device")

    def test_nested_graph_in_a_kernel(self):
        inner = graph("inner", a=1, b=1, unused=1)
        single(inner.add_state(), "o = i", {"i": "a[0]"}, {"o": "b[0]"})
        for name, fault in (("A", True), ("gpu_A", False)):
            sdfg = placed()
            state = sdfg.add_state_after(sdfg.sink_nodes()[0], "nested")
            entry, exit_ = state.add_map("kernel", {"i": "0:N"}, schedule=dace.ScheduleType.GPU_Device)
            node = state.add_nested_sdfg(copy.deepcopy(inner), None, {"a", "unused"}, {"b"})
            state.add_memlet_path(state.add_read(name), entry, node, dst_conn="a", memlet=Memlet(f"{name}[i]"))
            state.add_memlet_path(state.add_read("A"), entry, node, dst_conn="unused", memlet=Memlet("A[i]"))
            state.add_memlet_path(node, exit_, state.add_write("gpu_A"), src_conn="b", memlet=Memlet("gpu_A[i]"))
            if fault:
                self.assert_found(sdfg, "kernel reads host container A")
            else:
                self.assertEqual(violations(sdfg), [])  # `unused` is carried in and nothing reads it.

    def library(self, implementation, second, on_device):
        """A product by a library, whose second operand is `second`; A, B and C are on the device or not."""
        sdfg = graph("library", A=[N, N], B=[N, N], C=[N, N], other=[N, N])
        for name in ("A", "B", "C"):
            sdfg.arrays[name].storage = DEVICE if on_device else HOST
        sdfg.arrays["other"].storage = HOST if on_device else DEVICE
        state = sdfg.add_state()
        node = MatMul("product")
        state.add_node(node)
        for array, connector in (("A", "_a"), (second, "_b")):
            state.add_edge(state.add_read(array), None, node, connector, Memlet(f"{array}[0:N, 0:N]"))
        state.add_edge(node, "_c", state.add_write("C"), None, Memlet("C[0:N, 0:N]"))
        node.expand(sdfg, state)
        for expanded in state.nodes():
            if isinstance(expanded, dace.nodes.LibraryNode):
                expanded.implementation = implementation
                expanded.schedule = dace.ScheduleType.GPU_Device if on_device else dace.ScheduleType.CPU_Multicore
        return sdfg

    def test_libraries(self):
        self.assertEqual(violations(self.library("cuBLAS", "B", True)), [])
        self.assertEqual(violations(self.library("OpenBLAS", "B", False)), [])
        self.assert_found(self.library("cuBLAS", "other", True), "cuBLAS uses host container other")
        self.assert_found(self.library("OpenBLAS", "other", False), "OpenBLAS uses device container other")
        self.assert_found(self.library("OpenBLAS", "B", True), "OpenBLAS uses device container A")

    def test_graphs_of_libraries(self):
        """A reduction on the device becomes kernels, which may not read the host's arrays."""
        sdfg = graph("reduction", A=N, total=1)
        state = sdfg.add_state()
        node = Reduce("sum", "lambda a, b: a + b", None, 0, schedule=dace.ScheduleType.GPU_Default)
        state.add_node(node)
        state.add_nedge(state.add_read("A"), node, Memlet("A[0:N]"))
        state.add_nedge(node, state.add_write("total"), Memlet("total[0]"))
        node.implementation = "pure"
        self.assert_found(sdfg, "kernel reads host container")

    def test_accumulating_copies(self):
        sdfg = placed()
        state = sdfg.add_state_after(sdfg.sink_nodes()[0], "wrong")
        state.add_nedge(state.add_read("A"), state.add_write("gpu_A"), Memlet("A[0:N]", wcr="lambda x, y: x + y"))
        self.assert_found(sdfg, "wrong", "resolves conflicts")

    def test_other_accelerators(self):
        sdfg = placed()
        sdfg.arrays["gpu_A"].storage = dace.StorageType.FPGA_Global
        with self.assertRaisesRegex(ValueError, "another accelerator"):
            violations(sdfg)

    def test_copies_are_no_accesses(self):
        sdfg = placed()
        copied(sdfg.add_state_after(sdfg.sink_nodes()[0], "again"), "A", "gpu_A")
        self.assert_right(sdfg)


if __name__ == "__main__":
    unittest.main()
