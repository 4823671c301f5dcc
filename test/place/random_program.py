# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random small programs of the array dialect: maps, reductions, element reads and updates, views, branches and loops.

Every array is a tensor<?xi64> of n elements, every index is taken modulo n, so that no program fails.
"""

import random


class Writer:
    def __init__(self, rng: random.Random):
        self.rng = rng
        self.lines: list[str] = []
        self.depth = 1
        self.count = 0
        self.pinned = False

    def line(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def make(self, text: str) -> str:
        name = self.name()
        self.line(f"{name} = {text}")
        return name

    def pick(self, values: list[str]) -> str:
        """One of the values, more often a recent one."""
        return self.rng.choice(values[-3:] if self.rng.random() < 0.6 else values)

    # ---- operations; `scope` is ([array], [scalar])

    def index(self, scope) -> str:
        return self.make(f"arith.remui {self.pick(scope[1])}, %n : i64")

    def map(self, scope) -> None:
        array, scalar = self.pick(scope[0]), self.pick(scope[1])
        name, x, y = self.name(), self.name(), self.name()
        self.line(f"{name} = array.map (%n) ins({array} : tensor<?xi64>) {{")
        self.line(f"^bb0({self.name()}: i64, {x}: i64):")
        if self.rng.random() < 0.3:
            at, read = self.name(), self.name()
            self.line(f"  {at} = arith.remui {x}, %n : i64")
            self.line(f"  {read} = array.element {self.pick(scope[0])}[{at}] : tensor<?xi64>")
            scalar = read
        self.line(f"  {y} = arith.addi {x}, {scalar} : i64")
        self.line(f"  array.yield {y} : i64")
        self.line("} : tensor<?xi64>")
        scope[0].append(name)

    def reduce(self, scope) -> None:
        name, i, x, a, b, c = (self.name() for _ in range(6))
        self.line(f"{name} = array.reduce (%n) ins({self.pick(scope[0])} : tensor<?xi64>) neutral(%c0 : i64) {{")
        self.line(f"^bb0({i}: i64, {x}: i64):")
        self.line(f"  array.yield {x} : i64")
        self.line("} operator {")
        self.line(f"^bb0({a}: i64, {b}: i64):")
        self.line(f"  {c} = arith.addi {a}, {b} : i64")
        self.line(f"  array.yield {c} : i64")
        self.line("} : i64")
        scope[1].append(name)

    def element(self, scope) -> None:
        at = self.index(scope)
        scope[1].append(self.make(f"array.element {self.pick(scope[0])}[{at}] : tensor<?xi64>"))

    def update(self, scope) -> None:
        at, value, array = self.index(scope), self.pick(scope[1]), self.pick(scope[0])
        if self.rng.random() < 0.7:
            array = self.make(f"array.copy {array} : tensor<?xi64>")
        scope[0].append(self.make(f"array.update {array}[{at}] = {value} : tensor<?xi64>, i64"))

    def create(self, scope) -> None:
        value = self.pick(scope[1])
        text = self.rng.choice(
            [f"array.iota %n, {value}, %c1 : i64 -> tensor<?xi64>", f"array.replicate (%n) {value} : i64 -> tensor<?xi64>"]
        )
        scope[0].append(self.make(text))

    def view(self, scope) -> None:
        array = self.pick(scope[0])
        scope[0].append(
            self.make(f"array.slice {array}[%c0] [%n] [%c1] : tensor<?xi64> -> tensor<?xi64>")
            if self.rng.random() < 0.5
            else self.make(f"array.reshape {array} to (%n) : tensor<?xi64> -> tensor<?xi64>")
        )

    def scatter(self, scope) -> None:
        name, i, x, at = (self.name() for _ in range(4))
        into = self.make(f"array.copy {self.pick(scope[0])} : tensor<?xi64>")
        self.line(f"{name} = array.scatter (%n) ins({self.pick(scope[0])} : tensor<?xi64>) into({into} : tensor<?xi64>) rank 1 {{")
        self.line(f"^bb0({i}: i64, {x}: i64):")
        self.line(f"  {at} = arith.addi {i}, %c1 : i64")
        self.line(f"  array.yield {at}, {x} : i64, i64")
        self.line("} : tensor<?xi64>")
        scope[0].append(name)

    def arithmetic(self, scope) -> None:
        a, b = self.pick(scope[1]), self.pick(scope[1])
        scope[1].append(self.make(f"arith.{self.rng.choice(['addi', 'subi', 'muli'])} {a}, {b} : i64"))

    def pin(self, scope) -> None:
        if self.pinned:
            return
        self.pinned = True
        names = f"{self.name()}, {self.name()}".split(", ")
        side = self.rng.choice(["host", "host", "device"])
        self.line(f'{names[0]}, {names[1]} = array.pin <{side}> "f" {{')
        inner = (list(scope[0]), list(scope[1]))
        self.block(inner, self.rng.randint(1, 3), structured=side == "host")
        self.line(f"  array.yield {inner[0][-1]}, {inner[1][-1]} : tensor<?xi64>, i64")
        self.line("} : tensor<?xi64>, i64")
        scope[0].append(names[0])
        scope[1].append(names[1])
        self.pinned = False

    # ---- structure

    def block(self, scope, size: int, structured: bool = True) -> None:
        self.depth += 1
        for _ in range(size):
            kinds = [self.map] * 3 + [self.reduce, self.element, self.element, self.update, self.update, self.create]
            kinds += [self.view, self.scatter, self.arithmetic]
            if structured and self.depth < 5:
                kinds += [self.branch, self.branch, self.loop, self.loop, self.loop, self.repeat, self.pin]
            self.rng.choice(kinds)(scope)
        self.depth -= 1

    def branch(self, scope) -> None:
        condition = self.make(f"arith.cmpi slt, {self.pick(scope[1])}, {self.pick(scope[1])} : i64")
        array, scalar = self.name(), self.name()
        self.line(f"{array}, {scalar} = scf.if {condition} -> (tensor<?xi64>, i64) {{")
        for last in (False, True):
            inner = (list(scope[0]), list(scope[1]))
            self.block(inner, self.rng.randint(0, 2))
            self.line(f"  scf.yield {self.pick(inner[0])}, {self.pick(inner[1])} : tensor<?xi64>, i64")
            self.line("}" if last else "} else {")
        scope[0].append(array)
        scope[1].append(scalar)

    def loop(self, scope) -> None:
        a, b, s, p, q, t, i = (self.name() for _ in range(7))
        start = self.pick(scope[0]), self.pick(scope[0]), self.pick(scope[1])
        upper = self.rng.choice(["%k", "%k", "%c3", "%c0"])
        if self.rng.random() < 0.2:
            upper = self.make(f"arith.remui {self.pick(scope[1])}, %c3 : i64")
        types = "tensor<?xi64>, tensor<?xi64>, i64"
        self.line(
            f"{a}, {b}, {s} = scf.for {i} = %c0 to {upper} step %c1 iter_args({p} = {start[0]}, {q} = {start[1]}, {t} = {start[2]})"
            f" -> ({types}) : i64 {{"
        )
        inner = (list(scope[0]) + [p, q], list(scope[1]) + [t, i])
        self.block(inner, self.rng.randint(1, 3))
        arrays = [self.rng.choice(inner[0][-3:]), self.pick(inner[0])]
        self.rng.shuffle(arrays)
        self.line(f"  scf.yield {arrays[0]}, {arrays[1]}, {self.pick(inner[1])} : {types}")
        self.line("}")
        scope[0].extend([a, b])
        scope[1].append(s)

    def repeat(self, scope) -> None:
        a, c, p, t, q, u, more, next_ = (self.name() for _ in range(8))
        types = "tensor<?xi64>, i64"
        self.line(f"{a}, {c} = scf.while ({p} = {self.pick(scope[0])}, {t} = %c0) : ({types}) -> ({types}) {{")
        inner = (list(scope[0]) + [p], list(scope[1]) + [t])
        self.block(inner, self.rng.randint(0, 1), structured=False)
        limit = self.rng.choice(["%k", "%c3", "%c0"])
        self.line(f"  {more} = arith.cmpi slt, {t}, {limit} : i64")
        self.line(f"  scf.condition({more}) {self.rng.choice(inner[0][-2:])}, {t} : {types}")
        self.line("} do {")
        self.line(f"^bb0({q}: tensor<?xi64>, {u}: i64):")
        inner = (list(scope[0]) + [q], list(scope[1]) + [u])
        self.block(inner, self.rng.randint(1, 2))
        self.line(f"  {next_} = arith.addi {u}, %c1 : i64")
        self.line(f"  scf.yield {self.rng.choice(inner[0][-2:])}, {next_} : {types}")
        self.line("}")
        scope[0].append(a)
        scope[1].append(c)


def program(seed: int) -> str:
    """A module with one function main(a, b, k, n)."""
    writer = Writer(random.Random(seed))
    scope = (["%a", "%b"], ["%k", "%c1", "%c3"])
    writer.depth = 0
    writer.block(scope, writer.rng.randint(2, 6))
    results = writer.rng.choice(scope[0]), scope[0][-1], scope[1][-1]
    unique = " {array.unique}" if writer.rng.random() < 0.5 else ""
    head = [
        f"func.func @main(%a: tensor<?xi64>{unique}, %b: tensor<?xi64>, %k: i64, %n: i64) -> (tensor<?xi64>, tensor<?xi64>, i64) {{",
        *(f"  %c{value} = arith.constant {value} : i64" for value in (0, 1, 3)),
    ]
    tail = [f"  return {', '.join(results)} : tensor<?xi64>, tensor<?xi64>, i64", "}"]
    return "\n".join(head + writer.lines + tail) + "\n"


if __name__ == "__main__":
    import sys

    print(program(int(sys.argv[1])), end="")
