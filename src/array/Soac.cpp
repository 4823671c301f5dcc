// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "array/Soac.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace ferry::array {

OperandRange sizesOf(Operation *soac) {
  return llvm::TypeSwitch<Operation *, OperandRange>(soac)
      .Case<MapOp, ReduceOp, HistOp, ScatterOp>([](auto op) { return op.getSizes(); })
      .Case<ScanOp>([](ScanOp op) { return op.getODSOperands(0); })
      .Case<FilterOp>([](FilterOp op) { return op.getODSOperands(0); });
}

MutableOperandRange inputsOf(Operation *soac) {
  return llvm::TypeSwitch<Operation *, MutableOperandRange>(soac)
      .Case<MapOp, ReduceOp, ScanOp, HistOp, ScatterOp, FilterOp>([](auto op) { return op.getInputsMutable(); });
}

Region &bodyOf(Operation *soac) { return soac->getRegion(0); }

Region *combinerOf(Operation *soac) { return soac->getNumRegions() > 1 ? &soac->getRegion(1) : nullptr; }

SmallVector<Value> consumedOperands(Operation *op) {
  SmallVector<Value> consumed;
  auto addArrays = [&](ValueRange values) {
    llvm::copy_if(values, std::back_inserter(consumed), [](Value v) { return isa<RankedTensorType>(v.getType()); });
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case<UpdateOp, InsertSliceOp, PokeOp>([&](auto update) { addArrays(update.getArray()); })
      .Case<ScatterOp, HistOp>([&](auto write) { addArrays(write.getDestinations()); })
      .Case<scf::ForOp>([&](scf::ForOp loop) { addArrays(loop.getInitArgs()); })
      .Case<scf::WhileOp>([&](scf::WhileOp loop) { addArrays(loop.getInits()); })
      .Case<func::CallOp>([&](func::CallOp call) { addArrays(call.getOperands()); });
  return consumed;
}

Value viewedArray(Value array) {
  while (Operation *op = array.getDefiningOp()) {
    if (!isa<RowOp, SliceOp, PermuteOp, ReshapeOp>(op))
      break;
    array = op->getOperand(0);
  }
  return array;
}

llvm::SetVector<Value> arraysRead(Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end()), arrays;
  getUsedValuesDefinedAbove(op->getRegions(), values);
  for (Value value : values)
    if (isa<RankedTensorType>(value.getType()))
      arrays.insert(viewedArray(value));
  return arrays;
}

bool canSinkTo(Operation *op, Operation *place) {
  llvm::SetVector<Value> read = arraysRead(op);
  for (Operation *between = op->getNextNode(); between; between = between->getNextNode()) {
    WalkResult result = between->walk([&](Operation *inner) {
      return llvm::any_of(consumedOperands(inner), [&](Value v) { return read.contains(viewedArray(v)); })
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (result.wasInterrupted())
      return false;
    if (between == place)
      return true;
  }
  return false;
}

// The most operations that are computed again rather than their result stored and read.
static constexpr int cheapOperations = 4;

bool isCheapMap(MapOp map) {
  size_t count = 0, reads = map.getInputs().size();
  for (Operation &op : map.getBody().front().without_terminator()) {
    bool isSlow = isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::RemFOp>(op);
    auto element = dyn_cast<ElementOp>(op);
    reads += element && element.getUnchecked();
    bool isKnown = op.getDialect()->getNamespace() == "arith" || (element && element.getUnchecked());
    if (!isKnown || isSlow || ++count > cheapOperations + reads)
      return false;
  }
  return reads <= 1 && llvm::none_of(map.getBody().getArgumentTypes(), llvm::IsaPred<RankedTensorType>);
}

bool mayBeReadOnHost(Value array) {
  SmallVector<Value> work = {array};
  while (!work.empty()) {
    for (Operation *user : work.pop_back_val().getUsers()) {
      auto pin = user->getParentOfType<PinOp>();
      if (pin && pin.getSide() == Side::host && isDefinedOutside(array, pin.getBody()))
        return true;
      if (isInsideSoac(user))
        continue;
      if (isa<ElementOp, func::ReturnOp, func::CallOp>(user))
        return true;
      if (isa<RowOp, SliceOp, PermuteOp, ReshapeOp>(user))
        work.push_back(user->getResult(0));
    }
  }
  return false;
}

bool isDefinedOutside(Value value, Region &region) { return !region.isAncestor(value.getParentRegion()); }

SmallVector<Value> inlineBody(OpBuilder &builder, Region &body, ValueRange arguments) {
  IRMapping mapping;
  mapping.map(body.getArguments(), arguments);
  for (Operation &op : body.front().without_terminator())
    builder.clone(op, mapping);
  return llvm::map_to_vector(body.front().getTerminator()->getOperands(),
                             [&](Value value) { return mapping.lookupOrDefault(value); });
}

MapOp rebuildMap(OpBuilder &builder, MapOp map, ValueRange yields) {
  std::optional<Side> side;
  for (Value value : llvm::concat<Value>(SmallVector<Value>(map.getResults()), SmallVector<Value>(map.getInputs())))
    if (!side)
      side = sideOf(value.getType());
  int64_t gridRank = map.getSizes().size();
  SmallVector<Type> types;
  for (Value yielded : yields) {
    auto row = dyn_cast<RankedTensorType>(yielded.getType());
    Type element = row ? row.getElementType() : yielded.getType();
    types.push_back(onSide(arrayType(element, gridRank + (row ? row.getRank() : 0)), side));
  }
  auto rebuilt = MapOp::create(builder, map.getLoc(), types, map.getSizes(), map.getInputs());
  rebuilt->setDiscardableAttrs(map->getDiscardableAttrDictionary());
  rebuilt.getBody().takeBody(map.getBody());
  rebuilt.getBody().front().getTerminator()->setOperands(yields);
  return rebuilt;
}

} // namespace ferry::array
