# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs LLVM's lit over test/. A test that lit calls unsupported has not run and counts as skipped."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from outcome import Outcome

LIT = "/usr/lib/llvm-22/bin/lit"
STATUS = {"PASS": "passed", "FLAKYPASS": "failed", "XFAIL": "passed", "UNSUPPORTED": "skipped", "SKIPPED": "skipped"}


def run(source: Path, build: Path, pattern: str | None, jobs: str) -> list[Outcome]:
    """Runs the files whose names match `pattern` (all without one). lit runs in Debian's Python, which has what it needs to
    time a test out; a test's %python is the one that runs this."""
    report = build / "test" / "lit.json"
    report.unlink(missing_ok=True)
    command = ["/usr/bin/python3", LIT, "-j", jobs, "-q", "--timeout", "600", "--allow-empty-runs", "-o", str(report)]
    if pattern:
        command += ["--filter", pattern]
    subprocess.run([*command, "-v", str(build / "test")], env=dict(os.environ, FERRY_PYTHON=sys.executable))
    if not report.exists():
        return [Outcome("lit", "failed", note="it ended without writing its report")]
    outcomes = []
    for test in json.loads(report.read_text())["tests"]:
        if test["code"] == "EXCLUDED":
            continue
        path = test["name"].split(" :: ", 1)[1]
        outcomes.append(Outcome(path, STATUS.get(test["code"], "failed"), source / "test" / path))
    return outcomes
