// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "array/LoopGuard.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace ferry::array {

static constexpr llvm::StringLiteral kEntered = "array.entered";

bool isSurelyEntered(scf::ForOp loop) {
  if (loop->hasAttr(kEntered))
    return true;
  auto lower = getConstantIntValue(loop.getLowerBound()), upper = getConstantIntValue(loop.getUpperBound());
  return lower && upper && !loop.getUnsignedCmp() && *lower < *upper;
}

void guardLoop(scf::ForOp loop) {
  bool isNeeded = !isSurelyEntered(loop);
  loop->setAttr(kEntered, UnitAttr::get(loop.getContext()));
  if (!isNeeded)
    return;
  OpBuilder builder(loop);
  auto predicate = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  Value entered = arith::CmpIOp::create(builder, loop.getLoc(), predicate, loop.getLowerBound(), loop.getUpperBound());
  auto branch = scf::IfOp::create(builder, loop.getLoc(), loop.getResultTypes(), entered, /*withElse=*/true);
  loop->replaceAllUsesWith(branch.getResults());
  Block *first = branch.thenBlock(), *other = branch.elseBlock();
  first->clear();
  other->clear();
  loop->moveBefore(first, first->end());
  builder.setInsertionPointToEnd(first);
  scf::YieldOp::create(builder, loop.getLoc(), loop.getResults());
  builder.setInsertionPointToEnd(other);
  scf::YieldOp::create(builder, loop.getLoc(), loop.getInitArgs());
}

} // namespace ferry::array
