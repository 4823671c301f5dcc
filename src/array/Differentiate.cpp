// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forward-mode differentiation. The body of an array.jvp is emitted again in its place, each operation followed by the
// one for its tangent; a region computes values and tangents together, so that a loop carries both and a reduction's
// operator combines pairs of both. (The derivative of an associative operator, with its value, is associative again.)
//
// A tangent that is zero is no value at all: a null in the table, until a region or an array operation needs it with
// one that is not. So nothing is computed for what does not depend on the arguments. Inner derivatives are replaced
// before outer ones, whose bodies are then plain code.

#include "array/Passes.h"
#include "array/Soac.h"
#include "array/derivatives/Activity.h"
#include "array/derivatives/Rules.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace ferry::array {

#define GEN_PASS_DEF_DIFFERENTIATE
#include "array/Passes.h.inc"

namespace {

bool isZero(Value value) {
  if (auto replicate = value.getDefiningOp<ReplicateOp>())
    return isZero(replicate.getValue());
  return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero());
}

class Differentiator {
public:
  explicit Differentiator(JvpOp jvp) : jvp(jvp), builder(jvp), activity(jvp.getBody(), seedTangents()) {}

  // Emits the body and its tangents before the jvp; gives the values that replace its results.
  FailureOr<SmallVector<Value>> run() {
    primals.map(jvp.getBody().getArguments(), jvp.getPrimals());
    if (failed(emitOperations(jvp.getBody())))
      return failure();
    ValueRange yields = jvp.getBody().front().getTerminator()->getOperands();
    SmallVector<Value> results = values(yields);
    for (Value yielded : yields)
      results.push_back(hasTangentType(yielded.getType()) ? tangentOrZero(yielded)
                                                          : zeroLike(primals.lookupOrDefault(yielded)));
    return results;
  }

private:
  // The arguments whose tangent is not known to be zero.
  SmallVector<Value> seedTangents() {
    SmallVector<Value> seeds;
    for (auto [argument, tangent] : llvm::zip_equal(jvp.getBody().getArguments(), jvp.getTangents()))
      if (hasTangentType(argument.getType()) && !isZero(tangent)) {
        tangents[argument] = tangent;
        seeds.push_back(argument);
      }
    return seeds;
  }

  //===- Values and tangents ------------------------------------------------------------------------------------===//

  SmallVector<Value> values(ValueRange originals) {
    return llvm::map_to_vector(originals, [&](Value value) { return primals.lookupOrDefault(value); });
  }

  Value tangent(Value original) const { return tangents.lookup(original); }

