# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops over time and over dependences: stencils, recurrences, dynamic programming, early exits."""

import dace
import numpy as np

N, M = dace.symbol("N"), dace.symbol("M")


@dace.program
def jacobi(steps: dace.int64, A: dace.float64[N, N], B: dace.float64[N, N]):
    for t in range(1, steps):
        B[1:-1, 1:-1] = 0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])
        A[1:-1, 1:-1] = 0.2 * (B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1])


@dace.program
def gauss_seidel(steps: dace.int64, A: dace.float64[N, N]):
    for t in range(steps):
        for i in range(1, N - 1):
            for j in range(1, N - 1):
                A[i, j] = 0.25 * (A[i - 1, j] + A[i, j - 1] + A[i, j + 1] + A[i + 1, j])


@dace.program
def shortest_paths(D: dace.int32[N, N]):
    for k in range(N):
        D[:] = np.minimum(D, D[:, k][:, np.newaxis] + D[k, :])


@dace.program
def common_subsequence(a: dace.int32[N], b: dace.int32[M], best: dace.int32[N + 1, M + 1]):
    for i in range(N):
        for j in range(M):
            if a[i] == b[j]:
                best[i + 1, j + 1] = best[i, j] + 1
            else:
                best[i + 1, j + 1] = max(best[i, j + 1], best[i + 1, j])


@dace.program
def every_second(A: dace.float64[N], B: dace.float64[N]):
    for i in range(N - 1, 0, -2):
        B[i] = A[i] + A[i - 1]


@dace.program
def until_small(A: dace.float64[N]):
    while A[0] > 1.0:
        A[:] = 0.5 * A


@dace.program
def first_negative(A: dace.float64[N], where: dace.int64[1]):
    where[0] = -1
    for i in range(N):
        if A[i] == 0.0:
            continue
        if A[i] < 0.0:
            where[0] = i
            break


@dace.program
def checksum(data: dace.uint8[N], polynomial: dace.uint16):
    crc: dace.uint16 = 0xFFFF
    for i in range(N):
        crc = crc ^ data[i]
        for bit in range(8):
            if crc & 1:
                crc = (crc >> 1) ^ polynomial
            else:
                crc = crc >> 1
    return crc
