# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lets DaCe generate C++ for an emulated graph and compiles it; the same code is compiled once.

What is allocated begins full of poison: 0x5A in every byte, a large number in every type and, where it is used as an index, a crash.
DaCe's own CMake project would take longer to configure than these programs take to compile, so the compiler is called with its flags.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import subprocess
import warnings
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import dace
from dace.codegen import codegen
from dace.codegen.prettycode import CodeIOStream

from .rewrite import Emulation

RUNTIME = Path(dace.__file__).parent / "runtime" / "include"
COMPILER = "clang++-22"
FLAGS = ["-std=c++17", "-fPIC", "-O1", "-w", "-Wno-missing-template-arg-list-after-template-kw", f"-I{RUNTIME}"]
WRITE = CodeIOStream.write
HEAP = re.compile(r"^(\s*)([\w>\-.]+) = new (.+?) DACE_ALIGN\(64\)\[(.+)\];$", re.MULTILINE)
STACK = re.compile(r"^\s*[\w:]+(?:<[^;()]*>)? (?P<name>\w+)(?:\[[^\]]+\]\s+DACE_ALIGN\(64\))?;$", re.MULTILINE)


class BuildError(Exception):
    """DaCe could not generate code, or the compiler refused it."""


@dataclass(frozen=True)
class Built:
    emulation: Emulation
    library: Path
    code: str


def build(emulation: Emulation, cache: Path) -> Built:
    """The program, from the cache if this code was compiled before. The emulated graph is used up."""
    code = poisoned(frame_code(emulation), emulation)
    key = hashlib.sha256("\n".join((code, compiler_version(), *FLAGS, dace.__version__)).encode()).hexdigest()[:32]
    library = cache / f"lib{key}.so"
    if not library.exists():
        compile_shared(code, library, precompiled(cache))
    return Built(emulation, library, code)


def frame_code(emulation: Emulation) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        emulation.sdfg.fill_scope_connectors()
        with mock.patch.object(CodeIOStream, "write", write_without_place):
            objects = codegen.generate_code(emulation.sdfg, validate=False)
    strange = [o.title for o in objects if o.language in ("cu", "cuda") or o.target_type]
    frames = [o for o in objects if o.title == "Frame"]
    if any(o.language == "cu" for o in objects):
        raise BuildError(f"the emulated graph still makes CUDA code: {strange}")
    return re.sub(r'#include ".*?include/hash\.h"', "", frames[0].clean_code)


def write_without_place(stream: CodeIOStream, text: str, *place, **named_place) -> None:
    """Without a comment on the node that the line is of: DaCe 1.0.2 looks for that in the wrong region, and fails."""
    WRITE(stream, text)


def poisoned(code: str, emulation: Emulation) -> str:
    """Poison after each allocation on the heap, and after the declarations of what is on the stack."""
    code = HEAP.sub(r"\g<0>\n\1ferry_emulate::ferry_poison(\2, (long long)(\4) * sizeof(\3));", code)
    return STACK.sub(lambda found: poisoned_declaration(found, emulation.declared), code)


def poisoned_declaration(found: re.Match, names: set[str]) -> str:
    name = found["name"]
    return f"{found[0]} ferry_emulate::ferry_poison(&{name}, sizeof({name}));" if name in names else found[0]


@functools.cache
def compiler_version() -> str:
    return subprocess.run([COMPILER, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]


def precompiled(cache: Path) -> list[str]:
    """Options that make the compiler take DaCe's header from a precompiled one."""
    key = hashlib.sha256("\n".join((compiler_version(), *FLAGS, dace.__version__)).encode()).hexdigest()[:16]
    header = cache / f"header-{key}" / "dace_first.h"
    if not header.with_suffix(".h.gch").exists():
        header.parent.mkdir(parents=True, exist_ok=True)
        write(header, "#include <dace/dace.h>\n")
        draft = header.with_suffix(f".{os.getpid()}")
        subprocess.run([COMPILER, *FLAGS, "-Xclang", "-fno-pch-timestamp", "-x", "c++-header", str(header), "-o", str(draft)], check=True)
        draft.rename(header.with_suffix(".h.gch"))
    return ["-include", str(header)]


def write(path: Path, text: str) -> None:
    """Other processes may read the file, which is always whole: they see the old one or the new one."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.write_text(text)
    draft.replace(path)


def compile_shared(code: str, library: Path, options: list[str]) -> None:
    source = library.with_suffix(".cpp")
    write(source, code)
    draft = library.with_suffix(f".{os.getpid()}")
    done = subprocess.run(
        [COMPILER, *FLAGS, *options, "-shared", str(source), "-o", str(draft)], capture_output=True, text=True
    )
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if "error:" in line]
        raise BuildError("\n".join(errors[:5] or done.stderr.splitlines()[:5]))
    draft.rename(library)
