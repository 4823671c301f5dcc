// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that a stage of the pipeline has left nothing of what it removes. MLIR's passes skip what they do not know
// without a word; an operation found here is named where it comes from instead of failing far behind.

#include "array/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace ferry::array {

#define GEN_PASS_DEF_CHECKINLINED
#define GEN_PASS_DEF_CHECKDIFFERENTIATED
#define GEN_PASS_DEF_CHECKPLACED
#define GEN_PASS_DEF_CHECKLOWERED
#include "array/Passes.h.inc"

namespace {

// Complains about each operation for which `what` says why it should be gone; an empty reason is none.
LogicalResult checkGone(ModuleOp module, StringRef stage, llvm::function_ref<std::string(Operation *)> what) {
  bool isClean = true;
  module.walk([&](Operation *op) {
    std::string reason = what(op);
    if (reason.empty())
      return;
    op->emitOpError() << "is left after " << stage << ": " << reason;
    isClean = false;
  });
  return success(isClean);
}

class CheckInlined : public impl::CheckInlinedBase<CheckInlined> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    auto what = [&](Operation *op) -> std::string {
      auto call = dyn_cast<func::CallOp>(op);
      auto callee = call ? symbols.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr()) : func::FuncOp();
      return callee && !callee.isExternal() ? "the callee has a body" : "";
    };
    if (failed(checkGone(getOperation(), "inlining", what)))
      signalPassFailure();
  }
};

class CheckDifferentiated : public impl::CheckDifferentiatedBase<CheckDifferentiated> {
  void runOnOperation() override {
    auto what = [](Operation *op) -> std::string { return isa<JvpOp>(op) ? "derivatives are code now" : ""; };
    if (failed(checkGone(getOperation(), "differentiation", what)))
      signalPassFailure();
  }
};

class CheckPlaced : public impl::CheckPlacedBase<CheckPlaced> {
  void runOnOperation() override {
    auto what = [](Operation *op) -> std::string {
      if (isa<PinOp>(op))
        return "pins are part of the placement now";
      if (isInsideSoac(op) || op->getParentOfType<LaunchOp>())
        return "";
      for (Type type : op->getResultTypes())
        if (isa<RankedTensorType>(type) && !sideOf(type))
          return "a result has no side";
      return "";
    };
    if (failed(checkGone(getOperation(), "placement", what)))
      signalPassFailure();
  }
};

class CheckLowered : public impl::CheckLoweredBase<CheckLowered> {
  void runOnOperation() override {
    auto what = [](Operation *op) -> std::string {
      if (op->getName().getDialectNamespace() == ArrayDialect::getDialectNamespace())
        return "no array operation can be translated";
      bool hasTensor = llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
      return hasTensor ? "a result is still a tensor" : "";
    };
    if (failed(checkGone(getOperation(), "lowering", what)))
      signalPassFailure();
  }
};

} // namespace
} // namespace ferry::array
