# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The demonstration's colouring on finite-element matrices that pyamg ships, and its Jacobian against central differences."""

import struct
import subprocess
import unittest
from pathlib import Path

import numpy
from pyamg.gallery import load_example

PROGRAM = Path(__file__).resolve().parents[2] / "examples" / "sparse_jacobian" / "sparse_jacobian.fut"
MATRICES = ["airfoil", "bar", "knot", "unit_square", "unit_cube", "helmholtz_2D", "recirc_flow", "local_disc_galerkin_diffusion"]


def binary(array):
    """An array in Futhark's binary form."""
    kind = {"int64": b" i64", "int32": b" i32"}[array.dtype.name]
    return b"b\x02\x01" + kind + struct.pack("<q", len(array)) + array.tobytes()


def run(entry, data, *arguments):
    command = ["ferry", "run", str(PROGRAM), "-e", entry, "-b", *arguments]
    return subprocess.run(command, input=data, stdout=subprocess.PIPE, timeout=300, check=True).stdout


def colour(matrix, *arguments):
    """(number of colours, the colour of each column)"""
    rows, columns = matrix.tocsr(), matrix.tocsc()
    data = b"".join(binary(a) for a in (rows.indptr.astype("int64"), rows.indices.astype("int32"),
                                        columns.indptr.astype("int64"), columns.indices.astype("int32")))
    output = run("colour", data, *arguments)
    return struct.unpack_from("<q", output, 7)[0], numpy.frombuffer(output, "int32", offset=15 + 15)


def greedy_colours(matrix):
    """The number of colours of the greedy algorithm, by sets."""
    rows, columns = matrix.tocsr(), matrix.tocsc()
    colours = {}
    for column in range(matrix.shape[1]):
        taken = {colours.get(int(other)) for row in columns.indices[columns.indptr[column]:columns.indptr[column + 1]]
                 for other in rows.indices[rows.indptr[row]:rows.indptr[row + 1]]}
        colours[column] = next(k for k in range(matrix.shape[1] + 1) if k not in taken)
    return max(colours.values()) + 1


class Colouring(unittest.TestCase):
    def check(self, name, *arguments):
        matrix = load_example(name)["A"]
        matrix.sum_duplicates()
        used, colours = colour(matrix, *arguments)
        self.assertEqual(len(colours), matrix.shape[1])
        self.assertEqual(used, colours.max() + 1)
        self.assertEqual(used, greedy_colours(matrix))
        rows = matrix.tocsr()
        for row in range(rows.shape[0]):
            of_row = colours[rows.indices[rows.indptr[row]:rows.indptr[row + 1]]]
            self.assertEqual(len(set(of_row)), len(of_row), f"row {row} has two columns of one colour")

    def test_finite_element_matrices(self):
        for name in MATRICES:
            with self.subTest(matrix=name):
                self.check(name, "--device", "host")

    def test_on_sim(self):
        self.check("airfoil", "--device", "sim")


class Jacobian(unittest.TestCase):
    def test_against_central_differences(self):
        # Measured: 1e-9 at most, which is what a step of 1e-5 leaves of the third derivative and of rounding.
        for grid in (3, 7, 16):
            for device in ("host", "sim"):
                with self.subTest(grid=grid, device=device):
                    output = run("check", f"{grid}i64".encode(), "--device", device)
                    self.assertLess(struct.unpack_from("<d", output, 7)[0], 1e-8)

    def test_colouring_is_valid(self):
        for grid in (3, 4, 5, 10):
            with self.subTest(grid=grid):
                self.assertEqual(run("valid", f"{grid}i64".encode(), "--device", "host")[7], 1)


if __name__ == "__main__":
    unittest.main()
