# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fourier transforms, histograms, checksums, bodies and fractals: index arithmetic and numbers that are no floats."""

import dace
import numpy as np
from dace import complex128, float64, int64, uint8, uint32

from .registry import add

N, M, R, T, B = (dace.symbol(s, dtype=dace.int64) for s in "NMRTB")


@dace.program
def fourier_transform(x: complex128[N], y: complex128[N], R: dace.int64):
    """Radix two, out of place, without a reordering step; N is two to the power of R."""
    y[:] = x
    half = np.empty((N,), dtype=np.complex128)
    m = dace.int64(1)
    for s in range(R):
        for p in dace.map[0 : N // 2]:
            k = p % m
            turn = -3.141592653589793 * k / m
            w = np.cos(turn) + 1j * np.sin(turn)
            a = y[p]
            b = w * y[p + N // 2]
            half[2 * p - k] = a + b
            half[2 * p - k + m] = a - b
        y[:] = half
        m = m * 2


def fourier_transform_numpy(x, y, R):
    y[:] = np.fft.fft(x)


add(fourier_transform, fourier_transform_numpy, {"N": 4194304, "R": 22}, {"N": 16, "R": 4})


@dace.program
def direct_fourier_transform(x: complex128[N]):
    n = np.arange(N)
    turns = np.multiply.outer(n, n)
    W = np.exp(-2j * 3.141592653589793 * turns / N)
    return W @ x


def direct_fourier_transform_numpy(x):
    return np.fft.fft(x)


add(direct_fourier_transform, direct_fourier_transform_numpy, {"N": 8192}, {"N": 9})


@dace.program
def histogram(values: float64[N], bins: int64[B]):
    bins[:] = 0
    for i in dace.map[0:N]:
        with dace.tasklet(dace.Language.Python):
            v << values[i]
            out >> bins(1, lambda x, y: x + y)[:]
            out[int(v * B)] = 1


def histogram_numpy(values, bins):
    bins[:] = np.histogram(values, len(bins), (0.0, 1.0))[0]


add(histogram, histogram_numpy, {"N": 10000000, "B": 1000}, {"N": 50, "B": 5})


@dace.program
def sequential_histogram(values: float64[N], weights: float64[N], bins: float64[B]):
    for i in range(N):
        b = dace.int64(values[i] * B)
        bins[b] += weights[i]


def sequential_histogram_numpy(values, weights, bins):
    bins += np.histogram(values, len(bins), (0.0, 1.0), weights=weights)[0]


add(sequential_histogram, sequential_histogram_numpy, {"N": 4000000, "B": 1000}, {"N": 50, "B": 5})


@dace.program
def means_by_radius(data: float64[N], radius: float64[N], mean: float64[B]):
    top = np.max(radius)
    ones = np.ones_like(data)
    for b in range(B):
        low = top * b / B
        high = top * (b + 1) / B
        inside = np.logical_and(low <= radius, radius < high)
        count = np.sum(np.where(inside, ones, 0.0))
        total = np.sum(np.where(inside, data, 0.0))
        mean[b] = total / max(count, 1.0)


def means_by_radius_numpy(data, radius, mean):
    edges = radius.max() * np.arange(len(mean) + 1) / len(mean)
    for b, (low, high) in enumerate(zip(edges, edges[1:])):
        inside = (low <= radius) & (radius < high)
        mean[b] = data[inside].sum() / max(inside.sum(), 1)


add(means_by_radius, means_by_radius_numpy, {"N": 1000000, "B": 1000}, {"N": 40, "B": 4})


@dace.program
def checksum(data: uint8[N], crc: uint32[1]):
    crc[0] = 0xFFFF
    for i in range(N):
        b = data[i]
        cur = dace.uint32(0xFF & b)
        for k in range(8):
            if (crc[0] & 1) ^ (cur & 1):
                crc[0] = (crc[0] >> 1) ^ 0x8408
            else:
                crc[0] = crc[0] >> 1
            cur = cur >> 1
    crc[0] = (~crc[0]) & 0xFFFF


def checksum_numpy(data, crc):
    state = 0xFFFF
    for byte in data.tolist():
        state ^= byte
        for _ in range(8):
            state = (state >> 1) ^ (0x8408 if state & 1 else 0)
    crc[0] = ~state & 0xFFFF


add(
    checksum,
    checksum_numpy,
    {"N": 1000000},
    {"N": 9},
    given={"data": lambda s, rng: rng.integers(0, 256, s["N"]).astype(np.uint8)},
    refused={"regions": "KeyError: LoopRegion"},
)


@dace.program
def bodies(mass: float64[N], pos: float64[N, 3], vel: float64[N, 3], T: dace.int64):
    force = np.empty((N, 3), dtype=np.float64)
    for t in range(T):
        for i in dace.map[0:N]:
            fx = 0.0
            fy = 0.0
            fz = 0.0
            for j in range(N):
                dx = pos[j, 0] - pos[i, 0]
                dy = pos[j, 1] - pos[i, 1]
                dz = pos[j, 2] - pos[i, 2]
                inverse = mass[j] / (dx * dx + dy * dy + dz * dz + 0.01) ** 1.5
                fx += dx * inverse
                fy += dy * inverse
                fz += dz * inverse
            force[i, 0] = fx
            force[i, 1] = fy
            force[i, 2] = fz
        vel += 0.01 * force
        pos += 0.01 * vel


def bodies_numpy(mass, pos, vel, T):
    for _ in range(T):
        apart = pos[None] - pos[:, None]
        distance = np.sum(apart**2, axis=2) + 0.01
        vel += 0.01 * np.einsum("ijk,ij->ik", apart, mass / distance**1.5)
        pos += 0.01 * vel


add(bodies, bodies_numpy, {"N": 20000, "T": 20}, {"N": 5, "T": 3})


@dace.program
def energies(mass: float64[N], pos: float64[N, 3], vel: float64[N, 3]):
    squares = vel * vel
    kinetic = 0.5 * np.sum(mass * np.sum(squares, axis=1))
    pairs = np.zeros((N, N), dtype=np.float64)
    for i, j in dace.map[0:N, 0:N]:
        if i < j:
            dx = pos[i, 0] - pos[j, 0]
            dy = pos[i, 1] - pos[j, 1]
            dz = pos[i, 2] - pos[j, 2]
            pairs[i, j] = mass[i] * mass[j] / np.sqrt(dx * dx + dy * dy + dz * dz)
    return kinetic, np.sum(pairs)


def energies_numpy(mass, pos, vel):
    potential = 0.0
    for i in range(len(mass)):
        for j in range(i):
            potential += mass[i] * mass[j] / np.linalg.norm(pos[i] - pos[j])
    return 0.5 * np.sum(mass[:, None] * vel**2), potential


add(energies, energies_numpy, {"N": 10000}, {"N": 6})


@dace.program
def escape_times(re: float64[N], im: float64[M], T: dace.int64, times: int64[N, M]):
    for i, j in dace.map[0:N, 0:M]:
        x = 0.0
        y = 0.0
        steps = dace.int64(0)
        while steps < T and x * x + y * y <= 4.0:
            ahead = x * x - y * y + re[i]
            y = 2.0 * x * y + im[j]
            x = ahead
            steps = steps + 1
        times[i, j] = steps


def escape_times_numpy(re, im, T, times):
    c = re[:, None] + 1j * im
    z, times[:] = 0 * c, 0
    for _ in range(T):
        inside = z.real**2 + z.imag**2 <= 4
        times += inside
        z = np.where(inside, z**2 + c, z)


add(
    escape_times,
    escape_times_numpy,
    {"N": 2000, "M": 2000, "T": 200},
    {"N": 6, "M": 5, "T": 12},
    given={"re": lambda s, rng: rng.uniform(-2, 1, s["N"]), "im": lambda s, rng: rng.uniform(-1, 1, s["M"])},
)


@dace.program
def haar_wavelet(x: float64[N], T: dace.int64):
    length = N
    held = np.empty_like(x)
    for t in range(T):
        length = length // 2
        for i in dace.map[0:length]:
            held[i] = 0.5 * (x[2 * i] + x[2 * i + 1])
            held[length + i] = 0.5 * (x[2 * i] - x[2 * i + 1])
        x[0 : 2 * length] = held[0 : 2 * length]


def haar_wavelet_numpy(x, T):
    length = len(x)
    for _ in range(T):
        even, odd = x[:length:2].copy(), x[1:length:2].copy()
        length //= 2
        x[:length], x[length : 2 * length] = (even + odd) / 2, (even - odd) / 2


add(haar_wavelet, haar_wavelet_numpy, {"N": 4194304, "T": 22}, {"N": 16, "T": 3})
