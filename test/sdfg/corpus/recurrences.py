# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scans and recurrences: each step needs the last one, so nothing of them belongs in one launch a step."""

import dace
import numpy as np
from dace import float32, float64, int64

from .registry import add

N, M, T = (dace.symbol(s, dtype=dace.int64) for s in "NMT")


@dace.program
def prefix_sums(x: float64[N], y: float64[N]):
    y[0] = x[0]
    for i in range(1, N):
        y[i] = y[i - 1] + x[i]


def prefix_sums_numpy(x, y):
    y[:] = np.cumsum(x)


add(prefix_sums, prefix_sums_numpy, {"N": 4000000}, {"N": 11})


@dace.program
def scan_between_maps(x: float64[N]):
    squares = x * x
    for i in range(1, N):
        squares[i] = squares[i] + 0.5 * squares[i - 1]
    return np.sqrt(squares) + 1.0


def scan_between_maps_numpy(x):
    out, last = [], 0.0
    for v in x:
        last = v * v + 0.5 * last
        out.append(np.sqrt(last) + 1)
    return np.array(out)


add(scan_between_maps, scan_between_maps_numpy, {"N": 4000000}, {"N": 11})


@dace.program
def edge_filter(image: float32[N, M]):
    forward = np.empty_like(image)
    backward = np.empty_like(image)
    forward[:, 0] = 0.3 * image[:, 0]
    for j in range(1, M):
        forward[:, j] = 0.3 * image[:, j] + 0.7 * forward[:, j - 1]
    backward[:, M - 1] = 0.3 * image[:, M - 1]
    for j in range(M - 2, -1, -1):
        backward[:, j] = 0.3 * image[:, j] + 0.7 * backward[:, j + 1]
    return 0.5 * (forward + backward)


def edge_filter_numpy(image):
    def smooth(rows):
        out = np.zeros_like(rows)
        last = 0 * rows[0]
        for i, row in enumerate(rows):
            last = out[i] = 0.3 * row + 0.7 * last
        return out

    return 0.5 * (smooth(image.T).T + smooth(image.T[::-1])[::-1].T)


add(edge_filter, edge_filter_numpy, {"N": 7680, "M": 4320}, {"N": 4, "M": 7}, tolerance=1e-5)


@dace.program
def every_second_from_behind(x: float64[N], y: float64[N]):
    for i in range(N - 1, 0, -2):
        y[i] = x[i] + y[i] * x[i - 1]


def every_second_from_behind_numpy(x, y):
    y[:0:-2] = x[:0:-2] + y[:0:-2] * x[-2::-2]


add(every_second_from_behind, every_second_from_behind_numpy, {"N": 4000000}, {"N": 10})


@dace.program
def horner(c: float64[N], x: float64[M]):
    y = np.zeros_like(x)
    for i in range(N):
        y[:] = y * x + c[i]
    return y


def horner_numpy(c, x):
    return np.polyval(c, x)


add(horner, horner_numpy, {"N": 64, "M": 4000000}, {"N": 5, "M": 6})


@dace.program
def logistic_maps(x: float64[N], rate: float64[N], T: dace.int64):
    for t in range(T):
        x[:] = rate * x * (1.0 - x)


def logistic_maps_numpy(x, rate, T):
    for _ in range(T):
        x[:] = rate * (x - x**2)


add(logistic_maps, logistic_maps_numpy, {"N": 1000000, "T": 200}, {"N": 6, "T": 5})


@dace.program
def congruential_numbers(seed: int64[1], out: int64[N]):
    for i in range(N):
        seed[0] = (seed[0] * 1103515245 + 12345) % 2147483648
        out[i] = seed[0]


def congruential_numbers_numpy(seed, out):
    state = int(seed[0])
    for i in range(len(out)):
        state = (1103515245 * state + 12345) & 0x7FFFFFFF
        out[i] = state
    seed[0] = state


add(congruential_numbers, congruential_numbers_numpy, {"N": 4000000}, {"N": 9})


@dace.program
def accumulated_energy(x: float64[N], energy: float64[T]):
    total = 0.0
    for t in range(T):
        x[:] = 0.9 * x + 0.1
        total = total + np.sum(x)
        energy[t] = total


def accumulated_energy_numpy(x, energy):
    sums = []
    for _ in energy:
        x[:] = 0.9 * x + 0.1
        sums.append(x.sum())
    energy[:] = np.cumsum(sums)


add(accumulated_energy, accumulated_energy_numpy, {"N": 1000000, "T": 300}, {"N": 7, "T": 5})


@dace.program
def running_extremes(x: float64[N]):
    low = np.copy(x)
    high = np.copy(x)
    for i in range(1, N):
        low[i] = min(low[i - 1], x[i])
        high[i] = max(high[i - 1], x[i])
    return high - low


def running_extremes_numpy(x):
    return np.maximum.accumulate(x) - np.minimum.accumulate(x)


add(running_extremes, running_extremes_numpy, {"N": 1000000}, {"N": 9})
