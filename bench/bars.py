# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the benchmarks and prints each bar that Ferry has to reach beside what was measured.

A benchmark is a program in build/bench/ or a file bench/*_bench.py. It takes no arguments and prints one line of JSON for each
bar, between any other lines:

    {"name": "colouring on the host / C", "value": 1.12, "bar": 1.3, "sense": "<=", "unit": "ratio", "detail": "0.56 s / 0.50 s"}

`value` is a ratio whose two sides were measured in this run, or a time in seconds. `sense` says on which side of `bar` it
has to be, and is <= or >=; a program that decides by itself gives `ok` instead. `unit` and `detail` may be left out.

usage: bars.py [REGEX]     only the benchmarks whose file names match
"""

from __future__ import annotations

import json
import operator
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SENSES = {"<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt, "==": operator.eq}
TIMEOUT_SECONDS = 1800


def benchmarks(root: Path, pattern: str) -> list[list[str]]:
    """The command of each benchmark."""
    built = [f for f in sorted((root / "build" / "bench").glob("*")) if f.is_file() and os.access(f, os.X_OK)]
    scripts = sorted((root / "bench").glob("*_bench.py"))
    commands = [[str(f)] for f in built] + [[sys.executable, str(f)] for f in scripts]
    return [c for c in commands if re.search(pattern, Path(c[-1]).name)]


def read_bar(line: str) -> dict | None:
    """The bar that a line states, completed with `ok`; None for any other line. A bar that is malformed is a ValueError."""
    if not line.startswith("{"):
        return None
    bar = json.loads(line)
    if not isinstance(bar.get("name"), str) or not isinstance(bar.get("value"), (int, float)) or "bar" not in bar:
        raise ValueError(f"a bar needs a name, a value and a bar: {line.strip()}")
    if "ok" not in bar:
        bar.setdefault("sense", "<=")
        if bar["sense"] not in SENSES:
            raise ValueError(f"no such sense: {bar['sense']!r}")
        bar["ok"] = SENSES[bar["sense"]](bar["value"], bar["bar"])
    return bar


def run(command: list[str]) -> list[dict]:
    """The bars of one benchmark; one that fails, or states none, is a bar missed. Its other lines are shown as they come."""
    name = Path(command[-1]).name
    bars = []
    problem = None
    environment = dict(os.environ, PATH=f"{ROOT / 'build'}:{os.environ['PATH']}")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment) as program:
        for line in program.stdout:
            try:
                bar = read_bar(line)
            except ValueError as error:
                problem = str(error)
                continue
            if bar:
                bars.append(bar)
            else:
                print(line, end="", flush=True)
        try:
            status = program.wait(TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            program.kill()
            status = -1
    if status:
        problem = f"exit status {status}"
    elif not bars and not problem:
        problem = "it states no bar"
    if problem:
        bars.append({"name": f"{name}: {problem}", "value": None, "bar": None, "ok": False})
    return bars


def number(value, unit: str = "") -> str:
    if value is None:
        return "-"
    text = f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return f"{text} {unit}" if unit and unit != "ratio" else text


def table(bars: list[dict]) -> str:
    rows = [("measure", "measured", "bar", "", "")]
    for b in bars:
        unit = b.get("unit", "")
        limit = f"{b.get('sense', '')} {number(b['bar'], unit)}".strip()
        rows.append((b["name"], number(b["value"], unit), limit, "ok" if b["ok"] else "MISSED", b.get("detail", "")))
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    return "\n".join("  ".join([row[0].ljust(widths[0]), row[1].rjust(widths[1]), row[2].rjust(widths[2]),
                                row[3].ljust(widths[3]), row[4]]).rstrip() for row in rows)


def main(arguments: list[str]) -> int:
    if len(arguments) > 1 or (arguments and arguments[0].startswith("-")):
        print(__doc__, file=sys.stderr)
        return 2
    bars: list[dict] = []
    for command in benchmarks(ROOT, arguments[0] if arguments else ""):
        print(f"== bench {Path(command[-1]).name}", flush=True)
        bars += run(command)
    if not bars:
        print("no benchmark matches", file=sys.stderr)
        return 1
    print(f"== bars\n{table(bars)}")
    return 0 if all(b["ok"] for b in bars) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
