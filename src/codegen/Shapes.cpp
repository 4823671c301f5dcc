// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The extents of the rows that a body yields, which must be known before the array of them is made. Mostly they follow
// from values outside of the body: then the scalar operations that compute them are written there once more. Otherwise
// the body is evaluated at the first point just to see.

#include "array/Soac.h"
#include "codegen/Emitter.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

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

// An extent of an array, computed outside of the SOAC; nothing if it depends on the point.
std::optional<Value> Emitter::sizeOutside(Value array, int64_t dimension, Operation *soac) {
  if (isOutside(array, soac) && array.getDefiningOp() != soac)
    return buffer(array).sizes[dimension];
  Extent extent = extents->of(array, dimension);
  if (auto number = dyn_cast_or_null<TypedAttr>(extent.number))
    return constant(number);
  if (!extent.dimension) {
    std::optional<Value> size = scalarOutside(extent.value, soac);
    return size && extent.isClamped ? maximum(*size, constant(0)) : size;
  }
  if (extent.value != array)
    return sizeOutside(extent.value, *extent.dimension, soac);
  if (auto map = array.getDefiningOp<MapOp>()) {
    Value row = map.getBody().front().getTerminator()->getOperand(cast<OpResult>(array).getResultNumber());
    return sizeOutside(row, dimension - static_cast<int64_t>(map.getSizes().size()), soac);
  }
  auto concat = array.getDefiningOp<ConcatOp>();
  if (!concat)
    return std::nullopt;
  Value sum = constant(0);
  for (Value part : concat.getArrays()) {
    std::optional<Value> length = sizeOutside(part, 0, soac);
    if (!length)
      return std::nullopt;
    sum = add(sum, *length);
  }
  return sum;
}

// The extents of what a loop carries or a branch gives, where they are known outside of it.
void Emitter::settleSizes(Value carried, Buffer &array) {
  Operation *around = isa<BlockArgument>(carried) ? carried.getParentBlock()->getParentOp() : carried.getDefiningOp();
  for (auto [dimension, size] : llvm::enumerate(array.sizes)) {
    Extent extent = extents->of(carried, dimension);
    if (extent.value && (extent.value.getDefiningOp() == around || !isOutside(extent.value, around)))
      continue;
    if (std::optional<Value> known = sizeOutside(carried, dimension, around))
      size = *known;
  }
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
  auto measure = [&] {
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
  };
  if (!frame->isLaunch)
    return measure();
  Buffer left = workspace(i64, constant(rank));
  onDevice(constant(1), Items::parts, [&](Value) {
    Values sizes = measure();
    for (auto [d, size] : llvm::enumerate(sizes))
      store(here(left), constant(static_cast<int64_t>(d)), size);
  });
  return readBack(left, rank);
}

} // namespace ferry::codegen
