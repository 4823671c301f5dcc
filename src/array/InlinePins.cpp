// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls are placed as if inlined. What a pin on the callee says must survive the inlining, so the callee's body becomes
// the body of an array.pin.

#include "array/Passes.h"
#include "array/Soac.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace ferry::array {

#define GEN_PASS_DEF_INLINEPINS
#include "array/Passes.h.inc"

namespace {

class InlinePins : public impl::InlinePinsBase<InlinePins> {
  void runOnOperation() override {
    SymbolTableCollection symbols;
    // A call chain longer than the number of functions comes back to one of them.
    size_t limit = llvm::range_size(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
      if (failed(inlineCallsIn(function, symbols, limit)))
        return signalPassFailure();
    for (func::FuncOp function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (function.isPrivate() && !function.isExternal() && SymbolTable::symbolKnownUseEmpty(function, getOperation()))
        function.erase();
  }

  LogicalResult inlineCallsIn(Operation *root, SymbolTableCollection &symbols, size_t depth) {
    SmallVector<func::CallOp> callOps;
    root->walk([&](func::CallOp call) { callOps.push_back(call); });
    for (func::CallOp call : callOps) {
      auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
      if (!callee || callee.isExternal())
        continue;
      if (depth == 0)
        return call.emitOpError() << "calls '" << call.getCallee() << "' recursively";
      if (!callee.getBody().hasOneBlock())
        return call.emitOpError() << "calls '" << call.getCallee() << "', which has several blocks";
      if (failed(inlineCall(call, callee, symbols, depth - 1)))
        return failure();
    }
    return success();
  }

  LogicalResult inlineCall(func::CallOp call, func::FuncOp callee, SymbolTableCollection &symbols, size_t depth) {
    OpBuilder builder(call);
    IRMapping mapping;
    mapping.map(callee.getArguments(), call.getOperands());
    auto pin = callee->getAttrOfType<SideAttr>("array.pin");
    PinOp scope;
    if (pin) {
      scope = PinOp::create(builder, call.getLoc(), call.getResultTypes(), pin, callee.getSymNameAttr());
      builder.createBlock(&scope.getBody());
    }
    SmallVector<Operation *> clones;
    for (Operation &op : callee.getBody().front().without_terminator())
      clones.push_back(builder.clone(op, mapping));
    SmallVector<Value> results;
    for (Value result : callee.getBody().front().getTerminator()->getOperands())
      results.push_back(mapping.lookup(result));
    if (pin) {
      // A view of an argument would be wherever the argument is.
      for (Value &result : results)
        if (Value viewed = viewedArray(result); viewed != result && isDefinedOutside(viewed, scope.getBody()))
          result = CopyOp::create(builder, result.getLoc(), result.getType(), result);
      YieldOp::create(builder, call.getLoc(), results);
      call.replaceAllUsesWith(scope);
    } else {
      call.replaceAllUsesWith(results);
    }
    call.erase();
    for (Operation *clone : clones) {
      if (auto inner = dyn_cast<func::CallOp>(clone)) {
        auto innerCallee = symbols.lookupNearestSymbolFrom<func::FuncOp>(inner, inner.getCalleeAttr());
        if (!innerCallee || innerCallee.isExternal())
          continue;
        if (depth == 0)
          return inner.emitOpError() << "calls '" << inner.getCallee() << "' recursively";
        if (failed(inlineCall(inner, innerCallee, symbols, depth - 1)))
          return failure();
      } else if (failed(inlineCallsIn(clone, symbols, depth))) {
        return failure();
      }
    }
    return success();
  }
};

} // namespace
} // namespace ferry::array
