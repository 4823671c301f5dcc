# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ferry place` as a function from a graph to the placed graph."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Mapping

import dace
from dace.sdfg import nodes

import judge

MACHINE = "h200"
SECONDS = 60


def maps(sdfg: dace.SDFG) -> list[str]:
    """The labels of all maps, nested graphs' included."""
    labels = {
        node.map.label
        for nested in sdfg.all_sdfgs_recursive()
        for state in nested.states()
        for node in state.nodes()
        if isinstance(node, nodes.MapEntry)
    }
    return sorted(labels)


def place(sdfg: dace.SDFG, sizes: Mapping[str, int], pins: Mapping[str, str] | None = None) -> dace.SDFG:
    """The sizes are what the plan is made for. Raises the command's message where it refuses the graph."""
    return _run(sdfg, sizes, pins)[0]


def explained(sdfg: dace.SDFG, sizes: Mapping[str, int], pins: Mapping[str, str] | None = None) -> tuple[dace.SDFG, str]:
    """With the explanation of the plan."""
    return _run(sdfg, sizes, pins, "--explain")


def _run(sdfg: dace.SDFG, sizes: Mapping[str, int], pins: Mapping[str, str] | None, *more: str) -> tuple[dace.SDFG, str]:
    options = ["--machine", MACHINE, *more]
    for name, size in sizes.items():
        options += ["--assume", f"{name}={size}"]
    for label, side in (pins or {}).items():
        options += ["--pin", f"{label}={side}"]
    with tempfile.TemporaryDirectory() as folder:
        given, made = f"{folder}/given.sdfg", f"{folder}/placed.sdfg"
        sdfg.save(given)
        done = subprocess.run(["ferry", "place", given, "-o", made, *options], capture_output=True, text=True, timeout=SECONDS)
        if done.returncode:
            raise RuntimeError(done.stderr.strip())
        return judge.load(made), done.stdout


def price(sdfg: dace.SDFG, sizes: Mapping[str, int]):
    """What the graph costs as it is written (_ferry.GraphPrice)."""
    from ferry import _ferry

    return _ferry.price(dace.serialize.dumps(sdfg.to_json()), sdfg.name, MACHINE, dict(sizes))


def placed_on_device(sdfg: dace.SDFG, sizes: Mapping[str, int]) -> dace.SDFG:
    """With every map pinned to the device."""
    return place(sdfg, sizes, {label: "device" for label in maps(sdfg)})
