// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program on its way from source to placed code, a stage after the other. Every stage prints what is wrong, as
// file:line:col: error: …, and returns the exit status that belongs to it; the stages after a failed one are not
// called.

#pragma once

#include "ferry/options.h"

#include "array/place/Place.h"
#include "futhark/lower/lower.h"
#include "futhark/types/check.h"
#include "runtime/context.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace ferry {

class Compilation {
public:
  Compilation();
  ~Compilation();

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

  /// Runs passes over the module; false if one fails, which has then been reported.
  bool runPasses(const std::function<void(mlir::PassManager &)> &build);

  /// Prints an error of the run as those of the compilation are: with its source line.
  void print(const runtime::ProgramError &error);

  mlir::ModuleOp module() { return *lowered; }
  const futhark::EntryPoint &entry() const { return entryPoint; }

private:
  int load(const futhark::SourceFile &file, const std::string &entryName);
  const futhark::typed::Entry *findEntry(const std::string &path, const std::string &name) const;
  void printDiagnostic(mlir::Diagnostic &diagnostic);
  void printSourceLine(const std::string &path, unsigned line, unsigned column);

  futhark::Sources sources;
  std::unique_ptr<futhark::typed::Program> program;
  futhark::EntryPoint entryPoint;
  std::unique_ptr<mlir::MLIRContext> mlirContext;
  mlir::OwningOpRef<mlir::ModuleOp> lowered;
};

} // namespace ferry
