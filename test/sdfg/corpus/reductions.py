# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions: to a scalar, along an axis, of a view, by write conflict resolution."""

import dace
import numpy as np
from dace import float64, int64

from .registry import add

N, M, K = (dace.symbol(s, dtype=dace.int64) for s in "NMK")


@dace.program
def sum_of_all(A: float64[N, M]):
    return np.sum(A)


def sum_of_all_numpy(A):
    return A.sum()


add(sum_of_all, sum_of_all_numpy, {"N": 8000, "M": 8000}, {"N": 5, "M": 6})


@dace.program
def sums_along_axes(A: float64[N, M, K]):
    return np.sum(A, axis=0), np.sum(A, axis=(0, 2)), np.max(A, axis=2)


def sums_along_axes_numpy(A):
    return A.sum(axis=0), A.sum(axis=2).sum(axis=0), A.max(axis=-1)


add(sums_along_axes, sums_along_axes_numpy, {"N": 400, "M": 400, "K": 400}, {"N": 3, "M": 4, "K": 5})


@dace.program
def reduction_of_a_view(A: float64[N, M, K], out: float64[N]):
    flat = np.reshape(A, (N, M * K))
    out[:] = np.sum(flat, axis=1)


def reduction_of_a_view_numpy(A, out):
    out[:] = A.sum(axis=(1, 2))


add(reduction_of_a_view, reduction_of_a_view_numpy, {"N": 4000, "M": 100, "K": 100}, {"N": 4, "M": 3, "K": 2})


@dace.program
def standardised(A: float64[N, M]):
    mean = np.mean(A, axis=0)
    centred = A - mean
    variance = np.mean(centred * centred, axis=0)
    return centred / np.sqrt(variance)


def standardised_numpy(A):
    centred = A - A.sum(axis=0) / len(A)
    return centred / np.sqrt((centred**2).sum(axis=0) / len(A))


add(standardised, standardised_numpy, {"N": 100000, "M": 256}, {"N": 8, "M": 3})


@dace.program
def norm_and_scale(x: float64[N]):
    x /= np.sqrt(x @ x)


def norm_and_scale_numpy(x):
    x /= np.linalg.norm(x)


add(norm_and_scale, norm_and_scale_numpy, {"N": 10000000}, {"N": 9})


@dace.program
def where_the_extremes_are(x: float64[N], at: int64[2]):
    low = dace.int64(0)
    high = dace.int64(0)
    for i in range(1, N):
        if x[i] < x[low]:
            low = i
        if x[i] > x[high]:
            high = i
    at[0] = low
    at[1] = high


def where_the_extremes_are_numpy(x, at):
    at[:] = x.tolist().index(min(x)), x.tolist().index(max(x))


@dace.program
def where_the_least_is(x: float64[N], at: int64[1]):
    at[0] = np.argmin(x, axis=0)


def where_the_least_is_numpy(x, at):
    at[0] = x.tolist().index(min(x))


add(
    where_the_least_is,
    where_the_least_is_numpy,
    {"N": 10000000},
    {"N": 9},
    refused="'NoneType' object has no attribute 'num_elements'",
)
add(where_the_extremes_are, where_the_extremes_are_numpy, {"N": 10000000}, {"N": 9})


@dace.program
def products_by_conflict(A: float64[N, K], B: float64[K, M], C: float64[N, M]):
    for i, j, k in dace.map[0:N, 0:M, 0:K]:
        with dace.tasklet:
            a << A[i, k]
            b << B[k, j]
            c >> C(1, lambda x, y: x + y)[i, j]
            c = a * b


def products_by_conflict_numpy(A, B, C):
    C += np.einsum("ik,kj->ij", A, B)


add(products_by_conflict, products_by_conflict_numpy, {"N": 2000, "M": 2000, "K": 2000}, {"N": 4, "M": 5, "K": 3})


@dace.program
def greatest_by_conflict(A: float64[N], top: float64[1]):
    for i in dace.map[0:N]:
        with dace.tasklet:
            a << A[i]
            t >> top(1, lambda x, y: max(x, y))[0]
            t = a


def greatest_by_conflict_numpy(A, top):
    top[0] = max(top[0], A.max())


add(greatest_by_conflict, greatest_by_conflict_numpy, {"N": 10000000}, {"N": 9})


@dace.program
def sum_then_map(A: float64[N], B: float64[N]):
    total = np.sum(A)
    B[:] = A / total
    again = np.sum(B)
    A[0] = again


def sum_then_map_numpy(A, B):
    B[:] = A / A.sum()
    A[0] = B.sum()


add(sum_then_map, sum_then_map_numpy, {"N": 4000000}, {"N": 7})
