# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A matrix product on the host, a map of maps of sums, against a C loop in the blocks that the compiler makes of it. Both round each product, as the
language says."""

import tempfile
from pathlib import Path

import numpy as np
from measure import BENCH, baseline_seconds, compile_baseline, ferry_seconds, in_binary, ratio_bar

SIDE, RUNS, PAIRS, BAR = 512, 21, 5, 1.2

with tempfile.TemporaryDirectory() as folder:
    baseline = compile_baseline(folder, "product", "-fopenmp", "-ffp-contract=off")
    factors = np.random.default_rng(1).random((2, SIDE, SIDE), np.float32)
    paths = [Path(folder) / name for name in "ab"]
    for path, factor in zip(paths, factors):
        factor.tofile(path)
    both = Path(folder) / "both"
    both.write_bytes(b"".join(map(in_binary, factors)))
    ratio_bar(f"matrix product of {SIDE} x {SIDE} floats / C in blocks", BAR,
              [(ferry_seconds(BENCH / "programs" / "kernels.fut", "product", both, RUNS, "--device", "host"),
                baseline_seconds(baseline, *paths, SIDE, RUNS)) for _ in range(PAIRS)])
