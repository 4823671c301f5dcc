# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the host code that DaCe generates for a placed graph: is every copy to the host waited for before the host uses it?

The generated text is read into statements, and the copies in flight are followed through them: a copy begins at `cudaMemcpyAsync(...,
DeviceToHost, stream)` and has arrived when its stream, an event recorded on it or the whole device was waited for. Loops and jumps are
followed until nothing changes. A function is summed up by the copies that are in flight where it returns.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import dace
from dace import SDFG

IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
COMMENT_OR_LITERAL = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'""", re.DOTALL)
CALL = re.compile(r"\b(?:cuda|hip)Memcpy\w*\(")
COPY = re.compile(r"(?:cuda|hip)Memcpy(2D)?Async\((.*?), (?:cuda|hip)Memcpy(\w+)To(\w+), (.*?)\)\)", re.DOTALL)
STREAM = r"(nullptr|[^,()]*streams\[\d+\])"
SYNCHRONIZE = re.compile(rf"StreamSynchronize\({STREAM}\)")
RECORD = re.compile(rf"EventRecord\(([^,]*events\[\d+\]), {STREAM}\)")
WAIT = re.compile(rf"StreamWaitEvent\({STREAM}, ([^,]*events\[\d+\])")
EVENT = re.compile(r"EventSynchronize\((.*?events\[\d+\])\)")
POINTER = re.compile(r"^(?:const )?[\w:<>, ]+\*\s*(?:const |__restrict__ )?(\w+) = (.*)$", re.DOTALL)
ASSIGNED_POINTER = re.compile(r"^(\w+) = \(?(?:\([\w:<>, ]+\*\))?\s*&?\(?(\w+)(?:\[.*\]|\s*\+.*)?\)?$", re.DOTALL)
FUNCTION = re.compile(r"^(?:DACE_EXPORTED |inline |static )*[\w:]+\s*\*?\s*(\w+)\((.*)\)$", re.DOTALL)


def host_code(placed: SDFG) -> str:
    """DaCe's host code for the placed graph with a CUDA back end, which needs no GPU and no CUDA compiler."""
    with warnings.catch_warnings(), dace.config.set_temporary("compiler", "cuda", "backend", value="cuda"):
        warnings.simplefilter("ignore")
        objects = placed.generate_code()
    return next(o for o in objects if o.title == "Frame").clean_code


def unwaited(code: str) -> list[str]:
    """A line for each use of what is still in flight, and for each copy that is not understood."""
    reader = Reader(code)
    read = sum(len(CALL.findall(statement.text)) for statement in every(functions(parse(code))))
    if (all_of_them := len(CALL.findall(plain(code)))) != read:
        reader.report(f"{all_of_them - read} of {all_of_them} copies are in no function that is read")
    return reader.wrong


# ---- Statements --------------------------------------------------------------------------------------------------------


@dataclass
class Statement:
    """A simple statement, or a header with the block that it rules."""

    text: str
    block: list[Statement] | None = None


def parse(code: str) -> list[Statement]:
    return block(plain(code), 0)[0]


def plain(code: str) -> str:
    """Without comments, directives, and what is in literals."""
    code = COMMENT_OR_LITERAL.sub(lambda found: "" if found[0][0] == "/" else found[0][0] * 2, code)
    return re.sub(r"^\s*#[^\n]*", "", code, flags=re.MULTILINE)


def every(statements: list[Statement]) -> Iterator[Statement]:
    for statement in statements:
        yield statement
        yield from every(statement.block or [])


def block(code: str, at: int) -> tuple[list[Statement], int]:
    """The statements from `at` to the brace that closes the block, and where that ends."""
    found, begin, depth = [], at, 0
    while at < len(code):
        c = code[at]
        if c in "([":
            depth += 1
        elif c in ")]":
            depth -= 1
        elif depth == 0 and c == ";":
            found.append(Statement(squeezed(code[begin:at])))
            begin = at + 1
        elif c == "{":
            header = squeezed(code[begin:at])
            inner, end = block(code, at + 1)
            if depth == 0 and not re.search(r"[=\w\])]\s*=\s*$|\breturn\s*\w*$", header):
                found.append(Statement(header, inner))
                begin = end
            at = end
            continue
        elif c == "}":
            break
        elif depth == 0 and c == ":" and re.fullmatch(r"\s*\w+", code[begin:at]) and code[at + 1 : at + 2] != ":":
            found.append(Statement(squeezed(code[begin : at + 1])))
            begin = at + 1
        at += 1
    if squeezed(code[begin:at]):
        found.append(Statement(squeezed(code[begin:at])))
    return found, at + 1


def squeezed(text: str) -> str:
    return " ".join(text.split())


# ---- Copies in flight --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Copy:
    """A copy to the host container `name`; waiting for any of the streams or events waits for it."""

    name: str
    waits: frozenset[str]


Flight = frozenset  # of Copy


