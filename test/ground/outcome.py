# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What every runner reports: one outcome a test."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Outcome:
    """`status` is passed, failed or skipped; `file` is the absolute path of the file that holds the test, if one does;
    `note` says why it did not pass, where the runner has not shown that already."""

    name: str
    status: str
    file: Path | None = None
    note: str = ""
