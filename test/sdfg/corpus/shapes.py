# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Views, slices, reshapes, transposes; several results; nested functions; scalars and arrays of length one."""

import dace
import numpy as np
from dace import float32, float64, int32, int64

from .registry import add

N, M, K = (dace.symbol(s, dtype=dace.int64) for s in "NMK")


@dace.program
def slices_to_and_fro(A: float64[N, M], B: float64[N, M]):
    B[1:, :] = A[:-1, :]
    B[0, :] = A[N - 1, :]
    A[:, 1 : M - 1] = B[:, 1 : M - 1] * 2.0


def slices_to_and_fro_numpy(A, B):
    B[:] = np.roll(A, 1, axis=0)
    A[:, 1:-1] = 2 * B[:, 1:-1]


add(slices_to_and_fro, slices_to_and_fro_numpy, {"N": 8000, "M": 8000}, {"N": 5, "M": 6})


@dace.program
def every_other(x: float64[2 * N], y: float64[N]):
    for i in dace.map[0:N]:
        y[i] = x[2 * i] + x[2 * i + 1]
    for i in dace.map[0:N]:
        x[2 * i] = y[i] * 0.5


def every_other_numpy(x, y):
    y[:] = x.reshape(-1, 2).sum(axis=1)
    x[::2] = y / 2


add(every_other, every_other_numpy, {"N": 4000000}, {"N": 6})


@dace.program
def transposed_sum(A: float64[N, M], B: float64[M, N]):
    return np.transpose(A) + B


def transposed_sum_numpy(A, B):
    return A.T + B


add(transposed_sum, transposed_sum_numpy, {"N": 8000, "M": 6000}, {"N": 4, "M": 6})


@dace.program
def axes_exchanged(A: float64[N, M, K]):
    return np.transpose(A, (2, 0, 1)) * 2.0


def axes_exchanged_numpy(A):
    return 2 * np.moveaxis(A, 2, 0)


add(axes_exchanged, axes_exchanged_numpy, {"N": 400, "M": 400, "K": 400}, {"N": 3, "M": 4, "K": 5})


@dace.program
def reshaped_and_back(A: float64[N, 2 * M], B: float64[N * M, 2]):
    flat = np.reshape(A, (N * M, 2))
    B[:] = flat * 2.0
    wide = np.reshape(B, (N, 2 * M))
    A[:] = wide + 1.0


def reshaped_and_back_numpy(A, B):
    B[:] = 2 * A.reshape(-1, 2)
    A[:] = 2 * A + 1


add(reshaped_and_back, reshaped_and_back_numpy, {"N": 4000, "M": 2000}, {"N": 3, "M": 4})


@dace.program
def gathered(x: float64[N], chosen: int64[K]):
    return x[chosen] * 2.0


def gathered_numpy(x, chosen):
    return np.array([2 * x[c] for c in chosen])


some = {"chosen": lambda s, rng: rng.integers(0, s["N"], s["K"])}
add(gathered, gathered_numpy, {"N": 10000000, "K": 2000000}, {"N": 5, "K": 7}, given=some)


@dace.program
def flipped(A: float64[N, M]):
    return np.flip(A, axis=1) - A


def flipped_numpy(A):
    return A[:, ::-1] - A


add(flipped, flipped_numpy, {"N": 8000, "M": 8000}, {"N": 3, "M": 5})


@dace.program
def several_results(A: float64[N], b: float64):
    return A + b, A * b, np.sum(A), A[0]


def several_results_numpy(A, b):
    return A + b, A * b, A.sum(), A[0]


add(several_results, several_results_numpy, {"N": 4000000}, {"N": 6})


@dace.program
def returned_and_passed(A: float64[N], B: float64[N]):
    A[:] = A + B
    B[:] = A * 2.0
    return A


def returned_and_passed_numpy(A, B):
    A += B
    B[:] = 2 * A
    return A.copy()


add(returned_and_passed, returned_and_passed_numpy, {"N": 4000000}, {"N": 6})


@dace.program
def scalars_and_length_one(A: float64[N], scale: float64, offset: float64[1], count: int32, total: float64[1]):
    shift = scale * offset[0] + count
    A[:] = A * scale + shift
    total[0] = A[0] + A[N - 1]
    offset[0] = offset[0] * 2.0


