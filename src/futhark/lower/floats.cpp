// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the float modules that are no operators. Those that MLIR's math dialect lacks call the C library,
// in whose terms f16 is computed as f32.

#include "futhark/lower/scalars.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSwitch.h"

#include <limits>
#include <numbers>

using namespace mlir;

namespace ferry::futhark::lowering {

namespace {

using arith::CmpFPredicate;
using Arguments = llvm::ArrayRef<Value>;
using Member = Value (*)(Emitter &, Prim, Arguments);

// Calls a function of the C library; its name ends in `f` for f32. Operands that are no floats are passed as they are.
Value callLibrary(Emitter &emit, Prim prim, llvm::StringRef name, Arguments a) {
  Type type = emit.typeOf(prim == Prim::F16 ? Prim::F32 : prim);
  SmallVector<Value> operands;
  for (Value operand : a)
    operands.push_back(operand.getType().isF16() ? emit.fold<arith::ExtFOp>(type, operand) : operand);
  std::string symbol = name.str() + (prim == Prim::F64 ? "" : "f");
  if (!emit.module.lookupSymbol(symbol)) {
    OpBuilder builder = OpBuilder::atBlockBegin(emit.module.getBody());
    auto signature = builder.getFunctionType(ValueRange(operands).getTypes(), type);
    func::FuncOp::create(builder, builder.getUnknownLoc(), symbol, signature).setPrivate();
  }
  Value result = emit.create<func::CallOp>(symbol, TypeRange(type), operands).getResult(0);
  return prim == Prim::F16 ? emit.fold<arith::TruncFOp>(emit.typeOf(prim), result) : result;
}

template <typename Op> Value unary(Emitter &emit, Prim, Arguments a) { return emit.fold<Op>(a[0]); }
template <typename Op> Value twoOperands(Emitter &emit, Prim, Arguments a) { return emit.fold<Op>(a[0], a[1]); }

Value sign(Emitter &emit, Prim, Arguments a) {
  Type type = a[0].getType();
  Value zero = emit.real(type, 0);
  Value unlessNegative = emit.select(emit.compare(CmpFPredicate::OGT, a[0], zero), emit.real(type, 1), a[0]);
  return emit.select(emit.compare(CmpFPredicate::OLT, a[0], zero), emit.real(type, -1), unlessNegative);
}

Value reciprocalRoot(Emitter &emit, Prim, Arguments a) {
  return emit.fold<arith::DivFOp>(emit.real(a[0].getType(), 1), emit.fold<math::SqrtOp>(a[0]));
}

// `x` times pi after removing whole turns, which is exact.
Value turns(Emitter &emit, Value x) {
  Type type = x.getType();
  Value half = emit.fold<math::RoundEvenOp>(emit.fold<arith::MulFOp>(x, emit.real(type, 0.5)));
  Value rest = emit.fold<arith::SubFOp>(x, emit.fold<arith::MulFOp>(half, emit.real(type, 2)));
  return emit.fold<arith::MulFOp>(rest, emit.real(type, std::numbers::pi));
}

template <typename Op> Value ofTurns(Emitter &emit, Prim, Arguments a) { return emit.fold<Op>(turns(emit, a[0])); }

template <typename Op> Value perPi(Emitter &emit, Prim, Arguments a) {
  return emit.fold<arith::MulFOp>(emit.fold<Op>(a[0]), emit.real(a[0].getType(), std::numbers::inv_pi));
}

Value atan2PerPi(Emitter &emit, Prim, Arguments a) {
  return emit.fold<arith::MulFOp>(emit.fold<math::Atan2Op>(a[0], a[1]),
                                  emit.real(a[0].getType(), std::numbers::inv_pi));
}

Value fusedMultiplyAdd(Emitter &emit, Prim, Arguments a) { return emit.fold<math::FmaOp>(a[0], a[1], a[2]); }

Value isInfinite(Emitter &emit, Prim, Arguments a) {
  Value infinity = emit.real(a[0].getType(), std::numeric_limits<double>::infinity());
  return emit.compare(CmpFPredicate::OEQ, emit.fold<math::AbsFOp>(a[0]), infinity);
}

Value isNaN(Emitter &emit, Prim, Arguments a) { return emit.compare(CmpFPredicate::UNO, a[0], a[0]); }

Value toBits(Emitter &emit, Prim prim, Arguments a) {
  return emit.fold<arith::BitcastOp>(emit.builder.getIntegerType(types::bitWidth(prim)), a[0]);
}

Value fromBits(Emitter &emit, Prim prim, Arguments a) { return emit.fold<arith::BitcastOp>(emit.typeOf(prim), a[0]); }

Value toI64(Emitter &emit, Prim prim, Arguments a) { return convert(emit, prim, Prim::I64, a[0]); }
Value toF64(Emitter &emit, Prim prim, Arguments a) { return convert(emit, prim, Prim::F64, a[0]); }

Value hypot(Emitter &emit, Prim prim, Arguments a) { return callLibrary(emit, prim, "hypot", a); }
Value gamma(Emitter &emit, Prim prim, Arguments a) { return callLibrary(emit, prim, "tgamma", a); }
Value logGamma(Emitter &emit, Prim prim, Arguments a) { return callLibrary(emit, prim, "lgamma", a); }
Value scaleByPower(Emitter &emit, Prim prim, Arguments a) { return callLibrary(emit, prim, "ldexp", a); }

// The neighbour of an f16 differs from that of the f32, so it is found among the bit patterns.
Value nextHalf(Emitter &emit, Value x, Value y) {
  Type bits = emit.builder.getIntegerType(16);
  Value zero = emit.real(x.getType(), 0);
  Value up = emit.compare(CmpFPredicate::OLT, x, y);
  Value awayFromZero = emit.compare(arith::CmpIPredicate::eq, up, emit.compare(CmpFPredicate::OGT, x, zero));
  Value step = emit.select(awayFromZero, emit.integer(bits, 1), emit.integer(bits, -1));
  Value moved = emit.fold<arith::AddIOp>(emit.fold<arith::BitcastOp>(bits, x), step);
  Value smallest = emit.select(up, emit.integer(bits, 1), emit.integer(bits, 0x8001));
  Value next = emit.select(emit.compare(CmpFPredicate::OEQ, x, zero), smallest, moved);
  Value result = emit.select(emit.compare(CmpFPredicate::OEQ, x, y), y, emit.fold<arith::BitcastOp>(x.getType(), next));
  return emit.select(emit.compare(CmpFPredicate::UNO, x, y), emit.fold<arith::AddFOp>(x, y), result);
}

Value nextAfter(Emitter &emit, Prim prim, Arguments a) {
  return prim == Prim::F16 ? nextHalf(emit, a[0], a[1]) : callLibrary(emit, prim, "nextafter", a);
}

Member elementary(llvm::StringRef name) {
  return llvm::StringSwitch<Member>(name)
      .Case("sqrt", unary<math::SqrtOp>)
      .Case("rsqrt", reciprocalRoot)
      .Case("cbrt", unary<math::CbrtOp>)
      .Case("exp", unary<math::ExpOp>)
      .Case("log", unary<math::LogOp>)
      .Case("log2", unary<math::Log2Op>)
      .Case("log10", unary<math::Log10Op>)
      .Case("log1p", unary<math::Log1pOp>)
      .Case("hypot", hypot)
      .Case("gamma", gamma)
      .Case("lgamma", logGamma)
      .Case("erf", unary<math::ErfOp>)
      .Case("erfc", unary<math::ErfcOp>)
      .Default(nullptr);
}

Member trigonometric(llvm::StringRef name) {
  return llvm::StringSwitch<Member>(name)
      .Case("sin", unary<math::SinOp>)
      .Case("cos", unary<math::CosOp>)
      .Case("tan", unary<math::TanOp>)
      .Case("asin", unary<math::AsinOp>)
      .Case("acos", unary<math::AcosOp>)
      .Case("atan", unary<math::AtanOp>)
      .Case("sinh", unary<math::SinhOp>)
      .Case("cosh", unary<math::CoshOp>)
      .Case("tanh", unary<math::TanhOp>)
      .Case("asinh", unary<math::AsinhOp>)
      .Case("acosh", unary<math::AcoshOp>)
      .Case("atanh", unary<math::AtanhOp>)
      .Case("sinpi", ofTurns<math::SinOp>)
      .Case("cospi", ofTurns<math::CosOp>)
      .Case("tanpi", ofTurns<math::TanOp>)
      .Case("asinpi", perPi<math::AsinOp>)
      .Case("acospi", perPi<math::AcosOp>)
      .Case("atanpi", perPi<math::AtanOp>)
      .Case("atan2", twoOperands<math::Atan2Op>)
      .Case("atan2pi", atan2PerPi)
      .Default(nullptr);
}

Member representation(llvm::StringRef name) {
  return llvm::StringSwitch<Member>(name)
      .Case("min", twoOperands<arith::MinNumFOp>)
      .Case("max", twoOperands<arith::MaxNumFOp>)
      .Case("abs", unary<math::AbsFOp>)
      .Case("sgn", sign)
      .Case("ceil", unary<math::CeilOp>)
      .Case("floor", unary<math::FloorOp>)
      .Case("trunc", unary<math::TruncOp>)
      .Case("round", unary<math::RoundEvenOp>)
      .Case("fma", fusedMultiplyAdd)
      .Case("isinf", isInfinite)
      .Case("isnan", isNaN)
      .Case("nextafter", nextAfter)
      .Case("ldexp", scaleByPower)
      .Case("copysign", twoOperands<math::CopySignOp>)
      .Case("to_bits", toBits)
      .Case("from_bits", fromBits)
      .Case("to_i64", toI64)
      .Case("to_f64", toF64)
      .Default(nullptr);
}

} // namespace

Value callFloatMember(Emitter &emit, Prim prim, llvm::StringRef name, Arguments arguments) {
  for (auto find : {elementary, trigonometric, representation})
    if (Member member = find(name))
      return member(emit, prim, arguments);
  return Value();
}

} // namespace ferry::futhark::lowering
