# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The demonstration on the simulated device's clock: Ferry's plan against the ways to place it by rule."""

import json
import subprocess
import tempfile

from measure import EXAMPLE

GRID = 100


def clock(entry, plan):
    """Picoseconds on sim's clock, which repeats exactly."""
    with tempfile.NamedTemporaryFile("r") as report:
        subprocess.run(["ferry", "run", str(EXAMPLE), "-e", entry, "--device", "sim", "--plan", plan, "--no-protection", "--report", report.name, "-b"],
                       input=f"{GRID}i64", text=True, stdout=subprocess.DEVNULL, check=True)
        return json.load(report)["counted"]["clock"]


def bar(name, value, limit, sense, detail):
    print(json.dumps({"name": name, "value": round(value, 4), "bar": limit, "sense": sense, "unit": "ratio", "detail": detail}), flush=True)


ours = clock("main", "auto")
elementwise = clock("main", "arrays-on-device")
bar("demonstration: arrays on the device, read by element / Ferry", elementwise / ours, 1000, ">=", f"{elementwise / 1e12:.4f} s / {ours / 1e12:.6f} s")
rivals = {"all host": clock("main", "all-host"), "all device": clock("main", "all-device"), "pinned by hand": clock("marked", "auto")}
best = min(rivals, key=rivals.get)
bar("demonstration: Ferry / best of all host, all device, pinned by hand", ours / rivals[best], 1.0, "<=",
    ", ".join(f"{name} {time / 1e12:.6f} s" for name, time in rivals.items()))
