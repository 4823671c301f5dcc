// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ferry-interpret FILE.mlir ENTRY: runs a function in the interpreter on values read from the standard input and prints
// its results, one a line. An error of the program is printed as `FILE:LINE:COL: error: …`, with exit status 1; input
// that cannot be run has status 2.

#include "array/Interpreter.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace ferry::array;

namespace {

int complain(const llvm::Twine &message) {
  llvm::errs() << "ferry-interpret: error: " << message << "\n";
  return 2;
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

int runFunction(func::FuncOp function, StringRef input) {
  std::string error;
  auto arguments = readArguments(function, input, error);
  if (!arguments)
    return complain(error);
  auto outcome = interpret(function, *arguments);
  if (auto *failed = std::get_if<InterpreterError>(&outcome)) {
    emitError(failed->location) << failed->message;
    return failed->kind == InterpreterError::failure ? 1 : 2;
  }
  auto &results = std::get<std::vector<InterpretedValue>>(outcome);
  for (auto [value, type] : llvm::zip_equal(results, function.getResultTypes())) {
    printValue(llvm::outs(), value, type);
    llvm::outs() << "\n";
  }
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3)
    return complain("usage: ferry-interpret FILE.mlir ENTRY < VALUES");
  DialectRegistry registry;
  registerAllDialects(registry);
  registry.insert<ArrayDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  auto module = parseSourceFile<ModuleOp>(argv[1], sources, &context);
  if (!module)
    return 2;
  auto function = module->lookupSymbol<func::FuncOp>(argv[2]);
  if (!function || function.isExternal())
    return complain(llvm::Twine("no function '") + argv[2] + "' in " + argv[1]);
  auto input = llvm::MemoryBuffer::getSTDIN();
  if (!input)
    return complain("cannot read the standard input");
  return runFunction(function, (*input)->getBuffer());
}
