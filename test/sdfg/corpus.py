# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of programs/, written for DaCe's NumPy front end, in the three forms that users have."""

from __future__ import annotations

import contextlib
import copy
import importlib.util
import io
from collections.abc import Iterator
from pathlib import Path

import dace
from dace.frontend.python.parser import DaceProgram
from dace.transformation.auto.auto_optimize import auto_optimize

FOLDER = Path(__file__).resolve().parent / "programs"


def programs() -> dict[str, DaceProgram]:
    found = {}
    for path in sorted(FOLDER.glob("*.py")):
        spec = importlib.util.spec_from_file_location(f"programs_{path.stem}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found |= {name: each for name, each in vars(module).items() if isinstance(each, DaceProgram)}
    return found


def forms(program: DaceProgram) -> Iterator[tuple[str, dace.SDFG]]:
    """As parsed, simplified, and after auto_optimize. What DaCe prints on the way is dropped."""
    with contextlib.redirect_stdout(io.StringIO()):
        yield "parsed", program.to_sdfg(simplify=False)
        simplified = program.to_sdfg(simplify=True)
        yield "simplified", copy.deepcopy(simplified)
        auto_optimize(simplified, dace.DeviceType.CPU)
        yield "optimized", simplified
