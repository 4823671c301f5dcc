// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectorizes a loop over consecutive points around a sequential loop, such as a reduction for each column: the inner
// loop reads with a stride, which vectors along it cannot, and vectors of points can. LLVM's vectorizer takes innermost
// loops only.
//
// A value is `uniform` if it is the same for all points of a vector, else it is computed for the vector's first point
// where it is (part of) an address, and for all of them where it is a number. Each point does what it did, in the same
// order, so that results are the same to the bit.

#include "codegen/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace ferry::codegen {
namespace {

constexpr int64_t vectorBytes = 128; ///< of several registers, so that operations of different points overlap

bool isNumber(Type type) { return type.isIntOrFloat() && !type.isF16(); }

// What vector registers compute; not what becomes a call for each element.
bool isNumeric(Operation &op) {
  bool isArithmetic = isa_and_nonnull<arith::ArithDialect>(op.getDialect()) ||
                      isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp, math::FloorOp, math::FmaOp,
                          math::RoundEvenOp, math::SqrtOp, math::TruncOp>(op);
  return isArithmetic && op.getNumRegions() == 0 && op.getNumResults() == 1 && isNumber(op.getResult(0).getType());
}

bool isRead(Operation &op) { return isa<LLVM::LoadOp>(op) && isNumber(op.getResult(0).getType()); }

int64_t bytesOf(Type type) { return (type.getIntOrFloatBitWidth() + 7) / 8; }

/// A loop over points with one loop in it.
class Nest {
public:
  explicit Nest(scf::ForOp points) : points(points) {}

  bool isWorthVectors();
  void vectorize();

private:
  bool hasShape();
  void findVarying();
  bool isContiguous();
  std::optional<int64_t> steps(Value index, Value variable);
  std::optional<int64_t> stepsOfAddress(Value address, Value variable, Type element);

  Value vectorOf(Value value);
  Value spread(Value uniform);
  VectorType wide(Type type) const { return VectorType::get({lanes}, type); }
  void write(Block &block);
  void writeInner();
  void writeNumeric(Operation &op);

