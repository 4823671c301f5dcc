// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/lower/emitter.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace ferry::futhark::lowering {

Type Emitter::typeOf(Prim prim) {
  switch (prim) {
  case Prim::F16:
    return builder.getF16Type();
  case Prim::F32:
    return builder.getF32Type();
  case Prim::F64:
    return builder.getF64Type();
  case Prim::Bool:
    return builder.getI1Type();
  default:
    return builder.getIntegerType(types::bitWidth(prim));
  }
}

Value Emitter::integer(Type type, int64_t value) {
  APInt bits = APInt(64, static_cast<uint64_t>(value)).zextOrTrunc(type.getIntOrFloatBitWidth());
  return create<arith::ConstantOp>(IntegerAttr::get(type, bits));
}

Value Emitter::real(Type type, double value) { return create<arith::ConstantOp>(FloatAttr::get(type, value)); }

Value Emitter::compare(arith::CmpIPredicate predicate, Value left, Value right) {
  return fold<arith::CmpIOp>(predicate, left, right);
}

Value Emitter::compare(arith::CmpFPredicate predicate, Value left, Value right) {
  return fold<arith::CmpFOp>(predicate, left, right);
}

Value Emitter::select(Value condition, Value ifTrue, Value ifFalse) {
  return fold<arith::SelectOp>(condition, ifTrue, ifFalse);
}

Value Emitter::negation(Value value) { return fold<arith::XOrIOp>(value, truth(true)); }

void Emitter::require(Value condition, StringRef message, ValueRange values) {
  if (constantOf(condition).value_or(0) != 0)
    return;
  create<array::AssertOp>(condition, message, values);
}

void Emitter::check(Value condition, StringRef message, ValueRange values) {
  if (checked)
    require(condition, message, values);
}

Value Emitter::dim(Value array, int64_t dimension) { return fold<array::DimOp>(array, dimension); }

std::optional<int64_t> constantOf(Value value) {
  APInt constant;
  if (!value || !matchPattern(value, m_ConstantInt(&constant)))
    return std::nullopt;
  return constant.getSExtValue();
}

bool isNonNegative(Value value) {
  if (auto constant = constantOf(value))
    return *constant >= 0;
  Operation *maker = value.getDefiningOp();
  return isa_and_nonnull<array::DimOp, array::FilterOp, arith::ExtUIOp>(maker);
}

} // namespace ferry::futhark::lowering
