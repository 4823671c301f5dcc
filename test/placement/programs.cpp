// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs.h"

#include <algorithm>

namespace ferry::placement::test {

namespace {

class Generator {
public:
  Generator(std::uint64_t seed, unsigned scale) : state(seed * 0x9e3779b97f4a7c15u + 0x1234567), scale(scale) {}

  Problem run() {
    arrays();
    problem.runs = pick<Rational>({1, 2, 8});
    if (chance(10))
      function(chance(40));
    problem.body = body(0, 0, 0);
    return std::move(problem);
  }

private:
  std::uint64_t next() { // splitmix64
    std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t n) { return next() % n; }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <typename T> T pick(std::initializer_list<T> values) { return values.begin()[below(values.size())]; }
  std::optional<Time> maybe(unsigned percent, std::initializer_list<Time> values) {
    return chance(percent) ? std::optional(pick(values)) : std::nullopt;
  }
  std::optional<Side> pin(unsigned percent) {
    return chance(percent) ? std::optional(pick({Side::Host, Side::Device})) : std::nullopt;
  }

  void arrays() {
    std::size_t count = scale * (1 + below(3));
    bool parts = chance(25);
    for (std::size_t i = 0; i < count; ++i) {
      Array array;
      array.name = std::string(1, static_cast<char>('a' + i % 26)) + (i >= 26 ? std::to_string(i) : "");
      array.bytes = 4;
      array.home = chance(20) ? Side::Device : Side::Host;
      array.argument = chance(60);
      array.result = chance(60);
      array.byValue = chance(15);
      if (parts && chance(70))
        array.extent = Box{{0, 4}};
      if (!array.extent || chance(30)) {
        array.h2d = pick<Time>({0, 1, 7, 30});
        array.d2h = pick<Time>({0, 1, 7, 30});
      }
      problem.arrays.push_back(array);
    }
    names = count;
    if (chance(10)) { // a view of one of them
      Array view;
      view.name = "view";
      view.aliasOf = static_cast<ArrayId>(below(count));
      if (problem.arrays[*view.aliasOf].extent && chance(70))
        view.aliasBox = box();
      problem.arrays.push_back(view);
    }
  }

  Box box() {
    std::int64_t begin = static_cast<std::int64_t>(below(4));
    return {{begin, begin + 1 + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(4 - begin)))}};
  }
  /// Any array that may be named here: a callee's locals only in the callee.
  ArrayId any() {
    if (!visible.empty())
      return visible[below(visible.size())];
    ArrayId array = static_cast<ArrayId>(below(problem.arrays.size()));
    return std::find(locals.begin(), locals.end(), array) == locals.end() ? array : static_cast<ArrayId>(below(names));
  }
  std::optional<Box> partOf(ArrayId array) {
    return problem.arrays[array].extent && chance(70) ? std::optional(box()) : std::nullopt;
  }

  std::vector<Read> reads(unsigned percent, bool control) {
    std::vector<Read> out;
    for (unsigned i = 0; i < 2; ++i) {
      if (!chance(percent))
        continue;
      Read read;
      read.array = any();
      if (!control)
        read.operand = pick({Operand::Operation, Operand::Operation, Operand::Operation, Operand::Operation,
                             Operand::Operation, Operand::Host, Operand::Device, Operand::Launcher});
      read.peek = maybe(40, {1, 3, 4});
      read.fetch = maybe(40, {0, 1, 3, 4});
      read.box = partOf(read.array);
      if (std::none_of(out.begin(), out.end(), [&](const Read &other) { return other.array == read.array; }))
        out.push_back(read);
    }
    return out;
  }

  std::vector<Write> writes() {
    std::vector<Write> out;
    for (unsigned i = 0; i < 2; ++i) {
      if (!chance(50))
        continue;
      Write write;
      write.array = any();
      write.whole = chance(50);
      if (!write.whole) {
        write.poke = maybe(70, {0, 1, 5});
        write.push = maybe(70, {0, 1, 5});
        write.box = partOf(write.array);
      }
      if (std::none_of(out.begin(), out.end(), [&](const Write &other) { return other.array == write.array; }))
        out.push_back(write);
    }
    return out;
  }

  /// Renames among arrays of one extent.
  std::vector<Rename> renames(unsigned percent) {
    std::vector<Rename> out;
    if (!chance(percent))
      return out;
    for (unsigned i = 0; i < 2; ++i) {
      Rename rename{any(), any()};
      const Array &to = problem.arrays[rename.destination], &from = problem.arrays[rename.source];
      if (to.aliasOf || from.aliasOf || to.extent != from.extent ||
          std::any_of(out.begin(), out.end(),
                      [&](const Rename &other) { return other.destination == rename.destination; }))
        continue;
      out.push_back(rename);
      if (chance(40) &&
          std::none_of(out.begin(), out.end(), [&](const Rename &other) { return other.destination == rename.source; }))
        out.push_back({rename.source, rename.destination}); // swap
    }
    return out;
  }

  Control control() {
    Control control;
    control.reads = reads(25, true);
    control.host = pick<Time>({0, 0, 2});
    control.inner = pick<Time>({0, 0, 1, 9});
    return control;
  }

  Statement named(Statement statement) {
    statement.tag = ++tags;
    statement.name = "s" + std::to_string(tags);
    return statement;
  }

