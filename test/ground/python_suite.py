# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the test_*.py files below test/ with unittest, each in its own folder.

usage: python_suite.py FOLDER NAMES RESULTS [PATTERN]

As a program it runs the files whose names match NAMES and writes what came out to the file RESULTS, as a list of name,
status and file: for the tests that need another interpreter (dace_suite.py)."""

from __future__ import annotations

import inspect
import json
import re
import sys
import unittest
from pathlib import Path

from outcome import Outcome


class Recorder(unittest.TextTestResult):
    """Keeps every test that began, in order, and how it ended."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.status: dict[unittest.TestCase, str] = {}

    def startTest(self, test):
        super().startTest(test)
        self.status[test] = "passed"

    def addError(self, test, error):
        super().addError(test, error)
        self.status[test] = "failed"

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.status[test] = "failed"

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error is not None:
            self.status[test] = "failed"

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.status[test] = "skipped"


def run(test_folder: Path, pattern: str | None, names: str = "test_*.py") -> list[Outcome]:
    """Runs the tests whose names match `pattern` (all without one)."""
    suite = unittest.TestSuite()
    for folder in sorted({path.parent for path in test_folder.rglob(names)}):
        sys.path.insert(0, str(folder))
        found = unittest.TestLoader().discover(str(folder), names, str(folder))
        suite.addTests(test for test in flatten(found) if not pattern or re.search(pattern, test.id()))
    result = unittest.TextTestRunner(resultclass=Recorder, verbosity=1).run(suite)
    return [Outcome(test.id(), status, file_of(test)) for test, status in result.status.items()]


def flatten(suite: unittest.TestSuite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flatten(test)
        else:
            yield test


def file_of(test: unittest.TestCase) -> Path:
    return Path(inspect.getfile(type(test))).resolve()


if __name__ == "__main__":
    ran = run(Path(sys.argv[1]), sys.argv[4] if len(sys.argv) > 4 else None, sys.argv[2])
    Path(sys.argv[3]).write_text(json.dumps([[o.name, o.status, str(o.file)] for o in ran]))
