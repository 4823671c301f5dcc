// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/Emitter.h"
#include "codegen/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace ferry::codegen {
namespace {

class Bufferize : public PassWrapper<Bufferize, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Bufferize)
  explicit Bufferize(int64_t grain) : grain(grain) {}
  StringRef getArgument() const override { return "ferry-bufferize"; }
  StringRef getDescription() const override { return "arrays to blocks of memory, SOACs to loops over chunks"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect, scf::SCFDialect, arith::ArithDialect>();
  }

  void runOnOperation() override {
    Emitter emitter(getOperation(), grain);
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
  }

private:
  int64_t grain;
};

} // namespace

std::unique_ptr<Pass> createBufferizePass(int64_t grain) { return std::make_unique<Bufferize>(grain); }

} // namespace ferry::codegen
