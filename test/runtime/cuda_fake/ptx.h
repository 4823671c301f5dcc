// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An interpreter of PTX (NVIDIA's PTX ISA reference), for what LLVM writes of Ferry's kernels and of libdevice. Threads
// run one after another, so kernels with barriers are refused; addresses are the process's own.

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
  enum Kind { none, reg, number, frame, global, special, several, address } kind = none;
  int64_t value = 0;             ///< register, number, offset in the frame, address, special register
  bool isNegated = false;        ///< of a predicate
  Kind base = none;              ///< of an address: reg, frame, global or number; `value` says which
  int64_t offset = 0;            ///< of an address
  std::vector<Operand> elements; ///< of several
};

struct Instruction {
  std::string text, name; ///< as written; the name up to the first dot
  std::vector<std::string> marks;
  std::vector<Type> types;
  Operand guard;
  std::vector<Operand> operands;
  int operation = 0;                    ///< set by the interpreter
  int64_t target = -1;                  ///< of a branch: an instruction; of a call: a function
  std::vector<int64_t> targets;         ///< of a branch by an index: instructions
  std::vector<size_t> passed, returned; ///< of a call: offsets in the frame

  bool has(const char *mark) const;
  Type type(size_t which = 0) const;
};

struct Variable {
  size_t offset, bytes;
};

struct Function {
  std::string name;
  bool isKernel = false, isDefined = false;
  std::vector<Variable> parameters, results;
  std::vector<Instruction> code;
  size_t registers = 0, frameBytes = 0;
  int groupThreads = 1024; ///< at most
};

struct Grid {
  uint32_t groups, threads;
};

class Module {
public:
  /// Throws Error.
  explicit Module(const std::string &text);

  /// Null if there is no kernel of that name.
  const Function *kernel(const std::string &name) const;

  /// Runs all threads; `arguments` as of cuLaunchKernel. `isMemory` says whether a kernel may touch bytes that are not
  /// its own. Throws Error.
  void run(const Function &kernel, Grid grid, const std::vector<uint64_t> &arguments,
           const std::function<bool(uint64_t address, size_t bytes)> &isMemory) const;

private:
  friend class Parser;
  friend class Thread;
  std::vector<Function> functions;
  std::map<std::string, size_t> names;
  std::map<std::string, std::vector<uint64_t>> globals; ///< words of each variable
};

} // namespace ptx
