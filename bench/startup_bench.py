# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long `ferry run` of a program of about 100 lines takes on an input too small to take time: to its first operation when it is compiled, to
its end when it is in the cache, both from the start of the process. An executable of `ferry build` beside it."""

import json
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from measure import EXAMPLE

RUNS = 15
COMPILED_SECONDS, CACHED_SECONDS = 0.5, 0.050


def seconds(command, cache):
    begin = time.perf_counter()
    subprocess.run(command, input="3i64", text=True, stdout=subprocess.DEVNULL, check=True, env=dict(os.environ, FERRY_CACHE=str(cache)))
    return time.perf_counter() - begin


def bar(name, command, cache, limit):
    seconds(command, cache)
    value = statistics.median(seconds(command, cache) for _ in range(RUNS))
    print(json.dumps({"name": f"start to end of a 100-line program, {name}", "value": round(value, 4), "bar": limit, "sense": "<",
                      "unit": "seconds", "detail": f"median of {RUNS}"}), flush=True)  # fmt: skip


with tempfile.TemporaryDirectory() as folder:
    for device in ("host", "sim", "opencl"):
        run = ["ferry", "run", str(EXAMPLE), "--device", device]
        program = Path(folder) / f"program-{device}"
        subprocess.run(["ferry", "build", str(EXAMPLE), "--device", device, "-o", str(program)], check=True)
        if device != "opencl":  # whose driver compiles the kernels for seconds
            bar(f"{device}, compiled", run, "", COMPILED_SECONDS)
        bar(f"{device}, from the cache", run, Path(folder) / "cache", CACHED_SECONDS)
        bar(f"{device}, executable", [str(program)], Path(folder) / "cache", CACHED_SECONDS)
