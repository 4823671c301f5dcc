# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Made the graphs beside this file, as written by DaCe's main branch (2.0.0a6, commit ed6688047dbb of 22 August 2026), with
networkx 3.3, sympy 1.14 and numpy 2.4.6:

    PYTHONPATH=dace python3 make.py

Only the names of source files are shortened, so that they do not say where the graphs were made."""

import json
from pathlib import Path

import dace
import numpy as np

N, M = dace.symbol("N"), dace.symbol("M")


@dace.program
def stencil(steps: dace.int64, A: dace.float64[N], B: dace.float64[N]):
    for t in range(1, steps):
        B[1:-1] = 0.33 * (A[:-2] + A[1:-1] + A[2:])
        A[1:-1] = 0.33 * (B[:-2] + B[1:-1] + B[2:])


@dace.program
def search(A: dace.float64[N], where: dace.int64[1]):
    where[0] = -1
    for i in range(N):
        if A[i] == 0.0:
            continue
        if A[i] < 0.0:
            where[0] = i
            break


@dace.program
def early(A: dace.float64[N], flag: dace.int32):
    if flag > 0:
        A[:] = A + 1.0
        return A[0]
    for i in range(N):
        if A[i] > 5.0:
            return A[i]
    return A[N - 1]


@dace.program
def halving(A: dace.float64[N]):
    i: dace.int64 = 0
    while A[0] > 1.0 and i < 100:
        A[:] = 0.5 * A
        i += 1


@dace.program
def rows(A: dace.float64[N, M], B: dace.float64[N, M], x: dace.float64[M]):
    for i in dace.map[0:N]:
        total = 0.0
        for j in range(M):
            total += A[i, j] * x[j]
            if total > 100.0:
                B[i, j] = total
            else:
                B[i, j] = 0.0
    return np.reshape(A @ x, [N, 1])


def main():
    folder = Path(__file__).resolve().parent
    for program in (stencil, search, early, halving, rows):
        for form in ("parsed", "simplified"):
            path = folder / f"{program.name}-{form}.sdfg"
            program.to_sdfg(simplify=form == "simplified").save(str(path))
            graph = json.loads(path.read_text())
            graph["source_files"] = [Path(name).name for name in graph["source_files"]]
            path.write_text(json.dumps(graph, separators=(",", ":")))


if __name__ == "__main__":
    main()
