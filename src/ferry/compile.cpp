// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/compile.h"

#include "array/Passes.h"
#include "array/place/PlacePasses.h"
#include "array/place/PlacementInterface.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/raw_ostream.h"

namespace ferry {

namespace {

const char *severityName(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Note:
    return "note";
  case mlir::DiagnosticSeverity::Warning:
    return "warning";
  case mlir::DiagnosticSeverity::Error:
    return "error";
  case mlir::DiagnosticSeverity::Remark:
    return "remark";
  }
  return "error";
}

} // namespace

Compilation::Compilation() : mlirContext(std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED)) {
  mlir::DialectRegistry registry;
  array::registerPlacementModels(registry);
  mlirContext->appendDialectRegistry(registry);
  mlirContext->printOpOnDiagnostic(false); // nor anything else that users did not write
  mlirContext->getDiagEngine().registerHandler([this](mlir::Diagnostic &diagnostic) {
    printDiagnostic(diagnostic);
    for (mlir::Diagnostic &note : diagnostic.getNotes())
      printDiagnostic(note);
    return mlir::success();
  });
}

Compilation::~Compilation() = default;

void Compilation::printDiagnostic(mlir::Diagnostic &diagnostic) {
  llvm::raw_ostream &out = llvm::errs();
  auto place = diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>();
  if (place)
    out << place.getFilename().getValue() << ':' << place.getLine() << ':' << place.getColumn() << ": ";
  out << severityName(diagnostic.getSeverity()) << ": " << diagnostic << '\n';
  if (place)
    printSourceLine(place.getFilename().str(), place.getLine(), place.getColumn());
}

void Compilation::printSourceLine(const std::string &path, unsigned line, unsigned column) {
  constexpr size_t longest = 200; // as in the messages of the front end
  const futhark::SourceFile *file = sources.load(path);
  std::string_view text = file ? file->line(line) : std::string_view();
  if (text.empty() || text.size() > longest)
    return;
  llvm::raw_ostream &out = llvm::errs();
  out << text << '\n';
  for (unsigned at = 1; at < column && at <= text.size(); ++at)
    out << (text[at - 1] == '\t' ? '\t' : ' ');
  out << "^\n";
}

void Compilation::print(const runtime::ProgramError &error) {
  llvm::errs() << error.text() << '\n';
  if (error.line > 0 && error.column > 0)
    printSourceLine(error.file, static_cast<unsigned>(error.line), static_cast<unsigned>(error.column));
}

const futhark::typed::Entry *Compilation::findEntry(const std::string &path, const std::string &name) const {
  std::string names;
  for (const futhark::typed::Entry &entry : program->entries) {
    if (entry.name == name)
      return &entry;
    names += (names.empty() ? "" : ", ") + entry.name;
  }
  llvm::errs() << path << ": error: there is no entry point '" << name << "'\n"
               << (names.empty() ? "hint: `entry` instead of `def` makes one\n"
                                 : "hint: there are: " + names + "; -e chooses one\n");
  return nullptr;
}

int Compilation::load(const std::string &path, const std::string &entryName) {
  const futhark::SourceFile *file = sources.load(path);
  if (!file) {
    llvm::errs() << path << ": error: cannot read the file\n";
    return exitFailure;
  }
  return load(*file, entryName);
}

int Compilation::loadText(const std::string &name, const std::string &text, const std::string &entryName) {
  return load(*sources.add(name, text), entryName);
}

int Compilation::load(const futhark::SourceFile &file, const std::string &entryName) {
  futhark::Diagnostics diagnostics;
  program = futhark::check(file, sources, diagnostics);
  const futhark::typed::Entry *entry = program ? findEntry(file.path(), entryName) : nullptr;
  if (entry) {
    entryPoint = futhark::describe(*entry);
    lowered = futhark::lower(*entry, *mlirContext, diagnostics);
  }
  llvm::errs() << diagnostics.render();
  if (diagnostics.hasErrors())
    return diagnostics.exitStatus();
  return lowered ? exitSuccess : exitFailure;
}

bool Compilation::runPasses(const std::function<void(mlir::PassManager &)> &build) {
  mlir::PassManager passes(mlirContext.get());
  build(passes);
  return succeeded(passes.run(*lowered));
}

int Compilation::optimize(bool hasDevice) {
  array::FuseOptions fuse;
  fuse.oneSide = !hasDevice;
  bool done = runPasses([&](mlir::PassManager &passes) {
    passes.addPass(mlir::createCanonicalizerPass());
    passes.addPass(mlir::createCSEPass());
    passes.addPass(array::createInlinePins());
    passes.addPass(array::createCheckInlined());
    passes.addPass(array::createDifferentiate());
    passes.addPass(array::createCheckDifferentiated());
    passes.addPass(array::createDropCopies());
    passes.addPass(array::createHoist());
    passes.addPass(mlir::createCanonicalizerPass());
    passes.addPass(mlir::createCSEPass());
    passes.addPass(array::createFuse(fuse));
    passes.addPass(array::createDistribute());
    passes.addPass(array::createFuse(fuse));
    passes.addPass(mlir::createCanonicalizerPass());
    passes.addPass(mlir::createCSEPass());
  });
  return done ? exitSuccess : exitFailure;
}

int Compilation::place(const array::PlacementOptions &options, std::optional<array::PlacementReport> &report) {
  if (!runPasses([](mlir::PassManager &passes) { passes.addPass(array::createRotate()); }))
    return exitFailure;
  auto function = lowered->lookupSymbol<mlir::func::FuncOp>(entryPoint.name);
  if (failed(array::checkAssumptions(function, options.inputs)) ||
      failed(array::placeFunction(function, options, &report)))
    return exitFailure;
  return runPasses([](mlir::PassManager &passes) { passes.addPass(array::createCheckPlaced()); }) ? exitSuccess
                                                                                                  : exitFailure;
}

int Compilation::finish() {
  bool done = runPasses([](mlir::PassManager &passes) { passes.addPass(array::createCopyConsumed()); });
  return done ? exitSuccess : exitFailure;
}

} // namespace ferry
