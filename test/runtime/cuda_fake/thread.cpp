// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that reads again and again what only another can change is interrupted, so that the other runs; in a random
// order, so is one that meant others to see what it did.

#include "thread.h"

#include "arithmetic.h"

#include <cstring>

namespace ptx {

static constexpr uint64_t undefined = 0xfefefefefefefefe;
static constexpr uint32_t usualPatience = 16; ///< strong reads in a turn
static constexpr uint32_t oddsOfInterruption = 4;
static constexpr uint64_t idleForEver = 4'000'000;
static constexpr size_t deepestCall = 1000;

bool Memory::holds(uint64_t address, size_t bytes) {
  auto isIn = [&](const Block &block) {
    return address - block.base < block.bytes && address - block.base + bytes <= block.bytes;
  };
  for (const Block &block : known)
    if (isIn(block))
      return true;
  Block found = blockAt(address);
  if (!isIn(found))
    return false;
  known[next++ % known.size()] = found;
  return true;
}

//===- Calls and branches -----------------------------------------------------------------------------------------===//

void Thread::enter(const Function &function) {
  if (depth == deepestCall)
    throw Error("calls too deep: " + function.name);
  if (depth == levels.size())
    levels.push_back(std::make_unique<Level>());
  top = levels[depth++].get();
  top->function = &function;
  top->at = 0;
  top->registers.assign(function.registers, undefined);
  top->frame.assign(function.frameBytes / sizeof(uint64_t) + 1, undefined);
}

void Thread::start(const Function &kernel, const Group &in, Shared &with, Observer at) {
  group = &in;
  shared = &with;
  observer = at;
  depth = 0;
  carry = isInterrupted = waits = false;
  enter(kernel);
  for (size_t i = 0; i < kernel.parameters.size(); ++i)
    std::memcpy(reinterpret_cast<char *>(top->frame.data()) + kernel.parameters[i].offset,
                &shared->launch.arguments.at(i), sizeof(uint64_t));
}

static void moveBytes(std::vector<uint64_t> &to, size_t offset, const std::vector<uint64_t> &from, size_t origin,
                      size_t bytes) {
  std::memcpy(reinterpret_cast<char *>(to.data()) + offset, reinterpret_cast<const char *>(from.data()) + origin,
              bytes);
}

void Thread::call(const Instruction &one) {
  const Function &callee = shared->functions[static_cast<size_t>(one.target)];
  Level &caller = *top;
  enter(callee);
  for (size_t i = 0; i < callee.parameters.size(); ++i)
    moveBytes(top->frame, callee.parameters[i].offset, caller.frame, one.passed.at(i), callee.parameters[i].bytes);
}

bool Thread::leave() {
  if (--depth == 0)
    return true;
  const Level &inner = *top;
  top = levels[depth - 1].get();
  const Instruction &one = top->function->code[top->at++];
  for (size_t i = 0; i < inner.function->results.size(); ++i)
    moveBytes(top->frame, one.returned.at(i), inner.frame, inner.function->results[i].offset,
              inner.function->results[i].bytes);
  return false;
}

void Thread::branch(const Instruction &one) {
  if (one.operation == opBranch) {
    top->at = static_cast<size_t>(one.target);
    return;
  }
  uint64_t index = masked(read(one.operands[0]), 32);
  if (index >= one.targets.size())
    throw Error("a branch by index " + std::to_string(index) + ", of " + std::to_string(one.targets.size()));
  top->at = static_cast<size_t>(one.targets[index]);
}

Thread::Turn Thread::run() {
  patience = usualPatience;
  while (true) {
    if (top->at >= top->function->code.size()) {
      if (leave())
        return Turn::ended;
      continue;
    }
    const Instruction &one = top->function->code[top->at];
    if (one.guard.kind != Operand::none && (read(one.guard) & 1) == 0) {
      ++top->at;
      continue;
    }
    switch (one.operation) {
    case opBranch:
    case opIndexedBranch:
      branch(one);
      break;
    case opReturn:
      if (leave())
        return Turn::ended;
      break;
    case opExit:
      return Turn::ended;
    case opCall:
      call(one);
      break;
    case opTrap:
      throw Error("a thread ran into a trap");
    case opBarrier:
      return Turn::atBarrier;
    default:
      execute(one);
      ++top->at;
      if (isInterrupted) {
        isInterrupted = false;
        return Turn::interrupted;
      }
    }
  }
}

void Thread::pass(const Observer &behind) {
  ++top->at;
  observer = behind;
  waits = false;
}

//===- Operands ---------------------------------------------------------------------------------------------------===//

uint64_t Thread::valueOf(Operand::Kind kind, int64_t value) const {
  switch (kind) {
  case Operand::reg:
    return top->registers[static_cast<size_t>(value)];
  case Operand::frame:
    return top->base() + static_cast<uint64_t>(value);
  case Operand::dynamic:
    return group->dynamic;
  case Operand::special:
    switch (value) {
    case Operand::tid:
      return observer.thread;
    case Operand::ntid:
      return shared->launch.threads;
    case Operand::ctaid:
      return group->number;
    default:
      return shared->launch.groups;
    }
  default:
    return static_cast<uint64_t>(value);
  }
}

uint64_t Thread::read(const Operand &operand) const {
  uint64_t value = valueOf(operand.kind, operand.value);
  return operand.isNegated ? value ^ 1 : value;
}

void Thread::write(const Operand &operand, uint64_t value) {
  if (operand.kind == Operand::reg) // else "_"
    top->registers[static_cast<size_t>(operand.value)] = value;
}

//===- Memory -----------------------------------------------------------------------------------------------------===//

Thread::Place Thread::place(const Instruction &one, const Operand &operand) const {
  uint64_t address = valueOf(operand.base, operand.value) + static_cast<uint64_t>(operand.offset);
  size_t bytes = one.lanes * one.type().bytes();
  if (address % bytes != 0)
    throw Error("a misaligned access: " + one.text);
  auto at = [](uint64_t where) { return reinterpret_cast<char *>(where); }; // NOLINT(performance-no-int-to-ptr)
  bool isAny = one.space == Space::generic;
  if (one.space == Space::shared) {
    if (!group->layout->holds(address, bytes))
      throw Error("an access outside of shared memory: " + one.text);
    return {at(group->generic(address)), false, true};
  }
  if (one.space == Space::own || isAny)
    for (size_t i = depth; i-- > 0;)
      if (levels[i]->holds(address, bytes))
        return {at(address), true, false};
  if (isAny && group->layout->holds(group->shared(address), bytes))
    return {at(address), false, true};
  if ((one.space == Space::global || isAny) && shared->memory.holds(address, bytes))
    return {at(address), false, false};
  throw Error("an access outside of all memory: " + one.text);
}

Thread::Place Thread::touch(const Instruction &one, const Operand &operand, bool isWrite) {
  Place found = place(one, operand);
  if (!found.isOwn)
    shared->races.touch(observer, reinterpret_cast<uintptr_t>(found.bytes), one.lanes * one.type().bytes(),
                        {isWrite, one.isStrong, one.isVolatile, found.isShared}, one.text);
  return found;
}

// Behind a strong access.
void Thread::wait(const Instruction &one, bool changes) {
  if (changes)
    shared->idle = 0;
  else if (++shared->idle > idleForEver)
    throw Error("threads wait for ever for what none of them writes: " + one.text);
  if (!changes && --patience == 0)
    isInterrupted = true;
  if (shared->launch.order == Order::random && shared->random() % oddsOfInterruption == 0)
    isInterrupted = true;
}

void Thread::load(const Instruction &one) {
  const Operand &to = one.operands[0];
  Type type = one.type();
  Place from = touch(one, one.operands[1], false);
  for (size_t i = 0; i < one.lanes; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, from.bytes + i * type.bytes(), type.bytes());
    if (type.kind == 's')
      bits = static_cast<uint64_t>(extended(bits, type.bits));
    write(to.kind == Operand::several ? to.elements[i] : to, bits);
  }
  if (one.acquires)
    shared->races.acquire(observer, one.reachesGroups);
  if (one.isStrong && !from.isOwn)
    wait(one, false);
}

