# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of programs/, written for DaCe's NumPy front end, in the three forms that users have."""

from __future__ import annotations

import atexit
import contextlib
import copy
import functools
import importlib.util
import io
import tempfile
from pathlib import Path

import dace
from dace.frontend.python.parser import DaceProgram
from dace.transformation.auto.auto_optimize import auto_optimize

FOLDER = Path(__file__).resolve().parents[1] / "programs"


def programs() -> dict[str, DaceProgram]:
    found = {}
    for path in sorted(FOLDER.glob("*.py")):
        spec = importlib.util.spec_from_file_location(f"programs_{path.stem}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found |= {name: each for name, each in vars(module).items() if isinstance(each, DaceProgram)}
    return found


@functools.cache
def graphs() -> dict[tuple[str, str], dace.SDFG]:
    """Each program as parsed, simplified, and after auto_optimize, by its name and form; not to be changed. What DaCe prints
    on the way is dropped."""
    found = {}
    with contextlib.redirect_stdout(io.StringIO()):
        for name, program in programs().items():
            found[name, "parsed"] = program.to_sdfg(simplify=False)
            found[name, "simplified"] = program.to_sdfg(simplify=True)
            found[name, "optimized"] = optimized = copy.deepcopy(found[name, "simplified"])
            auto_optimize(optimized, dace.DeviceType.CPU)
    return found


@functools.cache
def folder() -> Path:
    """The graphs as files NAME-FORM.sdfg, in a folder that is removed at the end."""
    place = tempfile.TemporaryDirectory()
    atexit.register(place.cleanup)
    for (name, form), graph in graphs().items():
        graph.save(str(Path(place.name) / f"{name}-{form}.sdfg"))
    return Path(place.name)
