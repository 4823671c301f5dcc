// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module of the array dialect, compiled to machine code of this process and ready to run.

#pragma once

#include "codegen/KernelForm.h"
#include "runtime/context.h"
#include "runtime/values.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ferry::codegen {

/// The types that a public function's parameters and results have in the source language: MLIR's integers do not know
/// whether they are signed.
struct Entry {
  std::string name;
  std::vector<runtime::ExpectedValue> parameters, results;
};

struct Options {
  std::vector<Entry> entries; ///< of a function that is not named here, integers are signed
  int64_t grain = 0;          ///< the least number of points in a chunk of a parallel loop; 0: what is worth a thread
  KernelTarget kernels;       ///< of the device
};

/// What the compiler can show of its work.
enum class Stage { opencl, ptx, buffers, llvm, llvmIr, assembly };

/// The module as text after a stage, or nothing; the module's context has then been told why. Changes the module.
std::optional<std::string> emitStage(mlir::ModuleOp module, Stage stage, KernelTarget kernels = {});

struct Run {
  std::vector<runtime::Value> results;
  double microseconds = 0; ///< of the entry alone: no time to make its arguments or to take its results out
};

class Program {
public:
  /// Compiles the module's public functions, which must have passed array-copy-consumed, and changes it on the way.
  /// Null on failure, with a line in `error`; what is wrong with the module has been told to its context. If `error`
  /// is empty, the machine lacks what the program needs, which has been told as well.
  static std::unique_ptr<Program> compile(mlir::ModuleOp module, const Options &options, std::string &error);
  ~Program();

  /// Null if there is no such entry.
  const Entry *entry(std::string_view name) const;

  /// Runs an entry. The arguments are of its parameter types (checked) and are not changed. Nothing on failure, with
  /// the reason in `error`.
  std::optional<Run> run(std::string_view name, std::span<const runtime::Value> arguments, FerryContext &context,
                         runtime::ProgramError &error) const;

private:
  struct Code;
  explicit Program(std::unique_ptr<Code> code);
  std::unique_ptr<Code> code;
};

} // namespace ferry::codegen
