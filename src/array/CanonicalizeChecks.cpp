// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Canonicalizations of assertions: those that hold, those made before, and those that a body repeats at each point.

#include "array/Canonicalize.h"
#include "array/Soac.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace ferry::array {

void assertIndex(OpBuilder &builder, ElementOp access, Value length) {
  if (access.getUnchecked())
    return;
  Location loc = access.getLoc();
  Value index = access.getIndices().front();
  // As unsigned numbers, negative indices are too large as well.
  Value inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, index, length);
  AssertOp::create(builder, loc, inside, builder.getStringAttr("Index [{0}] out of bounds for array of shape [{1}]."),
                   ValueRange{index, length});
}

namespace {

struct TrueAssert : OpRewritePattern<AssertOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AssertOp op, PatternRewriter &rewriter) const override {
    // An i1 that is true is -1 as a signed number.
    auto value = getConstantIntValue(op.getCondition());
    if (!value || *value == 0)
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

// The condition was asserted on every way here.
struct RepeatedAssert : OpRewritePattern<AssertOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AssertOp op, PatternRewriter &rewriter) const override {
    for (Operation *user : op.getCondition().getUsers()) {
      if (user == op || !isa<AssertOp>(user))
        continue;
      Operation *here = user->getBlock()->findAncestorOpInBlock(*op);
      if (here && user->isBeforeInBlock(here)) {
        rewriter.eraseOp(op);
        return success();
      }
    }
    return failure();
  }
};

// The same at each point of a grid: asserted once, unless the grid has no points.
struct UniformAssert : OpRewritePattern<AssertOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AssertOp op, PatternRewriter &rewriter) const override {
    Operation *soac = op->getParentOp();
    if (!isSoac(soac) || op->getParentRegion() != &bodyOf(soac) ||
        !llvm::all_of(op->getOperands(), [&](Value v) { return isDefinedOutside(v, bodyOf(soac)); }))
      return failure();
    rewriter.setInsertionPoint(soac);
    Location loc = op.getLoc();
    Value holds = op.getCondition();
    Value zero = arith::ConstantIntOp::create(rewriter, loc, 0, 64);
    for (Value size : sizesOf(soac)) {
      Value isEmpty = rewriter.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::sle, size, zero);
      holds = rewriter.createOrFold<arith::OrIOp>(loc, holds, isEmpty);
    }
    AssertOp::create(rewriter, loc, holds, op.getMessageAttr(), op.getValues());
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void addCheckPatterns(RewritePatternSet &patterns) {
  patterns.add<TrueAssert, RepeatedAssert, UniformAssert>(patterns.getContext());
}

void addAllPatterns(RewritePatternSet &patterns) {
  addSoacPatterns(patterns);
  addViewPatterns(patterns);
  addCheckPatterns(patterns);
}

} // namespace ferry::array
