# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Library nodes: each side has an implementation of those that run there, and none is called from where it cannot be."""

import copy
import unittest

import dace
import numpy as np
from dace import Memlet, nodes
from dace.libraries.blas.nodes.axpy import Axpy
from dace.libraries.blas.nodes.batched_matmul import BatchedMatMul
from dace.libraries.blas.nodes.dot import Dot
from dace.libraries.blas.nodes.einsum import Einsum
from dace.libraries.blas.nodes.gemm import Gemm
from dace.libraries.blas.nodes.gemv import Gemv
from dace.libraries.blas.nodes.ger import Ger
from dace.libraries.blas.nodes.matmul import MatMul
from dace.libraries.fft.nodes import FFT, IFFT
from dace.libraries.lapack.nodes import Getrf, Getri, Getrs, Potrf
from dace.libraries.linalg.nodes import Cholesky, Inv, Solve, TensorDot
from dace.libraries.mpi.nodes.dummy import Dummy
from dace.libraries.sparse.nodes import CSRMM, CSRMV
from dace.libraries.standard.nodes.reduce import Reduce
from dace.libraries.standard.nodes.transpose import Transpose
from dace.libraries.standard.nodes.ttranspose import TensorTranspose
from dace.libraries.stencil.stencil import Stencil

from corpus.shortforms import M, N
from emulate import build, check, rewrite, run, waits
from judge import CACHE, load, quiet
from placing import place

SIZES = {"M": 4000, "N": 4000}
INT = dace.int32
SQUARE, CUBE = [N, N], [M, N, N]


def library(node, reads, writes, dtype=dace.float64, implementation=None, **types):
    """A graph of a node called `node`: for each of its connectors an array's name and shape."""
    sdfg = dace.SDFG(f"library_{type(node).__name__}")
    state = sdfg.add_state("main")
    state.add_node(node)
    node.implementation = implementation
    for name, shape in (*reads.values(), *writes.values()):
        if name not in sdfg.arrays:
            sdfg.add_array(name, shape, types.get(name, dtype))
    for connector, (name, _) in reads.items():
        state.add_edge(state.add_read(name), None, node, connector, Memlet.from_array(name, sdfg.arrays[name]))
    for connector, (name, _) in writes.items():
        state.add_edge(node, connector, state.add_write(name), None, Memlet.from_array(name, sdfg.arrays[name]))
    return sdfg


def product(node, dtype=dace.float64, implementation=None, left=SQUARE, right=SQUARE, result=SQUARE):
    return library(node, {"_a": ("A", left), "_b": ("B", right)}, {"_c": ("C", result)}, dtype, implementation)


def reduction(implementation=None):
    return library(Reduce("node", "lambda a, b: a + b", [1], 0), {None: ("A", SQUARE)}, {None: ("R", [N])}, implementation=implementation)


def einsum():
    node = Einsum("node")
    node.einsum_str = "ik,kj->ij"
    for connector in ("_a", "_b"):
        node.add_in_connector(connector)
    node.add_out_connector("_c")
    return product(node)


def stencil():
    node = Stencil("node", code="b[0, 0] = a[0, -1] + a[0, 1]", boundary_conditions={"b": {"btype": "shrink"}}, iterator_mapping={})
    node.add_in_connector("a")
    node.add_out_connector("b")
    return library(node, {"a": ("A", [M, N])}, {"b": ("B", [M, N])})


def transform(kind, factor, implementation=None, dtype=dace.complex128):
    node = kind("node")
    node.factor = factor
    return library(node, {"_inp": ("A", [N])}, {"_out": ("B", [N])}, dtype, implementation)


def sparse(kind, shape, implementation=None):
    reads = {"_a_rows": ("P", [N + 1]), "_a_cols": ("I", [M]), "_a_vals": ("V", [M]), "_b": ("B", shape)}
    return library(kind("node", alpha=1.0, beta=0.0), reads, {"_c": ("C", shape)}, implementation=implementation, P=INT, I=INT)


def contraction(implementation=None):
    node = TensorDot("node", left_axes=[1], right_axes=[0])
    return library(node, {"_left_tensor": ("A", SQUARE), "_right_tensor": ("B", SQUARE)}, {"_out_tensor": ("C", SQUARE)}, implementation=implementation)


