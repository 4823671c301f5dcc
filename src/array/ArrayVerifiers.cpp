// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What makes an operation of the array dialect well formed: ranks, element types, the signatures of bodies and
// operators, and sides.

#include "array/ArrayDialect.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace ferry::array;

namespace {

int64_t rankOf(Value array) { return cast<RankedTensorType>(array.getType()).getRank(); }

// Types up to the side: what a body sees of an array may be written without one.
bool sameButSide(Type a, Type b) {
  if (a == b)
    return true;
  auto x = dyn_cast<RankedTensorType>(a), y = dyn_cast<RankedTensorType>(b);
  return x && y && x.getRank() == y.getRank() && x.getElementType() == y.getElementType();
}

LogicalResult verifyTypes(Operation *op, TypeRange found, TypeRange expected, StringRef what) {
  if (found.size() != expected.size())
    return op->emitOpError() << what << ": expected " << expected.size() << " values, found " << found.size();
  for (auto [index, pair] : llvm::enumerate(llvm::zip(found, expected)))
    if (!sameButSide(std::get<0>(pair), std::get<1>(pair)))
      return op->emitOpError() << what << " " << index << ": expected " << std::get<1>(pair) << ", found "
                               << std::get<0>(pair);
  return success();
}

FailureOr<YieldOp> yieldOf(Operation *op, Region &region) {
  auto yield = region.front().empty() ? YieldOp() : dyn_cast<YieldOp>(region.front().back());
  if (!yield)
    return op->emitOpError("a region must end in array.yield");
  return yield;
}

// The body of a SOAC over a grid takes the indices and an element of each input.
FailureOr<YieldOp> verifyBody(Operation *op, Region &body, int64_t gridRank, ValueRange inputs) {
  auto index = IntegerType::get(op->getContext(), 64);
  SmallVector<Type> expected(gridRank, index);
  for (Value input : inputs) {
    if (rankOf(input) < gridRank)
      return op->emitOpError() << "an input of type " << input.getType() << " has fewer dimensions than the grid, "
                               << gridRank;
    expected.push_back(elementAfter(input.getType(), gridRank));
  }
  if (failed(verifyTypes(op, body.getArgumentTypes(), expected, "body argument")))
    return failure();
  return yieldOf(op, body);
}

LogicalResult verifyCombiner(Operation *op, Region &combiner, TypeRange values) {
  SmallVector<Type> expected(values);
  expected.append(values.begin(), values.end());
  if (failed(verifyTypes(op, combiner.getArgumentTypes(), expected, "operator argument")))
    return failure();
  auto yield = yieldOf(op, combiner);
  return failed(yield) ? failure() : verifyTypes(op, yield->getOperandTypes(), values, "operator result");
}

// Arrays over the grid whose elements have the given types.
SmallVector<Type> arraysOf(TypeRange elements, int64_t gridRank) {
  SmallVector<Type> arrays;
  for (Type element : elements) {
    auto row = dyn_cast<RankedTensorType>(element);
    arrays.push_back(row ? arrayType(row.getElementType(), gridRank + row.getRank()) : arrayType(element, gridRank));
  }
  return arrays;
}

LogicalResult verifyIndices(Operation *op, Value array, ValueRange indices, bool all) {
  int64_t rank = rankOf(array), count = indices.size();
  if (all ? count != rank : count >= rank)
    return op->emitOpError() << count << " indices into an array of rank " << rank;
  return success();
}

LogicalResult verifyBox(Operation *op, Value array, ValueRange starts, ValueRange lengths, ValueRange strides) {
  size_t rank = rankOf(array);
  if (starts.size() != rank || lengths.size() != rank || strides.size() != rank)
    return op->emitOpError() << "needs a start, a length and a stride for each of " << rank << " dimensions";
  return success();
}

LogicalResult verifyElementType(Operation *op, Type array, Type value, int64_t leading) {
  auto tensor = cast<RankedTensorType>(array);
  if (leading > tensor.getRank() || !sameButSide(elementAfter(array, leading), value))
    return op->emitOpError() << "a value of type " << value << " is no element of " << array << " after " << leading
                             << " indices";
  return success();
}

} // namespace

//===- Sides ------------------------------------------------------------------------------------------------------===//

