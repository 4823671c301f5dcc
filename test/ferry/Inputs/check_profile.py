# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A measured profile of the host's own cores: every price is one that such a machine can have."""

import json
import sys
from fractions import Fraction

with open(sys.argv[1], encoding="utf-8") as file:
    machine = json.load(file)
MICROSECOND = 10**6
for name in ("launch", "peek", "poke", "argument", "synchronize", "exit"):
    assert 0 < machine[name] < 100_000 * MICROSECOND, (name, machine[name])
for link in ("h2d", "d2h"):
    assert 0 <= machine[link]["latency"] < 100_000 * MICROSECOND, machine[link]
    assert 1 < Fraction(machine[link]["per_byte"]) < 10_000, machine[link]
for side in ("host", "device"):
    for name, price in machine[side].items():
        assert 0 < Fraction(price) < 100_000, (side, name, price)
assert machine["shared_memory"] is True and machine["device_memory"] > 0, machine
