# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random Futhark programs over all element types and up to three dimensions.

Where random_futhark.py makes programs that are interesting to place, these are interesting to compile: narrow and unsigned integers, floats, bools,
rows and columns, records, slices, filters, scatters and histograms that index out of range, loops that swap what they carry, in-place updates of
elements, rows and boxes. Sizes may be zero. Divisors are odd and shifts are masked, so that no program fails; floats are multiples of a half
and small, so that sums do not depend on their order.
"""

import random

INTEGERS = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"]
TYPES = INTEGERS + ["f32", "f64", "bool"]

PRELUDE = """\
def at (n: i64) (i: i64) : i64 = if n == 0 then 0 else i %% n + (if i %% n < 0 then n else 0)
def get 't [n] (none: t) (xs: [n]t) (i: i64) : t = if n == 0 then none else xs[at n i]
def put 't [n] (xs: *[n]t) (i: i64) (x: t) : *[n]t = if n == 0 then xs else xs with [at n i] = x
def cut [n] 't (k: i64) (xs: [n]t) : []t = xs[:at (n + 1) k]
"""


def text_of(elem, dims):
    return "".join(f"[{d}]" for d in dims) + elem


class Writer:
    def __init__(self, rng):
        self.rng = rng
        self.names = 0
        self.depth = 0
        self.functions = []

    def name(self, letter):
        self.names += 1
        return f"{letter}{self.names}"

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, values):
        return self.rng.choice(values[-4:] if self.chance(0.6) else values)

    def known(self, scope, elem, dims):
        return [name for name, e, d in scope if e == elem and d == dims]

    def dims(self, rank):
        return tuple(self.rng.choice(["n", "n", "m", "3", "1"]) for _ in range(rank))

    # ---- scalars

    def literal(self, elem):
        if elem == "bool":
            return self.rng.choice(["true", "false"])
        if elem[0] == "f":
            return f"{self.rng.choice(['0', '1', '2.5', '7'])}{elem}"
        bits = int(elem[1:])
        least = self.rng.choice([0, 1, 2, 5, 100, 2 ** (bits - 1) - 1]) if elem[0] == "i" else self.rng.choice([0, 1, 3, 2**bits - 1])
        if elem[0] == "i" and self.chance(0.3):
            return f"(-{least}{elem})"
        return f"{least}{elem}"

    def convert(self, elem, source, text):
        if elem == source:
            return text
        if elem == "bool":
            return f"({text} > {self.literal(source)})"
        if source == "bool" or (elem[0] != "f" and source[0] != "f"):
            return f"({elem}.{source} {text})"
        if source[0] == "f" and elem[0] == "f":
            return f"({elem}.{source} {text})"
        if elem[0] == "f":
            return f"({elem}.{source} ({text} %% 100{source}))"
        return f"({elem}.i64 (i64.{source} ({source}.min 1000 ({source}.max (-1000) {text}))))"

    def scalar(self, scope, elem, depth=2):
        same = self.known(scope, elem, ())
        if depth <= 0:
            return self.pick(same) if same and self.chance(0.8) else self.literal(elem)
        kind = self.rng.randrange(9)
        if kind == 0 and same:
            return self.pick(same)
        if kind <= 2:  # another type, which there is
            others = [(e, name) for name, e, d in scope if d == ()]
            if others:
                e, name = self.pick(others)
                return self.convert(elem, e, name)
        if kind == 3:
            return f"(if {self.scalar(scope, 'bool', depth - 1)} then {self.scalar(scope, elem, depth - 1)} else {self.scalar(scope, elem, depth - 1)})"
        if kind == 4:
            arrays = [(e, name) for name, e, d in scope if len(d) == 1]
            if arrays:
                e, name = self.pick(arrays)
                return self.convert(elem, e, f"(get {self.literal(e)} {name} {self.scalar(scope, 'i64', depth - 1)})")
        if kind == 5 and self.depth < 2:
            source = self.rng.choice(INTEGERS)
            i, s = self.name("j"), self.name("s")
            body = self.scalar(scope + [(i, "i32", ()), (s, source, ())], source, depth - 1)
            return self.convert(elem, source, f"(loop {s} = {self.scalar(scope, source, depth - 1)} for {i} < {self.rng.choice(['0', '1', '3'])}i32 do {body})")
        return self.arithmetic(scope, elem, depth)

    def arithmetic(self, scope, elem, depth):
        x, y = (self.scalar(scope, elem, depth - 1) for _ in range(2))
        if elem == "bool":
            source = self.rng.choice(TYPES)
            if source == "bool" or self.chance(0.2):
                return f"({x} {self.rng.choice(['&&', '||', '==', '!='])} {y})"
            a, b = (self.scalar(scope, source, depth - 1) for _ in range(2))
            return f"({a} {self.rng.choice(['<', '<=', '==', '!=', '>', '>='])} {b})"
        if elem[0] == "f":
            return self.rng.choice([f"({elem}.min {x} {y})", f"({elem}.max {x} {y})", f"({elem}.abs {x})", f"(-{x})", f"({elem}.floor ({x} * 0.5))"])
        bits = int(elem[1:])
        return self.rng.choice(
            [f"({x} {op} {y})" for op in ["+", "-", "*", "&", "|", "^"]]
            + [f"({x} {op} ({y} | 1))" for op in ["/", "%", "//", "%%"]]
            + [f"({x} {op} ({y} & {bits - 1}))" for op in ["<<", ">>"]]
            + [f"({x} ** ({y} & 3))", f"({elem}.min {x} {y})", f"({elem}.max {x} {y})", f"(!{x})", f"({elem}.i32 ({elem}.popc {x}))"]
        )

    # ---- arrays

    def array(self, scope, elem, dims):
        """An expression of this type, often over arrays of the same sizes."""
        same = self.known(scope, elem, dims)
        makers = [self.tabulate, self.mapped, self.mapped, self.mapped, self.updated, self.replicated]
        makers += [self.scanned, self.scattered, self.rotated, self.sorted_out]
        if len(dims) == 1:
            makers += [self.counted, self.pairs, self.of_rows, self.of_rows, self.swept]
        else:
            makers += [self.by_rows, self.by_rows, self.transposed, self.flat]
        if len(dims) == 2:
            makers += [self.counted_rows]
        if not same or self.chance(0.97):
            return self.rng.choice(makers)(scope, elem, dims)
        return self.pick(same)

    def some(self, scope, elem, dims):
        same = self.known(scope, elem, dims)
        return self.pick(same) if same else "(" + self.tabulate(scope, elem, dims) + ")"

    def nest(self, scope, dims, body):
        """Maps over all indices; body(scope) is the element."""
        text, names = "", []
        for d in dims:
            i = self.name("j")
            names.append((i, "i64", ()))
            text += f"map (\\{i} -> "
        text += body(scope + names)
        for d in reversed(dims):
            text += f") (iota {d})"
        return text

    def tabulate(self, scope, elem, dims):
        return self.nest(scope, dims, lambda inner: self.scalar(inner, elem, 2))

    def mapped(self, scope, elem, dims):
        others = [(name, e) for name, e, d in scope if d == dims]
        if not others:
            return self.tabulate(scope, elem, dims)
        (a, s), (b, t) = self.pick(others), self.pick(others)

        def level(a, b, rest, inner):
            x, y = self.name("x"), self.name("y")
            if len(rest) == 1:
                return f"map2 (\\{x} {y} -> {self.scalar(inner + [(x, s, ()), (y, t, ())], elem, 2)}) {a} {b}"
            return f"map2 (\\{x} {y} -> {level(x, y, rest[1:], inner + [(x, s, rest[1:]), (y, t, rest[1:])])}) {a} {b}"

        return level(a, b, dims, scope)

    def replicated(self, scope, elem, dims):
        if len(dims) == 1:
            return f"replicate {dims[0]} {self.scalar(scope, elem)}"
        return f"replicate {dims[0]} ({self.array(scope, elem, dims[1:])})"

    def updated(self, scope, elem, dims):
        a = self.some(scope, elem, dims)
        if len(dims) > 1:
            if self.chance(0.5):
                return f"put (copy {a}) {self.scalar(scope, 'i64')} ({self.array(scope, elem, dims[1:])})"
            v = self.name("v")
            return f"(let {v} = copy {a} in let {v} = if {dims[0]} == 0 then {v} else {v} with [0:1] = replicate 1 ({self.array(scope, elem, dims[1:])}) in {v})"
        if self.chance(0.5):
            return f"put (copy {a}) {self.scalar(scope, 'i64')} {self.scalar(scope, elem)}"
        h, v = f"({dims[0]} / 2)", self.name("v")
        return f"(let {v} = copy {a} in {v} with [:{h}] = {self.some(scope, elem, dims)}[:{h}])"

    def operator(self, elem):
        if elem == "bool":
            return self.rng.choice([("(&&)", "true"), ("(||)", "false"), ("(!=)", "false")])
        if elem == "f64" and self.chance(0.5):
            return "(+)", "0"
        least, most = f"{elem}.highest", f"{elem}.lowest"
        if elem[0] == "f":
            least, most = f"{elem}.inf", f"(-{elem}.inf)"
            return self.rng.choice([(f"{elem}.min", least), (f"{elem}.max", most)])
        return self.rng.choice([("(+)", "0"), ("(*)", "1"), ("(^)", "0"), ("(&)", f"(!0{elem})"), (f"{elem}.min", least), (f"{elem}.max", most)])

    def scanned(self, scope, elem, dims):
        rows = self.scan_of("r", elem) if len(dims) > 1 else self.scan_of(self.some(scope, elem, dims), elem)
        for _ in dims[2:]:
            rows = f"map (\\r -> {rows}) r"
        return f"map (\\r -> {rows}) {self.some(scope, elem, dims)}" if len(dims) > 1 else rows

    def scan_of(self, a, elem):
        if elem in INTEGERS and self.chance(0.4):  # composition, which does not commute
            x = self.name("x")
            return f"(unzip (scan (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (map (\\{x} -> ({x} | 1, {x})) {a}))).1"
        if elem == "f64":
            return f"scan f64.max (-f64.inf) {a}"
        op, ne = self.operator(elem)
        return f"scan {op} {ne} {a}"

    def scattered(self, scope, elem, dims):
        """Indices may be out of range; those within are distinct, or what is written there is the same."""
        n = dims[0]
        a = self.some(scope, elem, dims)
        if len(dims) == 1 and self.chance(0.3):
            return f"scatter (copy {a}) (map (\\i -> i %% 7 - 2) (iota m)) (replicate m {self.scalar(scope, elem)})"
        step = self.rng.choice(["i", "i - 2", "i * 2", f"{n} - i", "3 * i - 4"])
        return f"scatter (copy {a}) (map (\\i -> {step}) (iota {n})) {self.some(scope, elem, dims)}"

    def counted(self, scope, elem, dims):
        op, ne = self.operator(elem)
        index = self.rng.choice(["i", "i %% 5 - 1", "i / 3", "-i"])
        return f"reduce_by_index (copy {self.some(scope, elem, dims)}) {op} {ne} (map (\\i -> {index}) (iota {dims[0]})) {self.some(scope, elem, dims)}"

    def counted_rows(self, scope, elem, dims):
        if elem == "bool" or elem[0] == "f":
            return self.tabulate(scope, elem, dims)
        return f"reduce_by_index (copy {self.some(scope, elem, dims)}) (map2 (+)) (replicate {dims[1]} 0) (map (\\i -> i %% 3 - 1) (iota {dims[0]})) {self.some(scope, elem, dims)}"

    def rotated(self, scope, elem, dims):
        a = self.some(scope, elem, dims)
        return self.rng.choice([f"reverse {a}", f"rotate {self.scalar(scope, 'i64', 0)} {a}", f"copy {a}", f"{a}[::-1]"])

    def sorted_out(self, scope, elem, dims):
        """What a filter keeps, and the rest from the array itself."""
        if len(dims) > 1:
            return f"map (\\r -> reverse r) {self.some(scope, elem, dims)}"
        x, kept, condition = self.name("x"), self.name("k"), None
        condition = self.rng.choice(["true", "false", None]) or self.scalar([(x, elem, ())], "bool", 2)
        a = self.some(scope, elem, dims)
        if self.chance(0.3):
            return f"(let ({kept}, r) = partition (\\{x} -> {condition}) {a} in {kept} ++ r) :> [{dims[0]}]{elem}"
        return f"(let {kept} = filter (\\{x} -> {condition}) {a} in {kept} ++ {a}[length {kept}:]) :> [{dims[0]}]{elem}"

    def pairs(self, scope, elem, dims):
        """Records and tuples in an array, apart again."""
        source = self.rng.choice(TYPES)
        a, b = self.some(scope, elem, dims), self.some(scope, source, dims)
        x, y = self.name("x"), self.name("y")
        made = f"map2 (\\{x} {y} -> {{left = {x}, right = ({y}, {self.scalar(scope + [(x, elem, ()), (y, source, ())], elem, 1)})}}) {a} {b}"
        z = self.name("z")
        return f"map (\\{z} -> {self.rng.choice([f'{z}.left', f'{z}.right.1'])}) ({self.rng.choice(['', 'reverse '])}({made}))"

    def of_rows(self, scope, elem, dims):
        source = self.rng.choice(TYPES)
        inner = self.dims(1)
        rows = self.some(scope, source, dims + inner)
        op, ne = self.operator(source)
        r = self.name("r")
        kind = self.rng.randrange(4)
        if kind == 0:
            body = self.convert(elem, source, f"(reduce {op} {ne} {r})")
        elif kind == 1:
            s, x = self.name("s"), self.name("x")
            step = self.scalar([(s, elem, ()), (x, source, ())], elem, 2)
            body = f"loop {s} = {self.literal(elem)} for {x} in {r} do {step}"
        elif kind == 2:
            kept = "id" if source == "bool" else f"(> {self.literal(source)})"
            body = self.convert(elem, "i64", f"(length (filter {kept} {r}))")
        else:
            body = self.convert(elem, source, f"(get {self.literal(source)} {r} {self.scalar(scope, 'i64', 1)})")
        return f"map (\\{r} -> {body}) {rows}"

    def by_rows(self, scope, elem, dims):
        source = self.rng.choice([elem, self.rng.choice(TYPES)])
        r = self.name("r")
        self.depth += 1
        body = self.array(scope + [(r, source, dims[1:])], elem, dims[1:])
        self.depth -= 1
        return f"map (\\{r} -> {body}) {self.some(scope, source, dims)}"

    def transposed(self, scope, elem, dims):
        return f"transpose {self.some(scope, elem, (dims[1], dims[0]) + dims[2:])}"

    def flat(self, scope, elem, dims):
        whole = f"({dims[0]} * {dims[1]})"
        a, x = self.some(scope, elem, dims), self.name("x")
        rest = self.rng.choice([f"reverse (flatten {a})", f"rotate 1 (flatten {a})", f"flatten {a}"])
        if len(dims) == 2 and self.chance(0.5):
            rest = f"map (\\{x} -> {self.scalar(scope + [(x, elem, ())], elem, 1)}) ({rest})"
        return f"unflatten (({rest}) :> [{whole}]{text_of(elem, dims[2:])})"

    def swept(self, scope, elem, dims):
        """A sequential loop that updates in place what it reads."""
        v, i, n = self.name("v"), self.name("j"), dims[0]
        inner = [(i, "i64", ())] + [entry for entry in scope if entry[2] == ()]
        return f"loop {v} = copy {self.some(scope, elem, dims)} for {i} < {self.rng.choice([n, 'k'])} do put {v} ({self.scalar(inner, 'i64', 1)}) {self.combined(elem, f'(get {self.literal(elem)} {v} (3 * {i}))', inner)}"

    def combined(self, elem, text, scope):
        x = self.name("x")
        return f"(let {x} = {text} in {self.scalar(scope + [(x, elem, ())], elem, 2)})"

    # ---- statements

    def any_type(self, scope):
        if self.chance(0.5) and scope:
            _, elem, dims = self.pick(scope)
            return elem, dims
        return self.rng.choice(TYPES), self.dims(self.rng.choice([0, 1, 1, 1, 2, 2, 3]))

    def value(self, scope, elem, dims):
        return self.array(scope, elem, dims) if dims else self.scalar(scope, elem, 3)

    def reduced(self, scope):
        elem, dims = self.rng.choice(TYPES), self.dims(1)
        op, ne = self.operator(elem)
        a = self.some(scope, elem, dims)
        kinds = [f"reduce {op} {ne} {a}", f"reduce {op} {ne} (cut {self.scalar(scope, 'i64', 1)} {a})", f"reduce {op} {ne} (flatten {self.some(scope, elem, dims + ('m',))})"]
        name = self.name("s")
        scope.append((name, elem, ()))
        return f"let {name} : {elem} = {self.rng.choice(kinds)}"

    def bind(self, scope):
        elem, dims = self.any_type(scope)
        text = self.value(scope, elem, dims)
        name = self.name("a" if dims else "s")
        scope.append((name, elem, dims))
        return f"let {name} : {text_of(elem, dims)} = {text}"

    def body(self, scope, types, most):
        here = list(scope)
        self.depth += 1
        lines = [self.statement(here) for _ in range(self.rng.randint(0, most))]
        self.depth -= 1
        indent = "\n" + "  " * (self.depth + 2)
        results = []
        for elem, dims in types:
            same = self.known(here, elem, dims)
            results.append(self.pick(same) if same and self.chance(0.8) else self.value(here, elem, dims))
        return "".join(indent + line for line in lines) + indent + ("in " if lines else "") + f"({', '.join(results)})"

    def results(self, scope, types):
        names = [self.name("r") for _ in types]
        scope.extend((name, elem, dims) for name, (elem, dims) in zip(names, types))
        return f"({', '.join(names)})"

    def branch(self, scope):
        types = [self.any_type(scope) for _ in range(2)]
        condition = self.scalar(scope, "bool", 2)
        then, otherwise = self.body(scope, types, 2), self.body(scope, types, 2)
        return f"let {self.results(scope, types)} = if {condition} then {then} else {otherwise}"

    def loop(self, scope):
        """Two arrays of one type change places, beside something else."""
        elem, dims = self.any_type(scope)
        types = [(elem, dims), (elem, dims), self.any_type(scope)]
        initial = [self.value(scope, e, d) for e, d in types]
        names, i = [self.name("p") for _ in types], self.name("j")
        inner = scope + [(name, e, d) for name, (e, d) in zip(names, types)] + [(i, "i64", ())]
        if self.chance(0.5):
            stop = self.scalar([entry for entry in inner if entry[2] == ()], "bool", 1)
            after = self.body(inner, types, 2)
            swap = [self.name("q") for _ in types]
            swapped = [swap[1], swap[0], swap[2]] if self.chance(0.6) else swap
            text = f"let ({', '.join(swap)}) = {after} in ({', '.join(swapped)}, {i} + 1)"
            return f"let ({self.results(scope, types)[1:-1]}, {self.name('c')}) = loop ({', '.join(names)}, {i}) = ({', '.join(initial)}, 0i64) while {i} < k && !{stop} do {text}"
        trips = self.rng.choice(["k", "2i64", "0i64", "1i64"])
        return f"let {self.results(scope, types)} = loop ({', '.join(names)}) = ({', '.join(initial)}) for {i} < {trips} do {self.body(inner, types, 2)}"

    def call(self, scope):
        function = self.name("g")
        types = [self.any_type(scope) for _ in range(2)]
        given = [entry for entry in scope if entry[0] not in ("n", "m", "k")][-3:]
        outer, self.depth = self.depth, 1
        body = self.body([("k", "i64", ()), ("n", "i64", ()), ("m", "i64", ())] + given, types, 2)
        self.depth = outer
        mark = self.rng.choice(["#[cpu_function]\n", "#[noinline]\n", ""])
        parameters = "".join(f" ({name}: {text_of(e, d)})" for name, e, d in given)
        result = ", ".join(text_of(e, d) for e, d in types)
        self.functions.append(f"{mark}def {function} (n: i64) (m: i64) (k: i64){parameters} : ({result}) ={body}\n")
        return f"let {self.results(scope, types)} = {function} n m k {' '.join(name for name, _, _ in given)}"

    def statement(self, scope):
        kinds = [self.bind] * 5 + [self.reduced]
        if self.depth < 2:
            kinds += [self.branch, self.loop, self.call]
        return self.rng.choice(kinds)(scope)


def program(seed, most=7):
    """entry main: k, arrays of n i64 and of n by m i32; several results, from so many statements at most."""
    rng = random.Random(seed)
    writer = Writer(rng)
    scope = [("n", "i64", ()), ("m", "i64", ()), ("k", "i64", ()), ("xs", "i64", ("n",)), ("xss", "i32", ("n", "m"))]
    lines = [writer.statement(scope) for _ in range(rng.randint(min(3, most), most))]
    results = [entry for entry in scope[5:]][-5:]
    types = ", ".join(text_of(elem, dims) for _, elem, dims in results)
    text = PRELUDE + "".join(writer.functions)
    text += f"entry main [n] [m] (k: i64) (xs: [n]i64) (xss: [n][m]i32) : ({types}) =\n"
    text += "".join(f"  {line}\n" for line in lines)
    return text + f"  in ({', '.join(name for name, _, _ in results)})\n"


if __name__ == "__main__":
    import sys

    print(program(*map(int, sys.argv[1:])), end="")
