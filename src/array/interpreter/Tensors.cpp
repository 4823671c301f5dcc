// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tensor and linalg operations that a module without our dialect is placed with.

#include "array/interpreter/Machine.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace ferry::array::detail {
namespace {

void checkIndices(Machine &machine, Operation *op, const InterpretedArray &array, ArrayRef<int64_t> indices) {
  if (!inBounds(array, indices))
    machine.fail(op, "Index out of bounds.");
}

void runDim(Machine &machine, tensor::DimOp op) {
  InterpretedArray array = machine.array(op.getSource());
  int64_t dimension = machine.integer(op.getIndex());
  if (dimension < 0 || dimension >= array.rank())
    machine.fail(op, "no such dimension");
  machine.set(op, Cell::of(array.extents()[dimension]));
}

void runExtract(Machine &machine, tensor::ExtractOp op) {
  InterpretedArray array = machine.touch(op, op.getTensor());
  Indices indices = machine.integers(op.getIndices());
  checkIndices(machine, op, array, indices);
  machine.set(op, elementAt(array, indices));
}

void runInsert(Machine &machine, tensor::InsertOp op) {
  InterpretedArray array = machine.consume(op, op.getDest());
  Indices indices = machine.integers(op.getIndices());
  checkIndices(machine, op, array, indices);
  storeAt(array, indices, machine.get(op.getScalar()));
  machine.set(op, std::move(array));
}

Indices extentsOf(Machine &machine, RankedTensorType type, ValueRange dynamic) {
  Indices extents(type.getShape());
  for (int64_t &extent : extents)
    if (ShapedType::isDynamic(extent)) {
      extent = machine.integer(dynamic.front());
      dynamic = dynamic.drop_front();
    }
  return extents;
}

void runEmpty(Machine &machine, tensor::EmptyOp op) {
  machine.set(
      op, InterpretedArray(extentsOf(machine, op.getType(), op.getDynamicSizes()), machine.sideOfNew(op.getType())));
}

void runSplat(Machine &machine, tensor::SplatOp op) {
  machine.set(op, InterpretedArray(extentsOf(machine, op.getType(), op.getDynamicSizes()),
                                   machine.sideOfNew(op.getType()), machine.cell(op.getInput())));
}

void runFromElements(Machine &machine, tensor::FromElementsOp op) {
  InterpretedArray result(op.getType().getShape(), machine.sideOfNew(op.getType()));
  for (auto [cell, element] : llvm::zip_equal(result.changeCells(), op.getElements()))
    cell = machine.cell(element);
  machine.set(op, std::move(result));
}

void runCast(Machine &machine, tensor::CastOp op) {
  InterpretedArray array = machine.array(op.getSource());
  for (auto [extent, expected] : llvm::zip_equal(array.extents(), cast<RankedTensorType>(op.getType()).getShape()))
    if (!ShapedType::isDynamic(expected) && extent != expected)
      machine.fail(op, "an extent differs from the type's");
  machine.set(op, std::move(array));
}

// The indices of an operand at a point of the iteration space.
Indices apply(Machine &machine, Operation *op, AffineMap map, ArrayRef<int64_t> point) {
  Builder builder(op->getContext());
  SmallVector<Attribute> constants, results;
  for (int64_t index : point)
    constants.push_back(builder.getIndexAttr(index));
  if (map.getNumResults() != 0 && failed(map.constantFold(constants, results)))
    machine.fail(op, "an indexing map that divides by zero");
  return llvm::map_to_vector<4>(results, [](Attribute index) { return cast<IntegerAttr>(index).getInt(); });
}

// The iteration space of a linalg operation, from the operands whose maps name a dimension alone.
Indices spaceOf(linalg::LinalgOp op, ArrayRef<InterpretedArray> operands) {
  Indices space(op.getNumLoops(), 0);
  for (auto [array, map] : llvm::zip_equal(operands, op.getIndexingMapsArray()))
    for (auto [d, result] : llvm::enumerate(map.getResults()))
      if (auto dimension = dyn_cast<AffineDimExpr>(result))
        space[dimension.getPosition()] = array.extents()[d];
  return space;
}

// Any structured operation: its region at each point, on the elements that its maps select.
template <typename Op> void runLinalg(Machine &machine, Op concrete) {
  auto op = cast<linalg::LinalgOp>(concrete.getOperation());
  SmallVector<InterpretedArray> operands;
  for (Value operand : op->getOperands())
    operands.push_back(isa<RankedTensorType>(operand.getType())
                           ? machine.touch(op, operand)
                           : InterpretedArray({}, std::nullopt, machine.cell(operand)));
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  size_t inputs = op.getNumDpsInputs();
  Indices space = spaceOf(op, operands);
  forEachPoint(space, [&](ArrayRef<int64_t> point) {
    machine.linalgPoint = Indices(point);
    Values arguments;
    for (auto [array, map] : llvm::zip_equal(operands, maps)) {
      Indices at = apply(machine, op, map, point);
      checkIndices(machine, op, array, at);
      arguments.push_back(elementAt(array, at));
    }
    Values results = machine.evaluate(op->getRegion(0), std::move(arguments));
    for (auto [index, result] : llvm::enumerate(results))
      storeAt(operands[inputs + index], apply(machine, op, maps[inputs + index], point), result);
  });
  machine.setAll(op, Values(operands.begin() + inputs, operands.begin() + inputs + op->getNumResults()));
}

void runIndex(Machine &machine, linalg::IndexOp op) { machine.set(op, Cell::of(machine.linalgPoint[op.getDim()])); }

} // namespace

void addTensorHandlers(Handlers &handlers) {
  handle<tensor::DimOp>(handlers, runDim);
  handle<tensor::ExtractOp>(handlers, runExtract);
  handle<tensor::InsertOp>(handlers, runInsert);
  handle<tensor::EmptyOp>(handlers, runEmpty);
  handle<tensor::SplatOp>(handlers, runSplat);
  handle<tensor::FromElementsOp>(handlers, runFromElements);
  handle<tensor::CastOp>(handlers, runCast);
  handle<linalg::GenericOp>(handlers, runLinalg);
  handle<linalg::FillOp>(handlers, runLinalg);
  handle<linalg::MatmulOp>(handlers, runLinalg);
  handle<linalg::MatvecOp>(handlers, runLinalg);
  handle<linalg::DotOp>(handlers, runLinalg);
  handle<linalg::AddOp>(handlers, runLinalg);
  handle<linalg::MulOp>(handlers, runLinalg);
  handle<linalg::MapOp>(handlers, runLinalg);
  handle<linalg::ReduceOp>(handlers, runLinalg);
  handle<linalg::IndexOp>(handlers, runIndex);
}

} // namespace ferry::array::detail
