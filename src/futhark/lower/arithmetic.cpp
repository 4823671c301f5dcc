// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine division is undefined for a zero divisor and for the least number divided by -1. Both divisors are replaced
// by 1 before dividing: kernels that cannot stop at the failed check go on, and a division can be moved out of a
// branch.

#include "futhark/lower/scalars.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace ferry::futhark::lowering {

namespace {

using arith::CmpFPredicate;
using arith::CmpIPredicate;
using typed::BinaryOp;

struct Quotient {
  Value quotient;
  Value remainder;
};

// Division towards zero.
Quotient divide(Emitter &emit, Prim prim, Value left, Value right) {
  Type type = left.getType();
  auto divisor = constantOf(right);
  if (!divisor || *divisor == 0)
    emit.check(emit.compare(CmpIPredicate::ne, right, emit.integer(type, 0)), "division by zero");
  bool isSigned = types::isSigned(prim);
  Value isZero = emit.compare(CmpIPredicate::eq, right, emit.integer(type, 0));
  Value replaced = isZero, isMinusOne;
  if (isSigned) {
    isMinusOne = emit.compare(CmpIPredicate::eq, right, emit.integer(type, -1));
    replaced = emit.fold<arith::OrIOp>(isZero, isMinusOne);
  }
  Value safe = emit.select(replaced, emit.integer(type, 1), right);
  if (!isSigned)
    return {emit.fold<arith::DivUIOp>(left, safe), emit.fold<arith::RemUIOp>(left, safe)};
  Value quotient = emit.fold<arith::DivSIOp>(left, safe);
  Value negated = emit.fold<arith::SubIOp>(emit.integer(type, 0), left);
  return {emit.select(isMinusOne, negated, quotient), emit.fold<arith::RemSIOp>(left, safe)};
}

// Division rounding down, whose remainder has the divisor's sign.
Quotient divideFloor(Emitter &emit, Prim prim, Value left, Value right) {
  if (types::isUnsigned(prim))
    return divide(emit, prim, left, right);
  Type type = left.getType();
  if (auto divisor = constantOf(right); divisor && *divisor > 0 && llvm::isPowerOf2_64(*divisor)) {
    Value shift = emit.integer(type, llvm::Log2_64(*divisor));
    return {emit.fold<arith::ShRSIOp>(left, shift), emit.fold<arith::AndIOp>(left, emit.integer(type, *divisor - 1))};
  }
  Quotient towardsZero = divide(emit, prim, left, right);
  Value zero = emit.integer(type, 0);
  Value inexact = emit.compare(CmpIPredicate::ne, towardsZero.remainder, zero);
  Value signs = emit.fold<arith::XOrIOp>(towardsZero.remainder, right);
  Value adjust = emit.fold<arith::AndIOp>(inexact, emit.compare(CmpIPredicate::slt, signs, zero));
  Value below = emit.fold<arith::SubIOp>(towardsZero.quotient, emit.integer(type, 1));
  Value shifted = emit.fold<arith::AddIOp>(towardsZero.remainder, right);
  return {emit.select(adjust, below, towardsZero.quotient), emit.select(adjust, shifted, towardsZero.remainder)};
}

// By repeated squaring.
Value integerPower(Emitter &emit, Prim prim, Value base, Value exponent) {
  Type type = base.getType();
  if (types::isSigned(prim))
    emit.check(emit.compare(CmpIPredicate::sge, exponent, emit.integer(type, 0)), "negative exponent");
  if (auto known = constantOf(exponent); known && *known >= 0 && *known <= 8) {
    Value power = emit.integer(type, 1);
    for (int64_t i = 0; i < *known; ++i)
      power = emit.fold<arith::MulIOp>(power, base);
    return power;
  }
  SmallVector<Value> start = {emit.integer(type, 1), base, exponent};
  SmallVector<Type> types(3, type);
  SmallVector<Location> locations(3, emit.location);
  auto loop = emit.create<scf::WhileOp>(types, start);
  OpBuilder::InsertionGuard guard(emit.builder);
  Block *before = emit.builder.createBlock(&loop.getBefore(), {}, types, locations);
  Value goOn = emit.compare(CmpIPredicate::ne, before->getArgument(2), emit.integer(type, 0));
  emit.create<scf::ConditionOp>(goOn, before->getArguments());
  Block *after = emit.builder.createBlock(&loop.getAfter(), {}, types, locations);
  Value power = after->getArgument(0), square = after->getArgument(1), rest = after->getArgument(2);
  Value one = emit.integer(type, 1);
  Value odd = emit.compare(CmpIPredicate::ne, emit.fold<arith::AndIOp>(rest, one), emit.integer(type, 0));
  Value next = emit.select(odd, emit.fold<arith::MulIOp>(power, square), power);
  // A negative exponent, where checks are off, ends as well: the shift is logical.
  emit.create<scf::YieldOp>(
      ValueRange{next, emit.fold<arith::MulIOp>(square, square), emit.fold<arith::ShRUIOp>(rest, one)});
  return loop.getResult(0);
}

Value shift(Emitter &emit, BinaryOp op, Prim prim, Value left, Value right) {
  Value amount = emit.fold<arith::AndIOp>(right, emit.integer(prim, types::bitWidth(prim) - 1));
  if (op == BinaryOp::Shl)
    return emit.fold<arith::ShLIOp>(left, amount);
  return types::isSigned(prim) ? emit.fold<arith::ShRSIOp>(left, amount) : emit.fold<arith::ShRUIOp>(left, amount);
}

Value compareIntegers(Emitter &emit, BinaryOp op, bool isSigned, Value left, Value right) {
  switch (op) {
  case BinaryOp::Equal:
    return emit.compare(CmpIPredicate::eq, left, right);
  case BinaryOp::NotEqual:
    return emit.compare(CmpIPredicate::ne, left, right);
  case BinaryOp::Less:
    return emit.compare(isSigned ? CmpIPredicate::slt : CmpIPredicate::ult, left, right);
  case BinaryOp::LessEqual:
    return emit.compare(isSigned ? CmpIPredicate::sle : CmpIPredicate::ule, left, right);
  case BinaryOp::Greater:
    return emit.compare(isSigned ? CmpIPredicate::sgt : CmpIPredicate::ugt, left, right);
  default:
    return emit.compare(isSigned ? CmpIPredicate::sge : CmpIPredicate::uge, left, right);
  }
}

Value compareFloats(Emitter &emit, BinaryOp op, Value left, Value right) {
  switch (op) {
  case BinaryOp::Equal:
    return emit.compare(CmpFPredicate::OEQ, left, right);
  case BinaryOp::NotEqual: // As the negation of equality: true for NaN.
    return emit.compare(CmpFPredicate::UNE, left, right);
  case BinaryOp::Less:
    return emit.compare(CmpFPredicate::OLT, left, right);
  case BinaryOp::LessEqual:
    return emit.compare(CmpFPredicate::OLE, left, right);
  case BinaryOp::Greater:
    return emit.compare(CmpFPredicate::OGT, left, right);
  default:
    return emit.compare(CmpFPredicate::OGE, left, right);
  }
}

Value binaryFloat(Emitter &emit, BinaryOp op, Value left, Value right) {
  switch (op) {
  case BinaryOp::Add:
    return emit.fold<arith::AddFOp>(left, right);
  case BinaryOp::Sub:
    return emit.fold<arith::SubFOp>(left, right);
  case BinaryOp::Mul:
    return emit.fold<arith::MulFOp>(left, right);
  case BinaryOp::Div:
  case BinaryOp::Quot:
    return emit.fold<arith::DivFOp>(left, right);
  case BinaryOp::Rem:
    return emit.fold<arith::RemFOp>(left, right);
  case BinaryOp::Mod: { // The remainder of the division rounded down has the divisor's sign.
    Value zero = emit.real(left.getType(), 0);
    Value remainder = emit.fold<arith::RemFOp>(left, right);
    Value inexact = emit.compare(CmpFPredicate::ONE, remainder, zero);
    Value differ = emit.fold<arith::XOrIOp>(emit.compare(CmpFPredicate::OLT, remainder, zero),
                                            emit.compare(CmpFPredicate::OLT, right, zero));
    return emit.select(emit.fold<arith::AndIOp>(inexact, differ), emit.fold<arith::AddFOp>(remainder, right),
                       remainder);
  }
  case BinaryOp::Pow:
    return emit.fold<math::PowFOp>(left, right);
  default:
    return compareFloats(emit, op, left, right);
  }
}

Value binaryInteger(Emitter &emit, BinaryOp op, Prim prim, Value left, Value right) {
  switch (op) {
  case BinaryOp::Add:
    return emit.fold<arith::AddIOp>(left, right);
  case BinaryOp::Sub:
    return emit.fold<arith::SubIOp>(left, right);
  case BinaryOp::Mul:
    return emit.fold<arith::MulIOp>(left, right);
  case BinaryOp::Div:
    return divideFloor(emit, prim, left, right).quotient;
  case BinaryOp::Mod:
    return divideFloor(emit, prim, left, right).remainder;
  case BinaryOp::Quot:
    return divide(emit, prim, left, right).quotient;
  case BinaryOp::Rem:
    return divide(emit, prim, left, right).remainder;
  case BinaryOp::Pow:
    return integerPower(emit, prim, left, right);
  case BinaryOp::Shl:
  case BinaryOp::Shr:
    return shift(emit, op, prim, left, right);
  case BinaryOp::And:
    return emit.fold<arith::AndIOp>(left, right);
  case BinaryOp::Or:
    return emit.fold<arith::OrIOp>(left, right);
  case BinaryOp::Xor:
    return emit.fold<arith::XOrIOp>(left, right);
  default:
    return compareIntegers(emit, op, types::isSigned(prim), left, right);
  }
}

} // namespace

