// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/compile.h"

#include "ferry/errors.h"
#include "ferry/source_line.h"

#include "array/Passes.h"
#include "array/place/PlacePasses.h"
#include "array/place/PlacementInterface.h"
#include "codegen/Program.h"

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

/// The type in memory of a component.
runtime::ElementType elementType(futhark::types::Prim prim) {
  using futhark::types::Prim;
  using runtime::ElementType;
  switch (prim) {
  case Prim::I8:
    return ElementType::i8;
  case Prim::I16:
    return ElementType::i16;
  case Prim::I32:
    return ElementType::i32;
  case Prim::I64:
    return ElementType::i64;
  case Prim::U8:
    return ElementType::u8;
  case Prim::U16:
    return ElementType::u16;
  case Prim::U32:
    return ElementType::u32;
  case Prim::U64:
    return ElementType::u64;
  case Prim::F16:
    return ElementType::f16;
  case Prim::F32:
    return ElementType::f32;
  case Prim::F64:
    return ElementType::f64;
  case Prim::Bool:
    return ElementType::boolean;
  }
  return ElementType::i32;
}

std::vector<runtime::ExpectedValue> typesOf(const std::vector<futhark::EntryValue> &values) {
  std::vector<runtime::ExpectedValue> types;
  for (const futhark::EntryValue &value : values)
    for (const futhark::EntryComponent &component : value.components)
      types.push_back({elementType(component.prim), component.rank});
  return types;
}

/// What is consumed is only known when the code is made.
runtime::EntryPoint entryPointOf(const futhark::EntryPoint &entry) {
  runtime::EntryPoint result;
  result.signature = {entry.name, typesOf(entry.parameters), typesOf(entry.results), {}};
  result.signature.isConsumed.resize(result.signature.parameters.size());
  for (const futhark::EntryValue &parameter : entry.parameters)
    result.parameters.push_back(
        {parameter.name, parameter.typeName, static_cast<int64_t>(parameter.components.size())});
  return result;
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

void Compilation::say(const std::string &message, bool isError) {
  said += message;
  if (isError || !isQuiet)
    llvm::errs() << message;
}

void Compilation::printDiagnostic(mlir::Diagnostic &diagnostic) {
  std::string text;
  llvm::raw_string_ostream out(text);
  auto place = diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>();
  if (place)
    out << place.getFilename().getValue() << ':' << place.getLine() << ':' << place.getColumn() << ": ";
  out << severityName(diagnostic.getSeverity()) << ": " << diagnostic << '\n';
  const futhark::SourceFile *file = place ? files.load(place.getFilename().str()) : nullptr;
  if (file)
    out << sourceLine(*file, place.getLine(), place.getColumn());
  say(text, diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error);
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

int Compilation::listEntries(const std::string &path, std::vector<std::string> &names) {
  futhark::Diagnostics diagnostics;
  const futhark::SourceFile *file = read(path);
  if (!file)
    return exitFailure;
  if (int status = check(*file, diagnostics))
    return status;
  say(diagnostics.render(), diagnostics.hasErrors());
  for (const futhark::typed::Entry &entry : program->entries)
    names.push_back(entry.name);
  return diagnostics.exitStatus();
}

const futhark::SourceFile *Compilation::read(const std::string &path) {
  const futhark::SourceFile *file = files.load(path);
  if (!file)
    llvm::errs() << path << ": error: cannot read the file\n";
  return file;
}

// Without a status the program may have errors, which are not printed yet.
int Compilation::check(const futhark::SourceFile &file, futhark::Diagnostics &diagnostics) {
  program = futhark::check(file, files, diagnostics);
  if (program)
    return exitSuccess;
  say(diagnostics.render(), true);
  return diagnostics.hasErrors() ? diagnostics.exitStatus() : exitFailure;
}

int Compilation::load(const std::string &path, const std::string &entryName) {
  const futhark::SourceFile *file = read(path);
  return file ? load(*file, entryName) : exitFailure;
}

int Compilation::loadText(const std::string &name, const std::string &text, const std::string &entryName) {
  return load(*files.add(name, text), entryName);
}

int Compilation::load(const futhark::SourceFile &file, const std::string &entryName) {
  futhark::Diagnostics diagnostics;
  if (int status = check(file, diagnostics))
    return status;
  if (const futhark::typed::Entry *entry = findEntry(file.path(), entryName)) {
    entryPoint = entryPointOf(futhark::describe(*entry));
    lowered = futhark::lower(*entry, *mlirContext, diagnostics);
  }
  say(diagnostics.render(), diagnostics.hasErrors());
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
  auto function = lowered->lookupSymbol<mlir::func::FuncOp>(entryPoint.signature.name);
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

int Compilation::compile(codegen::Options options, std::string &code) {
  options.entries.push_back(entryPoint.signature);
  std::string error;
  auto made = codegen::compileCode(module(), options, error);
  if (!made)
    return error.empty() ? exitFailure : failAsDefect(error);
  for (codegen::Entry &entry : made->entries)
    if (entry.name == entryPoint.signature.name)
      entryPoint.signature = std::move(entry);
  code = std::move(made->file);
  return exitSuccess;
}

} // namespace ferry
