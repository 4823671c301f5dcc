// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ferry-run-mlir FILE.mlir ENTRY: compiles a module of the array dialect and runs a function on values read from the
// standard input; the results are printed, one a line. With --stage=buffers|llvm|llvm-ir|asm in place of ENTRY it
// prints the module after that stage. --chunks cuts parallel loops into as many chunks as it can. --sim runs on the
// simulated device, --report adds its counters. Exit status 1: the program failed; 2: it cannot be compiled or its
// input cannot be read; 3: it left memory behind.

#include "array/Passes.h"
#include "codegen/Program.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/SourceMgr.h"

#include <cstdio>

using namespace mlir;
using namespace ferry;

namespace {

struct Arguments {
  std::string file, entry, stage;
  bool sim = false, report = false, chunks = false;
};

int complain(const std::string &message, int status = 2) {
  llvm::errs() << "ferry-run-mlir: error: " << message << "\n";
  return status;
}

std::optional<codegen::Stage> stageNamed(llvm::StringRef name) {
  if (name == "buffers")
    return codegen::Stage::buffers;
  if (name == "llvm")
    return codegen::Stage::llvm;
  if (name == "llvm-ir")
    return codegen::Stage::llvmIr;
  if (name == "asm")
    return codegen::Stage::assembly;
  return std::nullopt;
}

int runProgram(const codegen::Program &program, const Arguments &options) {
  const codegen::Entry *entry = program.entry(options.entry);
  if (!entry)
    return complain("no entry '" + options.entry + "' in " + options.file);
  std::string error;
  auto input = runtime::InputBytes::fromDescriptor(0, error);
  if (!input)
    return complain(error);
  runtime::ValueReader reader(input->view());
  std::vector<runtime::Value> values;
  for (const runtime::ExpectedValue &parameter : entry->parameters) {
    auto value = reader.next(parameter);
    if (!value)
      return complain(reader.error().text("<stdin>"));
    values.push_back(std::move(*value));
  }
  if (!reader.atEnd())
    return complain(reader.here("values are left after the arguments").text("<stdin>"));
  runtime::ContextOptions contextOptions;
  contextOptions.device = options.sim ? runtime::DeviceKind::sim : runtime::DeviceKind::none;
  runtime::Context context = runtime::makeContext(contextOptions, error);
  if (!context)
    return complain(error);
  runtime::ProgramError failed;
  std::optional<codegen::Run> done = program.run(options.entry, values, *context, failed);
  if (!done) {
    llvm::errs() << failed.text() << "\n";
    return 1;
  }
  for (const runtime::Value &result : done->results) {
    std::string text;
    runtime::writeText(result, text);
    llvm::outs() << text << "\n";
  }
  runtime::Report report = runtime::report(*context);
  if (options.report)
    llvm::outs() << "uploads " << report.uploads << " (" << report.uploadBytes << " bytes), downloads "
                 << report.downloads << " (" << report.downloadBytes << " bytes), peeks " << report.peeks << ", pokes "
                 << report.pokes << ", launches " << report.launches << ", device peak " << report.devicePeak
                 << " bytes\n";
  if (report.blocks != 0)
    return complain(std::to_string(report.blocks) + " blocks of memory were not given back", 3);
  return 0;
}

int compileAndRun(const Arguments &options) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registry.insert<array::ArrayDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  auto module = parseSourceFile<ModuleOp>(options.file, sources, &context);
  if (!module)
    return 2;
  PassManager passes(&context);
  passes.addPass(array::createInlinePins());
  passes.addPass(array::createDifferentiate());
  passes.addPass(array::createCopyConsumed());
  if (failed(passes.run(*module)))
    return 2;
  if (!options.stage.empty()) {
    auto stage = stageNamed(options.stage);
    if (!stage)
      return complain("no stage '" + options.stage + "'");
    auto text = codegen::emitStage(*module, *stage);
    if (!text)
      return 2;
    llvm::outs() << *text;
    return 0;
  }
  std::string error;
  codegen::Options compileOptions;
  compileOptions.grain = options.chunks ? 1 : 0;
  auto program = codegen::Program::compile(*module, compileOptions, error);
  return program ? runProgram(*program, options) : complain(error);
}

} // namespace

int main(int argc, char **argv) {
  Arguments options;
  std::vector<std::string> names;
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef argument = argv[i];
    if (argument == "--sim")
      options.sim = true;
    else if (argument == "--chunks")
      options.chunks = true;
    else if (argument == "--report")
      options.report = true;
    else if (argument.consume_front("--stage="))
      options.stage = argument.str();
    else
      names.push_back(argument.str());
  }
  if (names.size() != (options.stage.empty() ? 2u : 1u))
    return complain("usage: ferry-run-mlir FILE.mlir (ENTRY [--chunks] [--sim] [--report] < VALUES | --stage=STAGE)");
  options.file = names[0];
  options.entry = options.stage.empty() ? names[1] : "";
  return compileAndRun(options);
}