  Value zeroLike(Value value) {
    Location loc = value.getLoc();
    auto zeroOf = [&](Type type) {
      return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type)).getResult();
    };
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    if (!tensor)
      return zeroOf(value.getType());
    SmallVector<Value> extents;
    for (int64_t d = 0; d < tensor.getRank(); ++d)
      extents.push_back(builder.createOrFold<DimOp>(loc, value, d));
    return ReplicateOp::create(builder, loc, tensor, extents, zeroOf(tensor.getElementType()));
  }

  Value tangentOrZero(Value original) {
    Value known = tangent(original);
    return known ? known : zeroLike(primals.lookupOrDefault(original));
  }

  SmallVector<Value> tangentsOrZeros(ArrayRef<Value> originals) {
    return llvm::map_to_vector(originals, [&](Value value) { return tangentOrZero(value); });
  }

  // Those of some values that are active.
  template <typename Range> SmallVector<Value> activeOf(Range &&range) {
    SmallVector<Value> chosen;
    for (Value value : range)
      if (activity.isActive(value))
        chosen.push_back(value);
    return chosen;
  }

  static SmallVector<Type> typesOf(ValueRange a, ValueRange b) {
    SmallVector<Type> types(a.getTypes());
    llvm::append_range(types, b.getTypes());
    return types;
  }

  //===- Regions ------------------------------------------------------------------------------------------------===//

  // A block argument for a value, or for its tangent.
  void addArgument(Block *block, Value original) {
    primals.map(original, block->addArgument(original.getType(), original.getLoc()));
  }
  void addTangentArgument(Block *block, Value original) {
    tangents[original] = block->addArgument(original.getType(), original.getLoc());
  }

  // The operations of a region of one block, without its terminator, at the builder's place.
  LogicalResult emitOperations(Region &from) {
    for (Operation &op : from.front().without_terminator())
      if (failed(emit(&op)))
        return failure();
    return success();
  }

  // They, then a terminator that yields the given values of the original and tangents of `withTangent`.
  template <typename Terminator> LogicalResult emitRegion(Region &from, ArrayRef<Value> withTangent) {
    if (failed(emitOperations(from)))
      return failure();
    Operation *end = from.front().getTerminator();
    SmallVector<Value> yields = values(end->getOperands());
    llvm::append_range(yields, tangentsOrZeros(withTangent));
    Terminator::create(builder, end->getLoc(), yields);
    return success();
  }

  void setResults(Operation *original, Operation *dual, ArrayRef<Value> withTangent) {
    unsigned count = original->getNumResults();
    primals.map(original->getResults(), dual->getResults().take_front(count));
    for (auto [value, result] : llvm::zip_equal(withTangent, dual->getResults().drop_front(count)))
      tangents[value] = result;
    dual->setDiscardableAttrs(original->getDiscardableAttrDictionary());
  }

  // What a region yields for the results of `op` that are active.
  SmallVector<Value> yieldsOf(Region &region, Operation *op, unsigned before = 0) {
    SmallVector<Value> chosen;
    ValueRange yields = region.front().getTerminator()->getOperands().drop_front(before);
    for (auto [yielded, result] : llvm::zip_equal(yields, op->getResults().take_back(yields.size())))
      if (activity.isActive(result))
        chosen.push_back(yielded);
    return chosen;
  }

  //===- Operations ---------------------------------------------------------------------------------------------===//

  LogicalResult emit(Operation *op) {
    if (!activity.hasActiveResult(op)) {
      builder.clone(*op, primals);
      return success();
    }
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case<MapOp, FilterOp, ScatterOp, ReduceOp, ScanOp, HistOp>([&](auto soac) { return emitSoac(soac); })
        .Case<scf::ForOp, scf::WhileOp, scf::IfOp>([&](auto control) { return emitControl(control); })
        .Case<PinOp>([&](PinOp pin) { return emitPin(pin); })
        .Case<UpdateOp, InsertSliceOp, ElementOp, RowOp, SliceOp, PermuteOp, ReshapeOp, ReplicateOp, LiteralOp,
              ConcatOp, CopyOp, FromScalarOp, ToScalarOp>([&](auto) { return emitLinear(op); })
        .Default([&](Operation *scalar) { return emitScalar(scalar); });
  }

  // An operation that is linear in its data: the same one on the tangents. It checks its indices too, since the value
  // and its check go away where only the tangent is used.
  LogicalResult emitLinear(Operation *op) {
    SmallVector<OpOperand *> data = dataOperands(op);
    bool isAllZero = llvm::none_of(data, [&](OpOperand *operand) { return bool(tangent(operand->get())); });
    SmallVector<std::pair<unsigned, Value>> along;
    for (OpOperand *operand : isAllZero ? SmallVector<OpOperand *>() : data)
      along.emplace_back(operand->getOperandNumber(), tangentOrZero(operand->get()));
    builder.clone(*op, primals);
    if (isAllZero)
      return success();
    IRMapping unchanged = primals;
    Operation *onTangents = builder.clone(*op, unchanged);
    for (auto [position, value] : along)
      onTangents->setOperand(position, value);
    tangents[op->getResult(0)] = onTangents->getResult(0);
    return success();
  }

  LogicalResult emitScalar(Operation *op) {
    Operation *primal = builder.clone(*op, primals);
    SmallVector<Value> along = llvm::map_to_vector(op->getOperands(), [&](Value v) { return tangent(v); });
    if (llvm::none_of(along, [](Value v) { return bool(v); }))
      return success();
    if (isa<arith::SelectOp>(op) && isa<RankedTensorType>(op->getResult(0).getType())) {
      tangents[op->getResult(0)] =
          arith::SelectOp::create(builder, op->getLoc(), primal->getOperand(0), tangentOrZero(op->getOperand(1)),
                                  tangentOrZero(op->getOperand(2)));
      return success();
    }
    FailureOr<Value> result = failure();
    if (op->getNumResults() == 1)
      result = tangentOf(builder, primal, along);
    if (failed(result)) {
      if (auto call = dyn_cast<func::CallOp>(op))
        return op->emitError() << "jvp: the derivative of '" << call.getCallee() << "' is not known";
      return op->emitError() << "jvp: '" << op->getName() << "' has no derivative";
    }
    if (*result)
      tangents[op->getResult(0)] = *result;
    return success();
  }

  LogicalResult emitPin(PinOp pin) {
    SmallVector<Value> active = activeOf(pin.getResults());
    auto dual =
        PinOp::create(builder, pin.getLoc(), typesOf(pin.getResults(), active), pin.getSideAttr(), pin.getNameAttr());
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&dual.getBody());
    if (failed(emitRegion<YieldOp>(pin.getBody(), yieldsOf(pin.getBody(), pin))))
      return failure();
    setResults(pin, dual, active);
    return success();
  }

  //===- Control ------------------------------------------------------------------------------------------------===//

  LogicalResult emitControl(scf::IfOp branch) {
    SmallVector<Value> active = activeOf(branch.getResults());
    auto dual = scf::IfOp::create(builder, branch.getLoc(), TypeRange(typesOf(branch.getResults(), active)),
                                  primals.lookupOrDefault(branch.getCondition()), true, true);
    for (auto [from, to] : llvm::zip_equal(branch->getRegions(), dual->getRegions())) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(&to.front());
      if (failed(emitRegion<scf::YieldOp>(from, yieldsOf(from, branch))))
        return failure();
    }
    setResults(branch, dual, active);
    return success();
  }

  LogicalResult emitControl(scf::ForOp loop) {
    SmallVector<Value> active = activeOf(loop.getResults()), initial = values(loop.getInitArgs()), activeInits;
    for (auto [init, result] : llvm::zip_equal(loop.getInitArgs(), loop.getResults()))
      if (activity.isActive(result))
        activeInits.push_back(init);
    llvm::append_range(initial, tangentsOrZeros(activeInits));
    auto dual = scf::ForOp::create(builder, loop.getLoc(), primals.lookupOrDefault(loop.getLowerBound()),
                                   primals.lookupOrDefault(loop.getUpperBound()),
                                   primals.lookupOrDefault(loop.getStep()), initial);
    dual.setUnsignedCmp(loop.getUnsignedCmp());
    primals.map(loop.getInductionVar(), dual.getInductionVar());
    primals.map(loop.getRegionIterArgs(), dual.getRegionIterArgs().take_front(loop.getNumResults()));
    for (auto [argument, along] :
         llvm::zip_equal(activeOf(loop.getRegionIterArgs()), dual.getRegionIterArgs().drop_front(loop.getNumResults())))
      tangents[argument] = along;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(dual.getBody());
    if (failed(emitRegion<scf::YieldOp>(loop.getRegion(), yieldsOf(loop.getRegion(), loop))))
      return failure();
    setResults(loop, dual, active);
    return success();
  }

  LogicalResult emitControl(scf::WhileOp loop) {
    SmallVector<Value> active = activeOf(loop.getResults()), activeBefore, activeInits, activeYields;
    ValueRange yields = loop.getYieldOp().getResults();
    for (auto [i, argument] : llvm::enumerate(loop.getBeforeArguments()))
      if (activity.isActive(argument)) {
        activeBefore.push_back(argument);
        activeInits.push_back(loop.getInits()[i]);
        activeYields.push_back(yields[i]);
      }
    SmallVector<Value> initial = values(loop.getInits());
    llvm::append_range(initial, tangentsOrZeros(activeInits));
    auto dual = scf::WhileOp::create(builder, loop.getLoc(), typesOf(loop.getResults(), active), initial);
    OpBuilder::InsertionGuard guard(builder);
    addBlock(dual.getBefore(), loop.getBeforeArguments(), activeBefore);
    if (failed(emitOperations(loop.getBefore())))
      return failure();
    scf::ConditionOp condition = loop.getConditionOp();
    SmallVector<Value> passed = values(condition.getArgs());
    llvm::append_range(passed, tangentsOrZeros(conditionTangents(loop)));
    scf::ConditionOp::create(builder, condition.getLoc(), primals.lookupOrDefault(condition.getCondition()), passed);
    addBlock(dual.getAfter(), loop.getAfterArguments(), activeOf(loop.getAfterArguments()));
    if (failed(emitRegion<scf::YieldOp>(loop.getAfter(), activeYields)))
      return failure();
    setResults(loop, dual, active);
    return success();
  }

  SmallVector<Value> conditionTangents(scf::WhileOp loop) {
    SmallVector<Value> chosen;
    for (auto [argument, result] : llvm::zip_equal(loop.getConditionOp().getArgs(), loop.getResults()))
      if (activity.isActive(result))
        chosen.push_back(argument);
    return chosen;
  }

  // Enters a new block that takes the arguments, then the tangents of some.
  void addBlock(Region &region, ValueRange arguments, ArrayRef<Value> active) {
    Block *block = builder.createBlock(&region);
    for (Value argument : arguments)
      addArgument(block, argument);
    for (Value argument : active)
      addTangentArgument(block, argument);
  }

  //===- SOACs --------------------------------------------------------------------------------------------------===//

  // A SOAC's inputs with the tangents of those that have one.
  struct DualInputs {
    SmallVector<Value> arrays;    // inputs, then tangents
    SmallVector<Value> arguments; // of the original body, that get a tangent
  };

  DualInputs dualInputs(Operation *soac) {
    OperandRange inputs = inputsOf(soac).getAsOperandRange();
    DualInputs dual{values(inputs), {}};
    unsigned gridRank = sizesOf(soac).size();
    for (auto [input, argument] : llvm::zip_equal(inputs, bodyOf(soac).getArguments().drop_front(gridRank)))
      if (Value along = tangent(input)) {
        dual.arrays.push_back(along);
        dual.arguments.push_back(argument);
      }
    return dual;
  }

  LogicalResult emitBody(Operation *soac, Operation *dual, const DualInputs &inputs, ArrayRef<Value> withTangent) {
    OpBuilder::InsertionGuard guard(builder);
    addBlock(bodyOf(dual), bodyOf(soac).getArguments(), inputs.arguments);
    return emitRegion<YieldOp>(bodyOf(soac), withTangent);
  }

  // The operator on values and tangents of the parts whose results are active.
  LogicalResult emitCombiner(Operation *soac, Operation *dual) {
    OpBuilder::InsertionGuard guard(builder);
    Region &from = *combinerOf(soac);
    Block *block = builder.createBlock(combinerOf(dual));
    for (auto half : {from.getArguments().take_front(soac->getNumResults()),
                      from.getArguments().drop_front(soac->getNumResults())}) {
      for (Value argument : half)
        addArgument(block, argument);
      for (auto [argument, result] : llvm::zip_equal(half, soac->getResults()))
        if (activity.isActive(result))
          addTangentArgument(block, argument);
    }
    return emitRegion<YieldOp>(from, yieldsOf(from, soac));
  }

  // Operands that belong to results, one each: those of the active results become a value and a tangent.
  SmallVector<Value> withTangents(Operation *soac, OperandRange operands) {
    SmallVector<Value> both = values(operands);
    for (auto [operand, result] : llvm::zip_equal(operands, soac->getResults()))
      if (activity.isActive(result))
        both.push_back(tangentOrZero(operand));
    return both;
  }

  LogicalResult emitSoac(MapOp op) {
    SmallVector<Value> active = activeOf(op.getResults());
    DualInputs inputs = dualInputs(op);
    auto dual =
        MapOp::create(builder, op.getLoc(), typesOf(op.getResults(), active), values(op.getSizes()), inputs.arrays);
    return finish(op, dual, inputs, yieldsOf(op.getBody(), op), active);
  }

  LogicalResult emitSoac(FilterOp op) {
    SmallVector<Value> active = activeOf(op.getResults());
    DualInputs inputs = dualInputs(op);
    auto dual = FilterOp::create(builder, op.getLoc(), builder.getI64Type(), typesOf(op.getResults(), active),
                                 primals.lookupOrDefault(op.getSize()), inputs.arrays);
    return finish(op, dual, inputs, yieldsOf(op.getBody(), op, 1), active);
  }

  LogicalResult emitSoac(ScatterOp op) {
    SmallVector<Value> active = activeOf(op.getResults());
    DualInputs inputs = dualInputs(op);
    SmallVector<Value> destinations = withTangents(op, op.getDestinations());
    auto dual = ScatterOp::create(builder, op.getLoc(), typesOf(op.getResults(), active), values(op.getSizes()),
                                  inputs.arrays, destinations, op.getRankAttr());
    return finish(op, dual, inputs, yieldsOf(op.getBody(), op, op.getRank()), active);
  }

  LogicalResult emitSoac(ReduceOp op) {
    SmallVector<Value> active = activeOf(op.getResults());
    DualInputs inputs = dualInputs(op);
    SmallVector<Value> neutral = withTangents(op, op.getNeutral());
    auto dual = ReduceOp::create(builder, op.getLoc(), typesOf(op.getResults(), active), values(op.getSizes()),
                                 inputs.arrays, neutral, op.getCommutativeAttr());
    return finish(op, dual, inputs, yieldsOf(op.getBody(), op), active);
  }

  LogicalResult emitSoac(ScanOp op) {
    SmallVector<Value> active = activeOf(op.getResults());
    DualInputs inputs = dualInputs(op);
    SmallVector<Value> neutral = withTangents(op, op.getNeutral());
    auto dual = ScanOp::create(builder, op.getLoc(), typesOf(op.getResults(), active),
                               primals.lookupOrDefault(op.getSize()), inputs.arrays, neutral);
    return finish(op, dual, inputs, yieldsOf(op.getBody(), op), active);
  }

  LogicalResult emitSoac(HistOp op) {
    SmallVector<Value> active = activeOf(op.getResults());
    DualInputs inputs = dualInputs(op);
    SmallVector<Value> destinations = withTangents(op, op.getDestinations()),
                       neutral = withTangents(op, op.getNeutral());
    auto dual = HistOp::create(builder, op.getLoc(), typesOf(op.getResults(), active), values(op.getSizes()),
                               inputs.arrays, destinations, neutral, op.getRankAttr());
    return finish(op, dual, inputs, yieldsOf(op.getBody(), op, op.getRank()), active);
  }

  LogicalResult finish(Operation *soac, Operation *dual, const DualInputs &inputs, ArrayRef<Value> yields,
                       ArrayRef<Value> active) {
    if (failed(emitBody(soac, dual, inputs, yields)) || (combinerOf(soac) && failed(emitCombiner(soac, dual))))
      return failure();
    setResults(soac, dual, active);
    return success();
  }

  JvpOp jvp;
  OpBuilder builder;
  IRMapping primals;
  llvm::DenseMap<Value, Value> tangents;
  Activity activity;
};

class Differentiate : public impl::DifferentiateBase<Differentiate> {
  void runOnOperation() override {
    SmallVector<JvpOp> work;
    getOperation()->walk<WalkOrder::PostOrder>([&](JvpOp jvp) { work.push_back(jvp); });
    for (JvpOp jvp : work) {
      FailureOr<SmallVector<Value>> results = Differentiator(jvp).run();
      if (failed(results))
        return signalPassFailure();
      jvp.replaceAllUsesWith(*results);
      jvp.erase();
    }
  }
};

} // namespace
} // namespace ferry::array