LogicalResult ferry::array::detail::verifyRunsOnItsSide(Operation *op) {
  Side here = runningSide(op);
  auto check = [&](Type type, StringRef what) -> LogicalResult {
    auto side = sideOf(type);
    if (!side || *side == here)
      return success();
    return op->emitOpError() << "runs on the " << stringifySide(here) << ", but its " << what << " of type " << type
                             << " is on the " << stringifySide(*side) << "; array.transfer brings it over";
  };
  for (Type type : op->getOperandTypes())
    if (failed(check(type, "operand")))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(check(type, "result")))
      return failure();
  return success();
}

LogicalResult ferry::array::detail::verifyIsView(Operation *op) {
  auto operand = sideOf(op->getOperand(0).getType()), result = sideOf(op->getResult(0).getType());
  if (operand != result)
    return op->emitOpError("is a view, so its result must be on its operand's side");
  return success();
}

//===- Creation ---------------------------------------------------------------------------------------------------===//

LogicalResult DimOp::verify() {
  int64_t dimension = getDimension();
  if (dimension < 0 || dimension >= rankOf(getArray()))
    return emitOpError() << "dimension " << dimension << " of an array of rank " << rankOf(getArray());
  return success();
}

LogicalResult IotaOp::verify() {
  if (rankOf(getResult()) != 1)
    return emitOpError("makes an array of rank 1");
  return verifyElementType(*this, getResult().getType(), getStart().getType(), 1);
}

LogicalResult ReplicateOp::verify() {
  return verifyElementType(*this, getResult().getType(), getValue().getType(), getSizes().size());
}

LogicalResult LiteralOp::verify() {
  if (getElements().empty())
    return emitOpError("needs at least one element");
  return verifyElementType(*this, getResult().getType(), getElements().front().getType(), 1);
}

LogicalResult AllocOp::verify() {
  if (static_cast<int64_t>(getSizes().size()) != rankOf(getResult()))
    return emitOpError("needs an extent for each dimension");
  return success();
}

//===- SOACs ------------------------------------------------------------------------------------------------------===//

LogicalResult MapOp::verify() {
  int64_t rank = getSizes().size();
  if (rank == 0)
    return emitOpError("needs at least one extent");
  auto yield = verifyBody(*this, getBody(), rank, getInputs());
  return failed(yield) ? failure()
                       : verifyTypes(*this, getResultTypes(), arraysOf(yield->getOperandTypes(), rank), "result");
}

LogicalResult ReduceOp::verify() {
  int64_t rank = getSizes().size();
  if (rank == 0)
    return emitOpError("needs at least one extent");
  auto yield = verifyBody(*this, getBody(), rank, getInputs());
  if (failed(yield) || failed(verifyTypes(*this, yield->getOperandTypes(), getNeutral().getTypes(), "body result")) ||
      failed(verifyTypes(*this, getResultTypes(), getNeutral().getTypes(), "result")))
    return failure();
  return verifyCombiner(*this, getCombiner(), getNeutral().getTypes());
}

LogicalResult ScanOp::verify() {
  auto yield = verifyBody(*this, getBody(), 1, getInputs());
  if (failed(yield) || failed(verifyTypes(*this, yield->getOperandTypes(), getNeutral().getTypes(), "body result")) ||
      failed(verifyTypes(*this, getResultTypes(), arraysOf(getNeutral().getTypes(), 1), "result")))
    return failure();
  return verifyCombiner(*this, getCombiner(), getNeutral().getTypes());
}

// The indices and values that a body yields for consumed destinations.
static LogicalResult verifyWrites(Operation *op, YieldOp yield, int64_t rank, ValueRange destinations) {
  if (rank < 1)
    return op->emitOpError("rank must be at least 1");
  SmallVector<Type> expected(rank, IntegerType::get(op->getContext(), 64));
  for (Value destination : destinations) {
    if (rankOf(destination) < rank)
      return op->emitOpError() << rank << " indices into a destination of type " << destination.getType();
    expected.push_back(elementAfter(destination.getType(), rank));
  }
  if (failed(verifyTypes(op, yield.getOperandTypes(), expected, "body result")))
    return failure();
  return verifyTypes(op, op->getResultTypes(), destinations.getTypes(), "result");
}

