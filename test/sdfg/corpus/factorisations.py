# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Factorisations and solvers: loops in which single elements are read and written between products of vectors."""

import dace
import numpy as np
from dace import float64

from .registry import add

N, M = (dace.symbol(s, dtype=dace.int64) for s in "NM")


def positive_definite(s, rng):
    A = rng.uniform(0, 1, (s["N"], s["N"]))
    return A @ A.T + s["N"] * np.eye(s["N"])


def dominant(s, rng):
    return rng.uniform(0, 1, (s["N"], s["N"])) + s["N"] * np.eye(s["N"])


@dace.program
def cholesky(A: float64[N, N]):
    A[0, 0] = np.sqrt(A[0, 0])
    for i in range(1, N):
        for j in range(i):
            A[i, j] -= np.dot(A[i, :j], A[j, :j])
            A[i, j] /= A[j, j]
        A[i, i] -= np.dot(A[i, :i], A[i, :i])
        A[i, i] = np.sqrt(A[i, i])


def cholesky_numpy(A):
    A[:] = np.tril(np.linalg.cholesky(A)) + np.triu(A, 1)


add(cholesky, cholesky_numpy, {"N": 2000}, {"N": 7}, given={"A": positive_definite}, refused={"regions": "is not in list"})


@dace.program
def lower_upper(A: float64[N, N]):
    for i in range(N):
        for j in range(i):
            A[i, j] -= A[i, :j] @ A[:j, j]
            A[i, j] /= A[j, j]
        for j in range(i, N):
            A[i, j] -= A[i, :i] @ A[:i, j]


def eliminate(A):
    """Lower factor below the diagonal, upper factor on and above it, by columns."""
    for k in range(len(A)):
        A[k + 1 :, k] /= A[k, k]
        A[k + 1 :, k + 1 :] -= np.outer(A[k + 1 :, k], A[k, k + 1 :])


def lower_upper_numpy(A):
    eliminate(A)


add(lower_upper, lower_upper_numpy, {"N": 2000}, {"N": 7}, given={"A": dominant}, refused={"regions": "is not in list"})


@dace.program
def lower_upper_by_columns(A: float64[N, N]):
    for k in range(N):
        A[k + 1 :, k] /= A[k, k]
        for i, j in dace.map[k + 1 : N, k + 1 : N]:
            A[i, j] -= A[i, k] * A[k, j]


def lower_upper_by_columns_numpy(A):
    eliminate(A)


add(lower_upper_by_columns, lower_upper_by_columns_numpy, {"N": 4000}, {"N": 7}, given={"A": dominant})


@dace.program
def factor_and_solve(A: float64[N, N], b: float64[N]):
    x = np.zeros_like(b)
    y = np.zeros_like(b)
    for i in range(N):
        for j in range(i):
            A[i, j] -= A[i, :j] @ A[:j, j]
            A[i, j] /= A[j, j]
        for j in range(i, N):
            A[i, j] -= A[i, :i] @ A[:i, j]
    for i in range(N):
        y[i] = b[i] - A[i, :i] @ y[:i]
    for i in range(N - 1, -1, -1):
        x[i] = (y[i] - A[i, i + 1 :] @ x[i + 1 :]) / A[i, i]
    return x, y


def factor_and_solve_numpy(A, b):
    x = np.linalg.solve(A, b)
    eliminate(A)
    return x, np.triu(A) @ x


add(factor_and_solve, factor_and_solve_numpy, {"N": 2000}, {"N": 6}, given={"A": dominant}, refused={"regions": "is not in list"})


@dace.program
def gram_schmidt(A: float64[M, N]):
    Q = np.zeros_like(A)
    R = np.zeros((N, N), dtype=np.float64)
    for k in range(N):
        norm = np.dot(A[:, k], A[:, k])
        R[k, k] = np.sqrt(norm)
        Q[:, k] = A[:, k] / R[k, k]
        for j in range(k + 1, N):
            R[k, j] = np.dot(Q[:, k], A[:, j])
            A[:, j] -= Q[:, k] * R[k, j]
    return Q, R


def gram_schmidt_numpy(A):
    Q, R = np.linalg.qr(A)
    signs = np.sign(np.diag(R))
    Q, R = Q * signs, signs[:, None] * R
    for k in range(A.shape[1]):
        A[:, k + 1 :] -= np.outer(Q[:, k], R[k, k + 1 :])
    return Q, R


add(gram_schmidt, gram_schmidt_numpy, {"M": 1200, "N": 1000}, {"M": 8, "N": 5}, refused={"regions": "is not in list"})


