# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""That the sum counts what it should, and that a run in which a test did not run is no pass."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

import run
import unit
from outcome import Outcome


class TestSummary(unittest.TestCase):
    def summary(self, *outcomes: Outcome) -> tuple[int, str]:
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            status = run.summary({"unit": list(outcomes)}, {})
        return status, text.getvalue().splitlines()[-1]

    def test_all_passed(self):
        self.assertEqual(self.summary(Outcome("a", "passed"), Outcome("b", "passed")), (0, "2 passed, 0 failed"))

    def test_one_failed(self):
        self.assertEqual(self.summary(Outcome("a", "passed"), Outcome("b", "failed")), (1, "1 passed, 1 failed"))

    def test_none_ran(self):
        self.assertEqual(self.summary(Outcome("a", "skipped")), (1, "0 passed, 1 failed"))

    def test_a_file_that_nothing_ran(self):
        here = Path(__file__).resolve()
        others = [Outcome("other", "passed", f) for f in run.files.test_files(run.TEST) - {here}]
        missing = run.uncovered({"all": [*others, Outcome("skipped", "skipped", here)]})
        self.assertEqual([o.file for o in missing], [here])
        self.assertEqual(run.uncovered({"all": [*others, Outcome("ran", "passed", here)]}), [])


class TestGoogleTestReports(unittest.TestCase):
    def outcomes(self, report: str | None, passed: bool) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            results = Path(folder) / "test" / "results"
            results.mkdir(parents=True)
            if report is not None:
                (results / "x.json").write_text(report)
            return [o.status for o in unit.gtest_outcomes(Path(folder), "x", "true", passed)]

    def test_report(self):
        tests = [
            {"name": "A", "status": "RUN", "result": "COMPLETED"},
            {"name": "B", "status": "RUN", "result": "COMPLETED", "failures": [{"failure": "no"}]},
            {"name": "C", "status": "RUN", "result": "SKIPPED"},
            {"name": "D", "status": "NOTRUN", "result": "SUPPRESSED"},
        ]
        report = json.dumps({"testsuites": [{"name": "S", "testsuite": tests}]})
        self.assertEqual(self.outcomes(report, False), ["passed", "failed", "skipped", "skipped"])

    def test_crash(self):
        self.assertEqual(self.outcomes(None, False), ["failed"])
        self.assertEqual(self.outcomes("{", False), ["failed"])

    def test_failure_after_the_last_test(self):
        tests = [{"name": "A", "status": "RUN", "result": "COMPLETED"}]
        report = json.dumps({"testsuites": [{"name": "S", "testsuite": tests}]})
        self.assertEqual(self.outcomes(report, True), ["passed"])
        self.assertEqual(self.outcomes(report, False), ["passed", "failed"])


if __name__ == "__main__":
    unittest.main()