def factors(kind, reads, writes, implementation=None):
    arrays = {"_xin": ("A", SQUARE), "_a": ("A", SQUARE), "_ipiv": ("P", [N]), "_rhs_in": ("B", SQUARE)}
    results = {"_xout": ("C", SQUARE), "_ipiv": ("P", [N]), "_res": ("R", [1]), "_rhs_out": ("C", SQUARE)}
    given, made = {c: arrays[c] for c in reads.split()}, {c: results[c] for c in writes.split()}
    return library(kind("node"), given, made, implementation=implementation, P=INT, R=INT)


def solution(kind, reads, result, implementation=None):
    arrays = {c: (c.upper().strip("_"), SQUARE) for c in reads.split()}
    return library(kind("node"), arrays, {result: ("RESULT", SQUARE)}, implementation=implementation)


BOTH = {
    # On the device: what it is then, and its implementation.
    "axpy": (lambda: library(Axpy("node", a=2, n=N), {"_x": ("X", [N]), "_y": ("Y", [N])}, {"_res": ("R", [N])}), "Axpy pure"),
    "batched": (lambda: product(BatchedMatMul("node"), left=CUBE, right=CUBE, result=CUBE), "BatchedMatMul cuBLAS"),
    "batched of integers": (lambda: product(BatchedMatMul("node"), INT, None, CUBE, CUBE, CUBE), "BatchedMatMul pure"),
    "dot": (lambda: library(Dot("node"), {"_x": ("X", [N]), "_y": ("Y", [N])}, {"_result": ("R", [1])}), "Dot cuBLAS"),
    "gemm": (lambda: product(Gemm("node", cin=False)), "Gemm cuBLAS"),
    "gemm by MKL": (lambda: product(Gemm("node", cin=False), dace.float32, "MKL"), "Gemm cuBLAS"),
    "gemm by DaCe": (lambda: product(Gemm("node", cin=False), dace.float32, "pure"), "Gemm pure"),
    "gemm of integers": (lambda: product(Gemm("node", cin=False), INT), "Gemm pure"),
    "gemv": (lambda: library(Gemv("node"), {"_A": ("A", [M, N]), "_x": ("X", [N])}, {"_y": ("Y", [M])}), "Gemv cuBLAS"),
    "ger": (lambda: library(Ger("node"), {"_A": ("A", [M, N]), "_x": ("X", [M]), "_y": ("Y", [N])}, {"_res": ("R", [M, N])}), "Ger pure"),
    "matmul": (lambda: product(MatMul("node")), "Gemm cuBLAS"),
    "matmul of integers": (lambda: product(MatMul("node"), INT), "MatMul None"),
    "matmul, batched": (lambda: product(MatMul("node"), dace.complex64, None, CUBE, CUBE, CUBE), "BatchedMatMul cuBLAS"),
    "matmul, vector": (lambda: product(MatMul("node"), left=[M, N], right=[N], result=[M]), "Gemv cuBLAS"),
    "matmul, vector first": (lambda: product(MatMul("node"), left=[M], right=[M, N], result=[N]), "Gemv cuBLAS"),
    "matmul, vectors": (lambda: product(MatMul("node"), left=[N], right=[N], result=[1]), "Dot cuBLAS"),
    "fft": (lambda: transform(FFT, 1), "FFT cuFFT"),
    "fft with a factor": (lambda: transform(FFT, 2), "FFT None"),
    "ifft": (lambda: transform(IFFT, 1), "IFFT cuFFT"),
    "getrf": (lambda: factors(Getrf, "_xin", "_xout _ipiv _res"), "Getrf cuSolverDn"),
    "getrs": (lambda: factors(Getrs, "_a _ipiv _rhs_in", "_rhs_out _res"), "Getrs cuSolverDn"),
    "potrf": (lambda: factors(Potrf, "_xin", "_xout _res", "OpenBLAS"), "Potrf cuSolverDn"),
    "cholesky": (lambda: solution(Cholesky, "_a", "_b"), "Cholesky cuSolverDn"),
    "solve": (lambda: solution(Solve, "_ain _bin", "_bout"), "Solve cuSolverDn"),
    "tensordot": (lambda: contraction("TTGT"), "TensorDot pure"),
    "csrmm": (lambda: sparse(CSRMM, SQUARE, "pure"), "CSRMM pure"),
    "csrmm by MKL": (lambda: sparse(CSRMM, SQUARE, "MKL"), "CSRMM cuSPARSE"),
    "csrmv by MKL": (lambda: sparse(CSRMV, [N], "MKL"), "CSRMV cuSPARSE"),
    "reduce": (reduction, "Reduce None"),
    "reduce in order": (lambda: reduction("pure-seq"), "Reduce pure-seq"),
    "reduce by OpenMP": (lambda: reduction("OpenMP"), "Reduce pure"),
    "transpose": (lambda: library(Transpose("node", dtype=dace.float64), {"_inp": ("A", [M, N])}, {"_out": ("B", [N, M])}), "Transpose None"),
    "transpose by MKL": (
        lambda: library(Transpose("node", dtype=dace.float64), {"_inp": ("A", [M, N])}, {"_out": ("B", [N, M])}, implementation="MKL"),
        "Transpose pure",
    ),
    "tensor transpose": (
        lambda: library(TensorTranspose("node", axes=[2, 0, 1]), {"_inp_tensor": ("A", CUBE)}, {"_out_tensor": ("B", [N, M, N])}),
        "TensorTranspose None",
    ),
    "stencil": (stencil, "Stencil None"),
}

