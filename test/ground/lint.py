# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Style checks. clang-format, the licence line and the words are checked in all files, which is quick. clang-tidy takes a
second for a file without MLIR and twenty with it: `./dev test tidy` runs it on the sources in src/ that do not use MLIR, `./dev lint` on all
that changed since the merge base with a revision, `./dev lint --all` on all.

usage: lint.py [--all] [--base REV]
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from outcome import Outcome

SPDX = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
CPP = {".cpp", ".h"}
SOURCE = CPP | {".py", ".td", ".fut", ".mlir", ".test", ".cmake", ".in", ".cl", ".c", ".sh"}
SOURCE_NAMES = {"CMakeLists.txt", "dev", "run", ".clang-format", ".clang-tidy", "requirements.txt", "requirements-dace.txt"}
# What no file may say: promises instead of work, and where somebody's machine keeps things. Spelled so that this file passes.
WORDS = re.compile(r"\b(T[O]DO|F[I]XME|X[X]X|H[A]CK)\b|(?<![\w.$}/])/(w[o]rk|h[o]me|r[o]ot)/")
# Matrices, inputs in binary form and the licence are not ours to phrase.
UNCHECKED = re.compile(r"(^|/)Inputs/|^LICENSE$|\.(bin|npz|svg|mtx|png)$")


def git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, check=True).stdout


def tracked(root: Path) -> list[Path]:
    """Files git knows or would add, that exist."""
    names = git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    return [root / n for n in sorted(set(names)) if n and (root / n).is_file()]


def changed(root: Path, base: str) -> set[Path]:
    """Files that differ from the merge base of HEAD and `base`; without such a revision, from HEAD."""
    for revision in (base, f"origin/{base}"):
        done = subprocess.run(["git", "-C", str(root), "merge-base", "HEAD", revision], capture_output=True, text=True)
        if done.returncode == 0:
            break
    since = done.stdout.strip() or "HEAD"
    names = git(root, "diff", "-z", "--name-only", since).split("\0")
    names += git(root, "ls-files", "-z", "--others", "--exclude-standard").split("\0")
    return {root / n for n in names if n}


def check_format(root: Path, files: list[Path]) -> list[str]:
    sources = [str(f) for f in files if f.suffix in CPP]
    if not sources:
        return []
    done = subprocess.run(["clang-format-22", "--dry-run", "-Werror", *sources], capture_output=True, text=True)
    lines = [line for line in done.stderr.splitlines() if "error:" in line]
    return [line.replace(f"{root}/", "") for line in lines] or ([done.stderr] if done.returncode else [])


def check_licence(root: Path, files: list[Path]) -> list[str]:
    wrong = []
    for path in files:
        if UNCHECKED.search(str(path.relative_to(root))):
            continue
        if path.suffix in SOURCE or path.name in SOURCE_NAMES:
            if SPDX not in "\n".join(path.read_text().split("\n", 2)[:2]):
                wrong.append(f"{path.relative_to(root)}:1: error: it does not begin with the line '{SPDX}'")
    return wrong


def check_words(root: Path, files: list[Path]) -> list[str]:
    wrong = []
    for path in files:
        name = str(path.relative_to(root))
        if UNCHECKED.search(name):
            continue
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            if found := WORDS.search(line):
                wrong.append(f"{name}:{number}: error: '{found[0]}' has no place in the tree")
    return wrong


ROOM = re.compile(r"^\| `src/(\w+)/` \|.*\| ([^|]*) \|$", re.MULTILINE)
INCLUDE = re.compile(r'^#include "(\w+)/', re.MULTILINE)


def check_rooms(root: Path, files: list[Path]) -> list[str]:
    """Which room includes which, against the table of docs/architecture.md."""
    table = root / "docs" / "architecture.md"
    uses = {room: text for room, text in ROOM.findall(table.read_text())} if table.is_file() else {}
    wrong = []
    for path in files:
        parts = path.relative_to(root).parts
        if path.suffix not in CPP or len(parts) < 3 or parts[0] != "src" or parts[1] not in uses:
            continue
        allowed = set(re.findall(r"\w+", uses[parts[1]].split(";")[0])) | {parts[1]}
        for used in set(INCLUDE.findall(path.read_text())) & set(uses):
            if used not in allowed and "all" not in allowed:
                wrong.append(f"{'/'.join(parts)}:1: error: {parts[1]} does not use {used}, says docs/architecture.md")
    return wrong


