// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the llvm dialect to optimised code for this machine.

#pragma once

#include "mlir/IR/BuiltinOps.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <optional>
#include <string>

namespace ferry::codegen {

/// This machine, with all that its processor can do; its code can be loaded anywhere.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> hostMachine();

/// The module in LLVM's own form, laid out for the machine. Its dialects are registered with its context, the builtin
/// and the llvm dialect by this. Null on failure, which the module's context was told of.
std::unique_ptr<llvm::Module> translate(mlir::ModuleOp module, llvm::LLVMContext &context,
                                        llvm::TargetMachine &machine);

/// Optimises for the machine. `library`: what functions of mathematics it has in vector form; null: none.
void optimize(llvm::Module &module, llvm::TargetMachine &machine, const llvm::PipelineTuningOptions &tuning,
              const llvm::TargetLibraryInfoImpl *library);

/// The same for this machine's processor.
std::unique_ptr<llvm::Module> translateAndOptimize(mlir::ModuleOp module, llvm::LLVMContext &context,
                                                   llvm::TargetMachine &machine);

/// The module as assembly or as an object file; nothing if the machine has no such form.
std::optional<std::string> written(llvm::Module &module, llvm::TargetMachine &machine, llvm::CodeGenFileType type);

} // namespace ferry::codegen
