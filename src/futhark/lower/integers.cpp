// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the integer modules that are no operators.

#include "futhark/lower/scalars.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace ferry::futhark::lowering {

namespace {

using arith::CmpIPredicate;
using Arguments = llvm::ArrayRef<Value>;
using Member = Value (*)(Emitter &, Prim, Arguments);

Prim unsignedLike(Prim prim) {
  return types::isSigned(prim) ? static_cast<Prim>(static_cast<int>(prim) + static_cast<int>(Prim::U8)) : prim;
}

Value absolute(Emitter &emit, Prim prim, Arguments a) {
  if (types::isUnsigned(prim))
    return a[0];
  Value isNegative = emit.compare(CmpIPredicate::slt, a[0], emit.integer(prim, 0));
  return emit.select(isNegative, negate(emit, prim, a[0]), a[0]);
}

Value sign(Emitter &emit, Prim prim, Arguments a) {
  Value zero = emit.integer(prim, 0);
  Value positive = emit.fold<arith::ExtUIOp>(a[0].getType(), emit.compare(CmpIPredicate::ne, a[0], zero));
  if (types::isUnsigned(prim))
    return positive;
  Value isNegative = emit.compare(CmpIPredicate::slt, a[0], zero);
  return emit.select(isNegative, emit.integer(prim, -1), positive);
}

Value minimum(Emitter &emit, Prim prim, Arguments a) {
  return types::isSigned(prim) ? emit.fold<arith::MinSIOp>(a[0], a[1]) : emit.fold<arith::MinUIOp>(a[0], a[1]);
}

Value maximum(Emitter &emit, Prim prim, Arguments a) {
  return types::isSigned(prim) ? emit.fold<arith::MaxSIOp>(a[0], a[1]) : emit.fold<arith::MaxUIOp>(a[0], a[1]);
}

// Counts of bits are i32s.
Value count(Emitter &emit, Prim prim, Value bits) { return convert(emit, unsignedLike(prim), Prim::I32, bits); }

Value popCount(Emitter &emit, Prim prim, Arguments a) { return count(emit, prim, emit.fold<math::CtPopOp>(a[0])); }

Value leadingZeros(Emitter &emit, Prim prim, Arguments a) {
  return count(emit, prim, emit.fold<math::CountLeadingZerosOp>(a[0]));
}

Value trailingZeros(Emitter &emit, Prim prim, Arguments a) {
  return count(emit, prim, emit.fold<math::CountTrailingZerosOp>(a[0]));
}

// In twice the width.
Value highProduct(Emitter &emit, Prim prim, Arguments a) {
  unsigned width = types::bitWidth(prim);
  Type wide = emit.builder.getIntegerType(2 * width);
  auto widen = [&](Value operand) {
    return types::isSigned(prim) ? emit.fold<arith::ExtSIOp>(wide, operand) : emit.fold<arith::ExtUIOp>(wide, operand);
  };
  Value product = emit.fold<arith::MulIOp>(widen(a[0]), widen(a[1]));
  return emit.fold<arith::TruncIOp>(a[0].getType(), emit.fold<arith::ShRUIOp>(product, emit.integer(wide, width)));
}

Value shiftRightLogical(Emitter &emit, Prim prim, Arguments a) {
  Value amount = emit.fold<arith::AndIOp>(a[1], emit.integer(prim, types::bitWidth(prim) - 1));
  return emit.fold<arith::ShRUIOp>(a[0], amount);
}

Value toI32(Emitter &emit, Prim prim, Arguments a) { return convert(emit, prim, Prim::I32, a[0]); }
Value toI64(Emitter &emit, Prim prim, Arguments a) { return convert(emit, prim, Prim::I64, a[0]); }

Member memberNamed(llvm::StringRef name) {
  return llvm::StringSwitch<Member>(name)
      .Case("abs", absolute)
      .Case("sgn", sign)
      .Case("min", minimum)
      .Case("max", maximum)
      .Case("popc", popCount)
      .Case("clz", leadingZeros)
      .Case("ctz", trailingZeros)
      .Case("mul_hi", highProduct)
      .Case(">>>", shiftRightLogical)
      .Case("to_i32", toI32)
      .Case("to_i64", toI64)
      .Default(nullptr);
}

} // namespace

Value callIntegerMember(Emitter &emit, Prim prim, llvm::StringRef name, Arguments arguments) {
  Member member = memberNamed(name);
  return member ? member(emit, prim, arguments) : Value();
}

} // namespace ferry::futhark::lowering
