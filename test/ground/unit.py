# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs ctest in a build folder. A GoogleTest program counts as the tests in it, any other entry as one test."""

from __future__ import annotations

import json
import os
import subprocess
import xml.etree.ElementTree as xml
from pathlib import Path

from outcome import Outcome


def run(build: Path, pattern: str | None, jobs: str) -> list[Outcome]:
    """Runs the entries whose names match `pattern` (all without one); their output is shown where they fail."""
    select = ["-R", pattern] if pattern else []
    listing = subprocess.run(
        ["ctest", "--test-dir", str(build), "--show-only=json-v1", *select], capture_output=True, text=True, check=True
    )
    entries = json.loads(listing.stdout)["tests"]
    if not entries:
        return []
    results = build / "test" / "results"
    results.mkdir(parents=True, exist_ok=True)
    for old in results.glob("*"):
        old.unlink()
    report = results / "ctest.xml"
    subprocess.run(
        ["ctest", "--test-dir", str(build), "-j", jobs, "--output-on-failure", "--output-junit", str(report), *select]
    )
    passed = {case.get("name"): case.get("status") == "run" for case in xml.parse(report).iter("testcase")}
    outcomes: list[Outcome] = []
    for entry in entries:
        name = entry["name"]
        if "gtest" in labels(entry):
            outcomes += gtest_outcomes(build, name, entry["command"][0], passed.get(name, False))
        else:
            outcomes.append(Outcome(name, "passed" if passed.get(name, False) else "failed"))
    return outcomes


def labels(entry: dict) -> list[str]:
    return next((p["value"] for p in entry["properties"] if p["name"] == "LABELS"), [])


def gtest_outcomes(build: Path, name: str, program: str, passed: bool) -> list[Outcome]:
    """The tests of one GoogleTest program that ran. One that ended badly without a failed test, say by a crash or a
    sanitizer's report, is one failed test more."""
    report = build / "test" / "results" / f"{name}.json"
    try:
        suites = json.loads(report.read_text())["testsuites"]
    except (OSError, ValueError):
        return [Outcome(name, "failed", note="it ended without writing its report")]
    files = gtest_files(build, name, program)
    outcomes = []
    for suite in suites:
        for test in suite["testsuite"]:
            full = f"{suite['name']}.{test['name']}"
            skipped = test.get("status") == "NOTRUN" or test.get("result") == "SKIPPED"
            status = "failed" if test.get("failures") else "skipped" if skipped else "passed"
            outcomes.append(Outcome(f"{name}: {full}", status, files.get(full)))
    if not passed and not any(o.status == "failed" for o in outcomes):
        outcomes.append(Outcome(name, "failed", note="it failed after its last test"))
    return outcomes


def gtest_files(build: Path, name: str, program: str) -> dict[str, Path]:
    """Which file each test is in. The compiler wrote the name as it was given it, seen from the build folder."""
    listing = build / "test" / "results" / f"{name}.list.json"
    command = [program, "--gtest_list_tests", f"--gtest_output=json:{listing}"]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if not listing.exists():
        return {}
    return {
        f"{suite['name']}.{test['name']}": Path(os.path.realpath(build / test["file"]))
        for suite in json.loads(listing.read_text())["testsuites"]
        for test in suite["testsuite"]
    }
