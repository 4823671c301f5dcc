# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs an emulated program in a process of its own and says what it computed and what it copied and launched."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import tempfile
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import dace
import numpy as np
from dace.codegen.compiled_sdfg import CompiledSDFG

from .build import Built


class RunError(Exception):
    """The program crashed, did not end, or raised."""


@dataclass
class Counts:
    """What one run of a program executed."""

    to_device: int = 0
    bytes_to_device: int = 0
    to_host: int = 0
    bytes_to_host: int = 0
    launches: dict[str, int] = field(default_factory=dict)
    """Of each kernel."""
    single_in_loops: int = 0
    """Launches of a single thread by kernels that stand in loops."""

    @property
    def total_launches(self) -> int:
        return sum(self.launches.values())


@dataclass
class Outcome:
    arguments: dict[str, object]
    """Arrays and scalars, as the program left them."""
    returned: tuple
    counts: Counts


def run(built: Built, arguments: Mapping[str, object], sizes: Mapping[str, int], seconds: float = 20) -> Outcome:
    """The arguments are copied first. `sizes` are the values of symbols, also of those that no argument is."""
    return forked(lambda: call(built, own(arguments), sizes), seconds)


def own(arguments: Mapping[str, object]) -> dict[str, object]:
    """With copies of the arrays, which is all that a program can change."""
    return {name: value.copy() if type(value) is np.ndarray else value for name, value in arguments.items()}


def call(built: Built, arguments: dict[str, object], sizes: Mapping[str, int]) -> Outcome:
    sdfg = built.emulation.sdfg
    library = OpenedOnce(built.library)
    compiled = CompiledSDFG(sdfg, library)
    full = {**sizes, **arguments, **poisoned_returns(sdfg, sizes)}
    returned = compiled(**full)
    if returned is None:
        returned = ()
    elif not isinstance(returned, tuple):
        returned = (returned,)
    kept = {name: value for name, value in arguments.items() if isinstance(value, np.ndarray) or np.isscalar(value)}
    return Outcome(kept, returned, read_counts(built, library))


class OpenedOnce:
    """What CompiledSDFG asks of a library that nobody unloads."""

    def __init__(self, path: Path):
        self.library = ctypes.CDLL(str(path))

    def load(self) -> None:
        pass

    def unload(self) -> None:
        pass

    def is_loaded(self) -> bool:
        return True

    def get_symbol(self, name, restype=ctypes.c_int):
        function = getattr(self.library, name)
        function.restype = restype
        return function


def poisoned_returns(sdfg: dace.SDFG, sizes: Mapping[str, int]) -> dict[str, np.ndarray]:
    """Arrays for the returned values, full of poison."""
    made = {}
    for name, desc in sdfg.arrays.items():
        if name.startswith("__return") and not desc.transient:
            shape = tuple(int(dace.symbolic.evaluate(s, sizes)) for s in desc.shape)
            array = np.empty(shape, desc.dtype.as_numpy_dtype())
            array.view(np.uint8).fill(0x5A) if array.ndim else None
            made[name] = array
    return made


def read_counts(built: Built, library: OpenedOnce) -> Counts:
    read = library.get_symbol("ferry_emulate_counts", ctypes.POINTER(ctypes.c_longlong))
    values = read()[: built.emulation.slots]
    counts = Counts(*values[:4])
    for i, kernel in enumerate(built.emulation.kernels):
        launches, single = values[4 + 2 * i : 6 + 2 * i]
        counts.launches[kernel.label] = counts.launches.get(kernel.label, 0) + launches
        counts.single_in_loops += single if kernel.in_loop else 0
    return counts


def forked(work: Callable[[], object], seconds: float):
    """What `work` returns, from a child process that may crash or hang; what it raises is raised here as a RunError."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    child = os.fork()
    if child == 0:
        try:
            with tempfile.TemporaryFile() as quiet:
                os.dup2(quiet.fileno(), 1)
                os.dup2(quiet.fileno(), 2)
                try:
                    sender.send((True, work()))
                except BaseException:
                    sender.send((False, traceback.format_exc(limit=-3)))
        finally:
            os._exit(0)
    sender.close()
    try:
        if not receiver.poll(seconds):
            os.kill(child, signal.SIGKILL)
            raise RunError(f"it did not end within {seconds:g} s")
        fine, value = receiver.recv()
    except EOFError:
        _, status = os.waitpid(child, 0)
        child = 0
        number = os.waitstatus_to_exitcode(status)
        raise RunError(f"it ended with signal {-number}" if number < 0 else f"it ended with status {number}") from None
    finally:
        if child:
            os.waitpid(child, 0)
        receiver.close()
    if not fine:
        raise RunError(value)
    return value


def differences(outcome: Outcome, arguments: Mapping[str, object], returned: tuple, tolerance: float) -> list[str]:
    """Where the numbers are not those expected, a line for each array."""
    wrong = []
    if len(outcome.returned) != len(returned):
        wrong.append(f"it returns {len(outcome.returned)} values, not {len(returned)}")
    pairs = [(name, got, arguments[name]) for name, got in outcome.arguments.items() if name in arguments]
    pairs += [(f"returned {i}", got, want) for i, (got, want) in enumerate(zip(outcome.returned, returned))]
    for name, got, want in pairs:
        got, want = np.asarray(got), np.asarray(want)
        if got.size != want.size:
            wrong.append(f"{name} has {got.size} elements, not {want.size}")
        elif not np.allclose(got.reshape(want.shape), want, rtol=tolerance, atol=tolerance, equal_nan=True):
            worst = int(np.argmax(abs(got.reshape(want.shape).astype(complex) - want)))
            wrong.append(f"{name} differs most at its element {worst}: {got.flat[worst]} instead of {want.flat[worst]}")
    return wrong
