// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectorizes a loop over consecutive points around a sequential loop, such as a reduction for each column: the inner
// loop reads with a stride, which vectors along it cannot, and vectors of points can. LLVM's vectorizer takes innermost
// loops only.
//
// A value that is the same for all points of a vector stays one number; else it is computed for the vector's first
// point where it is (part of) an address, and for all of them where it is a number. Where the points do not fill a
// whole number of vectors, the last vector begins earlier and does some points once more: nothing that they read is
// written, so they give the same again.
//
// In a grid, several rows go together (unroll and jam) if they read the same vectors in the inner loop, as the rows of
// a matrix product do:
//
//     for k: w = b[k, j..j+V]; p0 += a[i, k] * w; p1 += a[i+1, k] * w; …
//
// Each point does what it did, in the same order, so that results are the same to the bit.

#include "codegen/Nest.h"
#include "codegen/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace ferry::codegen {
namespace {

constexpr int64_t vectorBytes = 128; ///< of several registers, so that operations of different points overlap
constexpr int64_t rowsTogether = 4, jammedBytes = 64; ///< the same from several rows, few enough for all registers

/// Writes vectors of a nest's points, of several rows at a time.
class VectorWriter {
public:
  VectorWriter(Nest &nest, int64_t rowCount, int64_t bytes, int64_t mostLanes)
      : nest(nest), b(nest.points.getContext()), lanes(std::min(bytes / nest.elementBytes, mostLanes)), rows(rowCount) {
  }

  void vectorize();
  void jam();

private:
  /// Of each value in the nest: the one for the first point of a vector, the same for all if it is uniform; and the one
  /// for all points.
  struct Row {
    IRMapping first;
    llvm::DenseMap<Value, Value> vectors;
  };

  Value number(int64_t value) {
    return arith::ConstantOp::create(b, loc(), b.getIntegerAttr(nest.points.getInductionVar().getType(), value));
  }
  Value isTrue(arith::CmpIPredicate predicate, Value left, Value right) {
    return arith::CmpIOp::create(b, loc(), predicate, left, right);
  }
  Location loc() { return nest.points.getLoc(); }
  VectorType wide(Type type) const { return VectorType::get({lanes}, type); }
  Value isEnough(Value first, Value end);
  void writePoints(Value first, Value end, Value vectorsEnd);
  void beginRows(scf::ForOp groups);
  Value areAlike(Value groupEnd, Value rowsEnd);
  Value vectorOf(Row &row, Value value);
  Value spread(Value uniform);
  void write(Block &block);
  void write(Operation &op);
  void write(Row &row, Operation &op);
  void writeNumeric(Row &row, Operation &op);
  void writeInner();