LogicalResult HistOp::verify() {
  auto yield = verifyBody(*this, getBody(), getSizes().size(), getInputs());
  if (failed(yield) || failed(verifyWrites(*this, *yield, getRank(), getDestinations())))
    return failure();
  SmallVector<Type> values;
  for (Value destination : getDestinations())
    values.push_back(elementAfter(destination.getType(), getRank()));
  if (failed(verifyTypes(*this, getNeutral().getTypes(), values, "neutral value")))
    return failure();
  return verifyCombiner(*this, getCombiner(), values);
}

LogicalResult ScatterOp::verify() {
  auto yield = verifyBody(*this, getBody(), getSizes().size(), getInputs());
  return failed(yield) ? failure() : verifyWrites(*this, *yield, getRank(), getDestinations());
}

LogicalResult FilterOp::verify() {
  auto yield = verifyBody(*this, getBody(), 1, getInputs());
  if (failed(yield))
    return failure();
  if (yield->getNumOperands() == 0 || !yield->getOperand(0).getType().isInteger(1))
    return emitOpError("the body must yield an i1 first");
  return verifyTypes(*this, getResults().getTypes(), arraysOf(yield->getOperands().drop_front().getTypes(), 1),
                     "result");
}

//===- Elements, views, updates -----------------------------------------------------------------------------------===//

LogicalResult ElementOp::verify() { return verifyIndices(*this, getArray(), getIndices(), true); }

LogicalResult PeekOp::verify() {
  if (sideOf(getArray().getType()) != Side::device)
    return emitOpError("reads an array on the device");
  return verifyIndices(*this, getArray(), getIndices(), true);
}

LogicalResult PokeOp::verify() {
  if (sideOf(getArray().getType()) != Side::device)
    return emitOpError("updates an array on the device");
  if (failed(verifyIndices(*this, getArray(), getIndices(), true)))
    return failure();
  return verifyElementType(*this, getArray().getType(), getValue().getType(), getIndices().size());
}

LogicalResult RowOp::verify() {
  if (failed(verifyIndices(*this, getArray(), getIndices(), false)))
    return failure();
  return verifyElementType(*this, getArray().getType(), getResult().getType(), getIndices().size());
}

LogicalResult SliceOp::verify() {
  if (failed(verifyBox(*this, getArray(), getStarts(), getLengths(), getStrides())))
    return failure();
  return verifyElementType(*this, getArray().getType(), getResult().getType(), 0);
}

LogicalResult PermuteOp::verify() {
  int64_t rank = rankOf(getArray());
  SmallVector<bool> seen(rank, false);
  for (int64_t dimension : getPermutation()) {
    if (dimension < 0 || dimension >= rank || seen[dimension])
      return emitOpError("needs each dimension once");
    seen[dimension] = true;
  }
  if (static_cast<int64_t>(getPermutation().size()) != rank)
    return emitOpError("needs each dimension once");
  return verifyElementType(*this, getArray().getType(), getResult().getType(), 0);
}

LogicalResult ReshapeOp::verify() {
  auto from = cast<RankedTensorType>(getArray().getType()), to = cast<RankedTensorType>(getResult().getType());
  if (from.getElementType() != to.getElementType() || to.getRank() != static_cast<int64_t>(getSizes().size()))
    return emitOpError("must keep the element type and give an extent for each dimension");
  return success();
}

LogicalResult ConcatOp::verify() {
  if (getArrays().empty() || rankOf(getArrays().front()) == 0)
    return emitOpError("needs at least one array of rank 1 or more");
  return verifyElementType(*this, getResult().getType(), getArrays().front().getType(), 0);
}

LogicalResult UpdateOp::verify() {
  return verifyElementType(*this, getArray().getType(), getValue().getType(), getIndices().size());
}

LogicalResult InsertSliceOp::verify() {
  if (failed(verifyBox(*this, getArray(), getStarts(), getLengths(), getStrides())))
    return failure();
  return verifyElementType(*this, getArray().getType(), getValue().getType(), 0);
}

