# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Placed DaCe graphs: what runs of the corpus take as Ferry places it, as DaCe itself does, and all on the host, at the stated
sizes under one machine; one evaluator (src/sdfg/price/price.h) prices all three as they are written. And how long placing takes."""

import json
import math
import os
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).resolve().parents[1]
DACE = ROOT / "build" / "dace-python" / "bin" / "python3"
MACHINE = "h200"
NODES, RUNS = 10400, 3  # of the large graphs: at least 10,000 of any shape


def main() -> None:
    if Path(sys.prefix) != DACE.parents[1]:
        os.chdir(ROOT / "build" / "test" / "dace")  # DaCe leaves files where it runs.
        os.execve(DACE, [str(DACE), "-W", "ignore", str(Path(__file__).resolve())], os.environ | {"PYTHONHASHSEED": "0"})
    sys.path.insert(0, str(ROOT / "test" / "sdfg"))
    from corpus import PROGRAMS
    from large import SHAPES

    names = sorted(name for name, p in PROGRAMS.items() if not p.refusal("simplified") and not p.on_gpu)
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        rows = dict(zip(names, pool.map(prices, names)))
    print(f"{'program':38} {'Ferry, ms':>12} {'/ bound':>8} {'host /':>9} {'DaCe /':>9} {'launches':>9} {'single':>7}")
    for name, row in rows.items():
        print(line(name, row))
    ferry = {name: row["ferry"].total for name, row in rows.items()}
    compared("all on the host / Ferry", {n: row["host"].total / ferry[n] for n, row in rows.items()})
    print("DaCe's own placement is wrong or refused for", sum("wrong" in row for row in rows.values()), "programs, which are not compared")
    compared("DaCe's placement / Ferry", {n: row["dace"].total / ferry[n] for n, row in rows.items() if "dace" in row})
    worst = max(rows, key=lambda n: ferry[n] / rows[n]["bound"])
    bar("graph as written / bound of the plan, worst", ferry[worst] / rows[worst]["bound"], 1.0 + 1e-9, "<=", "ratio", worst)
    repeated, dearer = sum(row["single_threads"] for row in rows.values()), [f"{n}: {what}" for n, row in rows.items() for what in row["dearer"]]
    print(f"kernels of a single thread that are launched again and again: proved cheapest {repeated - len(dearer)} of {repeated}, each by a second "
          "solve with it on the host")
    bar("kernels of a single thread, launched in loops, that are not proved cheapest", len(dearer), 0, "<=", "kernels", ", ".join(dearer) or "none")
    singles = [sum(row[who].single_threaded for row in rows.values() if "dace" in row) for who in ("ferry", "dace")]
    bar("launches of single threads", singles[0], singles[1], "<=", "launches", "the bar is DaCe's")
    bar("time to place, median of the corpus", statistics.median(row["seconds"] for row in rows.values()), 0.03, "<", "seconds",
        "of CPU time, reading and writing included")
    for shape in SHAPES:
        nodes, seconds = large(shape)
        bar(f"time to place {nodes} nodes, {shape.__name__}", seconds, 2, "<", "seconds", f"of CPU time, median of {RUNS}. {shape.__doc__.splitlines()[0]}")


def text(sdfg) -> str:
    import dace

    return dace.serialize.dumps(sdfg.to_json())


def priced(graph: str, name: str, sizes: dict) -> SimpleNamespace:
    """A price as an object that other processes can be handed."""
    from ferry import _ferry

    price = _ferry.price(graph, name, MACHINE, sizes)
    return SimpleNamespace(total=price.total, launches=price.launches, single_threaded=price.single_threaded)


def prices(name: str) -> dict:
    """Prices of the program's three graphs; DaCe's only if it is valid and right, as the tests judge Ferry's."""
    import judge
    from corpus import PROGRAMS
    from ferry import _ferry

    program = PROGRAMS[name]
    sdfg = judge.graph(program, "simplified")
    before, sizes = text(sdfg), dict(program.stated)
    start = time.process_time()
    placed = _ferry.place(before, name, MACHINE, sizes, [], False)
    row = {"seconds": time.process_time() - start, "bound": placed.bound}
    others = _ferry.place(before, name, MACHINE, sizes, [], False, True).single_threads
    row["dearer"] = {what: price for what, price in others if price < placed.cost}
    row["single_threads"] = len(others)
    row["host"] = priced(before, name, sizes)
    row["ferry"] = priced(placed.text, name, sizes)
    verdict = judge.judge(program, sdfg, placed_by_dace)
    if verdict.problems:
        row["wrong"] = str(verdict).splitlines()[0][:100]
    else:
        row["dace"] = priced(text(sdfg), name, sizes)
    return row


def placed_by_dace(sdfg):
    sdfg.apply_gpu_transformations()
    return sdfg


def line(name: str, row: dict) -> str:
    total = row["ferry"].total
    rival = f"{row['dace'].total / total:9.2f}" if "dace" in row else " " * 8 + "-"
    return (f"{name:38} {total / 1e9:12.3f} {total / row['bound']:8.4f} {row['host'].total / total:9.2f} {rival} "
            f"{row['ferry'].launches:9.0f} {row['ferry'].single_threaded:7.0f}  {row.get('wrong', '')}").rstrip()


def compared(name: str, ratios: dict[str, float]) -> None:
    worst = min(ratios, key=ratios.get)
    mean = math.exp(statistics.fmean(map(math.log, ratios.values())))
    bar(f"{name}, least", ratios[worst], 1.0 - 1e-6, ">=", "ratio", f"{worst}; geometric mean of {len(ratios)} programs {mean:.2f}")


def large(shape) -> tuple[int, float]:
    from ferry import _ferry

    made = shape(NODES)
    before, seconds = json.dumps(made), []
    for _ in range(RUNS):
        start = time.process_time()
        _ferry.place(before, shape.__name__, MACHINE, {"N": 1000000}, [], False)
        seconds.append(time.process_time() - start)
    return count(made), statistics.median(seconds)


def count(sdfg: dict) -> int:
    nodes = [node for state in sdfg["nodes"] for node in state["nodes"]]
    return len(nodes) + sum(count(node["attributes"]["sdfg"]) for node in nodes if "sdfg" in node["attributes"])


def bar(name, value, limit, sense, unit, detail) -> None:
    print(json.dumps({"name": name, "value": value, "bar": limit, "sense": sense, "unit": unit, "detail": detail}), flush=True)


if __name__ == "__main__":
    main()