HOST = {
    "einsum": einsum,
    "getri": lambda: factors(Getri, "_xin _ipiv", "_xout _res"),
    "inv": lambda: solution(Inv, "_ain", "_aout"),
}

DEVICE = {
    "gemm": lambda: product(Gemm("node", cin=False), implementation="cuBLAS"),
    "fft": lambda: transform(FFT, 1, "cuFFT"),
    "getrf": lambda: factors(Getrf, "_xin", "_xout _ipiv _res", "cuSolverDn"),
    "csrmv": lambda: sparse(CSRMV, [N], "cuSPARSE"),
    "tensordot": lambda: contraction("cuTENSOR"),
    "reduce": lambda: reduction("CUDA (device)"),
    "reduce by blocks": lambda: reduction("GPUAuto"),
}


def node_in(sdfg):
    found = [n for n, _ in sdfg.all_nodes_recursive() if isinstance(n, nodes.LibraryNode)]
    assert len(found) == 1, found
    return found[0]


def described(sdfg):
    return f"{type(node_in(sdfg)).__name__} {node_in(sdfg).implementation}"


def is_on_device(sdfg):
    return node_in(sdfg).schedule == dace.ScheduleType.GPU_Default


def placed(given, pins=None):
    with dace.config.set_temporary("compiler", "cuda", "backend", value="cuda"):
        return quiet(place, given, SIZES, pins)


