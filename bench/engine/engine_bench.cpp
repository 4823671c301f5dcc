// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long the engine takes to solve and verify, against the size of the problem. Times are those of the processor, of
// the faster of several runs for small problems, so that a busy machine does not count.
#include "placement/solve.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <random>

namespace {

using namespace ferry::placement;

/// Operations over arrays that are all alive throughout, in loops nested three deep: each reads one or two arrays and
/// updates or overwrites one. A third of them is much faster on the device, a third on the host, a few are bound to one
/// side.
class Workload {
public:
  Workload(std::size_t operations, std::size_t arrays) : random(42), left(operations), arrays(arrays) {}

  Problem make() {
    for (std::size_t i = 0; i < arrays; ++i) {
      Array array;
      array.name = "a" + std::to_string(i);
      array.bytes = 1 << (10 + random() % 14);
      array.argument = array.result = true;
      problem.arrays.push_back(array);
    }
    // About ten operations between two loops of one level, and a hundred in an innermost loop.
    while (left > 0)
      statements(problem.body, 0);
    return std::move(problem);
  }

private:
  void statements(Body &body, unsigned depth) {
    for (unsigned i = 0, count = depth == 3 ? 60 + random() % 80 : 4 + random() % 12; i < count && left > 0; ++i)
      operation(body);
    if (depth == 3 || left == 0)
      return;
    for (unsigned i = 0, count = 1 + random() % 3; i < count && left > 0; ++i) {
      Loop loop;
      loop.trips = Rational(static_cast<std::int64_t>(2 + random() % 9));
      loop.control.host = 1000;
      loop.control.inner = 50000;
      statements(loop.body, depth + 1);
      body.push_back({std::move(loop), "loop", ++tags});
    }
  }

  void operation(Body &body) {
    Operation operation;
    for (unsigned i = 0, count = 1 + random() % 2; i < count; ++i)
      read(operation, static_cast<ArrayId>(random() % arrays));
    Write write;
    write.array = static_cast<ArrayId>(random() % arrays);
    write.whole = random() % 3 == 0;
    if (!write.whole && random() % 2)
      write.poke = 10000000;
    operation.writes.push_back(write);
    Time work = 1000000 + static_cast<Time>(random() % 100000000);
    unsigned kind = random() % 12;
    operation.cost = {kind < 4 ? work * 20 : work, kind >= 4 && kind < 8 ? work * 20 : work, work * 25, std::nullopt};
    if (kind == 11)
      operation.pin = random() % 2 ? Side::Host : Side::Device;
    operation.fusible = random() % 2;
    body.push_back({std::move(operation), "f", ++tags});
    --left;
  }

  void read(Operation &operation, ArrayId array) {
    for (const Read &other : operation.reads)
      if (other.array == array)
        return;
    Read read;
    read.array = array;
    if (random() % 4 == 0)
      read.peek = 10000000;
    operation.reads.push_back(read);
  }

  std::mt19937 random;
  std::size_t left, arrays;
  Problem problem;
  Tag tags = 0;
};

double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Processor seconds of one solve, verification included; the least of `rounds`.
double solveTime(std::size_t operations, std::size_t arrays, unsigned rounds) {
  Result<Lowered> lowered = lower(Workload(operations, arrays).make());
  Machine machine = *machineByName("pcie4");
  double best = 1e9;
  for (unsigned i = 0; lowered && i < rounds; ++i) {
    double start = seconds();
    Result<Plan> plan = solve(lowered->graph, machine);
    best = std::min(best, seconds() - start);
    if (!plan) {
      std::printf("%zu operations: %s\n", operations, plan.error().message.c_str());
      std::exit(1);
    }
    if (i == 0)
      std::printf("%7zu operations x %5zu arrays: %zu copies, %zu kernels; ", operations, arrays, plan->copies.size(),
                  static_cast<std::size_t>(std::count(plan->kernels.begin(), plan->kernels.end(), true)));
  }
  std::printf("%.4f s\n", best);
  return best;
}

void bar(const char *name, double value, double most, const char *detail) {
  std::printf(
      "{\"name\": \"%s\", \"value\": %.6f, \"bar\": %g, \"sense\": \"<=\", \"unit\": \"s\", \"detail\": \"%s\"}\n",
      name, value, most, detail);
}

} // namespace

int main() {
  double small = solveTime(100, 10, 50);
  solveTime(1000, 100, 5);
  double tenth = solveTime(10000, 1000, 1);
  solveTime(30000, 1000, 1);
  double large = solveTime(100000, 1000, 1);
  bar("engine: 100 operations", small, 0.001, "solve and verify");
  bar("engine: 100,000 operations x 1,000 arrays", large, 5, "solve and verify");
  double growth = large / tenth;
  std::printf("{\"name\": \"engine: time from 10,000 to 100,000 operations\", \"value\": %.2f, \"bar\": 20, \"sense\": "
              "\"<=\", \"unit\": "
              "\"ratio\", \"detail\": \"10 is linear\"}\n",
              growth);
}
