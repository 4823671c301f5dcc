// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The extents of the rows that a body yields, which must be known before the array of them is made. Mostly they follow
// from values outside of the body: then the scalar operations that compute them are written there once more. Otherwise
// the body is evaluated at the first point just to see.

#include "array/Soac.h"
#include "codegen/Emitter.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ferry::array;

namespace ferry::codegen {

static bool isOutside(Value value, Operation *soac) { return !soac->isAncestor(value.getParentBlock()->getParentOp()); }

// A scalar, computed outside of the SOAC; nothing if it depends on the point.
std::optional<Value> Emitter::scalarOutside(Value source, Operation *soac) {
  if (isOutside(source, soac))
    return scalar(source);
  Operation *maker = source.getDefiningOp();
  if (!maker)
    return std::nullopt;
  if (isa<arith::ConstantOp>(maker))
    return scalar(source);
  if (auto dim = dyn_cast<DimOp>(maker))
    return sizeOutside(dim.getArray(), dim.getDimension(), soac);
  if (!isa<arith::ArithDialect>(maker->getDialect()) || !isPure(maker) || maker->getNumRegions() != 0)
    return std::nullopt;
  IRMapping mapping;
  for (Value operand : maker->getOperands()) {
    std::optional<Value> outside = scalarOutside(operand, soac);
    if (!outside)
      return std::nullopt;
    mapping.map(operand, *outside);
  }
  return b.clone(*maker, mapping)->getResult(cast<OpResult>(source).getResultNumber());
}

// An extent of an array, computed outside of the SOAC.
std::optional<Value> Emitter::sizeOutside(Value array, int64_t dimension, Operation *soac) {
  array = ownership->same(array);
  if (isOutside(array, soac))
    return buffer(array).sizes[dimension];
  auto pick = [&](ValueRange sizes) { return scalarOutside(sizes[dimension], soac); };
  auto pickOrRow = [&](ValueRange sizes, Value row) -> std::optional<Value> {
    int64_t grid = sizes.size();
    return dimension < grid ? scalarOutside(sizes[dimension], soac) : sizeOutside(row, dimension - grid, soac);
  };
  auto either = [&](Value one, Value other) -> std::optional<Value> {
    std::optional<Value> size = sizeOutside(one, dimension, soac);
    return size == sizeOutside(other, dimension, soac) ? size : std::nullopt;
  };
  if (auto argument = dyn_cast<BlockArgument>(array)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (!isSoac(parent) || argument.getOwner() != &parent->getRegion(0).front())
      return std::nullopt;
    OperandRange inputs = inputsOf(parent);
    int64_t grid = argument.getOwner()->getNumArguments() - inputs.size();
    return sizeOutside(inputs[argument.getArgNumber() - grid], dimension + grid, soac);
  }
  return llvm::TypeSwitch<Operation *, std::optional<Value>>(array.getDefiningOp())
      .Case<MapOp>([&](MapOp map) {
        unsigned number = cast<OpResult>(array).getResultNumber();
        return pickOrRow(map.getSizes(), map.getBody().front().getTerminator()->getOperand(number));
      })
      .Case<ScanOp>([&](ScanOp scan) {
        return pickOrRow(scan.getSize(), scan.getNeutral()[cast<OpResult>(array).getResultNumber()]);
      })
      .Case<ReduceOp>([&](ReduceOp reduce) {
        return sizeOutside(reduce.getNeutral()[cast<OpResult>(array).getResultNumber()], dimension, soac);
      })
      .Case<IotaOp>([&](IotaOp iota) -> std::optional<Value> {
        auto size = scalarOutside(iota.getSize(), soac);
        return size ? std::optional(maximum(*size, constant(0))) : size;
      })
      .Case<ReplicateOp>([&](ReplicateOp replicate) -> std::optional<Value> {
        auto size = pickOrRow(replicate.getSizes(), replicate.getValue());
        return size ? std::optional(maximum(*size, constant(0))) : size;
      })
      .Case<scf::IfOp>([&](scf::IfOp branch) {
        unsigned number = cast<OpResult>(array).getResultNumber();
        return either(branch.thenYield().getOperand(number), branch.elseYield().getOperand(number));
      })
      .Case<arith::SelectOp>(
          [&](arith::SelectOp select) { return either(select.getTrueValue(), select.getFalseValue()); })
      .Case<AllocOp, ReshapeOp>([&](auto op) { return pick(op.getSizes()); })
      .Case<SliceOp>([&](SliceOp slice) { return pick(slice.getLengths()); })
      .Case<RowOp>([&](RowOp row) {
        return sizeOutside(row.getArray(), dimension + static_cast<int64_t>(row.getIndices().size()), soac);
      })
      .Case<PermuteOp>(
          [&](PermuteOp permute) { return sizeOutside(permute.getArray(), permute.getPermutation()[dimension], soac); })
      .Case<CopyOp>([&](CopyOp copy) { return sizeOutside(copy.getArray(), dimension, soac); })
      .Case<ConcatOp>([&](ConcatOp concat) {
        std::optional<Value> sum = sizeOutside(concat.getArrays().front(), dimension, soac);
        for (Value array : dimension == 0 ? concat.getArrays().drop_front() : ValueRange()) {
          std::optional<Value> more = sum ? sizeOutside(array, dimension, soac) : std::nullopt;
          sum = more ? std::optional(add(*sum, *more)) : std::nullopt;
        }
        return sum;
      })
      .Case<LiteralOp>([&](LiteralOp literal) -> std::optional<Value> {
        if (dimension == 0)
          return constant(static_cast<int64_t>(literal.getElements().size()));
        return sizeOutside(literal.getElements().front(), dimension - 1, soac);
      })
      .Default(std::optional<Value>());
}

Values Emitter::rowSizes(Value row, Operation *soac) {
  auto type = dyn_cast<RankedTensorType>(row.getType());
  Values sizes;
  for (int64_t d = 0; type && d < type.getRank(); ++d) {
    std::optional<Value> size = sizeOutside(row, d, soac);
    if (!size)
      return measureFirst(row, soac);
    sizes.push_back(*size);
  }
  return sizes;
}

// The extents of the row at the first point, zeros if there is none.
Values Emitter::measureFirst(Value row, Operation *soac) {
  int64_t rank = cast<RankedTensorType>(row.getType()).getRank();
  Block &body = soac->getRegion(0).front();
  OperandRange inputs = inputsOf(soac);
  Values grid = scalars(sizesOf(soac));
  auto measured = [&] {
    bool wasParallel = std::exchange(frame->isParallel, false);
    bindPoint(body, inputs, Values(grid.size(), constant(0)), constant(0));
    Values sizes;
    emitBody(body, [&](Operation *) { sizes = buffer(row).sizes; });
    frame->isParallel = wasParallel;
    return sizes;
  };
  return eitherWay(less(constant(0), product(grid)), SmallVector<Type>(rank, i64), measured,
                   [&] { return Values(rank, constant(0)); });
}

} // namespace ferry::codegen
