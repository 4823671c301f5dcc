// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ferry-interpret FILE.mlir ENTRY [--passes=PIPELINE]: runs a function in the interpreter on values read from the
// standard input and prints its results, one a line. With --passes it runs the function again after the passes and
// prints those results if they are the same. An error of the program is printed as `FILE:LINE:COL: error: …`, with exit
// status 1; input that cannot be run has status 2, results that differ 3.

#include "array/Interpreter.h"
#include "array/Passes.h"
#include "array/place/PlacePasses.h"
#include "array/place/PlacementInterface.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace ferry::array;

namespace {

enum ExitStatus { finished = 0, programFailed = 1, cannotRun = 2, resultsDiffer = 3 };

int complain(const llvm::Twine &message, ExitStatus status = cannotRun) {
  llvm::errs() << "ferry-interpret: error: " << message << "\n";
  return status;
}

std::optional<std::vector<InterpretedValue>> readArguments(func::FuncOp function, StringRef text, std::string &error) {
  std::vector<InterpretedValue> arguments;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    std::optional<InterpretedValue> value = readValue(text, type, error);
    if (!value) {
      error = ("argument " + llvm::Twine(index) + ": " + error).str();
      return std::nullopt;
    }
    arguments.push_back(std::move(*value));
  }
  if (onlyBlanks(text))
    return arguments;
  error = "values are left after the " + std::to_string(arguments.size()) + " arguments";
  return std::nullopt;
}

int print(const InterpreterOutcome &outcome, TypeRange types) {
  if (auto *failed = std::get_if<InterpreterError>(&outcome)) {
    emitError(failed->location) << failed->message;
    return failed->kind == InterpreterError::failure ? programFailed : cannotRun;
  }
  for (auto [value, type] : llvm::zip_equal(std::get<std::vector<InterpretedValue>>(outcome), types)) {
    printValue(llvm::outs(), value, type);
    llvm::outs() << "\n";
  }
  return finished;
}

LogicalResult runPasses(ModuleOp module, StringRef pipeline) {
  PassManager manager(module.getContext());
  return success(mlir::succeeded(parsePassPipeline(pipeline, manager)) && mlir::succeeded(manager.run(module)));
}

int run(ModuleOp module, StringRef entry, StringRef passes, StringRef input) {
  auto lookUp = [&] { return module.lookupSymbol<func::FuncOp>(entry); };
  func::FuncOp function = lookUp();
  if (!function || function.isExternal())
    return complain("no function '" + entry + "' in the module");
  std::string error;
  auto arguments = readArguments(function, input, error);
  if (!arguments)
    return complain(error);
  InterpreterOutcome outcome = interpret(function, *arguments);
  SmallVector<Type> types(function.getResultTypes());
  if (passes.empty())
    return print(outcome, types);
  if (failed(runPasses(module, passes)))
    return complain("the passes '" + passes + "' failed");
  InterpreterOutcome after = interpret(lookUp(), *arguments);
  if (auto difference = differenceBetween(outcome, after, types))
    return complain("after the passes, " + *difference, resultsDiffer);
  return print(after, types);
}

} // namespace

int main(int argc, char **argv) {
  StringRef passes;
  bool hasPasses = argc == 4 && (passes = argv[3]).consume_front("--passes=") && !passes.empty();
  if (argc != 3 && !hasPasses)
    return complain("usage: ferry-interpret FILE.mlir ENTRY [--passes=PIPELINE] < VALUES");
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registry.insert<ArrayDialect>();
  registerTransformsPasses();
  registerPlacementModels(registry);
  registerPasses();
  registerPlacePasses();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  auto module = parseSourceFile<ModuleOp>(argv[1], sources, &context);
  if (!module)
    return cannotRun;
  auto input = llvm::MemoryBuffer::getSTDIN();
  if (!input)
    return complain("cannot read the standard input");
  return run(*module, argv[2], passes, (*input)->getBuffer());
}
