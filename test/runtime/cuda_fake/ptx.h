// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An interpreter of PTX (NVIDIA's PTX ISA reference), for what LLVM writes of Ferry's kernels and of libdevice.
//
// Addresses are the process's own, but for those of the shared space: they count from sharedBase, which is no address
// of the process. So an access that mixes up the two kinds is one outside of all memory.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace ptx {

/// What is wrong with the text, or with what a thread does.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Of an instruction or operand: 'b' bits, 'u', 's' integers, 'f' floats, 'p' a predicate.
struct Type {
  char kind = 0;
  int bits = 0;
  size_t bytes() const { return bits < 8 ? 1 : static_cast<size_t>(bits) / 8; }
};

struct Operand {
  enum Kind { none, reg, number, frame, global, shared, dynamic, special, several, address } kind = none;
  enum Special { tid, ntid, ctaid, nctaid };
  int64_t value = 0;             ///< register, number, offset in the frame, address, special register
  bool isNegated = false;        ///< of a predicate
  Kind base = none;              ///< of an address; `value` says which
  int64_t offset = 0;            ///< of an address
  std::vector<Operand> elements; ///< of several
};

/// Where an access goes: `own` is what no other thread can reach.
enum class Space { generic, global, shared, own };

enum class Change { none, compareAndSwap, exchange, add, bitAnd, bitOr, bitXor, min, max, increment, decrement };

struct Instruction {
  std::string text, name; ///< as written; the name up to the first dot
  std::vector<std::string> marks;
  std::vector<Type> types;
  Operand guard;
  std::vector<Operand> operands;
  int64_t target = -1;                  ///< of a branch: an instruction; of a call: a function
  std::vector<int64_t> targets;         ///< of a branch by an index: instructions
  std::vector<size_t> passed, returned; ///< of a call: offsets in the frame

  /// What the name says.
  int operation = 0;
  int rounding = -1; ///< as of fesetround; negative: to nearest
  size_t lanes = 1;  ///< elements of a load or store
  Space space = Space::generic;
  bool isStrong = false, isVolatile = false; ///< of an access: meant for what other threads touch meanwhile
  bool acquires = false, releases = false;
  bool reachesGroups = true; ///< its scope is more than the thread's group
  Change change = Change::none;

  bool has(const char *mark) const;
  Type type(size_t which = 0) const;
};

struct Variable {
  size_t offset, bytes;
};

inline constexpr uint64_t sharedBase = 1024;
inline constexpr size_t mostSharedBytes = 48 << 10;

/// Shared memory, as a kernel or all of them lay it out: bytes behind sharedBase that are a variable's. Variables are
/// apart, so that what runs out of one meets none.
struct SharedLayout {
  std::vector<bool> isInside;
  size_t bytes = 0; ///< of the variables alone

  /// The variable's address.
  uint64_t add(size_t size, size_t alignment);
  bool holds(uint64_t address, size_t size) const;
};

struct Function {
  std::string name;
  bool isKernel = false, isDefined = false;
  std::vector<Variable> parameters, results;
  std::vector<Instruction> code;
  size_t registers = 0, frameBytes = 0;
  int groupThreads = 1024; ///< at most
  bool isExactly = false;  ///< and no fewer
  SharedLayout shared;
};

/// In which order a group's threads run between two barriers, and groups.
enum class Order { ascending, descending, random };

/// Memory of the device that a kernel may touch; none: no bytes.
struct Block {
  uint64_t base = 0;
  size_t bytes = 0;
};

struct Launch {
  uint32_t groups, threads;
  std::vector<uint64_t> arguments;               ///< as of cuLaunchKernel
  std::function<Block(uint64_t address)> memory; ///< what is at an address
  size_t sharedBytes = 0;                        ///< of `.extern .shared` variables
  Order order = Order::ascending;
  unsigned seed = 0; ///< of the random order
};

class Races;

class Module {
public:
  /// Throws Error.
  explicit Module(const std::string &text);
  Module(Module &&) noexcept;
  ~Module();

  /// Null if there is no kernel of that name.
  const Function *kernel(const std::string &name) const;

  /// Runs all threads. Throws Error, which names the kernel.
  void run(const Function &kernel, const Launch &launch);

private:
  friend class Parser;
  friend class Run;
  std::vector<Function> functions;
  std::map<std::string, size_t> names;
  std::map<std::string, std::vector<uint64_t>> globals; ///< words of each variable
  SharedLayout shared;                                  ///< of variables of all kernels
  std::unique_ptr<Races> races;
};

} // namespace ptx
