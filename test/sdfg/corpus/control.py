# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Control flow that depends on data: branches, early exits, while loops that end when something converged."""

import dace
import numpy as np
from dace import float64, int64

from .registry import add

N, M = (dace.symbol(s, dtype=dace.int64) for s in "NM")


@dace.program
def branch_on_an_element(A: float64[N], B: float64[N]):
    if A[0] > 0.5:
        B[:] = A + 1.0
    else:
        B[:] = A - 1.0
    B[:] = B * 2.0


def branch_on_an_element_numpy(A, B):
    B[:] = 2 * (A + (1 if A[0] > 0.5 else -1))


add(branch_on_an_element, branch_on_an_element_numpy, {"N": 4000000}, {"N": 7})


@dace.program
def branch_in_a_loop(A: float64[N], T: dace.int64):
    count = dace.int64(0)
    for t in range(T):
        A[:] = A * 1.5
        if A[N - 1] > 1.0:
            A[:] = A * 0.25
            count = count + 1
    A[0] = count


def branch_in_a_loop_numpy(A, T):
    count = 0
    for _ in range(T):
        A *= 1.5
        if A[-1] > 1:
            A /= 4
            count += 1
    A[0] = count


add(branch_in_a_loop, branch_in_a_loop_numpy, {"N": 1000000, "T": 500}, {"N": 6, "T": 9})


@dace.program
def iterate_until_still(A: float64[N], B: float64[N]):
    change = 1.0
    while change > 1e-6:
        B[1:-1] = 0.5 * (A[:-2] + A[2:])
        change = np.max(np.abs(B[1:-1] - A[1:-1]))
        A[1:-1] = B[1:-1]


def iterate_until_still_numpy(A, B):
    while True:
        B[1:-1] = (A[:-2] + A[2:]) / 2
        change = abs(B - A)[1:-1].max()
        A[1:-1] = B[1:-1]
        if change <= 1e-6:
            return


add(iterate_until_still, iterate_until_still_numpy, {"N": 100000}, {"N": 8})


@dace.program
def dominant_eigenvalue(A: float64[N, N]):
    v = np.ones((N,), dtype=np.float64)
    value = 0.0
    last = -1.0
    steps = dace.int64(0)
    while abs(value - last) > 1e-10 and steps < 500:
        w = A @ v
        last = value
        value = np.max(w)
        v[:] = w / value
        steps = steps + 1
    return value


def dominant_eigenvalue_numpy(A):
    return max(abs(np.linalg.eigvals(A)))


add(dominant_eigenvalue, dominant_eigenvalue_numpy, {"N": 8000}, {"N": 6}, tolerance=1e-6)


@dace.program
def first_negative(A: float64[N]):
    found = dace.int64(-1)
    for i in range(N):
        if A[i] < 0.0:
            found = i
            break
    return found


def first_negative_numpy(A):
    return int(np.flatnonzero(A < 0)[0])


