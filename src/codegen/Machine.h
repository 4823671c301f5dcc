// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the llvm dialect to optimised code for this machine.

#pragma once

#include "mlir/IR/BuiltinOps.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace ferry::codegen {

/// This machine, with all that its processor can do; its code can be loaded anywhere.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> hostMachine();

/// The module in LLVM's own form, optimised for the machine. Null on failure, which the module's context was told of.
std::unique_ptr<llvm::Module> translateAndOptimize(mlir::ModuleOp module, llvm::LLVMContext &context,
                                                   llvm::TargetMachine &machine);

} // namespace ferry::codegen
