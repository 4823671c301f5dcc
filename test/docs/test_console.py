# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The runner of the documents' commands, on documents made here."""

import tempfile
import unittest
from pathlib import Path

import console


class TestConsole(unittest.TestCase):
    def wrong(self, text: str) -> list[str | None]:
        """What is wrong with each command of a document, or None for a command that is right."""
        problems = []
        for block in console.blocks(text):
            with tempfile.TemporaryDirectory() as folder:
                problems += console.check(block, console.execute(block, Path(folder)))
        return problems

    def fenced(self, text: str) -> list[bool]:
        return [problem is None for problem in self.wrong(f"```console\n{text}```\n")]

    def test_output(self):
        self.assertEqual(self.fenced("$ echo a; echo b\na\nb\n"), [True])
        self.assertEqual(self.fenced("$ echo a\nb\n"), [False])
        self.assertEqual(self.fenced("$ echo a; echo b\na\n"), [False])
        self.assertEqual(self.fenced("$ echo a >&2\na\n"), [True])

    def test_output_not_shown(self):
        self.assertEqual(self.fenced("$ echo a\n"), [True])

    def test_wildcards(self):
        self.assertEqual(self.fenced("$ seq 9\n1\n...\n9\n"), [True])
        self.assertEqual(self.fenced("$ seq 9\n1\n...\n8\n"), [False])
        self.assertEqual(self.fenced("$ echo took 12 ms\ntook ... ms\n"), [True])
        self.assertEqual(self.fenced("$ echo 'a.c'\na.c\n$ echo abc\na.c\n"), [True, False])

    def test_exit_status(self):
        self.assertEqual(self.fenced("$ false\n"), [False])
        self.assertEqual(self.fenced("$ (exit 77)\n$ echo $?\n77\n"), [True, True])
        self.assertEqual(self.fenced("$ (exit 77)\n$ echo $?\n78\n"), [True, False])
        self.assertEqual(self.fenced("$ exit 0\n$ echo a\n"), [False, False])

    def test_one_shell_a_block(self):
        self.assertEqual(self.fenced("$ x=1\n$ echo $x\n1\n"), [True, True])
        self.assertEqual(self.fenced("$ cat > f <<'END'\n> one\n> END\n$ cat f\none\n"), [True, True])

    def test_other_fences_are_left_alone(self):
        self.assertEqual(self.wrong("```sh\n$ false\n```\n"), [])

    def test_malformed(self):
        with self.assertRaises(ValueError):
            console.blocks("```console\nout\n```\n")
        with self.assertRaises(ValueError):
            console.blocks("```console\n$ true\n")


if __name__ == "__main__":
    unittest.main()
