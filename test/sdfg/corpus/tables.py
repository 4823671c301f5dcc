# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dynamic programming: tables filled in order of dependence."""

import dace
import numpy as np
from dace import float64, int64

from .registry import add

N, M, S = (dace.symbol(s, dtype=dace.int64) for s in ("N", "M", "S"))


@dace.program
def all_shortest_paths(path: int64[N, N]):
    for k in range(N):
        path[:] = np.minimum(path, np.add.outer(path[:, k], path[k, :]))


def all_shortest_paths_numpy(path):
    for k in range(len(path)):
        for i in range(len(path)):
            path[i] = np.minimum(path[i], path[i, k] + path[k])


add(all_shortest_paths, all_shortest_paths_numpy, {"N": 2800}, {"N": 7})


@dace.program
def most_base_pairs(bases: int64[N], table: int64[N, N]):
    for i in range(N - 1, -1, -1):
        for j in range(i + 1, N):
            table[i, j] = max(table[i, j], table[i, j - 1])
            table[i, j] = max(table[i, j], table[i + 1, j])
            if i < j - 1:
                pair = 0
                if bases[i] + bases[j] == 3:
                    pair = 1
                table[i, j] = max(table[i, j], table[i + 1, j - 1] + pair)
            else:
                table[i, j] = max(table[i, j], table[i + 1, j - 1])
            for k in range(i + 1, j):
                table[i, j] = max(table[i, j], table[i, k] + table[k + 1, j])


def most_base_pairs_numpy(bases, table):
    for length in range(1, len(bases)):
        for i in range(len(bases) - length):
            j = i + length
            best = max(table[i, j], table[i, j - 1], table[i + 1, j], table[i + 1, j - 1])
            if length > 1:
                best = max(best, table[i + 1, j - 1] + int(bases[i] + bases[j] == 3))
            for k in range(i + 1, j):
                best = max(best, table[i, k] + table[k + 1, j])
            table[i, j] = best


add(
    most_base_pairs,
    most_base_pairs_numpy,
    {"N": 200},
    {"N": 8},
    given={
        "bases": lambda s, rng: rng.integers(0, 4, s["N"]),
        "table": lambda s, rng: np.zeros((s["N"], s["N"]), dtype=np.int64),
    },
)


@dace.program
def edit_distance(a: int64[N], b: int64[M], D: int64[N + 1, M + 1]):
    for i in range(N + 1):
        D[i, 0] = i
    for j in range(M + 1):
        D[0, j] = j
    for i in range(1, N + 1):
        for j in range(1, M + 1):
            change = D[i - 1, j - 1]
            if a[i - 1] != b[j - 1]:
                change = change + 1
            D[i, j] = min(change, min(D[i - 1, j], D[i, j - 1]) + 1)


def edit_distance_numpy(a, b, D):
    D[:, 0] = np.arange(len(a) + 1)
    D[0] = np.arange(len(b) + 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            D[i + 1, j + 1] = min(D[i, j] + int(x != y), D[i, j + 1] + 1, D[i + 1, j] + 1)


letters = {"a": lambda s, rng: rng.integers(0, 4, s["N"]), "b": lambda s, rng: rng.integers(0, 4, s["M"])}
add(edit_distance, edit_distance_numpy, {"N": 4000, "M": 5000}, {"N": 6, "M": 7}, given=letters)


@dace.program
def knapsack(weight: int64[N], value: int64[N], best: int64[S]):
    for i in range(N):
        taken = np.copy(best)
        for s in dace.map[0:S]:
            if s >= weight[i]:
                taken[s] = best[s - weight[i]] + value[i]
        best[:] = np.maximum(best, taken)


def knapsack_numpy(weight, value, best):
    for w, v in zip(weight, value):
        taken = best.copy()
        taken[w:] = best[:-w] + v
        best[:] = np.maximum(best, taken)


nothing = {"best": lambda s, rng: np.zeros(s["S"], dtype=np.int64)}
add(knapsack, knapsack_numpy, {"N": 500, "S": 1000000}, {"N": 5, "S": 20}, given=nothing)


@dace.program
def most_likely_path(start: float64[S], step: float64[S, S], seen: float64[M, S], observed: int64[N], path: int64[N]):
    likely = np.empty((N, S), dtype=np.float64)
    back = np.zeros((N, S), dtype=np.int64)
    likely[0, :] = start + seen[observed[0], :]
    ways = np.empty((S, S), dtype=np.float64)
    for t in range(1, N):
        for r, s in dace.map[0:S, 0:S]:
            ways[r, s] = likely[t - 1, r] + step[r, s]
        top = np.max(ways, axis=0)
        for u in range(S):
            for s in dace.map[0:S]:
                if ways[u, s] == top[s]:
                    back[t, s] = u
        likely[t, :] = top + seen[observed[t], :]
    last = dace.int64(0)
    for q in range(1, S):
        if likely[N - 1, q] > likely[N - 1, last]:
            last = q
    path[N - 1] = last
    for v in range(N - 2, -1, -1):
        path[v] = back[v + 1, path[v + 1]]


def most_likely_path_numpy(start, step, seen, observed, path):
    score, back = start + seen[observed[0]], []
    for o in observed[1:]:
        ways = score[:, None] + step
        back.append(ways.argmax(axis=0))
        score = ways.max(axis=0) + seen[o]
    path[-1] = score.argmax()
    for t in range(len(path) - 2, -1, -1):
        path[t] = back[t][path[t + 1]]


add(
    most_likely_path,
    most_likely_path_numpy,
    {"N": 1000, "S": 1024, "M": 64},
    {"N": 6, "S": 4, "M": 3},
    given={"observed": lambda s, rng: rng.integers(0, s["M"], s["N"])},
)
