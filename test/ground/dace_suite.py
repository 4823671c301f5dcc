# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the dace_test_*.py files below test/ with the interpreter that has DaCe, build/dace-python (`./dev` makes it)."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from outcome import Outcome


def run(root: Path, build: Path, pattern: str | None) -> list[Outcome]:
    """Runs the tests whose names match `pattern` (all without one)."""
    results = build / "test" / "results" / "dace.json"
    results.parent.mkdir(parents=True, exist_ok=True)
    results.unlink(missing_ok=True)
    command = [build / "dace-python" / "bin" / "python3", "-W", "ignore", root / "test" / "ground" / "python_suite.py"]
    arguments = [root / "test", "dace_test_*.py", results] + ([pattern] if pattern else [])
    folder = build / "test" / "dace"  # DaCe leaves its caches where it runs.
    folder.mkdir(exist_ok=True)
    done = subprocess.run([*command, *arguments], cwd=folder, env=os.environ | {"PYTHONHASHSEED": "0"})
    if not results.exists():
        return [Outcome("dace", "failed", note=f"the interpreter ended with {done.returncode}")]
    return [Outcome(name, status, Path(file)) for name, status, file in json.loads(results.read_text())]
