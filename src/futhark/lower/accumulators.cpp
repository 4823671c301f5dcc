// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accumulators: arrays that functions write to while a loop hands them through. A `Value` of one is a record of the
// array and carries, as its closure, the operator that combines, or none if writing replaces.

#include "futhark/lower/evaluator.h"

using namespace mlir;

namespace ferry::futhark::lowering {

Value Evaluator::accumulate(const Value &accumulator, mlir::Value position, const Value &value) {
  using arith::CmpIPredicate;
  const Value &array = accumulator.parts.front();
  mlir::Value inside = emit.fold<arith::AndIOp>(emit.compare(CmpIPredicate::sge, position, emit.index(0)),
                                                emit.compare(CmpIPredicate::slt, position, sizeOf(array)));
  auto write = [&] {
    bool before = std::exchange(emit.checked, false);
    Value old = element(array, position, false);
    emit.checked = before;
    Value combined = accumulator.closure ? apply(Value::function(*accumulator.closure), {old, value}) : value;
    emit.checked = false;
    Value written = update(array, IndexPart{false, position, {}, {}}, combined);
    emit.checked = before;
    return written;
  };
  Value result = accumulator;
  result.parts.front() = branch(inside, write, [&] { return array; });
  return result;
}

Value Evaluator::stream(const Value &destination, std::shared_ptr<const Closure> op, const Value &function,
                        const Value &elements) {
  auto loop = emit.create<scf::ForOp>(emit.index(0), sizeOf(elements), emit.index(1), leavesOf(destination));
  OpBuilder::InsertionGuard guard(emit.builder);
  Block *body = loop.getBody();
  if (!body->empty()) // Without carried values it is made with its terminator.
    body->back().erase();
  emit.builder.setInsertionPointToStart(body);
  Value accumulator = Value::record({rebuild(destination, loop.getRegionIterArgs())});
  accumulator.closure = std::move(op);
  Value written = apply(function, {accumulator, element(elements, loop.getInductionVar(), false)});
  emit.create<scf::YieldOp>(leavesOf(written.parts.front()));
  emit.builder.setInsertionPointAfter(loop);
  return rebuild(destination, loop.getResults());
}

} // namespace ferry::futhark::lowering
