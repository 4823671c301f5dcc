// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/Nest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace ferry::codegen {

static bool isNumber(Type type) { return type.isIntOrFloat() && !type.isF16(); }

bool isNumeric(Operation &op) {
  bool isArithmetic = isa_and_nonnull<arith::ArithDialect>(op.getDialect()) ||
                      isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp, math::FloorOp, math::FmaOp,
                          math::RoundEvenOp, math::SqrtOp, math::TruncOp>(op);
  return isArithmetic && op.getNumRegions() == 0 && op.getNumResults() == 1 && isNumber(op.getResult(0).getType());
}

static bool isRead(Operation &op) { return isa<LLVM::LoadOp>(op) && isNumber(op.getResult(0).getType()); }

int64_t bytesOf(Type number) { return (number.getIntOrFloatBitWidth() + 7) / 8; }

static bool isSimple(scf::ForOp loop) {
  return loop.getNumRegionIterArgs() == 0 && matchPattern(loop.getStep(), m_One());
}

static SmallVector<Value, 3> boundsOf(scf::ForOp loop) {
  return {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()};
}

// One inner loop of fixed bounds among numbers, loads and stores of places of their own.
bool Nest::hasShape() {
  if (!isSimple(points))
    return false;
  for (Operation &op : points.getBody()->without_terminator()) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      if (inner || llvm::any_of(boundsOf(loop),
                                [&](Value bound) { return points->isAncestor(bound.getParentBlock()->getParentOp()); }))
        return false;
      inner = loop;
    } else if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
      if (!store.getAliasScopesAttr() || !isNumber(store.getValue().getType()))
        return false;
    } else if (!isa<LLVM::GEPOp>(op) && !isRead(op) && !isNumeric(op)) {
      return false;
    }
  }
  return inner && llvm::all_of(inner.getRegionIterArgs(), [](Value value) { return isNumber(value.getType()); }) &&
         llvm::all_of(inner.getBody()->without_terminator(),
                      [](Operation &op) { return isa<LLVM::GEPOp>(op) || isRead(op) || isNumeric(op); });
}

void Nest::findOfPoint() {
  ofPoint.insert(points.getInductionVar());
  ofPoint.insert_range(inner.getRegionIterArgs());
  ofPoint.insert_range(inner.getResults());
  points.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (llvm::any_of(op->getOperands(), [&](Value value) { return ofPoint.contains(value); }))
      ofPoint.insert_range(op->getResults());
  });
}

// How much an index grows with a variable; nothing if that is not known.
std::optional<int64_t> Nest::steps(Value index, Value variable) {
  if (index == variable)
    return 1;
  if (!ofPoint.contains(index) && variable == points.getInductionVar())
    return 0;
  Operation *maker = index.getDefiningOp();
  if (isa_and_nonnull<scf::ForOp>(maker) || llvm::is_contained(inner.getRegionIterArgs(), index))
    return std::nullopt;
  if (!maker || !points->isProperAncestor(maker))
    return 0;
  auto both = [&](int64_t sign) -> std::optional<int64_t> {
    auto left = steps(maker->getOperand(0), variable), right = steps(maker->getOperand(1), variable);
    return left && right ? std::optional(*left + sign * *right) : std::nullopt;
  };
  if (isa<arith::AddIOp>(maker))
    return both(1);
  if (isa<arith::SubIOp>(maker))
    return both(-1);
  for (Value operand : maker->getOperands())
    if (steps(operand, variable) != 0)
      return std::nullopt;
  return 0;
}

std::optional<int64_t> Nest::stepsOfAddress(Value address, Value variable, Type element) {
  int64_t sum = 0;
  for (auto step = address.getDefiningOp<LLVM::GEPOp>(); step && points->isProperAncestor(step);
       step = step.getBase().getDefiningOp<LLVM::GEPOp>()) {
    for (Value index : step.getDynamicIndices()) {
      std::optional<int64_t> each = steps(index, variable);
      if (!each || (*each != 0 && step.getElemType() != element))
        return std::nullopt;
      sum += *each;
    }
    address = step.getBase();
  }
  return ofPoint.contains(address) ? std::nullopt : std::optional(sum);
}

// Whether vectors are read and written as one piece each, and nothing is read where they are written. Finds how wide
// elements are.
bool Nest::isContiguous() {
  Value point = points.getInductionVar(), round = inner.getInductionVar();
  SmallVector<LLVM::StoreOp> stores;
  points->walk([&](LLVM::StoreOp store) { stores.push_back(store); });
  for (LLVM::StoreOp store : stores) {
    if (stepsOfAddress(store.getAddr(), point, store.getValue().getType()) != 1)
      return false;
    elementBytes = std::max(elementBytes, bytesOf(store.getValue().getType()));
  }
  for (Value carried : inner.getRegionIterArgs())
    elementBytes = std::max(elementBytes, bytesOf(carried.getType()));
  auto result = points->walk([&](LLVM::LoadOp load) {
    auto apart = load.getNoaliasScopesAttr();
    for (LLVM::StoreOp store : stores)
      for (Attribute scope : store.getAliasScopesAttr())
        if (!apart || !llvm::is_contained(apart, scope))
          return WalkResult::interrupt();
    std::optional<int64_t> along = stepsOfAddress(load.getAddr(), point, load.getType());
    if (along != 0 && along != 1)
      return WalkResult::interrupt();
    elementBytes = std::max(elementBytes, bytesOf(load.getType()));
    isStrided |= along == 1 && inner->isAncestor(load) && stepsOfAddress(load.getAddr(), round, load.getType()) != 1;
    return WalkResult::advance();
  });
  return !stores.empty() && !result.wasInterrupted();
}

bool Nest::isWorthVectors() {
  if (!hasShape())
    return false;
  findOfPoint();
  return isContiguous() && isStrided;
}

bool Nest::hasOnly(llvm::function_ref<bool(Operation &)> hasVectors) {
  auto lacks = [&](Operation *op) {
    bool isNeeded = isNumeric(*op) && isOfPoint(op->getResult(0));
    return isNeeded && !hasVectors(*op) ? WalkResult::interrupt() : WalkResult::advance();
  };
  return !points->walk(lacks).wasInterrupted();
}

//===- Rows -------------------------------------------------------------------------------------------------------===//

// Whether the loop is all that a loop over rows does, but for arithmetic before it.
bool Nest::isInRows() {
  rows = dyn_cast<scf::ForOp>(points->getParentOp());
  return rows && isSimple(rows) && points->getNextNode() == rows.getBody()->getTerminator() &&
         llvm::all_of(rows.getBody()->without_terminator(),
                      [&](Operation &op) { return &op == points || isNumeric(op); });
}

void Nest::findOfRow() {
  ofRow.insert(rows.getInductionVar());
  ofRow.insert_range(inner.getRegionIterArgs());
  ofRow.insert_range(inner.getResults());
  rows.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<scf::ForOp>(op) && llvm::any_of(op->getOperands(), [&](Value value) { return isOfRow(value); }))
      ofRow.insert_range(op->getResults());
  });
}

bool Nest::isWorthJamming() {
  if (!isInRows())
    return false;
  findOfRow();
  auto isShared = [&](LLVM::LoadOp load) {
    bool isOnce = isOfPoint(load.getAddr()) && !isOfRow(load.getAddr());
    return isOnce ? WalkResult::interrupt() : WalkResult::advance();
  };
  return llvm::none_of(boundsOf(inner), [&](Value bound) { return isOfRow(bound); }) &&
         inner->walk(isShared).wasInterrupted();
}

} // namespace ferry::codegen
