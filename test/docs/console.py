# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands that the documents show, and compares what they print.

A block fenced as ```console holds commands, each after `$ ` (a line that continues one begins with `> `), and under each
what it prints on both streams. `...` stands for any text in a line; alone on a line, for any lines. A command must
succeed, unless the next one is `echo $?`. The commands of a block share one shell, and the blocks of a document one folder,
which holds links to everything in the source folder and is thrown away after, so that a document may write files.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from outcome import Outcome

TIMEOUT_SECONDS = 600


@dataclass
class Command:
    line: int
    text: str
    output: list[str] = field(default_factory=list)


def documents(root: Path) -> list[Path]:
    return [root / "README.md", *sorted((root / "docs").rglob("*.md")), *sorted((root / "examples").rglob("*.md"))]


def blocks(text: str) -> list[list[Command]]:
    """The console blocks of a document. Output before the first command of a block is an error of the document."""
    found: list[list[Command]] = []
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        if not inside:
            if line.strip() == "```console":
                inside = True
                found.append([])
        elif line.strip() == "```":
            inside = False
        elif line.startswith("$ "):
            found[-1].append(Command(number, line[2:]))
        elif not found[-1]:
            raise ValueError(f"{number}: output without a command before it")
        elif (line == ">" or line.startswith("> ")) and not found[-1][-1].output:
            found[-1][-1].text += "\n" + line[2:]
        else:
            found[-1][-1].output.append(line)
    if inside:
        raise ValueError("a console block is not closed")
    return found


def matches(shown: list[str], printed: list[str]) -> bool:
    """Whether the printed lines are those shown; spaces at the ends of lines do not count."""
    pattern = ""
    for line in shown:
        if line.strip() == "...":
            pattern += r"(?:[^\n]*\n)*?"
        else:
            pattern += ".*".join(re.escape(piece) for piece in line.rstrip().split("...")) + r"\n"
    return re.fullmatch(pattern, "".join(line.rstrip() + "\n" for line in printed)) is not None


def execute(block: list[Command], folder: Path) -> list[tuple[list[str], int]]:
    """What each command printed, and its exit status. One that ends the shell leaves none for those after it."""
    mark = "ferry-documents-end-of-command"
    script = "".join(f"{c.text}\n__status=$?; printf '\\n{mark} %d\\n' $__status; (exit $__status)\n" for c in block)
    try:
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=TIMEOUT_SECONDS,
        ).stdout.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return []
    results = []
    pieces = re.split(rf"\n{mark} (\d+)\n", done)
    for output, status in zip(pieces[0::2], pieces[1::2]):
        lines = output.split("\n")
        while lines and not lines[-1]:
            lines.pop()
        results.append((lines, int(status)))
    return results


def check(block: list[Command], results: list[tuple[list[str], int]]) -> list[str | None]:
    """For each command what is wrong with it, or None."""
    wrong: list[str | None] = []
    for i, command in enumerate(block):
        if i >= len(results):
            wrong.append("it did not end, or a command before it ended the shell")
            continue
        printed, status = results[i]
        asked = i + 1 < len(block) and block[i + 1].text == "echo $?"
        shown = list(command.output)
        while shown and not shown[-1].strip():
            shown.pop()
        if status != 0 and not asked:
            wrong.append(f"exit status {status}; it printed:\n" + "\n".join(printed[-40:]))
        elif shown and not matches(shown, printed):
            wrong.append("shown:\n" + "\n".join(shown) + "\nprinted:\n" + "\n".join(printed[-60:]))
        else:
            wrong.append(None)
    return wrong


def run(root: Path, pattern: str | None) -> list[Outcome]:
    """One test a command, named DOCUMENT:LINE: COMMAND. Documents none of whose commands match `pattern` are left out."""
    outcomes: list[Outcome] = []
    for document in documents(root):
        name = str(document.relative_to(root))
        try:
            found = blocks(document.read_text())
        except ValueError as error:
            outcomes.append(Outcome(name, "failed", note=str(error)))
            continue
        names = [[f"{name}:{c.line}: {c.text.splitlines()[0]}" for c in block] for block in found]
        if pattern and not any(re.search(pattern, n) for block in names for n in block):
            continue
        with tempfile.TemporaryDirectory() as folder:
            for entry in root.iterdir():
                (Path(folder) / entry.name).symlink_to(entry)
            problems = [check(block, execute(block, Path(folder))) for block in found]
        for names_of_block, problems_of_block in zip(names, problems):
            for n, problem in zip(names_of_block, problems_of_block):
                outcomes.append(Outcome(n, "failed" if problem else "passed", note=problem or ""))
    return outcomes
