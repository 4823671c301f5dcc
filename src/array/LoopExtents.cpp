// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "array/LoopExtents.h"
#include "array/Soac.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace ferry::array {

std::optional<CarriedValues> carriedValues(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return CarriedValues{loop.getRegionIterArgs(), loop.getInitArgs(), loop.getYieldedValues()};
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return CarriedValues{loop.getBeforeArguments(), loop.getInits(), loop.getYieldOp().getOperands()};
  return std::nullopt;
}

static int64_t rankOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getRank() : 0;
}

// What an operation with regions gives, if that is visible behind it.
static Extent seenOutside(Operation *op, Extent extent, const Extent &itself) {
  bool isInside = extent.value && op->isAncestor(extent.value.getParentBlock()->getParentOp());
  return isInside ? itself : extent;
}

LoopExtents::LoopExtents(func::FuncOp function) {
  SmallVector<CarriedValues> loops;
  function.walk([&](LoopLikeOpInterface loop) {
    if (auto carried = carriedValues(loop))
      loops.push_back(*carried);
  });
  for (bool isSettled = false; !isSettled;) {
    isSettled = true;
    known.clear();
    for (const CarriedValues &loop : loops)
      for (auto [argument, initial, next] : llvm::zip(loop.parameters, loop.initials, loop.yielded))
        for (int64_t d = 0; d < rankOf(argument); ++d)
          if (!varying.contains({argument, d}) && !of(next, d).isSameAs(of(initial, d))) {
            varying.insert({argument, d});
            isSettled = false;
          }
  }
}

Extent LoopExtents::of(Value array, int64_t dimension) const {
  if (auto found = known.find({array, dimension}); found != known.end())
    return found->second;
  auto argument = dyn_cast<BlockArgument>(array);
  Extent extent = argument ? ofArgument(argument, dimension) : ofResult(cast<OpResult>(array), dimension);
  known[{array, dimension}] = extent;
  return extent;
}

Extent LoopExtents::ofArgument(BlockArgument argument, int64_t dimension) const {
  Operation *parent = argument.getOwner()->getParentOp();
  Extent itself{{}, argument, dimension};
  if (auto loop = dyn_cast<scf::WhileOp>(parent); loop && argument.getOwner() == loop.getAfterBody())
    return seenOutside(loop, of(loop.getConditionOp().getArgs()[argument.getArgNumber()], dimension), itself);
  if (auto carried = carriedValues(parent)) {
    auto found = llvm::find(carried->parameters, argument);
    if (found == carried->parameters.end() || varying.contains({argument, dimension}))
      return itself;
    return of(carried->initials[found - carried->parameters.begin()], dimension);
  }
  if (!isSoac(parent) || argument.getOwner() != &parent->getRegion(0).front())
    return itself;
  OperandRange inputs = inputsOf(parent);
  int64_t grid = argument.getOwner()->getNumArguments() - inputs.size();
  return of(inputs[argument.getArgNumber() - grid], dimension + grid);
}

Extent LoopExtents::ofScalar(Value scalar) const {
  if (auto constant = scalar.getDefiningOp<arith::ConstantOp>())
    return {constant.getValue(), {}, std::nullopt};
  if (auto dim = scalar.getDefiningOp<DimOp>())
    return of(dim.getArray(), dim.getDimension());
  return {{}, scalar, std::nullopt};
}

Extent LoopExtents::ofResult(OpResult result, int64_t dimension) const {
  Operation *op = result.getOwner();
  unsigned number = result.getResultNumber();
  Extent itself{{}, result, dimension};
  auto either = [&](Value one, Value other) {
    Extent extent = of(one, dimension);
    return extent.isSameAs(of(other, dimension)) ? seenOutside(op, extent, itself) : itself;
  };
  auto sizeOrRow = [&](OperandRange sizes, Value row) {
    int64_t grid = sizes.size();
    return dimension < grid ? ofScalar(sizes[dimension]) : of(row, dimension - grid);
  };
  auto clamped = [](Extent extent) {
    extent.isClamped = extent.value && !extent.dimension;
    return extent;
  };
  return llvm::TypeSwitch<Operation *, Extent>(op)
      .Case<scf::ForOp>([&](scf::ForOp loop) {
        bool varies = varying.contains({loop.getRegionIterArg(number), dimension});
        return varies ? itself : of(loop.getInitArgs()[number], dimension);
      })
      .Case<scf::WhileOp>([&](scf::WhileOp loop) {
        return seenOutside(op, of(loop.getConditionOp().getArgs()[number], dimension), itself);
      })
      .Case<scf::IfOp>([&](scf::IfOp branch) {
        return either(branch.thenYield().getOperand(number), branch.elseYield().getOperand(number));
      })
      .Case<arith::SelectOp>(
          [&](arith::SelectOp select) { return either(select.getTrueValue(), select.getFalseValue()); })
      .Case<LaunchOp, PinOp>([&](auto region) {
        Value given = region.getBody().front().getTerminator()->getOperand(number);
        return seenOutside(op, of(given, dimension), itself);
      })
      .Case<MapOp>([&](MapOp map) {
        Value row = map.getBody().front().getTerminator()->getOperand(number);
        return seenOutside(op, sizeOrRow(map.getSizes(), row), itself);
      })
      .Case<ScanOp>([&](ScanOp scan) {
        return dimension == 0 ? ofScalar(scan.getSize()) : of(scan.getNeutral()[number], dimension - 1);
      })
      .Case<ReduceOp>([&](ReduceOp reduce) { return of(reduce.getNeutral()[number], dimension); })
      .Case<ScatterOp, HistOp>([&](auto soac) { return of(soac.getDestinations()[number], dimension); })
      .Case<FilterOp>([&](FilterOp filter) { return dimension == 0 ? ofScalar(filter.getSize()) : itself; })
      .Case<IotaOp>([&](IotaOp iota) { return clamped(ofScalar(iota.getSize())); })
      .Case<ReplicateOp>([&](ReplicateOp replicate) {
        Extent extent = sizeOrRow(replicate.getSizes(), replicate.getValue());
        return dimension < static_cast<int64_t>(replicate.getSizes().size()) ? clamped(extent) : extent;
      })
      .Case<LiteralOp>([&](LiteralOp literal) {
        if (dimension > 0)
          return of(literal.getElements().front(), dimension - 1);
        return Extent{Builder(op->getContext()).getI64IntegerAttr(literal.getElements().size()), {}, std::nullopt};
      })
      .Case<AllocOp, ReshapeOp>([&](auto sized) { return ofScalar(sized.getSizes()[dimension]); })
      .Case<SliceOp>([&](SliceOp slice) { return ofScalar(slice.getLengths()[dimension]); })
      .Case<RowOp>(
          [&](RowOp row) { return of(row.getArray(), dimension + static_cast<int64_t>(row.getIndices().size())); })
      .Case<PermuteOp>([&](PermuteOp permute) { return of(permute.getArray(), permute.getPermutation()[dimension]); })
      .Case<CopyOp, UpdateOp, InsertSliceOp, PokeOp, TransferOp>(
          [&](auto same) { return of(same.getArray(), dimension); })
      .Case<ConcatOp>(
          [&](ConcatOp concat) { return dimension > 0 ? of(concat.getArrays().front(), dimension) : itself; })
      .Default(itself);
}

} // namespace ferry::array
