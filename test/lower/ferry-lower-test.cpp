// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ferry-lower-test FILE [ENTRY [--locations | --describe]]: prints the array dialect of an entry point, `main` if none
// is named, or what its arguments and results are.

#include "futhark/lower/lower.h"
#include "futhark/types/check.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"

using namespace ferry::futhark;

namespace {

void print(llvm::StringRef what, const std::vector<EntryValue> &values) {
  for (const EntryValue &value : values) {
    llvm::outs() << what << " " << value.name << ": " << (value.unique ? "*" : "") << value.typeName << " =";
    for (const EntryComponent &component : value.components)
      llvm::outs() << " " << types::name(component.prim) << "/" << component.rank;
    llvm::outs() << "\n";
  }
}

int lowerEntry(const typed::Entry &entry, llvm::StringRef option, Diagnostics &diagnostics) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto module = lower(entry, context, diagnostics);
  llvm::errs() << diagnostics.render();
  if (!module)
    return diagnostics.exitStatus();
  mlir::OpPrintingFlags flags;
  if (option == "--locations")
    flags.enableDebugInfo(true, true);
  module->print(llvm::outs(), flags);
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  llvm::StringRef name = argc > 2 ? argv[2] : "main", option = argc > 3 ? argv[3] : "";
  Sources sources;
  Diagnostics diagnostics;
  const SourceFile *file = argc > 1 ? sources.load(argv[1]) : nullptr;
  if (!file) {
    llvm::errs() << "usage: ferry-lower-test FILE [ENTRY [--locations | --describe]]\n";
    return 2;
  }
  auto program = check(*file, sources, diagnostics);
  if (program) {
    for (const typed::Entry &entry : program->entries) {
      if (entry.name != name)
        continue;
      if (option != "--describe")
        return lowerEntry(entry, option, diagnostics);
      EntryPoint point = describe(entry);
      print("parameter", point.parameters);
      print("result", point.results);
      return 0;
    }
  }
  llvm::errs() << diagnostics.render();
  return diagnostics.hasErrors() ? diagnostics.exitStatus() : 2;
}
