# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sequential host code: the demonstration's greedy colouring against the same algorithm in C."""

import tempfile
from pathlib import Path

from measure import BENCH, EXAMPLE, baseline_seconds, compile_baseline, ferry_seconds, ratio_bar, write_array

UNSAFE = BENCH / "programs" / "colouring_unsafe.fut"
GRID = 500
RUNS = 5
PAIRS = 5


def write_pattern(path, n):
    """The Brusselator's pattern as the entry's four arguments: compressed rows, then (it is symmetric) compressed columns."""
    cells = n * n
    columns = []
    for k in range(2 * cells):
        species, cell = divmod(k, cells)
        i, j = divmod(cell, n)
        base = species * cells
        columns += [cell, cells + cell, base + (i - 1) % n * n + j, base + (i + 1) % n * n + j, base + i * n + (j - 1) % n, base + i * n + (j + 1) % n]
    start = range(0, 12 * cells + 1, 6)
    with open(path, "wb") as file:
        for _ in range(2):
            write_array(file, "i64", start)
            write_array(file, "i32", columns)


with tempfile.TemporaryDirectory() as folder:
    pattern = Path(folder) / "pattern"
    write_pattern(pattern, GRID)
    for program, flags, bar, name in ((EXAMPLE, ["-DCHECKED"], 1.3, "colouring on the host / C with bounds checks"),
                                      (UNSAFE, [], 1.1, "colouring on the host, #[unsafe] / C")):
        baseline = compile_baseline(folder, "colouring", *flags)
        ratio_bar(name, bar, [(ferry_seconds(program, "colour", pattern, RUNS, "--device", "host"), baseline_seconds(baseline, GRID, RUNS))
                              for _ in range(PAIRS)])