  Statement operation() {
    Operation operation;
    if (chance(8)) {
      operation.allocate = true;
      operation.writes = {{any(), true, std::nullopt, std::nullopt, std::nullopt}};
      if (problem.arrays[operation.writes[0].array].aliasOf)
        operation.allocate = false;
    } else {
      operation.reads = reads(45, false);
      operation.writes = writes();
      operation.cost.host = pick<Time>({0, 1, 5, 20, 99});
      operation.cost.device = pick<Time>({0, 1, 5, 20, 99});
      operation.cost.inner = operation.cost.device + pick<Time>({0, 2, 50});
      operation.cost.launch = maybe(20, {0, 1, 6});
      operation.both = chance(20);
      operation.fusible = chance(50);
      operation.noKernel = chance(10);
      operation.pin = pin(20);
    }
    return named({operation, "", 0});
  }

  Statement loop(unsigned depth, unsigned loops) {
    Loop loop;
    loop.trips = pick<Rational>({1, 2, 5, Rational(5, 2)});
    loop.enter = pick<Rational>({1, 1, Rational(1, 2), Rational(3, 4)});
    loop.repeats = chance(30);
    loop.guardRegion = chance(50);
    loop.control = control();
    loop.parallel = inParallel == 0 && chance(15);
    inParallel += loop.parallel;
    loop.body = body(depth + 1, loops + 1, 0);
    inParallel -= loop.parallel;
    if (inParallel == 0 && !loop.parallel) {
      loop.onEntry = renames(25);
      loop.onBack = renames(30);
      loop.onExit = renames(15);
      loop.onSkip = renames(15);
    }
    loop.pin = pin(8);
    return named({loop, "", 0});
  }

  Statement branch(unsigned depth, unsigned loops) {
    Branch branch;
    branch.probability = pick<Rational>({Rational(1, 2), Rational(1, 4), Rational(9, 10), 0, 1});
    branch.control = control();
    branch.pin = pin(8);
    std::uint64_t kind = below(10);
    if (kind < 3) { // an arm that leaves, seldom
      branch.probability = pick<Rational>({Rational(1, 32), 0});
      if (chance(60))
        branch.then.push_back(operation());
      bool inside = loops > 0 && chance(70);
      if (inside)
        branch.then.push_back(chance(50) ? named({Break{renames(inParallel ? 0 : 10)}, "", 0})
                                         : named({Continue{{}}, "", 0}));
      else
        branch.then.push_back(named({Return{renames(inParallel ? 0 : 10)}, "", 0}));
    } else {
      branch.then = body(depth + 1, loops, 0);
    }
    if (chance(50))
      branch.otherwise = body(depth + 1, loops, 1);
    if (inParallel == 0) {
      branch.onThen = renames(15);
      branch.onOtherwise = renames(15);
    }
    return named({branch, "", 0});
  }

  Body body(unsigned depth, unsigned loops, unsigned least) {
    Body out;
    std::size_t count = std::max<std::size_t>(least, (depth == 0 ? scale : 1) * (1 + below(2)));
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t kind = below(100);
      if (depth < 2 && kind < 25)
        out.push_back(loop(depth, loops));
      else if (depth < 2 && kind < 45)
        out.push_back(branch(depth, loops));
      else if (kind < 55 && !problem.functions.empty() && inFunction == 0 && inParallel == 0)
        out.push_back(call());
      else
        out.push_back(operation());
    }
    return out;
  }

  /// One function with a parameter and a local of its own; it may call itself now and then.
  void function(bool recursive) {
    Function function;
    function.name = "callee";
    for (const char *name : {"parameter", "local"}) {
      Array array;
      array.name = name;
      array.bytes = 4;
      array.h2d = pick<Time>({1, 7});
      array.d2h = pick<Time>({1, 7});
      function.locals.push_back(static_cast<ArrayId>(problem.arrays.size()));
      problem.arrays.push_back(array);
    }
    for (ArrayId array = 0; array < names; ++array)
      if (!problem.arrays[array].extent)
        visible.push_back(array);
    arguments = visible;
    visible.insert(visible.end(), function.locals.begin(), function.locals.end());
    locals = function.locals;
    ++inFunction;
    function.body.push_back(operation());
    if (recursive && !arguments.empty()) {
      Branch branch;
      branch.probability = Rational(1, 2);
      branch.control = control();
      Call again;
      again.function = 0;
      again.arguments = {{locals[0], locals[below(2)]}};
      again.results = {{locals[1], locals[1]}};
      branch.then.push_back(named({again, "", 0}));
      function.body.push_back(named({branch, "", 0}));
    }
    if (chance(60))
      function.body.push_back(operation());
    --inFunction;
    visible.clear();
    problem.functions.push_back(std::move(function));
  }

  Statement call() {
    Call call;
    call.function = 0;
    if (arguments.empty())
      return operation();
    call.arguments = {{locals[0], arguments[below(arguments.size())]}};
    if (chance(70))
      call.results = {{arguments[below(arguments.size())], locals[1]}};
    return named({call, "", 0});
  }

  std::uint64_t state;
  unsigned scale;
  Problem problem;
  std::size_t names = 0;
  Tag tags = 0;
  unsigned inParallel = 0, inFunction = 0;
  std::vector<ArrayId> visible; ///< Not empty: the only arrays to use.
  std::vector<ArrayId> arguments, locals;
};

} // namespace

Problem randomProblem(std::uint64_t seed, unsigned scale) { return Generator(seed, scale).run(); }

} // namespace ferry::placement::test
