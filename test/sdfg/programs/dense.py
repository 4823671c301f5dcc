# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dense linear algebra: products through library nodes, factorisations through loops over slices."""

import dace
import numpy as np

M, N, K = (dace.symbol(name) for name in "MNK")


@dace.program
def scaled_product(alpha: dace.float64, A: dace.float64[M, K], B: dace.float64[K, N], C: dace.float64[M, N]):
    C[:] = alpha * A @ B + 0.5 * C


@dace.program
def gram_times_vector(A: dace.float64[M, N], x: dace.float64[N]):
    return (A @ x) @ A


@dace.program
def two_results(A: dace.float64[M, N], x: dace.float64[N], y: dace.float64[M]):
    return A @ x, A.T @ y


@dace.program
def cholesky(A: dace.float64[N, N]):
    for i in range(N):
        for j in range(i):
            A[i, j] -= A[i, :j] @ A[j, :j]
            A[i, j] /= A[j, j]
        A[i, i] -= A[i, :i] @ A[i, :i]
        A[i, i] = np.sqrt(A[i, i])


@dace.program
def elimination(A: dace.float64[N, N], b: dace.float64[N]):
    for k in range(N - 1):
        for i in range(k + 1, N):
            factor = A[i, k] / A[k, k]
            A[i, k:] -= factor * A[k, k:]
            b[i] -= factor * b[k]
    for k in range(N - 1, -1, -1):
        for j in range(k + 1, N):
            b[k] -= A[k, j] * b[j]
        b[k] = b[k] / A[k, k]
