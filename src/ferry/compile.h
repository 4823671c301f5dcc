// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program on its way from source to placed code, a stage after the other. Every stage prints what is wrong, as
// file:line:col: error: …, and returns the exit status that belongs to it; the stages after a failed one are not
// called.

#pragma once

#include "ferry/options.h"

#include "array/place/Place.h"
#include "codegen/Program.h"
#include "futhark/lower/lower.h"
#include "futhark/types/check.h"
#include "runtime/entry_point.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ferry {

class Compilation {
public:
  Compilation();
  ~Compilation();

  /// Reads and checks the file; all its entry points, in their order.
  int listEntries(const std::string &path, std::vector<std::string> &names);
  /// Reads and checks the file and lowers the entry point to the array dialect.
  int load(const std::string &path, const std::string &entryName);
  /// The same for a program that is no file.
  int loadText(const std::string &name, const std::string &text, const std::string &entryName);
  /// Inlines, differentiates, fuses: the program as it is placed, or as it runs on the host alone.
  int optimize(bool hasDevice);

  /// Rotates the loops and places the entry's function.
  int place(const array::PlacementOptions &options, std::optional<array::PlacementReport> &report);
  /// What code generation expects: no array is consumed that is still needed.
  int finish();
  /// Machine code that defines the entry. The entry's signature then says what it writes over.
  int compile(codegen::Options options, std::string &code);

  /// Runs passes over the module; false if one fails, which has then been reported.
  bool runPasses(const std::function<void(mlir::PassManager &)> &build);

  mlir::ModuleOp module() { return *lowered; }
  const runtime::EntryPoint &entry() const { return entryPoint; }
  const futhark::Sources &sources() const { return files; }

  /// Whether warnings and notes are not printed from now on.
  void keepQuiet(bool quiet) { isQuiet = quiet; }
  /// All that was printed, or would have been.
  const std::string &messages() const { return said; }

private:
  int load(const futhark::SourceFile &file, const std::string &entryName);
  void say(const std::string &message, bool isError);
  int check(const futhark::SourceFile &file, futhark::Diagnostics &diagnostics);
  const futhark::SourceFile *read(const std::string &path);
  const futhark::typed::Entry *findEntry(const std::string &path, const std::string &name) const;
  void printDiagnostic(mlir::Diagnostic &diagnostic);

  futhark::Sources files;
  std::unique_ptr<futhark::typed::Program> program;
  runtime::EntryPoint entryPoint;
  std::string said;
  bool isQuiet = false;
  std::unique_ptr<mlir::MLIRContext> mlirContext;
  mlir::OwningOpRef<mlir::ModuleOp> lowered;
};

} // namespace ferry