  Nest &nest;
  OpBuilder b;
  int64_t lanes;
  SmallVector<Row> rows;
};

//===- Values -----------------------------------------------------------------------------------------------------===//

Value VectorWriter::spread(Value uniform) {
  VectorType type = wide(uniform.getType());
  Location loc = uniform.getLoc();
  Value zero = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
  Value one = LLVM::InsertElementOp::create(b, loc, LLVM::PoisonOp::create(b, loc, type), uniform, zero);
  SmallVector<int32_t> everywhere(lanes, 0);
  return LLVM::ShuffleVectorOp::create(b, loc, one, one, everywhere);
}

// A number for all points of the vector.
Value VectorWriter::vectorOf(Row &row, Value value) {
  if (auto known = row.vectors.find(value); known != row.vectors.end())
    return known->second;
  Value result = spread(row.first.lookupOrDefault(value));
  if (value == nest.points.getInductionVar()) {
    auto type = wide(value.getType());
    SmallVector<APInt> numbers;
    for (int64_t lane = 0; lane < lanes; ++lane)
      numbers.emplace_back(value.getType().getIntOrFloatBitWidth(), lane);
    Value offsets = arith::ConstantOp::create(b, value.getLoc(), DenseElementsAttr::get(type, numbers));
    result = arith::AddIOp::create(b, value.getLoc(), result, offsets);
  }
  return result;
}

// For the first point, since addresses may need it, and for all.
void VectorWriter::writeNumeric(Row &row, Operation &op) {
  bool hasFirst =
      llvm::all_of(op.getOperands(), [&](Value value) { return !nest.isOfPoint(value) || row.first.contains(value); });
  if (hasFirst)
    b.clone(op, row.first);
  if (!nest.isOfPoint(op.getResult(0)))
    return;
  OperationState state(op.getLoc(), op.getName());
  for (Value operand : op.getOperands())
    state.addOperands(vectorOf(row, operand));
  state.addTypes(wide(op.getResult(0).getType()));
  state.addAttributes(op.getAttrs());
  row.vectors[op.getResult(0)] = b.create(state)->getResult(0);
}

void VectorWriter::writeInner() {
  scf::ForOp inner = nest.inner;
  SmallVector<Value> initial;
  for (Row &row : rows)
    for (Value value : inner.getInitArgs())
      initial.push_back(vectorOf(row, value));
  auto bound = [&](Value value) { return rows.front().first.lookupOrDefault(value); };
  auto loop = scf::ForOp::create(b, inner.getLoc(), bound(inner.getLowerBound()), bound(inner.getUpperBound()),
                                 bound(inner.getStep()), initial);
  auto share = [&](ValueRange from, ValueRange to) { // one row's values after the other
    for (auto [index, row] : llvm::enumerate(rows))
      for (auto [old, made] : llvm::zip(from, to.slice(index * from.size(), from.size())))
        row.vectors[old] = made;
  };
  for (Row &row : rows)
    row.first.map(inner.getInductionVar(), loop.getInductionVar());
  share(inner.getRegionIterArgs(), loop.getRegionIterArgs());
  {
    OpBuilder::InsertionGuard guard(b);
    if (!loop.getBody()->empty())
      loop.getBody()->clear();
    b.setInsertionPointToStart(loop.getBody());
    write(*inner.getBody());
    SmallVector<Value> next;
    for (Row &row : rows)
      for (Value value : inner.getYieldedValues())
        next.push_back(vectorOf(row, value));
    scf::YieldOp::create(b, inner.getLoc(), next);
  }
  share(inner.getResults(), loop.getResults());
}

void VectorWriter::write(Row &row, Operation &op) {
  if (auto load = dyn_cast<LLVM::LoadOp>(op); load && nest.isOfPoint(load.getResult())) {
    auto made = cast<LLVM::LoadOp>(b.clone(op, row.first));
    made.getResult().setType(wide(load.getType()));
    made.setAlignment(bytesOf(load.getType()));
    row.first.erase(load.getResult());
    row.vectors[load.getResult()] = made.getResult();
  } else if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
    auto made = cast<LLVM::StoreOp>(b.clone(op, row.first));
    made.getValueMutable().assign(vectorOf(row, store.getValue()));
    made.setAlignment(bytesOf(store.getValue().getType()));
  } else if (isNumeric(op)) {
    writeNumeric(row, op);
  } else {
    b.clone(op, row.first);
  }
}

// What is the same for all rows is written once.
void VectorWriter::write(Operation &op) {
  Row &first = rows.front();
  write(first, op);
  bool isOfRow = llvm::any_of(op.getOperands(), [&](Value value) { return nest.isOfRow(value); });
  for (Row &row : llvm::drop_begin(rows)) {
    if (isOfRow) {
      write(row, op);
      continue;
    }
    for (Value result : op.getResults()) {
      if (Value made = first.first.lookupOrNull(result))
        row.first.map(result, made);
      if (auto known = first.vectors.find(result); known != first.vectors.end())
        row.vectors[result] = known->second;
    }
  }
}

void VectorWriter::write(Block &block) {
  for (Operation &op : block.without_terminator())
    if (&op == nest.inner)
      writeInner();
    else
      write(op);
}

//===- Loops ------------------------------------------------------------------------------------------------------===//

// Whether there are points for a vector.
Value VectorWriter::isEnough(Value first, Value end) {
  return isTrue(arith::CmpIPredicate::sge, arith::SubIOp::create(b, loc(), end, first), number(lanes));
}

// Vectors of what only addresses need.
static void eraseUnused(scf::ForOp loop) {
  SmallVector<Operation *> operations;
  loop->walk([&](Operation *op) { operations.push_back(op); });
  for (Operation *op : llvm::reverse(operations))
    if (isOpTriviallyDead(op))
      op->erase();
}

// All points of [first, end) in vectors.
void VectorWriter::writePoints(Value first, Value end, Value vectorsEnd) {
  Value width = number(lanes), last = arith::SubIOp::create(b, loc(), end, width);
  auto loop = scf::ForOp::create(b, loc(), first, vectorsEnd, width);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value point = arith::MinSIOp::create(b, loc(), loop.getInductionVar(), last);
  for (Row &row : rows)
    row.first.map(nest.points.getInductionVar(), point);
  write(*nest.points.getBody());
  eraseUnused(loop);
}

