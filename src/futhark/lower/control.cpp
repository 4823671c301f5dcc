// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches and loops carry the leaves of values as results. The types of a block's results are known only after it is
// built, so blocks are built in a holder first.

#include "futhark/lower/evaluator.h"
#include "futhark/lower/scalars.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace ferry::futhark::lowering {

namespace {

bool never(mlir::Value) { return false; }

// The structure and leaves of `a`, with the sizes that both have.
Value withCommonSizes(Value a, const Value &b) {
  if (a.isArray() && a.handle != b.handle) {
    auto left = constantOf(a.handle), right = constantOf(b.handle);
    if (!left || left != right)
      a.handle = nullptr;
  }
  for (auto [part, other] : llvm::zip(a.parts, b.parts))
    part = withCommonSizes(std::move(part), other);
  return a;
}

// Small code that has no effects and cannot fail: cheaper to run than to jump over.
bool isCheap(Block &block) {
  constexpr size_t limit = 8;
  return llvm::range_size(block.without_terminator()) <= limit &&
         llvm::all_of(block.without_terminator(), [](Operation &op) {
           return op.getNumRegions() == 0 && op.getNumResults() == 1 && isPure(&op) &&
                  !isa<TensorType>(op.getResult(0).getType());
         });
}

} // namespace

Evaluator::Body Evaluator::build(TypeRange argumentTypes, Inside inside, Filler filler) {
  Body body{emit.create<scf::ExecuteRegionOp>(TypeRange()), {}};
  OpBuilder::InsertionGuard guard(emit.builder);
  SmallVector<Location> locations(argumentTypes.size(), emit.location);
  Block *block = emit.builder.createBlock(&body.holder->getRegion(0), {}, argumentTypes, locations);
  soacDepth += inside == Inside::Soac;
  body.results = filler(block->getArguments());
  soacDepth -= inside == Inside::Soac;
  if (inside == Inside::Branch)
    emit.create<scf::YieldOp>(body.results);
  else
    emit.create<array::YieldOp>(body.results);
  return body;
}

Value Evaluator::branch(mlir::Value condition, Producer ifTrue, Producer ifFalse) {
  if (auto known = constantOf(condition))
    return *known ? ifTrue() : ifFalse();
  Value left, right;
  Body thenBody = build({}, Inside::Branch, [&](ValueRange) { return leavesOf(left = ifTrue()); });
  Body elseBody = build({}, Inside::Branch, [&](ValueRange) { return leavesOf(right = ifFalse()); });
  auto choice = emit.create<scf::IfOp>(thenBody.types(), condition, false, false);
  thenBody.moveTo(choice.getThenRegion());
  elseBody.moveTo(choice.getElseRegion());
  return rebuild(withCommonSizes(std::move(left), right), choice.getResults());
}

mlir::Value Evaluator::shortCircuit(mlir::Value left, bool isAnd, llvm::function_ref<mlir::Value()> right) {
  if (auto known = constantOf(left))
    return (*known != 0) == isAnd ? right() : left;
  Body body = build({}, Inside::Branch, [&](ValueRange) { return SmallVector<mlir::Value>{right()}; });
  Block &block = body.block();
  mlir::Value result = body.results.front();
  if (isCheap(block)) {
    block.getTerminator()->erase();
    Operation *holder = body.holder;
    holder->getBlock()->getOperations().splice(holder->getIterator(), block.getOperations());
    holder->erase();
    return isAnd ? emit.fold<arith::AndIOp>(left, result) : emit.fold<arith::OrIOp>(left, result);
  }
  Body constant = build({}, Inside::Branch, [&](ValueRange) { return SmallVector<mlir::Value>{emit.truth(!isAnd)}; });
  auto choice = emit.create<scf::IfOp>(body.types(), left, false, false);
  (isAnd ? body : constant).moveTo(choice.getThenRegion());
  (isAnd ? constant : body).moveTo(choice.getElseRegion());
  return choice.getResult(0);
}

//===- Loops ------------------------------------------------------------------------------------------------------===//

