# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sparse matrices: compressed rows, whose pointers bound the loops, and other forms."""

import dace
import numpy as np
from dace import float64, int64

from .registry import add

N, M, NNZ, W = (dace.symbol(s, dtype=dace.int64) for s in ("N", "M", "NNZ", "W"))


def pointers(s, rng):
    """Where the rows begin: increasing, from 0 to the number of entries; some rows are empty."""
    inner = np.sort(rng.integers(0, s["NNZ"] + 1, s["N"] - 1))
    return np.concatenate(([0], inner, [s["NNZ"]]))


def columns(s, rng):
    return rng.integers(0, s["M"], s["NNZ"])


SMALL, STATED = {"N": 8, "M": 6, "NNZ": 21}, {"N": 131072, "M": 131072, "NNZ": 2621440}
CSR = {"rows": pointers, "cols": columns}


@dace.program
def compressed_rows_product(rows: int64[N + 1], cols: int64[NNZ], vals: float64[NNZ], x: float64[M], y: float64[N]):
    for i in range(N):
        y[i] = 0.0
        for j in range(rows[i], rows[i + 1]):
            y[i] += vals[j] * x[cols[j]]


def compressed_rows_product_numpy(rows, cols, vals, x, y):
    y[:] = [np.sum(vals[a:b] * x[cols[a:b]]) for a, b in zip(rows, rows[1:])]


add(compressed_rows_product, compressed_rows_product_numpy, STATED, SMALL, given=CSR)


@dace.program
def compressed_rows_by_slices(rows: int64[N + 1], cols: int64[NNZ], vals: float64[NNZ], x: float64[M]):
    y = np.empty(N, dtype=np.float64)
    for i in range(N):
        c = cols[rows[i] : rows[i + 1]]
        v = vals[rows[i] : rows[i + 1]]
        y[i] = v @ x[c]
    return y


def compressed_rows_by_slices_numpy(rows, cols, vals, x):
    return np.array([np.sum(vals[a:b] * x[cols[a:b]]) for a, b in zip(rows, rows[1:])])


add(compressed_rows_by_slices, compressed_rows_by_slices_numpy, STATED, SMALL, given=CSR, refused={"regions": "is not in list"})


@dace.program
def compressed_rows_in_a_map(rows: int64[N + 1], cols: int64[NNZ], vals: float64[NNZ], x: float64[M], y: float64[N]):
    y[:] = 0.0
    for i in dace.map[0:N]:
        for j in dace.map[rows[i] : rows[i + 1]]:
            with dace.tasklet:
                v << vals[j]
                c << cols[j]
                all_x << x[:]
                out >> y(1, lambda a, b: a + b)[i]
                out = v * all_x[c]


def compressed_rows_in_a_map_numpy(rows, cols, vals, x, y):
    y[:] = [np.sum(vals[a:b] * x[cols[a:b]]) for a, b in zip(rows, rows[1:])]


add(compressed_rows_in_a_map, compressed_rows_in_a_map_numpy, STATED, SMALL, given=CSR)


@dace.program
def transposed_compressed_rows(rows: int64[N + 1], cols: int64[NNZ], vals: float64[NNZ], x: float64[N], y: float64[M]):
    y[:] = 0.0
    for i in range(N):
        for j in range(rows[i], rows[i + 1]):
            y[cols[j]] += vals[j] * x[i]


def transposed_compressed_rows_numpy(rows, cols, vals, x, y):
    y[:] = 0
    np.add.at(y, cols, vals * np.repeat(x, np.diff(rows)))


add(transposed_compressed_rows, transposed_compressed_rows_numpy, STATED, SMALL, given=CSR)


@dace.program
def ellpack_product(cols: int64[N, W], vals: float64[N, W], x: float64[M], y: float64[N]):
    for i in dace.map[0:N]:
        total = 0.0
        for k in range(W):
            total += vals[i, k] * x[cols[i, k]]
        y[i] = total


def ellpack_product_numpy(cols, vals, x, y):
    y[:] = np.sum(vals * x[cols], axis=1)


add(
    ellpack_product,
    ellpack_product_numpy,
    {"N": 1000000, "M": 1000000, "W": 16},
    {"N": 7, "M": 5, "W": 3},
    given={"cols": lambda s, rng: rng.integers(0, s["M"], (s["N"], s["W"]))},
)


@dace.program
def conjugate_gradient(A: float64[N, N], b: float64[N], x: float64[N]):
    r = b - A @ x
    p = np.copy(r)
    rho = r @ r
    steps = 0
    while rho[0] > 1e-20 and steps < 200:
        q = A @ p
        alpha = rho / (p @ q)
        x += alpha * p
        r -= alpha * q
        renewed = r @ r
        p[:] = r + (renewed / rho) * p
        rho[:] = renewed
        steps = steps + 1


def conjugate_gradient_numpy(A, b, x):
    x[:] = np.linalg.solve(A, b)


def positive_definite(s, rng):
    A = rng.uniform(0, 1, (s["N"], s["N"]))
    return A @ A.T + s["N"] * np.eye(s["N"])


add(
    conjugate_gradient,
    conjugate_gradient_numpy,
    {"N": 8000},
    {"N": 7},
    given={"A": positive_definite},
    tolerance=1e-7,
)