@dataclass
class Reader:
    code: str
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self):
        self.left: dict[str, tuple[list[str], Flight]] = {}  # of each function its parameters and what it leaves in flight
        self.pointers: dict[str, str] = {}
        for statement in functions(parse(self.code)):
            name, parameters = FUNCTION.match(statement.text).groups()
            names = [IDENTIFIER.findall(p)[-1] for p in parameters.split(",") if IDENTIFIER.findall(p)]
            self.pointers, self.labels, self.returned = {}, {}, Flight()
            self.function, before = name, None
            while before != (before := dict(self.labels)):
                end = self.run(statement.block, Flight(), [])
            end = (end or Flight()) | self.returned
            self.left[name] = names, Flight(c for c in end if c.name in names)
            if name.startswith("__program_"):
                for copy in self.left[name][1]:
                    self.report(f"{copy.name} is still in flight where the program returns")

    def report(self, what: str) -> None:
        if what not in self.wrong:
            self.wrong.append(what)

    def run(self, statements: list[Statement], flight: Flight | None, loops: list) -> Flight | None:
        """What is in flight after the statements; None if their end is not reached."""
        at = 0
        while at < len(statements):
            statement, text = statements[at], statements[at].text
            at += 1
            if text.endswith(":") and statement.block is None:
                flight = (flight or Flight()) | self.labels.get(text[:-1], Flight())
            elif text.startswith("if"):
                arms = [statement]
                while at < len(statements) and statements[at].text.startswith("else"):
                    arms.append(statements[at])
                    at += 1
                flight = self.branch(arms, flight, loops) if flight is not None else None
            elif flight is None:
                pass
            elif text.startswith("goto "):
                self.labels[text[5:]] = self.labels.get(text[5:], Flight()) | flight
                flight = None
            elif text in ("break", "continue"):
                if loops:
                    loops[-1][text] |= flight
                flight = None
            elif text.startswith("return"):
                self.used(text, flight)
                self.returned |= flight
                flight = None
            elif statement.block is None:
                flight = self.step(text, flight)
            elif re.match(r"(for|while)\b", text):
                flight = self.loop(statement, flight, loops)
            else:  # A block of its own, `do`, or `switch`.
                flight = self.run(statement.block, flight, loops)
        return flight

    def branch(self, arms: list[Statement], flight: Flight, loops: list) -> Flight | None:
        """An `if` and what follows it: `else if`, `else`."""
        end = None
        for arm in arms:
            self.used(arm.text, flight)
            end = joined(end, self.run(arm.block or [], flight, loops))
        return end if arms[-1].text == "else" else joined(end, flight)

    def loop(self, statement: Statement, flight: Flight, loops: list) -> Flight:
        while True:
            here = {"break": Flight(), "continue": Flight()}
            self.used(statement.text, flight)
            end = self.run(statement.block, flight, [*loops, here])
            again = flight | (end or Flight()) | here["continue"]
            if again == flight:
                return flight | here["break"]
            flight = again

    def step(self, text: str, flight: Flight) -> Flight:
        """A simple statement."""
        if "DeviceSynchronize" in text:
            return Flight()
        copies = [*COPY.finditer(text)]
        if len(copies) != len(CALL.findall(text)) or len(copies) > 1:
            self.report(f"{self.function}: a copy is not understood: {text[:100]}")
        elif copies:
            return self.copy(copies[0], flight)
        for pattern in (SYNCHRONIZE, EVENT):
            if found := pattern.search(text):
                return Flight(c for c in flight if found[1] not in c.waits)
        if found := RECORD.search(text):
            return Flight(extended(c, found[2], found[1]) for c in flight)
        if found := WAIT.search(text):
            return Flight(extended(c, found[2], found[1]) for c in flight)
        self.used(text, flight)
        if (found := POINTER.match(text)) or (found := ASSIGNED_POINTER.match(text)):
            bases = [n for n in IDENTIFIER.findall(found[2]) if n not in ("double", "float", "int", "__state")]
            if bases and found[1] != bases[0]:
                self.pointers[found[1]] = bases[0]
        return flight | self.called(text)

    def copy(self, found: re.Match, flight: Flight) -> Flight:
        arguments = split(found[2])
        target, origin = arguments[0], arguments[2 if found[1] else 1]
        stream = found[5]
        if found[3] == "Host":  # What the copy reads must have arrived, or come by the same stream.
            self.used(origin, Flight(c for c in flight if stream not in c.waits))
        if found[4] == "Host":
            name = self.base(target)
            return flight | {Copy(name, frozenset({stream}))}
        return flight

    def called(self, text: str) -> Flight:
        """What a function of this code leaves in flight, under the caller's names."""
        call = re.match(r"(?:\w+ = )?(\w+)\((.*)\)$", text)
        if not call or call[1] not in self.left:
            return Flight()
        names, left = self.left[call[1]]
        given = dict(zip(names, split(call[2])))
        return Flight(replace(c, name=self.base(given[c.name])) for c in left if c.name in given)

    def base(self, expression: str) -> str:
        """The container that a pointer is into."""
        names = [n for n in IDENTIFIER.findall(expression) if n != "__state"]
        name, seen = (names or ["?"])[0], set()
        while name in self.pointers and name not in seen:
            seen.add(name)
            name = self.pointers[name]
        return name

    def used(self, text: str, flight: Flight) -> None:
        names = {self.base(n) for n in IDENTIFIER.findall(text)}
        for copy in flight:
            if copy.name in names:
                self.report(f"{self.function}: {copy.name} is used before its copy has arrived: {text[:100]}")


def functions(statements: list[Statement]) -> list[Statement]:
    """The functions of the code, callees before callers as C++ has them, also those in namespaces."""
    found = []
    for statement in statements:
        if statement.block is None:
            continue
        if FUNCTION.match(statement.text):
            found.append(statement)
        elif not re.match(r"(struct|class|enum|union)\b", statement.text):
            found += functions(statement.block)
    return found


def extended(copy: Copy, known: str, new: str) -> Copy:
    return replace(copy, waits=copy.waits | {new}) if known in copy.waits else copy


def joined(a: Flight | None, b: Flight | None) -> Flight | None:
    return b if a is None else a if b is None else a | b


def split(arguments: str) -> list[str]:
    """At the commas that no bracket holds."""
    parts, depth, begin = [], 0, 0
    for at, c in enumerate(arguments):
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append(arguments[begin:at].strip())
            begin = at + 1
    return [*parts, arguments[begin:].strip()]
