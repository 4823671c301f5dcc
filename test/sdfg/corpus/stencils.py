# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stencils with loops over time."""

import dace
import numpy as np
from dace import float64, int64

from .registry import add

N, M, T, I, J, K = (dace.symbol(s, dtype=dace.int64) for s in ("N", "M", "T", "I", "J", "K"))


@dace.program
def jacobi_line(T: dace.int64, A: float64[N], B: float64[N]):
    for t in range(1, T):
        B[1:-1] = 0.33333 * (A[:-2] + A[1:-1] + A[2:])
        A[1:-1] = 0.33333 * (B[:-2] + B[1:-1] + B[2:])


def jacobi_line_numpy(T, A, B):
    third = np.array([0.33333] * 3)
    for _ in range(1, T):
        B[1:-1] = np.convolve(A, third, "valid")
        A[1:-1] = np.convolve(B, third, "valid")


add(jacobi_line, jacobi_line_numpy, {"N": 32000, "T": 4000}, {"N": 12, "T": 5})


@dace.program
def jacobi_plane(T: dace.int64, A: float64[N, N], B: float64[N, N]):
    for t in range(1, T):
        B[1:-1, 1:-1] = 0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])
        A[1:-1, 1:-1] = 0.2 * (B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1])


def jacobi_plane_numpy(T, A, B):
    def step(X):
        Y = X.copy()
        for i in range(1, len(X) - 1):
            for j in range(1, len(X) - 1):
                Y[i, j] = 0.2 * (X[i, j] + X[i, j - 1] + X[i, j + 1] + X[i + 1, j] + X[i - 1, j])
        return Y[1:-1, 1:-1]

    for _ in range(1, T):
        B[1:-1, 1:-1] = step(A)
        A[1:-1, 1:-1] = step(B)


add(jacobi_plane, jacobi_plane_numpy, {"N": 2800, "T": 1000}, {"N": 7, "T": 4})


@dace.program
def heat_in_space(T: dace.int64, A: float64[N, N, N]):
    B = np.copy(A)
    for t in range(T):
        B[1:-1, 1:-1, 1:-1] = (
            0.125 * (A[2:, 1:-1, 1:-1] - 2.0 * A[1:-1, 1:-1, 1:-1] + A[:-2, 1:-1, 1:-1])
            + 0.125 * (A[1:-1, 2:, 1:-1] - 2.0 * A[1:-1, 1:-1, 1:-1] + A[1:-1, :-2, 1:-1])
            + 0.125 * (A[1:-1, 1:-1, 2:] - 2.0 * A[1:-1, 1:-1, 1:-1] + A[1:-1, 1:-1, :-2])
            + A[1:-1, 1:-1, 1:-1]
        )
        A[:] = B


def heat_in_space_numpy(T, A):
    for _ in range(T):
        second = sum(np.roll(A, 1, axis) + np.roll(A, -1, axis) - 2 * A for axis in range(3))
        inside = (slice(1, -1),) * 3
        A[inside] = (A + 0.125 * second)[inside]


add(heat_in_space, heat_in_space_numpy, {"N": 200, "T": 500}, {"N": 5, "T": 3})


@dace.program
def gauss_seidel(T: dace.int64, A: float64[N, N]):
    for t in range(T):
        for i in range(1, N - 1):
            for j in range(1, N - 1):
                A[i, j] = (A[i - 1, j] + A[i, j - 1] + A[i, j] + A[i, j + 1] + A[i + 1, j]) / 5.0


def gauss_seidel_numpy(T, A):
    for _ in range(T):
        for i in range(1, len(A) - 1):
            for j in range(1, len(A) - 1):
                A[i, j] = (A[i - 1, j] + A[i, j - 1 : j + 2].sum() + A[i + 1, j]) / 5


add(gauss_seidel, gauss_seidel_numpy, {"N": 400, "T": 100}, {"N": 6, "T": 3})


@dace.program
def electromagnetic_field(ex: float64[N, M], ey: float64[N, M], hz: float64[N, M], source: float64[T]):
    for t in range(T):
        ey[0, :] = source[t]
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])


def electromagnetic_field_numpy(ex, ey, hz, source):
    for s in source:
        ey[0] = s
        ey[1:] -= np.diff(hz, axis=0) / 2
        ex[:, 1:] -= np.diff(hz, axis=1) / 2
        hz[:-1, :-1] -= 0.7 * (np.diff(ex, axis=1)[:-1] + np.diff(ey, axis=0)[:, :-1])


add(electromagnetic_field, electromagnetic_field_numpy, {"N": 1000, "M": 1200, "T": 500}, {"N": 6, "M": 5, "T": 3})


