# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a program of the corpus declares.

A program is a function for DaCe's NumPy front end, or a function that builds a graph with DaCe's API. Beside it stand a
reference in NumPy alone, which takes the same arguments, changes them in place and returns what the program returns; the
sizes at which its time is modelled (`stated`) and those at which its numbers are checked (`small`).
"""

from __future__ import annotations

import copy
import hashlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import dace
import numpy as np
from dace import data
from dace.frontend.python.parser import DaceProgram
from dace.transformation.auto.auto_optimize import auto_optimize

FORMS = ("simplified", "parsed", "optimised", "regions")

Sizes = Mapping[str, int]
Maker = Callable[[Sizes, np.random.Generator], object]


@dataclass(frozen=True)
class Program:
    name: str
    family: str
    source: DaceProgram | Callable[[], dace.SDFG]
    reference: Callable
    stated: Sizes
    small: Sizes
    given: Mapping[str, Maker] = field(default_factory=dict)
    """How to make the arguments that are not just random numbers."""
    refused: str | Mapping[str, str] = field(default_factory=dict)
    """A regular expression for DaCe's own error, where DaCe cannot build the program: for all of its forms, or by form."""
    on_gpu: bool = False
    """Whether the unplaced graph needs a GPU already, so that DaCe alone cannot run it here."""
    unordered: bool = False
    """Whether elements of the results come in any order (streams)."""
    tolerance: float = 1e-9

    @property
    def handmade(self) -> bool:
        return not isinstance(self.source, DaceProgram)

    @property
    def forms(self) -> tuple[str, ...]:
        """The first is the one that most users have."""
        return FORMS[:3] if self.handmade else FORMS

    def refusal(self, form: str) -> str | None:
        return self.refused.get(form) if isinstance(self.refused, Mapping) else self.refused

    def graph(self, form: str) -> dace.SDFG:
        """Simplified, as parsed, after auto_optimize, or with regions in the place of edges for loops and branches."""
        source = self.source
        if self.handmade:
            sdfg = source()
            if form != "parsed":
                sdfg.simplify()
        elif form == "regions":
            sdfg = dace.program(use_experimental_cfg_blocks=True)(source.f).to_sdfg(simplify=True)
        else:
            sdfg = copy.deepcopy(source.to_sdfg(simplify=form != "parsed"))
        if form == "optimised":
            auto_optimize(sdfg, dace.DeviceType.CPU)
        return sdfg

    def arguments(self, sdfg: dace.SDFG, sizes: Sizes, seed: int = 1) -> dict[str, object]:
        """Values for every argument of the graph but the returned ones: symbols by `sizes`, floats in [0.1, 1), integers in [1, 9]."""
        rng = np.random.default_rng(seed)
        made = {}
        for name, desc in sorted(sdfg.arglist().items()):
            if name.startswith("__return"):
                continue
            if name in self.given:
                made[name] = self.given[name](sizes, rng)
            elif name in sizes:
                made[name] = sizes[name]
            else:
                made[name] = random(desc, sizes, rng)
        return made

    def expected(self, arguments: Mapping[str, object], sizes: Sizes) -> tuple[dict[str, object], tuple]:
        """The arguments as the program leaves them, and what it returns."""
        after = {name: v.copy() if type(v) is np.ndarray else v for name, v in arguments.items()}
        known = {**sizes, **after}
        returned = self.reference(**{p: known[p] for p in inspect.signature(self.reference).parameters})
        if returned is None:
            returned = ()
        return after, returned if isinstance(returned, tuple) else (returned,)

    def digest(self) -> str:
        """Changes with anything that the graph could depend on: DaCe, the file that holds the program, and those that help it."""
        here = Path(__file__).parent
        sources = [Path(inspect.getfile(self.reference)), here / "registry.py", here / "shortforms.py"]
        text = "".join(path.read_text() for path in sources)
        return hashlib.sha256(f"{dace.__version__} {self.name} {text}".encode()).hexdigest()[:20]


def random(desc: data.Data, sizes: Sizes, rng: np.random.Generator):
    dtype = desc.dtype.as_numpy_dtype()
    shape = () if isinstance(desc, data.Scalar) else tuple(int(dace.symbolic.evaluate(s, sizes)) for s in desc.shape)
    if dtype == np.bool_:
        value = rng.random(shape) < 0.5
    elif np.issubdtype(dtype, np.integer):
        value = rng.integers(1, 10, shape)
    elif np.issubdtype(dtype, np.complexfloating):
        value = rng.uniform(0.1, 1, shape) + 1j * rng.uniform(0.1, 1, shape)
    else:
        value = rng.uniform(0.1, 1, shape)
    return dtype.type(value) if isinstance(desc, data.Scalar) else np.asarray(value).astype(dtype)


PROGRAMS: dict[str, Program] = {}


def add(source, reference: Callable, stated: Sizes, small: Sizes, **options) -> None:
    name = source.name if isinstance(source, DaceProgram) else source.__name__
    name = name.rpartition(".")[2]
    if isinstance(source, DaceProgram):
        name = source.f.__name__
    if name in PROGRAMS:
        raise ValueError(f"two programs are called {name}")
    family = inspect.getmodule(reference).__name__.rpartition(".")[2]
    PROGRAMS[name] = Program(name, family, source, reference, stated, small, **options)