class Libraries(unittest.TestCase):
    def assert_stands(self, sdfg):
        quiet(sdfg.validate)
        self.assertEqual(quiet(check.violations, sdfg), [])
        self.assertEqual(waits.unwaited(quiet(waits.host_code, sdfg)), [])
        again = placed(copy.deepcopy(sdfg))
        self.assertEqual((described(again), is_on_device(again)), (described(sdfg), is_on_device(sdfg)))

    def test_on_the_device(self):
        for name, (make, expected) in BOTH.items():
            with self.subTest(name):
                sdfg = placed(make(), {"node": "device"})
                self.assertTrue(is_on_device(sdfg))
                self.assertEqual(described(sdfg), expected)
                self.assert_stands(sdfg)

    def test_on_the_host(self):
        """What is named for it, and DaCe's defaults, are left alone."""
        for name, (make, _) in BOTH.items():
            with self.subTest(name):
                given = make()
                sdfg = placed(given, {"node": "host"})
                self.assertFalse(is_on_device(sdfg))
                self.assertEqual(described(sdfg), described(given))

    def test_without_an_implementation_for_the_device(self):
        for name, make in HOST.items():
            with self.subTest(name):
                sdfg = placed(make(), {"node": "device"})
                self.assertFalse(is_on_device(sdfg))
                self.assert_stands(sdfg)

    def test_of_other_processes(self):
        sdfg = dace.SDFG("of_other_processes")
        sdfg.add_state("main").add_node(Dummy("node"))
        self.assertFalse(is_on_device(placed(sdfg, {"node": "device"})))

    def test_named_implementation_of_the_device(self):
        """It is a pin, even against one of the command's."""
        for name, make in DEVICE.items():
            with self.subTest(name):
                given = make()
                sdfg = placed(given, {"node": "host"})
                self.assertTrue(is_on_device(sdfg))
                self.assertEqual(described(sdfg), described(given))
                self.assert_stands(sdfg)

    def test_steps_and_columns(self):
        """What the device's library cannot address becomes DaCe's own graph."""
        sdfg = product(Gemm("node", cin=False))
        sdfg.arrays["A"].set_shape([N, N], strides=[2 * N, 2], total_size=2 * N * N)
        made = placed(sdfg, {"node": "device"})
        self.assertEqual(described(made), "Gemm pure")
        self.assert_stands(made)

    def test_in_a_kernel(self):
        for implementation in (None, "pure", "OpenMP", "GPUAuto", "CUDA (device)"):
            with self.subTest(implementation):
                sdfg = in_map(Reduce("node", "lambda a, b: a + b", [1], 0), implementation, None, [1])
                made = placed(sdfg, {"outer": "device"})
                self.assertEqual(described(made), "Reduce None" if implementation is None else "Reduce pure")
                self.assertEqual(node_in(made).schedule, dace.ScheduleType.Sequential)
                self.assert_runs(made, lambda A: {"R": A.sum(axis=1, keepdims=True)})

    def test_without_an_implementation_for_kernels(self):
        sdfg = in_map(Cholesky("node"), None, "_a", [N, N], "_b")
        made = placed(sdfg, {"outer": "device"})
        entry = next(n for n, _ in made.all_nodes_recursive() if isinstance(n, nodes.MapEntry))
        self.assertEqual(entry.schedule, dace.ScheduleType.CPU_Multicore)

    def test_numbers(self):
        shapes = {
            "two matrices": (SQUARE, SQUARE, SQUARE, np.matmul),
            "batches": (CUBE, CUBE, CUBE, np.matmul),
            "matrix and vector": ([M, N], [N], [M], np.matmul),
            "vector and matrix": ([M], [M, N], [N], np.matmul),
            "vectors": ([N], [N], [1], lambda a, b: np.array([a @ b])),
        }
        for name, (left, right, result, expected) in shapes.items():
            with self.subTest(name):
                made = placed(product(MatMul("node"), left=left, right=right, result=result), {"node": "device"})
                self.assertEqual(node_in(made).implementation, "cuBLAS")
                self.assert_runs(made, lambda A, B: {"C": expected(A, B)})

    def assert_runs(self, sdfg, expected):
        """Emulated, at a small size; `expected` is called with the arrays that it names."""
        sizes = {"M": 3, "N": 5}
        names = expected.__code__.co_varnames[: expected.__code__.co_argcount]
        random = np.random.default_rng(3)
        arguments = {n: random.random([int(dace.symbolic.evaluate(s, sizes)) for s in d.shape]) for n, d in sdfg.arglist().items() if isinstance(d, dace.data.Array)}
        wanted = expected(*(arguments[n].copy() for n in names))
        CACHE.mkdir(parents=True, exist_ok=True)
        outcome = run.run(quiet(lambda: build.build(rewrite.emulated(sdfg), CACHE)), arguments, sizes)
        for name, value in wanted.items():
            np.testing.assert_allclose(outcome.arguments[name], value, rtol=1e-9)


def in_map(node, implementation, reads, result, writes=None):
    """A library node for each row of A."""
    sdfg = dace.SDFG("library_in_map")
    whole = [N] if len(result) == 1 else [N, N]
    sdfg.add_array("A", [M, *whole], dace.float64)
    sdfg.add_array("R", [M, *result], dace.float64)
    state = sdfg.add_state("main")
    entry, exit_ = state.add_map("outer", {"i": "0:M"})
    node.implementation = implementation
    rows = ", ".join(f"0:{s}" for s in whole)
    made = ", ".join(f"0:{s}" for s in result)
    state.add_memlet_path(state.add_read("A"), entry, node, dst_conn=reads, memlet=Memlet(f"A[i, {rows}]"))
    state.add_memlet_path(node, exit_, state.add_write("R"), src_conn=writes, memlet=Memlet(f"R[i, {made}]"))
    return sdfg


if __name__ == "__main__":
    unittest.main()
