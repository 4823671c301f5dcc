// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/Emitter.h"
#include "codegen/Passes.h"
#include "codegen/cuda/Ptx.h"
#include "codegen/opencl/Text.h"
#include "codegen/opencl/Vectors.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace ferry::codegen {
namespace {

class Bufferize : public PassWrapper<Bufferize, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Bufferize)
  Bufferize(int64_t grain, KernelTarget target) : grain(grain), target(target) {}
  StringRef getArgument() const override { return "ferry-bufferize"; }
  StringRef getDescription() const override { return "arrays to blocks of memory, SOACs to loops over chunks"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect, scf::SCFDialect, arith::ArithDialect>();
    if (target.language == KernelLanguage::ptx)
      registry.insert<NVVM::NVVMDialect, cf::ControlFlowDialect>();
  }

  void runOnOperation() override {
    Emitter emitter(getOperation(), grain, target.language);
    emitter.declareLibrary();
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions) {
      if (!function.isPublic())
        continue;
      array::dissolvePins(function);
      if (failed(emitter.emitEntry(function)))
        return signalPassFailure();
    }
    for (func::FuncOp function : functions)
      function.erase();
    if (!target)
      return;
    if (target.language == KernelLanguage::openCl)
      for (LLVM::LLVMFuncOp function : getOperation().getOps<LLVM::LLVMFuncOp>())
        if (function->hasAttr(kKernel))
          vectorizeOuterLoops(function, {opencl::mostLanes, opencl::hasVectors});
    std::optional<std::string> kernels = target.language == KernelLanguage::ptx
                                             ? cuda::ptxOfKernels(getOperation(), target.capability)
                                             : opencl::textOfKernels(getOperation());
    if (!kernels)
      return signalPassFailure();
    emitter.defineKernels(*kernels);
  }

private:
  int64_t grain;
  KernelTarget target;
};

} // namespace

std::unique_ptr<Pass> createBufferizePass(int64_t grain, KernelTarget kernels) {
  return std::make_unique<Bufferize>(grain, kernels);
}

} // namespace ferry::codegen
