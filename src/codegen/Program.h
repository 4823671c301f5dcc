// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module of the array dialect, compiled to machine code of this process and ready to run.

#pragma once

#include "codegen/KernelForm.h"
#include "codegen/Machine.h"
#include "runtime/entry_point.h"
#include "runtime/shared_object.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ferry::codegen {

/// MLIR's integers do not know whether they are signed, so the caller says which types are meant.
using Entry = runtime::Signature;
using Run = runtime::Run;

/// An object file is what `ferry build` links; a shared object is loaded (runtime/shared_object.h).
enum class CodeForm { sharedObject, object };

struct Options {
  std::vector<Entry> entries; ///< of a function that is not named here, integers are signed
  int64_t grain = 0;          ///< the least number of points in a chunk of a parallel loop; 0: what is worth a thread
  KernelTarget kernels;       ///< of the device
  CodeForm form = CodeForm::sharedObject;
  std::optional<Processor> processor;        ///< none: the one that is here, with all that it can do
  std::string prefix = runtime::entryPrefix; ///< of the names of the functions that it defines
};

/// What the compiler can show of its work.
enum class Stage { opencl, ptx, buffers, llvm, llvmIr, assembly };

/// The module as text after a stage, or nothing; the module's context has then been told why. Changes the module.
std::optional<std::string> emitStage(mlir::ModuleOp module, Stage stage, KernelTarget kernels = {});

/// Compiled code: a file that defines `void PREFIXNAME(context, slots)` for each entry.
struct Code {
  std::vector<Entry> entries;
  std::string file;
};

/// Compiles the module's public functions, which must have passed array-copy-consumed, and changes it on the way.
/// Nothing on failure, with a line in `error`; what is wrong with the module has been told to its context. If `error`
/// is empty, the machine lacks what the program needs, which has been told as well.
std::optional<Code> compileCode(mlir::ModuleOp module, const Options &options, std::string &error);

/// An object file that defines ferry_program, a FerryProgram (standalone/program.h): the description, and the functions
/// of these names. Nothing, with a line in `error`, if it cannot be made.
std::optional<std::string> programObject(std::string_view description, std::span<const std::string> functions,
                                         std::string &error);

class Program {
public:
  /// As compileCode; the code is in this process.
  static std::unique_ptr<Program> compile(mlir::ModuleOp module, const Options &options, std::string &error);
  /// Null if there is no such entry.
  const Entry *entry(std::string_view name) const;

  /// Runs an entry. The arguments are of its parameter types (checked) and are not changed. Nothing on failure, with
  /// the reason in `error`.
  std::optional<Run> run(std::string_view name, std::span<const runtime::Value> arguments, FerryContext &context,
                         runtime::ProgramError &error) const;

private:
  std::vector<Entry> entries;
  std::unique_ptr<runtime::SharedObject> code;
};

} // namespace ferry::codegen
