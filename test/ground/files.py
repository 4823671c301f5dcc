# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which files below test/ hold tests. The runners are checked against it: a file none of them ran a test of is an error,
so that a test that was forgotten in a CMakeLists.txt, or has no RUN line, is no pass."""

from __future__ import annotations

import re
from pathlib import Path

GTEST = re.compile(r"^(TYPED_)?TEST(_F|_P)?\(", re.MULTILINE)
LIT_SUFFIXES = {".mlir", ".fut", ".test"}


def holds_tests(path: Path) -> bool:
    """By its name, or for C++ by its name or what is in it. Inputs/ holds what tests read, fuzz/ what `./dev fuzz` runs."""
    folders = path.parts[:-1]
    if "Inputs" in folders or "fuzz" in folders:
        return False
    if path.suffix == ".cpp":
        return path.name.endswith("_test.cpp") or GTEST.search(path.read_text()) is not None
    if path.suffix == ".py":
        return path.name.startswith(("test_", "dace_test_"))
    return path.suffix in LIT_SUFFIXES


def test_files(test_folder: Path) -> set[Path]:
    return {path.resolve() for path in test_folder.rglob("*") if path.is_file() and holds_tests(path)}