  scf::ForOp points, inner;
  llvm::DenseSet<Value> varying;
  bool isStrided = false;
  int64_t lanes = 0;
  std::optional<OpBuilder> b;
  IRMapping first; ///< each value's for the first point of a vector, the same for all if it is uniform
  llvm::DenseMap<Value, Value> vectors;
};

// One inner loop of fixed bounds among numbers, loads and stores of places of their own.
bool Nest::hasShape() {
  if (points.getNumRegionIterArgs() != 0 || !matchPattern(points.getStep(), m_One()))
    return false;
  for (Operation &op : points.getBody()->without_terminator()) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      if (inner || llvm::any_of(ValueRange{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()},
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

void Nest::findVarying() {
  varying.insert(points.getInductionVar());
  varying.insert_range(inner.getRegionIterArgs());
  varying.insert_range(inner.getResults());
  points.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (llvm::any_of(op->getOperands(), [&](Value value) { return varying.contains(value); }))
      varying.insert_range(op->getResults());
  });
}

// How much an index grows with a variable; nothing if that is not known.
std::optional<int64_t> Nest::steps(Value index, Value variable) {
  if (index == variable)
    return 1;
  if (!varying.contains(index) && variable == points.getInductionVar())
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
  return varying.contains(address) ? std::nullopt : std::optional(sum);
}

// Whether vectors are read and written as one piece each, and nothing is read where they are written. Finds how many
// points make a vector.
bool Nest::isContiguous() {
  Value point = points.getInductionVar(), round = inner.getInductionVar();
  SmallVector<LLVM::StoreOp> stores;
  points->walk([&](LLVM::StoreOp store) { stores.push_back(store); });
  int64_t bytes = 1;
  for (LLVM::StoreOp store : stores) {
    if (stepsOfAddress(store.getAddr(), point, store.getValue().getType()) != 1)
      return false;
    bytes = std::max(bytes, bytesOf(store.getValue().getType()));
  }
  for (Value carried : inner.getRegionIterArgs())
    bytes = std::max(bytes, bytesOf(carried.getType()));
  auto result = points->walk([&](LLVM::LoadOp load) {
    auto apart = load.getNoaliasScopesAttr();
    for (LLVM::StoreOp store : stores)
      for (Attribute scope : store.getAliasScopesAttr())
        if (!apart || !llvm::is_contained(apart, scope))
          return WalkResult::interrupt();
    std::optional<int64_t> along = stepsOfAddress(load.getAddr(), point, load.getType());
    if (along != 0 && along != 1)
      return WalkResult::interrupt();
    bytes = std::max(bytes, bytesOf(load.getType()));
    isStrided |= along == 1 && inner->isAncestor(load) && stepsOfAddress(load.getAddr(), round, load.getType()) != 1;
    return WalkResult::advance();
  });
  lanes = vectorBytes / bytes;
  return !stores.empty() && !result.wasInterrupted();
}

bool Nest::isWorthVectors() {
  if (!hasShape())
    return false;
  findVarying();
  return isContiguous() && isStrided;
}

//===- Writing ----------------------------------------------------------------------------------------------------===//

Value Nest::spread(Value uniform) {
  VectorType type = wide(uniform.getType());
  Location loc = uniform.getLoc();
  Value zero = arith::ConstantOp::create(*b, loc, b->getI32IntegerAttr(0));
  Value one = LLVM::InsertElementOp::create(*b, loc, LLVM::PoisonOp::create(*b, loc, type), uniform, zero);
  SmallVector<int32_t> everywhere(lanes, 0);
  return LLVM::ShuffleVectorOp::create(*b, loc, one, one, everywhere);
}

// A number for all points of the vector.
Value Nest::vectorOf(Value value) {
  if (auto known = vectors.find(value); known != vectors.end())
    return known->second;
  Value result = spread(first.lookupOrDefault(value));
  if (value == points.getInductionVar()) {
    auto type = wide(value.getType());
    SmallVector<APInt> numbers;
    for (int64_t lane = 0; lane < lanes; ++lane)
      numbers.emplace_back(value.getType().getIntOrFloatBitWidth(), lane);
    Value offsets = arith::ConstantOp::create(*b, value.getLoc(), DenseElementsAttr::get(type, numbers));
    result = arith::AddIOp::create(*b, value.getLoc(), result, offsets);
  }
  return result;
}

// For the first point, since addresses may need it, and for all.
void Nest::writeNumeric(Operation &op) {
  bool isOfPoint =
      llvm::all_of(op.getOperands(), [&](Value value) { return !varying.contains(value) || first.contains(value); });
  if (isOfPoint)
    b->clone(op, first);
  if (!varying.contains(op.getResult(0)))
    return;
  OperationState state(op.getLoc(), op.getName());
  for (Value operand : op.getOperands())
    state.addOperands(vectorOf(operand));
  state.addTypes(wide(op.getResult(0).getType()));
  state.addAttributes(op.getAttrs());
  vectors[op.getResult(0)] = b->create(state)->getResult(0);
}

void Nest::writeInner() {
  SmallVector<Value> initial;
  for (Value value : inner.getInitArgs())
    initial.push_back(vectorOf(value));
  auto loop =
      scf::ForOp::create(*b, inner.getLoc(), inner.getLowerBound(), inner.getUpperBound(), inner.getStep(), initial);
  first.map(inner.getInductionVar(), loop.getInductionVar());
  for (auto [from, to] : llvm::zip(inner.getRegionIterArgs(), loop.getRegionIterArgs()))
    vectors[from] = to;
  {
    OpBuilder::InsertionGuard guard(*b);
    if (!loop.getBody()->empty())
      loop.getBody()->clear();
    b->setInsertionPointToStart(loop.getBody());
    write(*inner.getBody());
    SmallVector<Value> next;
    for (Value value : inner.getYieldedValues())
      next.push_back(vectorOf(value));
    scf::YieldOp::create(*b, inner.getLoc(), next);
  }
  for (auto [from, to] : llvm::zip(inner.getResults(), loop.getResults()))
    vectors[from] = to;
}

void Nest::write(Block &block) {
  for (Operation &op : block.without_terminator()) {
    if (&op == inner) {
      writeInner();
    } else if (auto load = dyn_cast<LLVM::LoadOp>(op); load && varying.contains(load.getResult())) {
      auto made = cast<LLVM::LoadOp>(b->clone(op, first));
      made.getResult().setType(wide(load.getType()));
      made.setAlignment(bytesOf(load.getType()));
      first.erase(load.getResult());
      vectors[load.getResult()] = made.getResult();
    } else if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
      auto made = cast<LLVM::StoreOp>(b->clone(op, first));
      made.getValueMutable().assign(vectorOf(store.getValue()));
      made.setAlignment(bytesOf(store.getValue().getType()));
    } else if (isNumeric(op)) {
      writeNumeric(op);
    } else {
      b->clone(op, first);
    }
  }
}

// Whole vectors of points first; the loop as it was does the rest.
void Nest::vectorize() {
  b.emplace(points);
  Location loc = points.getLoc();
  Value width = arith::ConstantOp::create(*b, loc, b->getIntegerAttr(points.getInductionVar().getType(), lanes));
  Value count = arith::SubIOp::create(*b, loc, points.getUpperBound(), points.getLowerBound());
  Value rest = arith::RemSIOp::create(*b, loc, count, width);
  Value end = arith::SubIOp::create(*b, loc, points.getUpperBound(), rest);
  end = arith::MaxSIOp::create(*b, loc, end, points.getLowerBound());
  auto loop = scf::ForOp::create(*b, loc, points.getLowerBound(), end, width);
  first.map(points.getInductionVar(), loop.getInductionVar());
  b->setInsertionPointToStart(loop.getBody());
  write(*points.getBody());
  points.setLowerBound(end);
}

class VectorizeOuter : public PassWrapper<VectorizeOuter, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VectorizeOuter)
  StringRef getArgument() const override { return "ferry-vectorize-outer"; }
  StringRef getDescription() const override { return "vectors of points around sequential loops"; }

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      if (Nest nest(loop); nest.isWorthVectors())
        nest.vectorize();
  }
};

} // namespace

std::unique_ptr<Pass> createVectorizeOuterPass() { return std::make_unique<VectorizeOuter>(); }

} // namespace ferry::codegen
