// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread of a kernel, which stops where others have to run before it can go on.

#pragma once

#include "ptx.h"
#include "races.h"

#include <random>

namespace ptx {

/// Which bytes kernels may touch.
class Memory {
public:
  explicit Memory(std::function<Block(uint64_t address)> blockAt) : blockAt(std::move(blockAt)) {}
  bool holds(uint64_t address, size_t bytes);

private:
  std::function<Block(uint64_t address)> blockAt;
  std::array<Block, 4> known{}; ///< that were found last
  size_t next = 0;
};

/// What the threads of a launch share.
struct Shared {
  const std::vector<Function> &functions;
  const Launch &launch;
  Races &races;
  Memory memory;
  std::minstd_rand random;
  uint64_t idle = 0; ///< reads that wait for a change, since the last one
};

/// What the threads of a group share.
struct Group {
  uint32_t number = 0;
  const SharedLayout *layout = nullptr;
  std::vector<std::array<char, 128>> memory; ///< the layout's bytes
  uint64_t dynamic = 0;                      ///< address of `.extern .shared` variables

  /// A shared address as a generic one, and back.
  uint64_t generic(uint64_t address) const { return address - sharedBase + reinterpret_cast<uintptr_t>(memory.data()); }
  uint64_t shared(uint64_t address) const { return address - reinterpret_cast<uintptr_t>(memory.data()) + sharedBase; }
};

class Thread {
public:
  enum class Turn { ended, atBarrier, interrupted };

  /// Makes it one at the kernel's beginning, again if need be.
  void start(const Function &kernel, const Group &group, Shared &shared, Observer at);

  /// Throws Error.
  Turn run();

  /// The barrier that the thread stopped at, its operands, and where its result goes.
  const Instruction &barrier() const { return top->function->code[top->at]; }
  uint64_t operand(size_t which) const { return read(barrier().operands.at(which)); }
  void receive(uint64_t result) { write(barrier().operands.front(), result); }

  bool isWaiting() const { return waits; }
  void stop() { waits = true; }
  /// Puts it behind the barrier.
  void pass(const Observer &behind);

  Observer observer;

private:
  struct Level { // of calls
    const Function *function = nullptr;
    size_t at = 0;
    std::vector<uint64_t> registers, frame;
    uint64_t base() const { return reinterpret_cast<uintptr_t>(frame.data()); }
    bool holds(uint64_t address, size_t bytes) const {
      size_t size = frame.size() * sizeof(uint64_t);
      return address - base() < size && address - base() + bytes <= size;
    }
  };
  struct Place {
    char *bytes;
    bool isOwn, isShared;
  };

  void enter(const Function &function);
  void call(const Instruction &one);
  bool leave(); ///< whether the kernel is done
  void execute(const Instruction &one);
  void branch(const Instruction &one);

  uint64_t valueOf(Operand::Kind kind, int64_t value) const;
  uint64_t read(const Operand &operand) const;
  void write(const Operand &operand, uint64_t value);
  Place place(const Instruction &one, const Operand &address) const;
  Place touch(const Instruction &one, const Operand &address, bool isWrite);
  void load(const Instruction &one);
  void store(const Instruction &one);
  void atom(const Instruction &one);
  void move(const Instruction &one);
  void wait(const Instruction &one, bool changes);

  const Group *group = nullptr;
  Shared *shared = nullptr;
  std::vector<std::unique_ptr<Level>> levels; ///< kept when they are left
  size_t depth = 0;
  Level *top = nullptr;
  bool carry = false, isInterrupted = false, waits = false;
  uint32_t patience = 0;
};

} // namespace ptx