def scalars_and_length_one_numpy(A, scale, offset, count, total):
    A[:] = scale * (A + offset[0]) + count
    total[0] = A[0] + A[-1]
    offset *= 2


add(scalars_and_length_one, scalars_and_length_one_numpy, {"N": 4000000}, {"N": 6})


@dace.program
def mixed_widths(a: float32[N], b: float64[N], c: int32[N]):
    b[:] = a * c + b
    c[:] = c * 2 + 1


def mixed_widths_numpy(a, b, c):
    b += a.astype(np.float64) * c
    c[:] = 2 * c + 1


CONVERTS = "no matching function for call to 'Copy'"  # between int64 and int32, where nothing has fused it into a map
add(mixed_widths, mixed_widths_numpy, {"N": 4000000}, {"N": 6}, refused={"parsed": CONVERTS, "regions": CONVERTS}, tolerance=1e-5)


@dace.program
def relax(x: float64[N], by: float64):
    x[1:-1] = x[1:-1] + by * (x[:-2] - 2.0 * x[1:-1] + x[2:])


@dace.program
def largest(x: float64[N]):
    return np.max(x)


@dace.program
def nested_functions(x: float64[N], y: float64[N], T: dace.int64):
    for t in range(T):
        relax(x, 0.25)
        relax(y, 0.1)
    top = largest(x) + largest(y)
    x /= top


def nested_functions_numpy(x, y, T):
    for _ in range(T):
        x[1:-1] += 0.25 * np.diff(x, 2)
        y[1:-1] += 0.1 * np.diff(y, 2)
    x /= x.max() + y.max()


add(
    nested_functions,
    nested_functions_numpy,
    {"N": 1000000, "T": 200},
    {"N": 7, "T": 3},
    refused={"regions": "redefinition of"},
)


@dace.program
def smoothed_row(row: float64[M]):
    row[1 : M - 1] = 0.5 * row[1 : M - 1] + 0.25 * (row[: M - 2] + row[2:])


@dace.program
def function_in_a_map(A: float64[N, M]):
    for i in dace.map[0:N]:
        smoothed_row(A[i])


def function_in_a_map_numpy(A):
    for row in A:
        row[1:-1] = np.convolve(row, [0.25, 0.5, 0.25], "valid")


add(function_in_a_map, function_in_a_map_numpy, {"N": 8000, "M": 8000}, {"N": 4, "M": 6})


@dace.program
def two_results(x: float64[N]):
    return x * 2.0, x + 3.0


@dace.program
def results_of_nested_functions(x: float64[N]):
    a, b = two_results(x)
    c, d = two_results(a + b)
    return c - d


def results_of_nested_functions_numpy(x):
    return 3 * x + 3 - 3


add(results_of_nested_functions, results_of_nested_functions_numpy, {"N": 4000000}, {"N": 5})


@dace.program
def nested_maps(A: float64[N, M], B: float64[N, M]):
    for i in dace.map[0:N]:
        for j in dace.map[0:M]:
            with dace.tasklet:
                a << A[i, j]
                b >> B[i, j]
                b = a * a + i - j


def nested_maps_numpy(A, B):
    i, j = np.indices(A.shape)
    B[:] = A**2 + (i - j)


add(nested_maps, nested_maps_numpy, {"N": 8000, "M": 8000}, {"N": 4, "M": 5})


@dace.program
def triangle(A: float64[N, N]):
    for i in dace.map[0:N]:
        for j in dace.map[0 : i + 1]:
            A[i, j] = A[i, j] * 2.0


def triangle_numpy(A):
    A[np.tril_indices(len(A))] *= 2


add(triangle, triangle_numpy, {"N": 8000}, {"N": 6})


@dace.program
def cross_product_of_blocks(A: float64[2 * N, 2 * N]):
    C = np.zeros((2 * N, 2 * N), dtype=np.float64)
    C[:N, :N] = A[:N, :N] @ A[N:, N:]
    C[N:, N:] = A[:N, N:] @ A[N:, :N]
    return C


def cross_product_of_blocks_numpy(A):
    n = len(A) // 2
    C = np.zeros_like(A)
    for i in range(n):
        for j in range(n):
            C[i, j] = np.sum(A[i, :n] * A[n:, n + j])
            C[n + i, n + j] = np.sum(A[i, n:] * A[n:, j])
    return C


add(cross_product_of_blocks, cross_product_of_blocks_numpy, {"N": 2000}, {"N": 3})
