# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parallel host code: a fused map-reduce over 10^8 floats on all cores, against C with OpenMP."""

import subprocess
import tempfile
from pathlib import Path

from measure import BENCH, baseline_seconds, compile_baseline, ferry_seconds, ratio_bar

ELEMENTS = 100_000_000
RUNS = 7
PAIRS = 5

with tempfile.TemporaryDirectory() as folder:
    floats = Path(folder) / "floats"
    baseline = compile_baseline(folder, "map_reduce", "-fopenmp")
    subprocess.run([str(baseline), "generate", str(ELEMENTS), str(floats)], check=True)
    ratio_bar("map-reduce over 10^8 floats / C with OpenMP", 1.1,
              [(ferry_seconds(BENCH / "programs" / "map_reduce.fut", "main", floats, RUNS, "--device", "host"), baseline_seconds(baseline, floats, RUNS))
               for _ in range(PAIRS)])
