# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts a program of the corpus through everything that a placed graph has to stand."""

from __future__ import annotations

import contextlib
import copy
import filecmp
import hashlib
import os
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import dace
import numpy as np
from dace.sdfg.state import ConditionalBlock

from corpus import PROGRAMS, Program
from emulate import build, check, persistent, rewrite, run, waits

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / "build" / "sdfg-programs"
ALL = bool(os.environ.get("FERRY_ALL"))
"""Whether tests take their time."""

Placer = Callable[[dace.SDFG], dace.SDFG]


@dataclass
class Verdict:
    """What went wrong, by stage; nothing is tried after a stage that leaves no graph to go on with."""

    problems: dict[str, str] = field(default_factory=dict)
    counts: run.Counts | None = None

    def __str__(self) -> str:
        return "; ".join(f"{stage}: {what}" for stage, what in self.problems.items()) or "right"


def file(program: Program, form: str) -> Path:
    """Where the program's graph in one of its forms is kept, from run to run, as DaCe saves it."""
    kept = CACHE / f"{program.digest()}-{form}.sdfgz"
    if not kept.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        draft = kept.with_suffix(f".{os.getpid()}.sdfgz")
        quiet(program.graph, form).save(str(draft), compress=True)
        draft.rename(kept)
    return kept


def graph(program: Program, form: str) -> dace.SDFG:
    """The graph as DaCe loads it, since it saves some that it has just made otherwise."""
    return load(file(program, form))


def load(path: Path | str) -> dace.SDFG:
    """As DaCe loads it, and with what DaCe 1.0.2 forgets then: the arms of a conditional block do not know where they are."""
    sdfg = quiet(dace.SDFG.from_file, str(path))
    for nested in sdfg.all_sdfgs_recursive():
        for region in list(nested.all_control_flow_regions()):
            for block in region.nodes():
                if isinstance(block, ConditionalBlock):
                    for _, arm in block.branches:
                        arm.parent_graph, arm.sdfg = block.parent_graph, nested
    sdfg.reset_cfg_list()
    return sdfg


def graphs(every: bool = ALL) -> list[tuple[str, str]]:
    """The programs and their forms: every form, or of each program the first."""
    return sorted((name, form) for name, program in PROGRAMS.items() for form in (program.forms if every else program.forms[:1]))


def quiet(function, *arguments, **options):
    with warnings.catch_warnings(), open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        warnings.simplefilter("ignore")
        return function(*arguments, **options)


def judge(program: Program, sdfg: dace.SDFG, place: Placer, numbers: bool = True, code: bool = True) -> Verdict:
    """The graph is the placer's to change. `numbers`: whether the placed graph is also run; `code`: whether CUDA code is made of it."""
    verdict = Verdict()
    given = copy.deepcopy(sdfg)
    placed = attempt(verdict, "place", lambda: place(sdfg))
    if placed is None:
        return verdict
    kept = CACHE / f"stands-{digest(placed, code)}"
    if not kept.exists():
        if not stands(verdict, placed, given, code):
            return verdict
        if not verdict.problems:
            CACHE.mkdir(parents=True, exist_ok=True)
            kept.touch()
    if numbers:
        attempt(verdict, "numbers", lambda: computes(program, placed, verdict))
    return verdict


def digest(placed: dace.SDFG, code: bool) -> str:
    """Changes with anything that the verdict of `stands` depends on: the graph, DaCe, and the judge."""
    sources = [Path(__file__), *sorted((Path(__file__).parent / "emulate").glob("*.py"))]
    text = dace.serialize.dumps(placed.to_json()) + "".join(path.read_text() for path in sources)
    return hashlib.sha256(f"{dace.__version__} {code} {text}".encode()).hexdigest()[:32]


def stands(verdict: Verdict, placed: dace.SDFG, given: dace.SDFG, code: bool) -> bool:
    """All that a graph has to stand without being run. False if it is not even valid."""
    if not attempt(verdict, "validate", lambda: placed.validate() or True):
        return False
    if not attempt(verdict, "survive", lambda: survives(placed) or True) and not attempt(Verdict(), "survive", lambda: survives(given) or True):
        del verdict.problems["survive"]  # DaCe's own doing: it writes some sizes in another way each time.
    if wrong := attempt(verdict, "sides", lambda: check.violations(placed)):
        verdict.problems["sides"] = "\n".join(wrong)
    if wrong := attempt(verdict, "persistent", lambda: persistent.violations(placed)):
        verdict.problems["persistent"] = "\n".join(wrong)
    if code:
        text = attempt(verdict, "generate", lambda: waits.host_code(placed))
        if text and (wrong := waits.unwaited(text)):
            verdict.problems["wait"] = "\n".join(wrong)
        if wrong := attempt(verdict, "barriers", lambda: unsynchronised(placed)):
            verdict.problems["barriers"] = "\n".join(wrong)
    return True


def unsynchronised(placed: dace.SDFG) -> list[str]:
    return persistent.unsynchronised(persistent.device_code(placed)) if any(persistent.kernels(placed)) else []


def attempt(verdict: Verdict, stage: str, work: Callable):
    """What the work returns; what it raises is the stage's problem."""
    try:
        return quiet(work)
    except Exception as error:
        verdict.problems[stage] = first_line(error)
        return None


def first_line(error: Exception) -> str:
    text = getattr(error, "message", None) or str(error)
    return f"{type(error).__name__}: {' '.join(text.split())[:300]}"


def survives(placed: dace.SDFG) -> None:
    """Save, load, validate, save: the files are the same."""
    with tempfile.TemporaryDirectory() as folder:
        first, second = f"{folder}/first.sdfg", f"{folder}/second.sdfg"
        placed.save(first, hash=False)
        loaded = load(first)
        loaded.validate()
        loaded.save(second, hash=False)
        if not filecmp.cmp(first, second, shallow=False):
            raise ValueError("the graph changes when it is saved and loaded")


def computes(program: Program, placed: dace.SDFG, verdict: Verdict) -> None:
    """Runs it with both memories on the CPU, at the small size, and compares with NumPy."""
    CACHE.mkdir(parents=True, exist_ok=True)
    arguments = program.arguments(placed, program.small)
    expected, returned = program.expected(arguments, program.small)
    built = build.build(rewrite.emulated(placed), CACHE)
    outcome = run.run(built, arguments, program.small)
    verdict.counts = outcome.counts
    if program.unordered:
        outcome.arguments, expected = in_order(outcome.arguments), in_order(expected)
    if wrong := run.differences(outcome, expected, returned, program.tolerance):
        raise ValueError("; ".join(wrong))


def in_order(arguments: dict) -> dict:
    return {name: np.sort(v) if isinstance(v, np.ndarray) else v for name, v in arguments.items()}


def unplaced(program: Program, form: str) -> str:
    """Empty if DaCe alone builds the form and computes the right numbers, else its error."""
    try:
        sdfg = graph(program, form)
        verdict = Verdict()
        if not program.on_gpu:
            quiet(computes, program, sdfg, verdict)
    except Exception as error:
        return first_line(error)
    return ""