mixed = {"A": lambda s, rng: np.where(np.arange(s["N"]) < 2 * s["N"] // 3, 1.0, -1.0) * rng.uniform(0.1, 1, s["N"])}
add(first_negative, first_negative_numpy, {"N": 1000000}, {"N": 9}, given=mixed)


@dace.program
def skipped_rows(A: float64[N, M], weight: float64[N]):
    for i in range(N):
        if weight[i] < 0.5:
            continue
        A[i] = A[i] * weight[i]


def skipped_rows_numpy(A, weight):
    A *= np.where(weight < 0.5, 1, weight)[:, None]


add(skipped_rows, skipped_rows_numpy, {"N": 1000, "M": 100000}, {"N": 6, "M": 4})


@dace.program
def early_return(A: float64[N], bound: float64):
    total = np.sum(A)
    if total > bound:
        A[:] = A / total
        return
    A[:] = A + 1.0
    A[:] = A * 3.0


def early_return_numpy(A, bound):
    if A.sum() > bound:
        A /= A.sum()
    else:
        A += 1
        A *= 3


over_the_limit = {"bound": lambda s, rng: np.float64(s["N"])}
add(
    early_return,
    early_return_numpy,
    {"N": 4000000},
    {"N": 7},
    given=over_the_limit,
    refused="the rhs may only be data, numerical/boolean constants and symbols",
)


@dace.program
def early_return_of_a_value(A: float64[N], bound: float64):
    total = np.sum(A)
    if total > bound:
        return A / total
    B = A + 1.0
    return B * 3.0


def early_return_of_a_value_numpy(A, bound):
    return A / A.sum() if A.sum() > bound else 3 * A + 3


add(early_return_of_a_value, early_return_of_a_value_numpy, {"N": 4000000}, {"N": 7}, given=over_the_limit)


@dace.program
def bisection(c: float64[4], root: float64[1]):
    low = 0.0
    high = 4.0
    while high - low > 1e-12:
        middle = 0.5 * (low + high)
        value = ((c[0] * middle + c[1]) * middle + c[2]) * middle + c[3]
        if value > 0.0:
            high = middle
        else:
            low = middle
    root[0] = low


def bisection_numpy(c, root):
    roots = np.roots(c)
    root[0] = max(roots.real[abs(roots.imag) < 1e-9])


rising = {"c": lambda s, rng: np.array([1.0, 0.5, 0.25, -9.0])}
add(bisection, bisection_numpy, {"N": 1}, {"N": 1}, given=rising, tolerance=1e-8)


@dace.program
def square_roots(x: float64[N]):
    guess = np.copy(x)
    worst = 1.0
    while worst > 1e-14:
        better = 0.5 * (guess + x / guess)
        worst = np.max(np.abs(better - guess))
        guess[:] = better
    return guess


def square_roots_numpy(x):
    return np.sqrt(x)


add(square_roots, square_roots_numpy, {"N": 4000000}, {"N": 9})


@dace.program
def search(sorted_keys: int64[N], wanted: int64[M], at: int64[M]):
    for i in dace.map[0:M]:
        low = dace.int64(0)
        high = dace.int64(N)
        while low < high:
            middle = (low + high) // 2
            if sorted_keys[middle] < wanted[i]:
                low = middle + 1
            else:
                high = middle
        at[i] = low


def search_numpy(sorted_keys, wanted, at):
    at[:] = np.searchsorted(sorted_keys, wanted)


rising_keys = {"sorted_keys": lambda s, rng: np.sort(rng.integers(0, 100, s["N"])), "wanted": lambda s, rng: rng.integers(0, 100, s["M"])}
add(search, search_numpy, {"N": 10000000, "M": 1000000}, {"N": 20, "M": 7}, given=rising_keys, refused={"regions": "KeyError: '__tmp6'"})


@dace.program
def halves_or_all(flag: int64, A: float64[N], B: float64[N], C: float64[N]):
    """One arm writes all of C and the other half of it."""
    if flag > 0:
        C[:] = A + B
    else:
        C[: N // 2] = A[: N // 2] - B[: N // 2]


def halves_or_all_numpy(flag, A, B, C):
    if flag > 0:
        C[:] = A + B
    else:
        half = len(C) // 2
        C[:half] = (A - B)[:half]


for_the_half = {"flag": lambda s, rng: np.int64(0)}
add(halves_or_all, halves_or_all_numpy, {"N": 4000000}, {"N": 8}, given=for_the_half)


@dace.program
def sorted_by_exchanges(A: float64[N]):
    """Odd and even neighbours in turn, until nothing moves."""
    moved = dace.int64(1)
    parity = dace.int64(0)
    still = dace.int64(0)
    while still < 2:
        moves = np.zeros((N // 2,), dtype=np.int64)
        for i in dace.map[0 : (N - parity) // 2]:
            left = A[2 * i + parity] + 0.0
            right = A[2 * i + 1 + parity] + 0.0
            if left > right:
                A[2 * i + parity] = right
                A[2 * i + 1 + parity] = left
                moves[i] = 1
        moved = np.sum(moves)
        still = still + 1
        if moved > 0:
            still = 0
        parity = 1 - parity


def sorted_by_exchanges_numpy(A):
    A.sort()


add(sorted_by_exchanges, sorted_by_exchanges_numpy, {"N": 20000}, {"N": 8}, refused={"regions": "is not in list"})