@dace.program
def limited_diffusion(inp: float64[I + 4, J + 4, K], out: float64[I, J, K], coeff: float64[I, J, K]):
    lap = 4.0 * inp[1 : I + 3, 1 : J + 3, :] - (
        inp[2 : I + 4, 1 : J + 3, :]
        + inp[0 : I + 2, 1 : J + 3, :]
        + inp[1 : I + 3, 2 : J + 4, :]
        + inp[1 : I + 3, 0 : J + 2, :]
    )
    change_x = lap[1:, 1 : J + 1, :] - lap[:-1, 1 : J + 1, :]
    slope_x = inp[2 : I + 3, 2 : J + 2, :] - inp[1 : I + 2, 2 : J + 2, :]
    flux_x = np.where(change_x * slope_x > 0, 0, change_x)
    change_y = lap[1 : I + 1, 1:, :] - lap[1 : I + 1, :-1, :]
    slope_y = inp[2 : I + 2, 2 : J + 3, :] - inp[2 : I + 2, 1 : J + 2, :]
    flux_y = np.where(change_y * slope_y > 0, 0, change_y)
    out[:] = inp[2 : I + 2, 2 : J + 2, :] - coeff * (flux_x[1:] - flux_x[:-1] + flux_y[:, 1:] - flux_y[:, :-1])


def limited_diffusion_numpy(inp, out, coeff):
    def limited(change, field):
        return np.where(change * field > 0, 0.0, change)

    lap = 4 * inp[1:-1, 1:-1] - (inp[2:, 1:-1] + inp[:-2, 1:-1] + inp[1:-1, 2:] + inp[1:-1, :-2])
    middle = inp[1:-1, 1:-1]
    x = limited(np.diff(lap, axis=0)[:, 1:-1], np.diff(middle, axis=0)[:, 1:-1])
    y = limited(np.diff(lap, axis=1)[1:-1], np.diff(middle, axis=1)[1:-1])
    out[:] = inp[2:-2, 2:-2] - coeff * (np.diff(x, axis=0) + np.diff(y, axis=1))


add(limited_diffusion, limited_diffusion_numpy, {"I": 256, "J": 256, "K": 160}, {"I": 4, "J": 5, "K": 3})


@dace.program
def implicit_column_solver(a: float64[I, J, K], b: float64[I, J, K], c: float64[I, J, K], d: float64[I, J, K]):
    for k in range(1, K):
        factor = a[:, :, k] / b[:, :, k - 1]
        b[:, :, k] -= factor * c[:, :, k - 1]
        d[:, :, k] -= factor * d[:, :, k - 1]
    d[:, :, K - 1] /= b[:, :, K - 1]
    for k in range(K - 2, -1, -1):
        d[:, :, k] = (d[:, :, k] - c[:, :, k] * d[:, :, k + 1]) / b[:, :, k]


def implicit_column_solver_numpy(a, b, c, d):
    for i in np.ndindex(a.shape[:2]):
        n = a.shape[2]
        A = np.diag(b[i]) + np.diag(a[i][1:], -1) + np.diag(c[i][:-1], 1)
        solution = np.linalg.solve(A, d[i])
        for k in range(1, n):
            b[i][k] -= a[i][k] / b[i][k - 1] * c[i][k - 1]
        d[i] = solution


add(
    implicit_column_solver,
    implicit_column_solver_numpy,
    {"I": 256, "J": 256, "K": 160},
    {"I": 2, "J": 3, "K": 5},
    given={"b": lambda s, rng: 3 + rng.random((s["I"], s["J"], s["K"]))},
)


@dace.program
def game_of_life(T: dace.int64, grid: int64[N, N]):
    for t in range(T):
        around = (
            grid[:-2, :-2]
            + grid[:-2, 1:-1]
            + grid[:-2, 2:]
            + grid[1:-1, :-2]
            + grid[1:-1, 2:]
            + grid[2:, :-2]
            + grid[2:, 1:-1]
            + grid[2:, 2:]
        )
        for i, j in dace.map[0 : N - 2, 0 : N - 2]:
            if around[i, j] == 3 or (around[i, j] == 2 and grid[i + 1, j + 1] == 1):
                grid[i + 1, j + 1] = 1
            else:
                grid[i + 1, j + 1] = 0


def game_of_life_numpy(T, grid):
    for _ in range(T):
        old = grid.copy()
        for i in range(1, len(grid) - 1):
            for j in range(1, len(grid) - 1):
                around = old[i - 1 : i + 2, j - 1 : j + 2].sum() - old[i, j]
                grid[i, j] = around == 3 or (around == 2 and old[i, j] == 1)


add(
    game_of_life,
    game_of_life_numpy,
    {"N": 4000, "T": 500},
    {"N": 8, "T": 4},
    given={"grid": lambda s, rng: rng.integers(0, 2, (s["N"], s["N"]))},
)


@dace.program
def wave_with_boundary(T: dace.int64, u: float64[N], v: float64[N]):
    for t in range(T):
        v[1 : N - 1] += 0.1 * (u[: N - 2] - 2.0 * u[1 : N - 1] + u[2:])
        u += v
        u[0] = 0.0
        u[N - 1] = u[N - 2]


def wave_with_boundary_numpy(T, u, v):
    for _ in range(T):
        v[1:-1] += 0.1 * np.diff(u, 2)
        u += v
        u[0], u[-1] = 0, u[-2]


add(wave_with_boundary, wave_with_boundary_numpy, {"N": 1000000, "T": 1000}, {"N": 9, "T": 4})
