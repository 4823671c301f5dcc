# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The text checks, on a repository made here."""

import subprocess
import tempfile
import unittest
from pathlib import Path

import lint


class TestTexts(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = Path(holder.name).resolve()
        subprocess.run(["git", "init", "-q", str(self.root)], check=True)

    def wrong(self, check, name: str, text: str) -> int:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return len(check(self.root, lint.tracked(self.root)))

    def test_licence(self):
        self.assertEqual(self.wrong(lint.check_licence, "a.cpp", f"// {lint.SPDX}\n"), 0)
        self.assertEqual(self.wrong(lint.check_licence, "a.cpp", "int a;\n"), 1)

    def test_licence_after_a_hashbang(self):
        self.assertEqual(self.wrong(lint.check_licence, "dev", f"#!/bin/sh\n# {lint.SPDX}\n"), 0)

    def test_licence_not_asked_of_inputs(self):
        self.assertEqual(self.wrong(lint.check_licence, "test/Inputs/a.fut", "1\n"), 0)

    def test_words(self):
        self.assertEqual(self.wrong(lint.check_words, "a.md", "what is to do\n"), 0)
        self.assertEqual(self.wrong(lint.check_words, "a.md", "TO" + "DO: later\n"), 1)
        self.assertEqual(self.wrong(lint.check_words, "a.md", "in /ho" + "me/me/ferry\n"), 1)
        self.assertEqual(self.wrong(lint.check_words, "a.md", "in build/ho" + "me/me\n"), 0)

    def test_rooms(self):
        (self.root / "docs").mkdir()
        table = "| room | holds | uses |\n|---|---|---|\n| `src/a/` | this | b, MLIR |\n| `src/b/` | that | zlib |\n"
        (self.root / "docs" / "architecture.md").write_text(table)
        self.assertEqual(self.wrong(lint.check_rooms, "src/a/x.cpp", '#include "b/y.h"\n#include "a/x.h"\n'), 0)
        self.assertEqual(self.wrong(lint.check_rooms, "src/b/y.cpp", '#include "b/y.h"\n#include "a/x.h"\n'), 1)

    def test_format(self):
        (self.root / ".clang-format").write_text("BasedOnStyle: LLVM\n")
        self.assertEqual(self.wrong(lint.check_format, "a.cpp", "int a;\n"), 0)
        self.assertGreaterEqual(self.wrong(lint.check_format, "a.cpp", "int   a ;\n"), 1)


if __name__ == "__main__":
    unittest.main()
