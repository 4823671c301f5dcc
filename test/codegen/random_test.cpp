// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs give the same when compiled as when interpreted, in one chunk and in many, with all their copies and
// with those dropped that are not needed; they leave no memory behind and the arguments as they were. On a difference
// the program is printed with its seed; set FERRY_SEED to begin at another one, FERRY_PROGRAMS for more.

#include "RandomProgram.h"

#include "array/Passes.h"
#include "codegen/Program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace mlir;
using namespace ferry;
using namespace ferry::test;

namespace {

uint64_t fromEnvironment(const char *name, uint64_t otherwise) {
  const char *text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

// By way of the text form that both write and read.
std::vector<runtime::Value> valuesOf(ArrayRef<array::InterpretedValue> values, TypeRange types) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (auto [value, type] : llvm::zip_equal(values, types)) {
    array::printValue(stream, value, type);
    stream << "\n";
  }
  runtime::ValueError error;
  auto read = runtime::readValues(text, error);
  EXPECT_TRUE(read.has_value()) << error.text("values") << "\n" << text;
  return read ? std::move(*read) : std::vector<runtime::Value>();
}

// The way back.
std::vector<array::InterpretedValue> interpreted(ArrayRef<runtime::Value> values, TypeRange types) {
  std::vector<array::InterpretedValue> result;
  for (auto [value, type] : llvm::zip_equal(values, types)) {
    std::string text, error;
    runtime::writeText(value, text);
    StringRef rest = text;
    auto read = array::readValue(rest, type, error);
    EXPECT_TRUE(read.has_value()) << error << "\n" << text;
    result.push_back(read.value_or(array::Cell()));
  }
  return result;
}

class RandomPrograms : public ::testing::Test {
protected:
  RandomPrograms() : context(MLIRContext::Threading::DISABLED) {
    setenv("OMP_NUM_THREADS", "1", 0); // for small chunks by the thousand, threads would mostly wait for each other
    context
        .loadDialect<array::ArrayDialect, arith::ArithDialect, func::FuncDialect, math::MathDialect, scf::SCFDialect>();
  }

  std::unique_ptr<codegen::Program> compile(ModuleOp module, int64_t grain, bool dropsCopies) {
    OwningOpRef<ModuleOp> clone(cast<ModuleOp>(module->clone()));
    PassManager passes(&context);
    passes.addPass(array::createDifferentiate());
    if (dropsCopies)
      passes.addPass(array::createDropCopies());
    passes.addPass(array::createCopyConsumed());
    EXPECT_TRUE(succeeded(passes.run(*clone)));
    codegen::Options options;
    options.grain = grain;
    std::string error;
    auto program = codegen::Program::compile(*clone, options, error);
    EXPECT_TRUE(program) << error;
    return program;
  }

  // False if the interpreter gave up.
  bool compare(const codegen::Program &program, func::FuncOp function, uint64_t seed) {
    array::InterpreterOptions options;
    options.steps = 30'000;
    std::vector<array::InterpretedValue> arguments = randomArguments(seed);
    auto outcome = array::interpret(function, arguments, options);
    auto *failed = std::get_if<array::InterpreterError>(&outcome);
    if (failed && failed->kind != array::InterpreterError::failure)
      return false;
    std::string error;
    runtime::Context context = runtime::makeContext({}, error);
    runtime::ProgramError found;
    std::vector<runtime::Value> given = valuesOf(arguments, function.getArgumentTypes());
    auto run = program.run("main", given, *context, found);
    for (auto [now, before] : llvm::zip(given, valuesOf(arguments, function.getArgumentTypes())))
      EXPECT_TRUE(now.shape == before.shape && now.data == before.data) << "an argument was changed";
    EXPECT_EQ(run.has_value(), !failed) << (failed ? failed->message : found.text());
    if (failed || !run)
      return true;
    auto difference =
        differenceBetween(outcome, interpreted(run->results, function.getResultTypes()), function.getResultTypes());
    EXPECT_FALSE(difference) << *difference;
    EXPECT_EQ(runtime::report(*context).blocks, 0) << "memory was not given back";
    return true;
  }

  MLIRContext context;
};

TEST_F(RandomPrograms, GiveTheSameAsInterpreted) {
  uint64_t first = fromEnvironment("FERRY_SEED", 1), count = fromEnvironment("FERRY_PROGRAMS", 40);
  int compared = 0;
  for (uint64_t seed = first; seed < first + count && !HasFailure(); ++seed) {
    RandomOptions options;
    options.seed = seed;
    OwningOpRef<ModuleOp> module = randomProgram(context, options);
    auto function = module->lookupSymbol<func::FuncOp>("main");
    for (int64_t grain : {0, 1}) {
      auto program = compile(*module, grain, grain == 1);
      ASSERT_TRUE(program);
      for (uint64_t arguments = 3 * seed; arguments < 3 * seed + 3; ++arguments)
        compared += compare(*program, function, arguments);
    }
    if (HasFailure()) {
      std::string text;
      llvm::raw_string_ostream(text) << *module;
      ADD_FAILURE() << "seed " << seed << "\n" << text;
    }
  }
  EXPECT_GT(compared, static_cast<int>(count));
}

} // namespace