void Thread::store(const Instruction &one) {
  const Operand &from = one.operands[1];
  Type type = one.type();
  if (one.releases)
    shared->races.release(observer, one.reachesGroups);
  Place to = touch(one, one.operands[0], true);
  for (size_t i = 0; i < one.lanes; ++i) {
    uint64_t bits = read(from.kind == Operand::several ? from.elements[i] : from);
    std::memcpy(to.bytes + i * type.bytes(), &bits, type.bytes());
  }
  shared->idle = 0;
  if (one.isStrong && !to.isOwn)
    wait(one, true);
}

void Thread::atom(const Instruction &one) {
  size_t first = one.name == "atom" ? 1 : 0;
  Type type = one.type();
  if (one.releases)
    shared->races.release(observer, one.reachesGroups);
  Place at = touch(one, one.operands[first], true);
  uint64_t old = 0;
  std::memcpy(&old, at.bytes, type.bytes());
  uint64_t x = read(one.operands[first + 1]);
  uint64_t y = one.change == Change::compareAndSwap ? read(one.operands[first + 2]) : 0;
  uint64_t made = masked(exchanged(one, old, x, y), type.bits);
  std::memcpy(at.bytes, &made, type.bytes());
  if (first == 1)
    write(one.operands[0], old);
  if (one.acquires)
    shared->races.acquire(observer, one.reachesGroups);
  wait(one, made != old);
}

//===- Other instructions -----------------------------------------------------------------------------------------===//

// Also between one register and several parts of it.
void Thread::move(const Instruction &one) {
  const Operand &to = one.operands[0], &from = one.operands[1];
  auto bits = static_cast<size_t>(one.types.empty() ? 64 : one.types.back().bits);
  if (to.kind == Operand::several) {
    uint64_t whole = read(from);
    size_t each = bits / to.elements.size();
    for (size_t i = 0; i < to.elements.size(); ++i)
      write(to.elements[i], masked(whole >> (i * each), static_cast<int>(each)));
    return;
  }
  uint64_t whole = 0;
  if (from.kind == Operand::several) {
    size_t each = bits / from.elements.size();
    for (size_t i = 0; i < from.elements.size(); ++i)
      whole |= masked(read(from.elements[i]), static_cast<int>(each)) << (i * each);
  } else {
    whole = read(from);
  }
  write(to, whole);
}

void Thread::execute(const Instruction &one) {
  switch (one.operation) {
  case opMove:
    return move(one);
  case opToGeneric:
    return write(one.operands[0], group->generic(read(one.operands[1])));
  case opToShared:
    return write(one.operands[0], group->shared(read(one.operands[1])));
  case opLoad:
    return load(one);
  case opStore:
    return store(one);
  case opAtom:
    return atom(one);
  case opFence:
    if (one.releases)
      shared->races.release(observer, one.reachesGroups);
    if (one.acquires)
      shared->races.acquire(observer, one.reachesGroups);
    return;
  default:
    break;
  }
  std::array<uint64_t, 4> x{};
  for (size_t i = 1; i < one.operands.size() && i <= x.size(); ++i)
    x[i - 1] = read(one.operands[i]);
  write(one.operands[0], resultOf(one, x, carry));
}

} // namespace ptx
