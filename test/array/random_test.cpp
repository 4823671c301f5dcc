// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs mean the same before and after the passes. On a difference the program is printed with its seed; set
// FERRY_SEED to begin at another one.

#include "RandomProgram.h"

#include "array/Passes.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace mlir;
using namespace ferry::array;
using namespace ferry::test;

namespace {

class RandomPrograms : public ::testing::Test {
protected:
  RandomPrograms() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<ArrayDialect, arith::ArithDialect, func::FuncDialect, math::MathDialect, scf::SCFDialect>();
    static const bool registered = [] {
      registerPasses();
      registerTransformsPasses();
      return true;
    }();
    (void)registered;
  }

  static InterpreterOutcome run(ModuleOp module, uint64_t seed) {
    InterpreterOptions options;
    options.steps = 300'000;
    return interpret(module.lookupSymbol<func::FuncOp>("main"), randomArguments(seed), options);
  }

  static bool ranOutOfSteps(const InterpreterOutcome &outcome) {
    auto *error = std::get_if<InterpreterError>(&outcome);
    return error && error->kind == InterpreterError::steps;
  }

  // An access out of bounds whose result is not used is as dead as any other operation; a failed check is not.
  static bool isUnusedAccess(const InterpreterOutcome &outcome) {
    auto *error = std::get_if<InterpreterError>(&outcome);
    return error && StringRef(error->message).starts_with("Index");
  }

  static std::string textOf(ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream(text) << module;
    return text;
  }

  // Compares the program with what each pipeline makes of it, on three sets of arguments.
  void compare(const RandomOptions &options, ArrayRef<StringRef> pipelines) {
    OwningOpRef<ModuleOp> module = randomProgram(context, options);
    ASSERT_TRUE(succeeded(verify(*module))) << "seed " << options.seed << "\n" << textOf(*module);
    for (StringRef pipeline : pipelines) {
      OwningOpRef<ModuleOp> changed(cast<ModuleOp>(module->getOperation()->clone()));
      PassManager manager(&context);
      ASSERT_TRUE(succeeded(parsePassPipeline(pipeline, manager)));
      ASSERT_TRUE(succeeded(manager.run(*changed))) << "seed " << options.seed << " " << pipeline.str() << "\n"
                                                    << textOf(*module);
      for (uint64_t arguments = 3 * options.seed; arguments < 3 * options.seed + 3; ++arguments) {
        InterpreterOutcome expected = run(*module, arguments);
        InterpreterOutcome found = run(*changed, arguments);
        if (ranOutOfSteps(expected) || ranOutOfSteps(found))
          continue;
        if (isUnusedAccess(expected) && std::holds_alternative<std::vector<InterpretedValue>>(found))
          continue;
        ++compared;
        failures += std::holds_alternative<InterpreterError>(expected);
        SmallVector<Type> types(module->lookupSymbol<func::FuncOp>("main").getResultTypes());
        auto difference = differenceBetween(expected, found, types);
        ASSERT_FALSE(difference) << "seed " << options.seed << ", " << pipeline.str() << ": " << *difference << "\n"
                                 << textOf(*module) << "\nbecame\n"
                                 << textOf(*changed);
      }
    }
  }

  static uint64_t firstSeed() {
    const char *seed = std::getenv("FERRY_SEED");
    return seed ? std::strtoull(seed, nullptr, 10) : 1;
  }

  MLIRContext context;
  int64_t compared = 0, failures = 0;
};

TEST_F(RandomPrograms, meanTheSameAfterThePasses) {
  SmallVector<StringRef> pipelines = {
      "canonicalize",
      "array-fuse",
      "array-fuse{one-side}",
      "array-hoist",
      "array-distribute",
      "canonicalize,cse,array-drop-copies,array-hoist,array-fuse,array-distribute,canonicalize,array-fuse"};
  for (uint64_t seed = firstSeed(); seed < firstSeed() + 150 && !HasFatalFailure(); ++seed)
    compare({.seed = seed, .failures = seed % 3 == 0}, pipelines);
  EXPECT_GT(compared, 1000);
  EXPECT_GT(failures, 10);
  EXPECT_LT(failures, compared / 2);
}

TEST_F(RandomPrograms, haveTheDerivativesThatDifferencesShow) {
  SmallVector<StringRef> pipelines = {
      "array-differentiate", "canonicalize,cse,array-differentiate,canonicalize,cse,array-fuse,array-distribute"};
  for (uint64_t seed = firstSeed(); seed < firstSeed() + 100 && !HasFatalFailure(); ++seed)
    compare({.seed = seed, .statements = 5, .depth = 2, .failures = false, .derivative = true}, pipelines);
  EXPECT_GT(compared, 300);
}

} // namespace
