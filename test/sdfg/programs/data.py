# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs whose accesses or branches depend on data: sparse matrices, histograms, particles, layers."""

import dace
import numpy as np

H, W, N, NNZ = (dace.symbol(name) for name in ("H", "W", "N", "NNZ"))


@dace.program
def sparse_times_vector(row: dace.uint32[H + 1], column: dace.uint32[NNZ], value: dace.float64[NNZ], x: dace.float64[W]):
    y = np.zeros([H], dtype=np.float64)
    for i in range(H):
        start = dace.define_local_scalar(dace.uint32)
        stop = dace.define_local_scalar(dace.uint32)
        start = row[i]
        stop = row[i + 1]
        for j in range(start, stop):
            y[i] += value[j] * x[column[j]]
    return y


@dace.program
def sparse_maps(row: dace.uint32[H + 1], column: dace.uint32[NNZ], value: dace.float64[NNZ], x: dace.float64[W], y: dace.float64[H]):
    for i in dace.map[0:H]:
        for j in dace.map[row[i]:row[i + 1]]:
            with dace.tasklet:
                a << value[j]
                v << x[column[j]]
                out >> y(1, lambda old, new: old + new)[i]
                out = a * v


@dace.program
def histogram(A: dace.uint8[N, N], counts: dace.uint32[256]):
    for i, j in dace.map[0:N, 0:N]:
        with dace.tasklet:
            a << A[i, j]
            out >> counts(1, lambda old, new: old + new)[:]
            out[a] = 1


@dace.program
def half_or_all(flag: dace.int32, A: dace.float64[N], C: dace.float64[N]):
    if flag > 0:
        C[:] = A + 1.0
    else:
        C[:N // 2] = A[:N // 2] * 2.0


@dace.program
def softmax(X: dace.float32[H, W]):
    largest = np.max(X, axis=1)
    exponential = np.exp(X - largest[:, np.newaxis])
    return exponential / np.sum(exponential, axis=1)[:, np.newaxis]


@dace.program
def layers(X: dace.float32[H, N], W1: dace.float32[N, W], b1: dace.float32[W], W2: dace.float32[W, N]):
    hidden = np.maximum(X @ W1 + b1, 0.0)
    return hidden @ W2


@dace.program
def bodies(position: dace.float64[N, 3], velocity: dace.float64[N, 3], mass: dace.float64[N], steps: dace.int64):
    for t in range(steps):
        for i in dace.map[0:N]:
            for j in dace.map[0:N]:
                d = position[j] - position[i]
                r = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01
                velocity[i] += d * (mass[j] / (r * np.sqrt(r)))
        position[:] = position + 0.01 * velocity