Value binary(Emitter &emit, BinaryOp op, Prim prim, Value left, Value right) {
  return types::isFloat(prim) ? binaryFloat(emit, op, left, right) : binaryInteger(emit, op, prim, left, right);
}

Value quotientRoundedUp(Emitter &emit, Value left, Value right) {
  Value remainder = emit.fold<arith::RemUIOp>(left, right);
  Value isInexact = emit.compare(CmpIPredicate::ne, remainder, emit.integer(left.getType(), 0));
  return emit.fold<arith::AddIOp>(emit.fold<arith::DivUIOp>(left, right),
                                  emit.fold<arith::ExtUIOp>(left.getType(), isInexact));
}

Value negate(Emitter &emit, Prim prim, Value operand) {
  if (types::isFloat(prim))
    return emit.fold<arith::NegFOp>(operand);
  if (prim == Prim::Bool)
    return emit.negation(operand);
  return emit.fold<arith::SubIOp>(emit.integer(prim, 0), operand);
}

Value complement(Emitter &emit, Prim prim, Value operand) {
  return emit.fold<arith::XOrIOp>(operand, emit.integer(prim, -1));
}

Value constant(Emitter &emit, const typed::Constant &value) {
  if (types::isFloat(value.prim))
    return emit.real(emit.typeOf(value.prim), value.real);
  return emit.integer(value.prim, static_cast<int64_t>(value.integer));
}

} // namespace ferry::futhark::lowering
