# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random Futhark programs for placement: combinators, element reads, updates in place, branches and loops of all kinds, marked functions.

Arrays are of n elements of i64 and indices are brought into bounds, so that no program fails. Numbers wrap.
"""

import random

PRELUDE = """\
def at (n: i64) (i: i64) : i64 = ((i % n) + n) % n
"""


class Writer:
    def __init__(self, rng: random.Random):
        self.rng = rng
        self.functions: list[str] = []
        self.names = 0
        self.depth = 0

    def name(self, letter: str) -> str:
        self.names += 1
        return f"{letter}{self.names}"

    def pick(self, values: list[str]) -> str:
        """One of the values, more often a recent one."""
        return self.rng.choice(values[-3:] if self.rng.random() < 0.6 else values)

    def array(self, scope) -> str:
        return self.pick(scope[0])

    def scalar(self, scope) -> str:
        return self.pick(scope[1])

    # ---- statements: text of a binding; what it binds goes into the scope

    def bind_array(self, scope, text: str) -> str:
        name = self.name("a")
        scope[0].append(name)
        return f"let {name} = {text}"

    def bind_scalar(self, scope, text: str) -> str:
        name = self.name("s")
        scope[1].append(name)
        return f"let {name} = {text}"

    def map(self, scope) -> str:
        s = self.scalar(scope)
        kind = self.rng.randrange(5)
        if kind == 0:
            return self.bind_array(scope, f"map2 (\\x y -> x * 3 + y - {s}) {self.array(scope)} {self.array(scope)}")
        if kind == 1:
            return self.bind_array(scope, f"map (\\x -> {self.array(scope)}[at n x] + {s}) {self.array(scope)}")
        if kind == 2:  # worth a launch
            return self.bind_array(scope, f"map (\\x -> loop y = x for i < 200i64 do (y * 5) ^ (i + {s})) {self.array(scope)}")
        return self.bind_array(scope, f"map (\\x -> x + {s}) {self.array(scope)}")

    def combinator(self, scope) -> str:
        a, b, s = self.array(scope), self.array(scope), self.scalar(scope)
        texts = [
            f"scan (+) 0 {a}",
            f"reverse {a}",
            f"rotate ({s} % 5) {a}",
            f"map (\\i -> i * {s}) (iota n)",
            f"replicate n {s}",
            f"scatter (copy {a}) (map (\\i -> at n (i + {s})) (iota n)) {b}",
            f"reduce_by_index (copy {a}) (+) 0 (map (at n) {b}) {a}",
            f"copy {a}",
        ]
        return self.bind_array(scope, self.rng.choice(texts))

    def reduce(self, scope) -> str:
        a, s = self.array(scope), self.scalar(scope)
        texts = [
            f"i64.sum {a}",
            f"reduce i64.max {s} {a}",
            f"i64.sum {a}[at n {s}:]",
            f"length (filter (> {s}) {a})",
            f"i64.sum (filter (\\x -> x % 3 == 0) {a})",
            f"let p = {a}[at n {s}:] in loop t = 0 for i < length p do t ^ (p[i] + i)",
            f"let p = {a}[:at n {s}] in i64.sum (map (+ {s}) p) + length p",
        ]
        return self.bind_scalar(scope, self.rng.choice(texts))

    def element(self, scope) -> str:
        return self.bind_scalar(scope, f"{self.array(scope)}[at n {self.scalar(scope)}]")

    def arithmetic(self, scope) -> str:
        s = self.scalar(scope)
        if self.rng.random() < 0.4:  # narrow numbers wrap
            return self.bind_scalar(scope, self.rng.choice([f"i64.i8 (i8.i64 {s} * 37i8)", f"i64.u8 (u8.i64 {s} + 100u8)", f"i64.i32 (i32.i64 {s} * 65537i32)"]))
        return self.bind_scalar(scope, f"{self.scalar(scope)} {self.rng.choice('+-*')} {self.scalar(scope)}")

    def update(self, scope) -> str:
        a, s, t = self.array(scope), self.scalar(scope), self.scalar(scope)
        return self.bind_array(scope, f"copy {a} with [at n {s}] = {t}")

    def sweep(self, scope) -> str:
        """A sequential loop that updates an array in place."""
        a, s, i, v = self.array(scope), self.scalar(scope), self.name("i"), self.name("v")
        trips = self.rng.choice(["n", "k", "at 3 " + s])
        return self.bind_array(scope, f"loop {v} = copy {a} for {i} < {trips} do {v} with [at n ({i} + {s})] = {v}[at n (7 * {i})] + {i}")

    def walk(self, scope) -> str:
        """A sequential loop that reads one element after the other."""
        a, s, i, t = self.array(scope), self.scalar(scope), self.name("i"), self.name("t")
        return self.bind_scalar(scope, f"loop {t} = {s} for {i} < {self.rng.choice(['n', 'k'])} do {t} ^ ({a}[at n ({t} + {i})] + {i})")

    def inner(self, scope, most: int) -> str:
        """Statements, and a pair of results, as an expression."""
        here = (list(scope[0]), list(scope[1]))
        self.depth += 1
        lines = [self.statement(here) for _ in range(self.rng.randint(0, most))]
        self.depth -= 1
        indent = "  " * (self.depth + 2)
        text = "".join(f"\n{indent}{line}" for line in lines)
        return text + ("\n" + indent + "in " if lines else " ") + f"({self.array(here)}, {self.scalar(here)})"

    def branch(self, scope) -> str:
        condition = f"{self.scalar(scope)} {self.rng.choice(['<', '==', '>'])} {self.scalar(scope)}"
        then, otherwise = self.inner(scope, 2), self.inner(scope, 2)
        a, s = self.name("a"), self.name("s")
        scope[0].append(a)
        scope[1].append(s)
        return f"let ({a}, {s}) = if {condition} then {then} else {otherwise}"

    def loop(self, scope) -> str:
        p, t, i = self.name("p"), self.name("t"), self.name("i")
        a, s = self.array(scope), self.scalar(scope)
        body = self.inner((scope[0] + [p], scope[1] + [t, i]), 3)
        x, y = self.name("a"), self.name("s")
        upper = self.rng.choice(["k", "3i64", f"at 4 {self.scalar(scope)}", "0i64"])
        scope[0].append(x)
        scope[1].append(y)
        return f"let ({x}, {y}) = loop ({p}, {t}) = ({a}, {s}) for {i} < {upper} do {body}"

    def repeat(self, scope) -> str:
        p, t, c = self.name("p"), self.name("t"), self.name("c")
        a, s = self.array(scope), self.scalar(scope)
        inner = self.inner((scope[0] + [p], scope[1] + [t, c]), 3)
        x, y, rest = self.name("a"), self.name("s"), self.name("c")
        scope[0].append(x)
        scope[1].append(y)
        q, u = self.name("q"), self.name("u")
        return (
            f"let ({x}, {y}, {rest}) = loop ({p}, {t}, {c}) = ({a}, {s}, 0i64) while {c} < k && {t} % 5 != {self.rng.randrange(5)} do\n"
            f"{'  ' * (self.depth + 2)}let ({q}, {u}) = {inner}\n{'  ' * (self.depth + 2)}in ({q}, {u}, {c} + 1)"
        )

    def call(self, scope) -> str:
        """A function that is to run on the host."""
        function = self.name("f")
        outer, self.depth = self.depth, 0
        body = self.inner((["xs", "ys"], ["z", "n"]), 3)
        self.depth = outer
        mark = self.rng.choice(["#[cpu_function]\n", "#[cpu_function]\n", "#[noinline]\n", ""])
        self.functions.append(f"{mark}def {function} [n] (k: i64) (xs: [n]i64) (ys: [n]i64) (z: i64) : ([n]i64, i64) = {body}\n")
        a, s = self.array(scope), self.scalar(scope)
        x, y = self.name("a"), self.name("s")
        text = f"let ({x}, {y}) = {function} k {a} {self.array(scope)} {s}"
        scope[0].append(x)
        scope[1].append(y)
        return text

    def statement(self, scope) -> str:
        kinds = [self.map] * 4 + [self.combinator] * 2 + [self.reduce] * 2 + [self.element] * 2 + [self.update] * 2
        kinds += [self.sweep, self.walk, self.arithmetic]
        if self.depth < 3:
            kinds += [self.branch, self.branch, self.loop, self.loop, self.repeat, self.call]
        return self.rng.choice(kinds)(scope)


def program(seed: int) -> str:
    """entry main: n, k, an array of n elements; results an array and a scalar or two."""
    rng = random.Random(seed)
    writer = Writer(rng)
    scope = (["xs"], ["n", "k"])
    lines = [writer.statement(scope) for _ in range(rng.randint(3, 7))]
    results = [scope[0][-1], scope[1][-1]] + ([writer.pick(scope[0])] if rng.random() < 0.4 else [])
    types = ", ".join(["[n]i64", "i64"] + ["[n]i64"] * (len(results) - 2))
    text = PRELUDE + "".join(writer.functions)
    text += f"entry main [n] (k: i64) (xs: [n]i64) : ({types}) =\n"
    text += "".join(f"  {line}\n" for line in lines)
    return text + f"  in ({', '.join(results)})\n"


if __name__ == "__main__":
    import sys

    print(program(int(sys.argv[1])), end="")
