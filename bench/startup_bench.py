# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From the start of `ferry run` on a program of about 100 lines to its end, on an input too small to take time: an upper bound of the time to its first operation."""

import json
import statistics
import subprocess
import time

from measure import EXAMPLE

RUNS = 7
BAR_SECONDS = 0.5


def seconds(device):
    begin = time.perf_counter()
    subprocess.run(["ferry", "run", str(EXAMPLE), "--device", device], input="3i64", text=True, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begin


for device in ("host", "sim"):
    seconds(device)
    value = statistics.median(seconds(device) for _ in range(RUNS))
    print(json.dumps({"name": f"start to end of a 100-line program, {device}", "value": round(value, 3), "bar": BAR_SECONDS, "sense": "<=",
                      "unit": "seconds", "detail": f"median of {RUNS}"}), flush=True)