// The loop as it was does points that are too few for a vector.
void VectorWriter::vectorize() {
  scf::ForOp points = nest.points;
  b.setInsertionPoint(points);
  Value first = points.getLowerBound(), end = points.getUpperBound();
  Value vectorsEnd = arith::SelectOp::create(b, loc(), isEnough(first, end), end, first);
  writePoints(first, end, vectorsEnd);
  points.setLowerBound(vectorsEnd);
}

// The arithmetic of each row of a group; behind the last row, that of the last one.
void VectorWriter::beginRows(scf::ForOp groups) {
  Value last = arith::SubIOp::create(b, loc(), groups.getUpperBound(), number(1));
  for (auto [index, row] : llvm::enumerate(rows)) {
    Value at = arith::AddIOp::create(b, loc(), groups.getInductionVar(), number(static_cast<int64_t>(index)));
    row.first.map(nest.rows.getInductionVar(), arith::MinSIOp::create(b, loc(), at, last));
  }
  for (Operation &op : nest.rows.getBody()->without_terminator())
    if (&op != nest.points)
      write(op);
}

// Whether all rows of a group are there, and have the same points, enough for a vector.
Value VectorWriter::areAlike(Value groupEnd, Value rowsEnd) {
  Value all = isTrue(arith::CmpIPredicate::sle, groupEnd, rowsEnd);
  auto demand = [&](Value holds) { all = arith::AndIOp::create(b, loc(), all, holds); };
  Value bounds[] = {nest.points.getLowerBound(), nest.points.getUpperBound()};
  IRMapping &first = rows.front().first;
  for (Value bound : bounds)
    for (Row &row : llvm::drop_begin(rows))
      if (nest.isOfRow(bound))
        demand(isTrue(arith::CmpIPredicate::eq, row.first.lookup(bound), first.lookup(bound)));
  demand(isEnough(first.lookupOrDefault(bounds[0]), first.lookupOrDefault(bounds[1])));
  return all;
}

// Rows that are not alike, as at the ends of a chunk, go through the loop as it was.
void VectorWriter::jam() {
  scf::ForOp old = nest.rows;
  b.setInsertionPoint(old);
  Value end = old.getUpperBound();
  auto groups = scf::ForOp::create(b, loc(), old.getLowerBound(), end, number(static_cast<int64_t>(rows.size())));
  b.setInsertionPointToStart(groups.getBody());
  beginRows(groups);
  Value next = arith::AddIOp::create(b, loc(), groups.getInductionVar(), groups.getStep());
  Value groupEnd = arith::MinSIOp::create(b, loc(), next, end);
  auto branch = scf::IfOp::create(b, loc(), areAlike(next, end), true);
  b.setInsertionPointToStart(branch.thenBlock());
  IRMapping &first = rows.front().first;
  Value pointsEnd = first.lookupOrDefault(nest.points.getUpperBound());
  writePoints(first.lookupOrDefault(nest.points.getLowerBound()), pointsEnd, pointsEnd);
  old->moveBefore(branch.elseBlock()->getTerminator());
  old.setLowerBound(groups.getInductionVar());
  old.setUpperBound(groupEnd);
}

class VectorizeOuter : public PassWrapper<VectorizeOuter, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VectorizeOuter)
  StringRef getArgument() const override { return "ferry-vectorize-outer"; }
  StringRef getDescription() const override { return "vectors of points around sequential loops"; }

  void runOnOperation() override { vectorizeOuterLoops(getOperation(), {vectorBytes, isNumeric}); }
};

} // namespace

void vectorizeOuterLoops(Operation *root, const VectorForms &forms) {
  SmallVector<scf::ForOp> loops;
  root->walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops) {
    Nest nest(loop);
    if (!nest.isWorthVectors() || !nest.hasOnly(forms.has))
      continue;
    if (nest.isWorthJamming())
      VectorWriter(nest, rowsTogether, jammedBytes, forms.mostLanes).jam();
    VectorWriter(nest, 1, vectorBytes, forms.mostLanes).vectorize();
  }
}

std::unique_ptr<Pass> createVectorizeOuterPass() { return std::make_unique<VectorizeOuter>(); }

} // namespace ferry::codegen
