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
#include <vector>

namespace ferry::codegen {

/// This machine, with all that its processor can do; its code can be loaded anywhere.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> hostMachine();

/// A processor that code is made for and may be carried to.
struct Processor {
  std::string name;                  ///< by LLVM's; code is tuned for it
  std::vector<std::string> features; ///< those of runtime/processor.h that code may use
};

/// One of this architecture; `native` is the one that is here. Nothing if LLVM knows none of that name.
std::optional<Processor> processorNamed(const std::string &name);

/// A machine with this processor; its code can be loaded anywhere.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machineWith(const Processor &processor);

/// The module in LLVM's own form, laid out for the machine. Its dialects are registered with its context, the builtin
/// and the llvm dialect by this. Null on failure, which the module's context was told of.
std::unique_ptr<llvm::Module> translate(mlir::ModuleOp module, llvm::LLVMContext &context,
                                        llvm::TargetMachine &machine);

/// Optimises for the machine. `library`: what functions of mathematics it has in vector form; null: none.
void optimize(llvm::Module &module, llvm::TargetMachine &machine, const llvm::PipelineTuningOptions &tuning,
              const llvm::TargetLibraryInfoImpl *library);

/// The same for the host. Code is tuned for the processor of a name, if there is one, else for the machine's own.
std::unique_ptr<llvm::Module> translateAndOptimize(mlir::ModuleOp module, llvm::LLVMContext &context,
                                                   llvm::TargetMachine &machine, llvm::StringRef tuning = "");

/// The module as assembly or as an object file; nothing if the machine has no such form.
std::optional<std::string> written(llvm::Module &module, llvm::TargetMachine &machine, llvm::CodeGenFileType type);

} // namespace ferry::codegen