@dace.program
def autocorrelation_solver(r: float64[N]):
    y = np.empty_like(r)
    z = np.empty_like(r)
    alpha = -r[0]
    beta = 1.0
    y[0] = -r[0]
    for k in range(1, N):
        beta *= 1.0 - alpha * alpha
        total = 0.0
        for i in range(k):
            total += r[k - 1 - i] * y[i]
        alpha = -(r[k] + total) / beta
        for i in range(k):
            z[i] = y[i] + alpha * y[k - 1 - i]
        y[:k] = z[:k]
        y[k] = alpha
    return y


def autocorrelation_solver_numpy(r):
    lags = np.concatenate(([1.0], r[:-1]))
    i = np.arange(len(r))
    return np.linalg.solve(lags[abs(i[:, None] - i)], -r)


decaying = {"r": lambda s, rng: 0.5 ** np.arange(1, s["N"] + 1) + 0.01 * rng.random(s["N"])}
add(autocorrelation_solver, autocorrelation_solver_numpy, {"N": 16000}, {"N": 8}, given=decaying)


@dace.program
def forward_substitution(L: float64[N, N], x: float64[N], b: float64[N]):
    for i in range(N):
        x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]


def forward_substitution_numpy(L, x, b):
    x[:] = np.linalg.solve(np.tril(L), b)


add(forward_substitution, forward_substitution_numpy, {"N": 16000}, {"N": 8}, given={"L": dominant}, refused={"regions": "is not in list"})


@dace.program
def tridiagonal(a: float64[N], b: float64[N], c: float64[N], d: float64[N]):
    x = np.empty_like(d)
    for i in range(1, N):
        w = a[i] / b[i - 1]
        b[i] -= w * c[i - 1]
        d[i] -= w * d[i - 1]
    x[N - 1] = d[N - 1] / b[N - 1]
    for i in range(N - 2, -1, -1):
        x[i] = (d[i] - c[i] * x[i + 1]) / b[i]
    return x


def tridiagonal_numpy(a, b, c, d):
    x = np.linalg.solve(np.diag(b) + np.diag(a[1:], -1) + np.diag(c[:-1], 1), d)
    for i in range(1, len(b)):
        w = a[i] / b[i - 1]
        b[i] -= w * c[i - 1]
        d[i] -= w * d[i - 1]
    return x


add(tridiagonal, tridiagonal_numpy, {"N": 1000000}, {"N": 9}, given={"b": lambda s, rng: 4 + rng.random(s["N"])})


@dace.program
def elimination_with_pivots(A: float64[N, N], b: float64[N]):
    row = np.empty_like(b)
    factors = np.empty_like(b)
    for k in range(N):
        best = k
        for i in range(k + 1, N):
            if abs(A[i, k]) > abs(A[best, k]):
                best = i
        if best != k:
            row[:] = A[k, :]
            A[k, :] = A[best, :]
            A[best, :] = row
            held = b[k] + 0.0
            b[k] = b[best]
            b[best] = held
        for i in dace.map[k + 1 : N]:
            factors[i] = A[i, k] / A[k, k]
        for i in dace.map[k + 1 : N]:
            b[i] -= factors[i] * b[k]
        for i, j in dace.map[k + 1 : N, k:N]:
            A[i, j] -= factors[i] * A[k, j]


def elimination_with_pivots_numpy(A, b):
    for k in range(len(A)):
        best = k + np.argmax(abs(A[k:, k]))
        A[[k, best]], b[[k, best]] = A[[best, k]], b[[best, k]]
        factors = A[k + 1 :, k] / A[k, k]
        b[k + 1 :] -= factors * b[k]
        A[k + 1 :, k:] -= np.outer(factors, A[k, k:])


add(elimination_with_pivots, elimination_with_pivots_numpy, {"N": 4000}, {"N": 6}, refused={"regions": "is not an SDFGState"})


@dace.program
def library_cholesky(A: float64[N, N]):
    return np.linalg.cholesky(A)


def library_cholesky_numpy(A):
    return np.linalg.cholesky(A)


add(
    library_cholesky,
    library_cholesky_numpy,
    {"N": 4000},
    {"N": 6},
    given={"A": positive_definite},
    refused=r"(cblas|lapacke)\.h",
)


@dace.program
def library_solve(A: float64[N, N], b: float64[N, M]):
    return np.linalg.solve(A, b)


def library_solve_numpy(A, b):
    return np.linalg.solve(A, b)


add(
    library_solve,
    library_solve_numpy,
    {"N": 4000, "M": 16},
    {"N": 6, "M": 2},
    given={"A": dominant},
    refused=r"(cblas|lapacke)\.h",
)
