# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A comparison as JSON: every part is on both sides, the median is that of the ratios."""

import json
import statistics
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    comparison = json.load(file)
parts = comparison["parts"]
assert len(parts) >= 5, parts
for part in parts:
    assert part["predicted"] and part["measured"] and part["count"] > 0, part
    if part["ratio"] is not None:
        assert abs(part["ratio"] * part["measured"] / part["predicted"] - 1) < 1e-9, part
ratios = [part["ratio"] for part in parts if part["ratio"] is not None]
assert abs(comparison["median"] / statistics.median(ratios) - 1) < 1e-9, comparison["median"]
