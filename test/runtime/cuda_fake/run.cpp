// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A group's threads run in turn, each until it ends or waits at a barrier; when all that have not ended wait, they pass
// it. Few groups are there at a time: one, with more when those that are there wait for others, or, in a random order,
// four that take turns at their barriers.

#include "thread.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace ptx {

static constexpr size_t groupsInTurn = 4, mostGroups = 16;
static constexpr size_t gap = 64; ///< between variables; more than an access has bytes
static constexpr int poison = 0xff;

//===- Shared memory ----------------------------------------------------------------------------------------------===//

uint64_t SharedLayout::add(size_t size, size_t alignment) {
  size_t offset = (isInside.size() + alignment - 1) / alignment * alignment;
  isInside.resize(offset);
  isInside.resize(offset + size, true);
  isInside.resize(offset + size + gap);
  bytes = (bytes + alignment - 1) / alignment * alignment + size;
  return sharedBase + offset;
}

bool SharedLayout::holds(uint64_t address, size_t size) const {
  uint64_t offset = address - sharedBase;
  return offset < isInside.size() && offset + size <= isInside.size() && isInside[offset] &&
         isInside[offset + size - 1];
}

//===- Groups -----------------------------------------------------------------------------------------------------===//

static void arrange(std::vector<uint32_t> &numbers, Shared &shared) {
  if (shared.launch.order == Order::descending)
    std::ranges::sort(numbers, std::greater());
  else if (shared.launch.order == Order::random)
    std::ranges::shuffle(numbers, shared.random);
}

/// Threads that are not used now, to be used again.
using Pool = std::vector<std::unique_ptr<Thread>>;

class RunningGroup {
public:
  enum class Step { ended, went, waited };

  RunningGroup(const Function &kernel, const SharedLayout &layout, uint64_t dynamic, Shared &shared, Pool &pool)
      : kernel(kernel), shared(shared), pool(pool), threads(shared.launch.threads), live(threads.size()) {
    group.layout = &layout;
    group.dynamic = dynamic;
    group.memory.resize(layout.isInside.size() / sizeof(group.memory[0]) + 1);
  }

  void start(uint32_t number) {
    group.number = number;
    for (auto &line : group.memory)
      line.fill(static_cast<char>(poison));
    live.resize(threads.size());
    std::iota(live.begin(), live.end(), 0);
    beginning = {};
    beginning.interval = shared.races.beginInterval(number, 0);
    met = nullptr;
  }

  /// Each thread that does not wait at a barrier takes a turn.
  Step step() {
    bool wentOn = false;
    size_t waiting = 0;
    arrange(live, shared);
    for (uint32_t &number : live) {
      std::unique_ptr<Thread> &thread = threads[number];
      if (!thread)
        begin(thread, number);
      switch (thread->isWaiting() ? Thread::Turn::atBarrier : thread->run()) {
      case Thread::Turn::ended:
        pool.push_back(std::move(thread));
        number = none;
        wentOn = true;
        break;
      case Thread::Turn::atBarrier:
        wentOn |= arrive(*thread);
        ++waiting;
        break;
      case Thread::Turn::interrupted:
        break;
      }
    }
    std::erase(live, none);
    if (live.empty())
      return Step::ended;
    if (waiting == live.size())
      pass();
    return wentOn ? Step::went : Step::waited;
  }

private:
  static constexpr uint32_t none = ~uint32_t(0);

  void begin(std::unique_ptr<Thread> &thread, uint32_t number) {
    if (pool.empty())
      pool.push_back(std::make_unique<Thread>());
    thread = std::move(pool.back());
    pool.pop_back();
    beginning.thread = number;
    thread->start(kernel, group, shared, beginning);
  }

  /// Whether the thread was not there before.
  bool arrive(Thread &thread) {
    if (thread.isWaiting())
      return false;
    thread.stop();
    const Instruction &one = thread.barrier();
    bool hasResult = one.has("red");
    if (!one.has("sync") && !hasResult)
      throw Error("the fake GPU does not know " + one.text);
    size_t at = hasResult ? 1 : 0;
    uint64_t which = thread.operand(at);
    if (one.operands.size() > (hasResult ? 3 : 1) && thread.operand(at + 1) != threads.size())
      throw Error("a barrier for some of a group's threads: " + one.text);
    std::string name = "thread " + std::to_string(thread.observer.thread);
    if (!met) {
      met = &one;
      barrier = which;
      first = name;
    } else if (which != barrier) {
      throw Error(where() + first + " waits at barrier " + std::to_string(barrier) + ", " + name + " at barrier " +
                  std::to_string(which) + ": " + one.text);
    } else if (met != &one && (one.name == "bar" || one.has("aligned"))) {
      throw Error(where() + first + " and " + name + " wait at barriers in different places: " + one.text);
    }
    return true;
  }

