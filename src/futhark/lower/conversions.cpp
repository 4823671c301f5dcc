// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float to integer: machine conversions are undefined out of range, so the operand is first replaced by zero there.

#include "futhark/lower/scalars.h"

#include <cmath>

using namespace mlir;

namespace ferry::futhark::lowering {

namespace {

using arith::CmpFPredicate;

// `operand` where -2^bits <= operand < 2^bits, else 0; also for NaN.
Value withinPower(Emitter &emit, Value operand, int bits) {
  Type type = operand.getType();
  if (type.isF16()) // Its largest number is 65504, so only infinities and NaN are out of range.
    bits = 16;
  Value bound = emit.real(type, type.isF16() ? 65504.0 : std::ldexp(1.0, bits));
  Value low = emit.real(type, type.isF16() ? -65504.0 : -std::ldexp(1.0, bits));
  Value above = emit.compare(CmpFPredicate::OGE, operand, low);
  Value below = emit.compare(type.isF16() ? CmpFPredicate::OLE : CmpFPredicate::OLT, operand, bound);
  return emit.select(emit.fold<arith::AndIOp>(above, below), operand, emit.real(type, 0));
}

// Numbers from 2^63 up convert as what they exceed it by.
Value floatToU64(Emitter &emit, Value operand) {
  Type type = operand.getType(), result = emit.typeOf(Prim::U64);
  Value low = emit.fold<arith::FPToSIOp>(result, withinPower(emit, operand, 63));
  if (type.isF16())
    return low;
  Value excess = emit.fold<arith::SubFOp>(operand, emit.real(type, std::ldexp(1.0, 63)));
  Value isHigh = emit.compare(CmpFPredicate::OGE, excess, emit.real(type, 0));
  Value rest = emit.fold<arith::FPToSIOp>(result, withinPower(emit, excess, 63));
  Value high = emit.fold<arith::XOrIOp>(rest, emit.integer(result, INT64_MIN));
  Value isFinite = emit.compare(CmpFPredicate::OLT, operand, emit.real(type, std::ldexp(1.0, 64)));
  return emit.select(emit.fold<arith::AndIOp>(isHigh, isFinite), high, low);
}

Value floatToInteger(Emitter &emit, Prim to, Value operand) {
  if (to == Prim::U64)
    return floatToU64(emit, operand);
  // Through a wider signed type, whose low bits are what a negative number wraps to.
  bool viaI32 = types::isSigned(to) ? types::bitWidth(to) <= 32 : types::bitWidth(to) <= 16;
  Type wide = emit.typeOf(viaI32 ? Prim::I32 : Prim::I64), narrow = emit.typeOf(to);
  Value result = emit.fold<arith::FPToSIOp>(wide, withinPower(emit, operand, viaI32 ? 31 : 63));
  return wide == narrow ? result : emit.fold<arith::TruncIOp>(narrow, result);
}

Value integerToInteger(Emitter &emit, Prim from, Prim to, Value operand) {
  Type type = emit.typeOf(to);
  unsigned fromWidth = types::bitWidth(from), toWidth = types::bitWidth(to);
  if (fromWidth == toWidth)
    return operand;
  if (fromWidth > toWidth)
    return emit.fold<arith::TruncIOp>(type, operand);
  // A negative number becomes the unsigned one of its own width first.
  bool keepsSign = types::isSigned(from) && types::isSigned(to);
  return keepsSign ? emit.fold<arith::ExtSIOp>(type, operand) : emit.fold<arith::ExtUIOp>(type, operand);
}

Value floatToFloat(Emitter &emit, Prim from, Prim to, Value operand) {
  Type type = emit.typeOf(to);
  unsigned fromWidth = types::bitWidth(from), toWidth = types::bitWidth(to);
  if (fromWidth == toWidth)
    return operand;
  return fromWidth > toWidth ? emit.fold<arith::TruncFOp>(type, operand) : emit.fold<arith::ExtFOp>(type, operand);
}

Value toBool(Emitter &emit, Prim from, Value operand) {
  if (types::isFloat(from))
    return emit.compare(CmpFPredicate::UNE, operand, emit.real(operand.getType(), 0));
  return emit.compare(arith::CmpIPredicate::ne, operand, emit.integer(from, 0));
}

} // namespace

Value convert(Emitter &emit, Prim from, Prim to, Value operand) {
  if (from == to)
    return operand;
  if (to == Prim::Bool)
    return toBool(emit, from, operand);
  Type type = emit.typeOf(to);
  if (from == Prim::Bool)
    return types::isFloat(to) ? emit.fold<arith::UIToFPOp>(type, operand) : emit.fold<arith::ExtUIOp>(type, operand);
  if (types::isFloat(from))
    return types::isFloat(to) ? floatToFloat(emit, from, to, operand) : floatToInteger(emit, to, operand);
  if (!types::isFloat(to))
    return integerToInteger(emit, from, to, operand);
  return types::isSigned(from) ? emit.fold<arith::SIToFPOp>(type, operand) : emit.fold<arith::UIToFPOp>(type, operand);
}

Value asIndex(Emitter &emit, Prim prim, Value operand) {
  // A loop's narrow counter was truncated from the i64 that counts.
  if (auto narrowed = operand.getDefiningOp<arith::TruncIOp>())
    if (narrowed.getIn().getType().isInteger(64) && narrowed.getOverflowFlags() != arith::IntegerOverflowFlags::none)
      return narrowed.getIn();
  return integerToInteger(emit, prim, Prim::I64, operand);
}

} // namespace ferry::futhark::lowering
