# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the benchmark scripts share: baselines in C, timed runs of Ferry, paired in turn so that a drifting machine hurts both sides alike."""

import json
import statistics
import struct
import subprocess
import tempfile
from pathlib import Path

BENCH = Path(__file__).resolve().parent
EXAMPLE = BENCH.parent / "examples" / "sparse_jacobian" / "sparse_jacobian.fut"


def compile_baseline(folder, name, *flags):
    """A program from bench/baselines, as fast as the compiler makes it."""
    program = Path(folder) / ("_".join([name, *flags]).replace("-", "") or name)
    subprocess.run(["clang-22", "-O3", "-march=native", *flags, str(BENCH / "baselines" / f"{name}.c"), "-o", str(program)], check=True)
    return program


def baseline_seconds(program, *arguments):
    """The last number that it prints."""
    run = subprocess.run([str(program), *map(str, arguments)], check=True, capture_output=True, text=True)
    return float(run.stdout.split()[-1])


def ferry_seconds(program, entry, input_path, runs, *arguments):
    """The least time of a run of the entry, arguments read and code compiled beforehand: the rest is what others took of the machine."""
    with tempfile.NamedTemporaryFile("r") as timings, open(input_path, "rb") as arguments_file:
        subprocess.run(["ferry", "run", str(program), "-e", entry, "-r", str(runs), "-t", timings.name, "-b", *arguments],
                       stdin=arguments_file, stdout=subprocess.DEVNULL, check=True)
        return min(float(line) for line in timings) * 1e-6


def ratio_bar(name, bar, pairs):
    """Prints a bar from (ours, theirs) in seconds, the median of the ratios."""
    value = statistics.median(ours / theirs for ours, theirs in pairs)
    ours, theirs = (statistics.median(column) for column in zip(*pairs))
    print(json.dumps({"name": name, "value": round(value, 3), "bar": bar, "sense": "<=", "unit": "ratio",
                      "detail": f"{ours:.4f} s / {theirs:.4f} s, median of {len(pairs)} pairs"}), flush=True)


def write_array(file, kind, numbers):
    """Appends an array of rank 1 in Futhark's binary form."""
    code = {"i32": "i", "i64": "q", "f64": "d"}[kind]
    file.write(b"b\x02\x01" + f" {kind}".encode() + struct.pack("<q", len(numbers)))
    file.write(struct.pack(f"<{len(numbers)}{code}", *numbers))


def in_binary(array):
    """A numpy array in Futhark's binary form."""
    kind = {"float32": b" f32", "int32": b" i32", "int64": b" i64"}[array.dtype.name]
    return b"b\x02" + bytes([array.ndim]) + kind + struct.pack(f"<{array.ndim}q", *array.shape) + array.tobytes()