LogicalResult AssertOp::verify() {
  StringRef message = getMessage();
  for (size_t at = message.find('{'); at != StringRef::npos; at = message.find('{', at + 1)) {
    unsigned index = 0;
    StringRef rest = message.substr(at + 1);
    if (!rest.consumeInteger(10, index) && rest.starts_with("}") && index >= getValues().size())
      return emitOpError() << "message names value {" << index << "}, but has " << getValues().size();
  }
  return success();
}

//===- Derivatives and placement ----------------------------------------------------------------------------------===//

LogicalResult JvpOp::verify() {
  if (failed(verifyTypes(*this, getTangents().getTypes(), getPrimals().getTypes(), "tangent")) ||
      failed(verifyTypes(*this, getBody().getArgumentTypes(), getPrimals().getTypes(), "body argument")))
    return failure();
  auto yield = yieldOf(*this, getBody());
  if (failed(yield))
    return failure();
  SmallVector<Type> expected(yield->getOperandTypes());
  expected.append(yield->getOperandTypes().begin(), yield->getOperandTypes().end());
  return verifyTypes(*this, getResultTypes(), expected, "result");
}

LogicalResult PinOp::verify() {
  auto yield = yieldOf(*this, getBody());
  if (failed(yield))
    return failure();
  return verifyTypes(*this, getResultTypes(), yield->getOperandTypes(), "result");
}

LogicalResult TransferOp::verify() {
  auto from = sideOf(getArray().getType()), to = sideOf(getResult().getType());
  if (!from || !to || *from == *to)
    return emitOpError("goes from one side to the other");
  if ((*this)->getParentOfType<LaunchOp>())
    return emitOpError("cannot be inside a launch: no copy happens inside a kernel");
  return verifyTypes(*this, getResult().getType(), getArray().getType(), "result");
}

LogicalResult PassOp::verify() {
  if (sideOf(getResult().getType()) != Side::device || rankOf(getResult()) != 0)
    return emitOpError("gives an array of rank 0 on the device");
  if ((*this)->getParentOfType<LaunchOp>())
    return emitOpError("cannot be inside a launch: it is the host that passes");
  return verifyElementType(*this, getResult().getType(), getValue().getType(), 0);
}

LogicalResult LaunchOp::verify() {
  if ((*this)->getParentOfType<LaunchOp>())
    return emitOpError("cannot be inside another launch");
  auto yield = yieldOf(*this, getBody());
  if (failed(yield))
    return failure();
  for (Type type : getResultTypes())
    if (sideOf(type) != Side::device)
      return emitOpError("gives arrays on the device");
  return verifyTypes(*this, getResultTypes(), yield->getOperandTypes(), "result");
}

LogicalResult FromScalarOp::verify() {
  return verifyElementType(*this, getResult().getType(), getValue().getType(), 0);
}

LogicalResult ToScalarOp::verify() {
  if (rankOf(getArray()) != 0)
    return emitOpError("reads an array of rank 0");
  return success();
}

//===- Folds ------------------------------------------------------------------------------------------------------===//

OpFoldResult DimOp::fold(FoldAdaptor) {
  Operation *maker = getArray().getDefiningOp();
  int64_t dimension = getDimension();
  auto grid = [&](OperandRange sizes) {
    return dimension < static_cast<int64_t>(sizes.size()) ? sizes[dimension] : Value();
  };
  if (auto map = dyn_cast_or_null<MapOp>(maker))
    return grid(map.getSizes());
  if (auto scan = dyn_cast_or_null<ScanOp>(maker))
    return dimension == 0 ? scan.getSize() : Value();
  if (auto alloc = dyn_cast_or_null<AllocOp>(maker))
    return grid(alloc.getSizes());
  if (auto reshape = dyn_cast_or_null<ReshapeOp>(maker))
    return grid(reshape.getSizes());
  if (auto slice = dyn_cast_or_null<SliceOp>(maker))
    return grid(slice.getLengths());
  // A result that is a consumed operand updated keeps its extents.
  auto follow = [&](Value array) -> OpFoldResult {
    getArrayMutable().assign(array);
    return getResult();
  };
  if (auto update = dyn_cast_or_null<UpdateOp>(maker))
    return follow(update.getArray());
  if (auto insert = dyn_cast_or_null<InsertSliceOp>(maker))
    return follow(insert.getArray());
  return {};
}