Value Evaluator::evaluateLoop(const typed::Loop &loop, Environment &scope) {
  Value initial = evaluate(*loop.initial, scope);
  if (auto counted = std::get_if<typed::Loop::Counted>(&loop.form)) {
    Prim prim = primOf(*counted->bound, scope);
    mlir::Value bound = asIndex(emit, prim, evaluateScalar(*counted->bound, scope));
    return countedLoop(loop, bound, initial, scope, [&](mlir::Value counter) {
      auto lossless = types::isSigned(prim) ? arith::IntegerOverflowFlags::nsw : arith::IntegerOverflowFlags::nuw;
      if (types::bitWidth(prim) < 64)
        counter = emit.create<arith::TruncIOp>(emit.typeOf(prim), counter, lossless);
      name(Value::leaf(counter), counted->index->name);
      scope.bind(counted->index, Value::leaf(counter));
    });
  }
  if (auto over = std::get_if<typed::Loop::Over>(&loop.form)) {
    Value array = evaluate(*over->array, scope);
    return countedLoop(loop, sizeOf(array), initial, scope,
                       [&](mlir::Value counter) { bind(*over->element, element(array, counter, false), scope); });
  }
  return whileLoop(loop, initial, scope);
}

Value Evaluator::countedLoop(const typed::Loop &loop, mlir::Value count, const Value &initial, Environment &scope,
                             llvm::function_ref<void(mlir::Value)> bindIndex) {
  SmallVector<mlir::Value> start = leavesOf(initial);
  auto made = emit.create<scf::ForOp>(emit.index(0), count, emit.index(1), start);
  OpBuilder::InsertionGuard guard(emit.builder);
  Block *body = made.getBody();
  if (!body->empty()) // Without carried values it is made with its terminator.
    body->back().erase();
  emit.builder.setInsertionPointToStart(body);
  bindIndex(made.getInductionVar());
  bindLoopParameter(loop, initial, made.getRegionIterArgs(), scope);
  emit.create<scf::YieldOp>(leavesOf(evaluate(*loop.body, scope)));
  ValueRange results = made.getResults();
  return withLeaves(initial, results, never);
}

Value Evaluator::whileLoop(const typed::Loop &loop, const Value &initial, Environment &scope) {
  SmallVector<mlir::Value> start = leavesOf(initial);
  TypeRange carried = ValueRange(start).getTypes();
  SmallVector<Location> locations(start.size(), emit.location);
  auto made = emit.create<scf::WhileOp>(carried, start);
  OpBuilder::InsertionGuard guard(emit.builder);
  Block *before = emit.builder.createBlock(&made.getBefore(), {}, carried, locations);
  bindLoopParameter(loop, initial, before->getArguments(), scope);
  mlir::Value goOn = evaluateScalar(*std::get<typed::Loop::While>(loop.form).condition, scope);
  emit.create<scf::ConditionOp>(goOn, before->getArguments());
  Block *after = emit.builder.createBlock(&made.getAfter(), {}, carried, locations);
  bindLoopParameter(loop, initial, after->getArguments(), scope);
  emit.create<scf::YieldOp>(leavesOf(evaluate(*loop.body, scope)));
  ValueRange results = made.getResults();
  return withLeaves(initial, results, never);
}

// The parameter at the beginning of an iteration; its sizes are those that its type or its leaves tell then.
void Evaluator::bindLoopParameter(const typed::Loop &loop, const Value &initial, ValueRange carried,
                                  Environment &scope) {
  Value parameter = withLeaves(initial, carried, never);
  TypeRef type = loop.parameter->type;
  bindSizes(loop.sizes, type, parameter, scope);
  bind(*loop.parameter, withSizes(std::move(parameter), type, scope), scope);
}

//===- Match ------------------------------------------------------------------------------------------------------===//

Value Evaluator::evaluateMatch(const typed::Match &match, const Value &scrutinee, size_t first, Environment &scope) {
  const typed::Match::Case &candidate = match.cases[first];
  auto take = [&] {
    bind(*candidate.pattern, scrutinee, scope);
    return evaluate(*candidate.body, scope);
  };
  if (first + 1 == match.cases.size())
    return take();
  mlir::Value condition = matches(*candidate.pattern, scrutinee, scope);
  if (!condition)
    return take();
  return branch(condition, take, [&] { return evaluateMatch(match, scrutinee, first + 1, scope); });
}

} // namespace ferry::futhark::lowering
