// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured control flow to branches, arithmetic to the llvm dialect, then a look at every operation: MLIR's
// conversions leave what they do not know in place without a word.

#include "codegen/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace ferry::codegen {
namespace {

class LowerToLLVM : public PassWrapper<LowerToLLVM, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerToLLVM)
  StringRef getArgument() const override { return "ferry-lower-to-llvm"; }
  StringRef getDescription() const override { return "scf, arith and math to the llvm dialect"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect, cf::ControlFlowDialect, func::FuncDialect>();
  }

  void runOnOperation() override {
    if (failed(lowerControlFlow()) || failed(lowerVectors()) || failed(lowerOperations()) ||
        failed(checkAllIsLowered()))
      signalPassFailure();
  }

private:
  LogicalResult lowerControlFlow() {
    RewritePatternSet patterns(&getContext());
    populateSCFToControlFlowConversionPatterns(patterns);
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    ConversionTarget target(getContext());
    target.addIllegalDialect<scf::SCFDialect>();
    target.addIllegalOp<arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    return applyPartialConversion(getOperation(), target, std::move(patterns));
  }

  // Before calls of libm are considered, which take vectors apart.
  LogicalResult lowerVectors() {
    LowerToLLVMOptions options(&getContext());
    LLVMTypeConverter types(&getContext(), options);
    RewritePatternSet patterns(&getContext());
    populateMathToLLVMConversionPatterns(types, patterns, false);
    LLVMConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addDynamicallyLegalDialect<math::MathDialect>(
        [](Operation *op) { return llvm::none_of(op->getResultTypes(), llvm::IsaPred<VectorType>); });
    return applyPartialConversion(getOperation(), target, std::move(patterns));
  }

  LogicalResult lowerOperations() {
    LowerToLLVMOptions options(&getContext());
    LLVMTypeConverter types(&getContext(), options);
    RewritePatternSet patterns(&getContext());
    arith::populateArithToLLVMConversionPatterns(types, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
    populateMathToLLVMConversionPatterns(types, patterns, false);
    populateMathToLibmConversionPatterns(patterns); // gives declarations and calls of func
    populateFuncToLLVMConversionPatterns(types, patterns);
    LLVMConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addIllegalDialect<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect, math::MathDialect>();
    return applyPartialConversion(getOperation(), target, std::move(patterns));
  }

  LogicalResult checkAllIsLowered() {
    auto result = getOperation()->walk([&](Operation *op) {
      if (isa<ModuleOp>(op) || isa<LLVM::LLVMDialect>(op->getDialect()))
        return WalkResult::advance();
      op->emitError() << "'" << op->getName() << "' was not lowered to the llvm dialect";
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }
};

} // namespace

std::unique_ptr<Pass> createLowerToLLVMPass() { return std::make_unique<LowerToLLVM>(); }

} // namespace ferry::codegen
