# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What NVIDIA's assembler makes of the kernels of programs: registers, and what they spill.

usage: ptxas.py PROGRAM...
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import check

ROOT = Path(__file__).resolve().parents[2]
ARCHITECTURES = ("sm_80", "sm_90")


@dataclass
class Kernel:
    name: str
    registers: int
    spilled: int  # bytes stored and loaded again
    stack: int


def assembler() -> str | None:
    """That of PyPI's package, else of a toolkit."""
    toolkits = [os.environ.get(name) for name in ("CUDA_HOME", "CUDA_PATH")] + ["/usr/local/cuda"]
    found = [*Path(sys.prefix).glob("lib/python3*/site-packages/nvidia/*/bin/ptxas"), *(Path(t) / "bin" / "ptxas" for t in toolkits if t)]
    return next((str(path) for path in found if path.is_file()), shutil.which("ptxas"))


def entries(program: Path) -> list[str]:
    """Those of a program; none if it is one that is to be rejected."""
    text = program.read_text(encoding="utf-8")
    return [] if re.search(r"^-- error:", text, re.M) else re.findall(r"^entry\s+([\w']+)", text, re.M)


def ptx(program: Path, entry: str, architecture: str) -> str:
    command = ["ferry", "emit", str(program), "-e", entry, "--device", "cuda", "--plan", "all-device", "--stage", "ptx"]
    run = subprocess.run([*command, "--arch", architecture], capture_output=True, text=True, timeout=60, check=False)
    if run.returncode != 0:
        raise check.Failure(f"{program}, {entry}: status {run.returncode}: {run.stderr}")
    return run.stdout


def assembled(program: Path, entry: str, architecture: str) -> list[Kernel]:
    """The kernels of an entry; a check.Failure if the assembler refuses them."""
    text = ptx(program, entry, architecture)
    if not text:
        return []
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "kernels.ptx"
        source.write_text(text, encoding="ascii")
        command = [assembler(), "-v", "-arch", architecture, "-o", str(Path(folder) / "kernels.cubin"), str(source)]
        run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if run.returncode != 0:
        raise check.Failure(f"{program}, {entry}, {architecture}: {run.stdout}{run.stderr}")
    form = (r"Compiling entry function '(\S+)' for '\w+'\s.*?(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads"
            r".*?Used (\d+) registers")  # fmt: skip
    found = re.findall(form, run.stderr + run.stdout, re.S)
    return [Kernel(name, int(registers), int(stores) + int(loads), int(stack)) for name, stack, stores, loads, registers in found]


def main(programs: list[str]) -> None:
    for program in map(Path, programs):
        for entry in entries(program):
            for architecture in ARCHITECTURES:
                for kernel in assembled(program, entry, architecture):
                    print(f"{program.stem:24} {architecture} {kernel.name:24} {kernel.registers:4} registers, {kernel.spilled} bytes spilled, {kernel.stack} of stack")


if __name__ == "__main__":
    main(sys.argv[1:])