  std::string where() const { return "in group " + std::to_string(group.number) + " "; }

  uint64_t reduced() const {
    size_t count = 0;
    for (uint32_t number : live)
      count += threads[number]->operand(met->operands.size() - 1) & 1;
    return met->has("popc") ? count : met->has("and") ? count == live.size() : count > 0;
  }

  void pass() {
    bool hasResult = met->has("red");
    uint64_t result = hasResult ? reduced() : 0;
    uint32_t interval = shared.races.beginInterval(group.number, beginning.interval);
    for (uint32_t number : live) {
      const Observer &one = threads[number]->observer;
      beginning.acquired = std::max(beginning.acquired, one.acquired);
      beginning.acquiredWide = std::max(beginning.acquiredWide, one.acquiredWide);
    }
    beginning.interval = interval;
    for (uint32_t number : live) {
      if (hasResult)
        threads[number]->receive(result);
      beginning.thread = number;
      threads[number]->pass(beginning);
    }
    met = nullptr;
  }

  const Function &kernel;
  Shared &shared;
  Pool &pool;
  Group group;
  std::vector<std::unique_ptr<Thread>> threads;
  std::vector<uint32_t> live;
  Observer beginning; ///< of threads behind the last barrier

  const Instruction *met = nullptr; ///< the barrier where threads wait
  uint64_t barrier = 0;             ///< its number
  std::string first;                ///< thread that came there
};

//===- Launches ---------------------------------------------------------------------------------------------------===//

class Run {
public:
  Run(Module &module, const Function &kernel, const Launch &launch)
      : kernel(kernel), launch(launch), layout(kernel.shared),
        shared{module.functions, launch, *module.races,
               Memory([&](uint64_t address) { return blockAt(module, launch, address); }),
               std::minstd_rand(launch.seed)} {
    if (static_cast<int>(launch.threads) > kernel.groupThreads)
      throw Error("more threads in a group than it is made for");
    if (kernel.isExactly && static_cast<int>(launch.threads) != kernel.groupThreads)
      throw Error("fewer threads in a group than it is made for");
    constexpr size_t largestAlignment = 128;
    if (launch.sharedBytes > 0)
      dynamic = layout.add(launch.sharedBytes, largestAlignment);
    if (layout.bytes > mostSharedBytes)
      throw Error("more shared memory than there is");
    module.races->beginLaunch();
  }

  void all() {
    std::vector<uint32_t> order(launch.groups);
    std::iota(order.begin(), order.end(), 0);
    arrange(order, shared);
    size_t wanted = launch.order == Order::random ? groupsInTurn : 1, next = 0, turn = 0, stuck = 0;
    std::vector<std::unique_ptr<RunningGroup>> running, idle;
    while (next < order.size() || !running.empty()) {
      while (running.size() < wanted && next < order.size()) {
        if (idle.empty())
          idle.push_back(std::make_unique<RunningGroup>(kernel, layout, dynamic, shared, pool));
        running.push_back(std::move(idle.back()));
        idle.pop_back();
        running.back()->start(order[next++]);
      }
      turn = launch.order == Order::random ? shared.random() % running.size() : turn % running.size();
      switch (running[turn]->step()) {
      case RunningGroup::Step::ended:
        idle.push_back(std::move(running[turn]));
        running.erase(running.begin() + static_cast<ptrdiff_t>(turn));
        stuck = 0;
        break;
      case RunningGroup::Step::went:
        stuck = 0;
        break;
      case RunningGroup::Step::waited:
        ++turn;
        if (++stuck >= running.size())
          wanted = std::min(wanted + 1, mostGroups);
        break;
      }
    }
  }

private:
  static Block blockAt(const Module &module, const Launch &launch, uint64_t address) {
    for (const auto &[name, words] : module.globals)
      if (auto base = reinterpret_cast<uintptr_t>(words.data()); address - base < words.size() * sizeof(uint64_t))
        return {base, words.size() * sizeof(uint64_t)};
    return launch.memory(address);
  }

  const Function &kernel;
  const Launch &launch;
  SharedLayout layout;
  uint64_t dynamic = 0;
  Shared shared;
  Pool pool;
};

void Module::run(const Function &kernel, const Launch &launch) {
  try {
    Run(*this, kernel, launch).all();
  } catch (const Error &error) {
    throw Error(kernel.name + ": " + error.what());
  }
}

} // namespace ptx
