# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the test blocks of a program on the host and on the simulated device, and compares what happened with what the file says.

    check.py PROGRAM.fut

A block starts at a line `-- ==` and ends at the first line that is no comment:

    -- ==
    -- entry: main other
    -- input { 3i64 } output { [1i64, 2i64] }
    -- input { 3000i64 } as on the host
    -- input { -1i64 } error: regular expression
    -- error: regular expression                    (the program is to be rejected)
    -- placed auto { 3i64 }: uploads 1 of 24 bytes, downloads 0, peeks 0, pokes 0, launches 2, peak 48 bytes

A case runs on the host, on sim under every plan there is, and under two plans on an OpenCL device, and under one on a CUDA device, which is the fake one of
test/runtime/cuda_fake, or the machine's with FERRY_TEST_GPU=1; on the host and under two plans of sim also with memory
checked. The results must be equal, and all memory must be given back. What the run counted must equal what the plan predicted (on devices with kernels of
their own all but the clock, which is sim's, and the peak, since a kernel there cannot give its results the memory of what it reads), and
no other plan's clock may be earlier than the cheapest plan's; in a block with a line `lengths vary` arrays change their length from trip to trip, which no
static plan says, and neither is compared. A `placed` line states what a plan (auto, soacs-on-device, ...) must come to, worked out by
hand. A line

    -- no dearer: main than marked {1000i64}

says that the free plan of one entry costs no more than that of another. In inputs and outputs `3...7i64` is the array of the numbers from 3 to 7,
and `5*2f64` that of five twos. Other lines say in words how the figures come about.
"""

import functools
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

# The cheapest first; the last one heeds no marks, so it may take less.
PLANS = ["auto", "soacs-on-device", "all-host", "all-device", "arrays-on-device"]
# Sums are added up in another order on each side; relative, and absolute below 1.
SLACK = {"f16": 1e-2, "f32": 1e-4, "f64": 1e-9}
# Plans under which accesses after the end of an array, or before its beginning, are looked for.
CHECKED_MEMORY = {"soacs-on-device": "before", "all-device": "after"}
# What runs on devices with kernels of their own. Loops in kernels of large groups run on the fake GPU, which finds races; PoCL 3.1 mixes up what a loop
# with barriers carries, in other programs by each of its ways to run a group.
KERNEL_RUNS = [("opencl", "auto", []), ("opencl", "soacs-on-device", []), ("opencl", "soacs-on-device", ["--group-size", "16"]),
               ("cuda", "soacs-on-device", []), ("cuda", "all-device", [])]
COUNTERS = ["uploads", "uploadBytes", "downloads", "downloadBytes", "peeks", "pokes", "launches"]


class Failure(Exception):
    pass


# ---- The file ---------------------------------------------------------------------------------------------------------


def blocks(path):
    """The text of each test block, comment marks removed."""
    block = None
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        if line.startswith("-- =="):
            block = []
        elif block is not None and line.startswith("--"):
            block.append(line[2:].strip())
        elif block is not None:
            yield "\n".join(block)
            block = None
    if block is not None:
        yield "\n".join(block)


CASE = re.compile(r"input\s*\{(?P<input>[^}]*)\}\s*(?:output\s*\{(?P<output>[^}]*)\}|(?P<same>as on the host)|error:\s*(?P<error>.*))")
NO_DEARER = re.compile(r"no dearer: (\w+) than (\w+) \{([^}]*)\}")
PLACED = re.compile(
    r"placed (?P<plan>\S+) (?:(?P<entry>\w+) )?\{(?P<input>[^}]*)\}: uploads (?P<uploads>\d+)(?: of (?P<uploadBytes>\d+) bytes)?, "
    r"downloads (?P<downloads>\d+)(?: of (?P<downloadBytes>\d+) bytes)?, peeks (?P<peeks>\d+), pokes (?P<pokes>\d+), "
    r"launches (?P<launches>\d+), peak (?P<devicePeak>\d+) bytes"
)


def mistyped(block):
    """The first line that begins as one that says something to this program, and is none; or None."""
    for pattern in (CASE, PLACED, NO_DEARER):
        block = pattern.sub("", block)
    block = re.sub(r"^(entry: *[\w']+( +[\w']+)*|lengths vary)$", "", block, flags=re.M)
    found = re.search(r"^(entry|input|output|placed|no dearer|lengths|error)\b.*", block, re.M)
    return found and found[0]


# ---- Values -----------------------------------------------------------------------------------------------------------


def expanded(text):
    """Futhark values with the short forms for long arrays written out."""

    def numbers(match):
        first, last, kind = match.groups()
        return "[" + ", ".join(f"{x}{kind}" for x in range(int(first), int(last) + 1)) + "]"

    def copies(match):
        return "[" + ", ".join([match[2]] * int(match[1])) + "]"

    text = re.sub(r"(-?\d+)\.\.\.(-?\d+)([iuf]\d+)", numbers, text)
    return re.sub(r"(\d+)\*(\S+?[iuf]\d+)", copies, text)


def values(text):
    """Futhark values as (type, shape, numbers)."""
    tokens = re.findall(r"empty\([^)]*\)|\[|\]|,|[^\s\[\],]+", text)
    at = 0
    result = []

    def scalar(token):
        match = re.fullmatch(r"(-?)(?:(f\d+)\.(nan|inf)|(true|false)|(.*?)([iuf]\d+)?)", token)
        sign, special_type, special, boolean, number, suffix = match.groups()
        if special:
            return special_type, float(sign + special)
        if boolean:
            return "bool", float(boolean == "true")
        kind = suffix or ("f64" if re.search(r"[.eE]", number) and not number.startswith("0x") else "i32")
        number = number.replace("_", "")
        return kind, float(sign + number) if kind[0] == "f" else int(sign + number, 0)

    def value():
        nonlocal at
        token = tokens[at]
        at += 1
        if token.startswith("empty("):
            match = re.fullmatch(r"empty\(((?:\[\d+\])+)(\w+)\)", token)
            return match[2], tuple(int(n) for n in re.findall(r"\d+", match[1])), []
        if token != "[":
            kind, number = scalar(token)
            return kind, (), [number]
        rows = []
        while tokens[at] != "]":
            rows.append(value())
            if tokens[at] == ",":
                at += 1
        at += 1
        if not rows or any(row[:2] != rows[0][:2] for row in rows):
            raise Failure(f"no regular array: {text}")
        return rows[0][0], (len(rows),) + rows[0][1], [x for row in rows for x in row[2]]

    while at < len(tokens):
        result.append(value())
    return result


def compare(found, expected, what):
    if found == expected:
        return
    found, expected = values(found), values(expected)
    if len(found) != len(expected):
        raise Failure(f"{what}: {len(found)} results, expected {len(expected)}")
    for k, ((t1, s1, xs), (t2, s2, ys)) in enumerate(zip(found, expected)):
        if (t1, s1) != (t2, s2):
            raise Failure(f"{what}: result {k} is a {s1} {t1}, expected a {s2} {t2}")
        for i, (x, y) in enumerate(zip(xs, ys)):
            if not (x == y or (math.isnan(x) and math.isnan(y)) or abs(x - y) <= SLACK.get(t1, 0) * max(1, abs(y))):
                raise Failure(f"{what}: result {k}, element {i} is {x}, expected {y}")


# ---- Running ----------------------------------------------------------------------------------------------------------


def fake_driver():
    """The folder with the driver of a CUDA device that every machine can have."""
    return Path(shutil.which("ferry")).resolve().parent / "test" / "runtime" / "cuda_fake"


def ferry(program, entry, arguments, text, memory="0"):
    """The finished process and its report. Where the plan had to assume trips or lengths, the report is that of a second run, planned with what the first
    one found. `memory` is how memory is checked, as FERRY_CHECK_MEMORY says it."""
    environment = dict(os.environ, FERRY_CHECK_MEMORY=memory)
    if "cuda" in arguments and not os.environ.get("FERRY_TEST_GPU"):
        environment.update(LD_LIBRARY_PATH=str(fake_driver()), FERRY_CUDA_ORDER=str(zlib.crc32(text.encode())))
    with tempfile.NamedTemporaryFile("r", suffix=".json") as report:

        def once(more):
            run = subprocess.run(
                ["ferry", "run", program, "-e", entry, "--report", report.name] + arguments + more,
                input=expanded(text), capture_output=True, text=True, timeout=120, check=False, env=environment,
            )
            report.seek(0)
            content = report.read()
            if run.returncode != 0 or not content:
                return run, None
            found = json.loads(content)
            if found["counted"]["blocks"]:
                raise Failure(f"{program}, {entry} {{{text}}} ({' '.join(arguments)}): {found['counted']['blocks']} blocks of memory were not given back")
            return run, found

        run, found = once([])
        if found and "planned" in found and not found["planned"]["exact"]:
            again, found = once(["--observed", report.name])
            if again.stdout != run.stdout:
                raise Failure(f"{program}, {entry} {{{text}}}: other results when planned with what was observed:\n{again.stdout}{again.stderr}")
        return run, found


def check_counters(report, what, device):
    """What the device counted is what the plan said, all along."""
    counted, planned, residency = report["counted"], report["planned"], report["residency"]
    if not planned["exact"]:
        raise Failure(f"{what}: the plan is not exact, so nothing was compared")
    compared = COUNTERS + ["clock"] * (device == "sim")
    wrong = [f"{name} {counted[name]}, the plan said {planned[name]}" for name in compared if counted[name] != planned[name]]
    # An array that a loop carries may be the one that it began with: then it takes no memory of its own.
    if device == "sim" and not planned["leastDevicePeak"] <= counted["devicePeak"] <= planned["devicePeak"]:
        wrong.append(f"devicePeak {counted['devicePeak']}, the plan said {planned['leastDevicePeak']} to {planned['devicePeak']}")
    if residency["different"]:
        wrong.append(f"{residency['different']} other residencies of {residency['compared']}, first {residency['first']}")
    if wrong:
        raise Failure(f"{what}: {device} counted " + "; ".join(wrong))


def check_run(run, case, what):
    if case["error"] is None:
        if run.returncode != 0:
            raise Failure(f"{what}: status {run.returncode}\n{run.stderr}")
        compare(run.stdout, expanded(case["output"]), what)
        return
    if run.returncode != 1 or not re.search(case["error"], run.stderr):
        raise Failure(f"{what}: status {run.returncode}, expected an error like {case['error']!r}:\n{run.stderr}")
    if run.stdout:
        raise Failure(f"{what}: printed {run.stdout!r} in spite of the error")


@functools.cache
def run_on_host(program, entry, text, memory="0"):
    return ferry(program, entry, ["--device", "host"], text, memory)[0]


def on_host(program, entry, case):
    """The case with an expected output in any event, after a run on the host that must come to it."""
    what = f"{entry} {{{case['input']}}} (host)"
    run = run_on_host(program, entry, case["input"])
    if case.get("same") is not None:
        case = dict(case, output=run.stdout, error=None)
    check_run(run, case, what)
    check_run(run_on_host(program, entry, case["input"], "after"), case, what + " with memory checked")
    return case


def memory_checked(device, plan):
    return CHECKED_MEMORY.get(plan, "0") if device == "sim" else "0"


def on_device(device, program, entry, plan, case, compared, options=()):
    what = f"{entry} {{{case['input']}}} ({' '.join([device, plan, *options])})"
    run, report = ferry(program, entry, ["--device", device, "--plan", plan, *options], case["input"], memory_checked(device, plan))
    check_run(run, case, what)
    if case["error"] is not None:
        return None
    if compared:
        check_counters(report, what, device)
    return report["counted"]


def check_case(program, entry, case, compared):
    case = on_host(program, entry, case)
    clocks = {}
    for plan in PLANS:
        found = on_device("sim", program, entry, plan, case, compared)
        clocks[plan] = found["clock"] if found else 0
        if compared and plan != PLANS[-1] and clocks[plan] < clocks["auto"]:
            raise Failure(f"{entry} {{{case['input']}}}: {plan} takes {clocks[plan]} ps, the cheapest plan {clocks['auto']} ps")
    for device, plan, options in KERNEL_RUNS:
        on_device(device, program, entry, plan, case, compared, options)


def check_placed(program, entry, placed, compared):
    case = on_host(program, entry, dict(input=placed["input"], same=True))
    found = on_device("sim", program, entry, placed["plan"], case, compared)
    stated = {name: int(placed[name] or 0) for name in COUNTERS + ["devicePeak"] if name in placed}
    wrong = [f"{name} {stated[name]}, there were {found[name]}" for name in stated if stated[name] != found[name]]
    if wrong:
        raise Failure(f"{entry} {{{placed['input']}}} ({placed['plan']}): the file states " + "; ".join(wrong))


def check_no_dearer(program, entry, other, text):
    case = dict(input=text, same=True)
    clock, bound = (on_device("sim", program, e, "auto", on_host(program, e, case), True)["clock"] for e in (entry, other))
    if clock > bound:
        raise Failure(f"{{{text}}}: {entry} takes {clock} ps, {other} {bound} ps")


def check_rejected(program, pattern):
    run = subprocess.run(["ferry", "check", program], capture_output=True, text=True, timeout=60, check=False)
    if run.returncode != 1 or not re.search(pattern, run.stderr):
        raise Failure(f"status {run.returncode}, expected an error like {pattern!r}:\n{run.stderr}")


def main(program):
    checked = 0
    failures = []

    def attempt(check, *arguments):
        nonlocal checked
        checked += 1
        try:
            check(*arguments)
        except Failure as failure:
            failures.append(str(failure))

    for block in blocks(program):
        rejected = re.match(r"error:\s*(.*)", block)
        if rejected:
            attempt(check_rejected, program, rejected[1])
            continue
        if wrong := mistyped(block):
            failures.append(f"this line is not understood: {wrong}")
        compared = not re.search(r"^lengths vary$", block, re.M)
        for entry in re.search(r"entry:(.*)", block)[1].split():
            for case in CASE.finditer(block):
                attempt(check_case, program, entry, case.groupdict(), compared)
            for placed in PLACED.finditer(block):
                if placed["entry"] in (None, entry):
                    attempt(check_placed, program, entry, placed.groupdict(), compared)
        for pair in NO_DEARER.finditer(block):
            attempt(check_no_dearer, program, *pair.groups())
    for failure in failures:
        print(f"{program}: {failure}", file=sys.stderr)
    if not checked:
        print(f"{program}: no test in it", file=sys.stderr)
    return 1 if failures or not checked else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