# A comment of two slashes right above a declaration; above an #include it is about the file, in dashes it is a title.
PLAIN_CONTRACT = re.compile(r"^[ \t]*//(?![/ ]*(?:SPDX|-))[^/].*\n(?![ \t]*(?://|#|\}|$))", re.MULTILINE)


def check_headers(root: Path, files: list[Path]) -> list[str]:
    """Headers are guarded by #pragma once, and a declaration's contract is written with three slashes."""
    wrong = []
    for path in files:
        if path.suffix != ".h":
            continue
        name, text = path.relative_to(root), path.read_text()
        if not re.search(r"^#pragma once$", text, re.MULTILINE):
            wrong.append(f"{name}:1: error: no '#pragma once'")
        for found in PLAIN_CONTRACT.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            wrong.append(f"{name}:{line}: error: what a declaration promises begins with '///'")
    return wrong


def compiled(root: Path) -> dict[Path, str]:
    """The sources that the build knows, each with its command."""
    database = json.loads((root / "build" / "compile_commands.json").read_text())
    return {Path(entry["file"]): entry["command"] for entry in database}


def quick(root: Path) -> set[Path]:
    """The sources in src/ that are compiled without MLIR in reach."""
    return {f for f, command in compiled(root).items() if "/llvm-22/include" not in command and f.is_relative_to(root / "src")}


def check_tidy(root: Path, files: list[Path]) -> list[str]:
    """clang-tidy on those of the files that are compiled; headers are checked through the sources that include them."""
    known = compiled(root)
    sources = [f for f in files if f in known]
    jobs = int(os.environ.get("JOBS") or os.cpu_count() or 1)
    with ThreadPoolExecutor(jobs) as pool:
        reports = pool.map(lambda f: tidy(root, f), sources)
    return [line for report in reports for line in report]


def tidy(root: Path, source: Path) -> list[str]:
    done = subprocess.run(
        ["clang-tidy-22", "-p", str(root / "build"), "--quiet", str(source)], capture_output=True, text=True, cwd=root
    )
    if done.returncode == 0:
        return []
    return [line.replace(f"{root}/", "") for line in done.stdout.splitlines()] or [f"{source}: {done.stderr}"]


def judge(name: str, wrong: list[str]) -> Outcome:
    """One check is one test; what is wrong is printed."""
    for line in wrong:
        print(line, flush=True)
    return Outcome(name, "failed" if wrong else "passed", note=f"{len(wrong)} lines above" if wrong else "")


def texts(root: Path, pattern: str | None = None) -> list[Outcome]:
    """The checks that look at all files."""
    files = tracked(root)
    checks = {
        "clang-format": check_format,
        "licence": check_licence,
        "words": check_words,
        "rooms": check_rooms,
        "headers": check_headers,
    }
    return [judge(name, check(root, files)) for name, check in checks.items() if not pattern or re.search(pattern, name)]


def quick_tidy(root: Path, pattern: str | None = None) -> list[Outcome]:
    if pattern and not re.search(pattern, "clang-tidy"):
        return []
    return [judge("clang-tidy", check_tidy(root, sorted(quick(root))))]


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev lint", description="Check the style of the tree.")
    parser.add_argument("--all", action="store_true", help="clang-tidy on all sources, not on those that changed")
    parser.add_argument("--base", default=os.environ.get("FERRY_BASE", "main"), help="what changed is since here")
    arguments = parser.parse_args()
    root = Path(__file__).resolve().parents[2]
    sources = set(compiled(root)) if arguments.all else changed(root, arguments.base)
    results = [*texts(root), judge("clang-tidy", check_tidy(root, sorted(sources)))]
    for o in results:
        print(f"{o.name}: {o.status}")
    return 1 if any(o.status == "failed" for o in results) else 0


if __name__ == "__main__":
    sys.exit(main())
