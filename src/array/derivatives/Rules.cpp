// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rule gets the operands x, the result y and the operands' tangents d, of which some are null: zero. Functions of one
// operand are a table of factors dy/dx; the others are written out.

#include "array/derivatives/Rules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numbers>

using namespace mlir;

namespace ferry::array {

// `!x`, whose tangent is that of x.
static bool isNegation(Operation *op) {
  return isa<arith::XOrIOp>(op) && op->getResult(0).getType().isInteger(1) && isConstantIntValue(op->getOperand(1), -1);
}

bool isPiecewiseConstant(Operation *op) {
  if (isNegation(op))
    return false;
  return isa<arith::CmpIOp, arith::CmpFOp>(op) ||
         isa<math::FloorOp, math::CeilOp, math::RoundOp, math::RoundEvenOp, math::TruncOp, arith::AndIOp, arith::OrIOp,
             arith::XOrIOp, math::CtPopOp, math::CountLeadingZerosOp, math::CountTrailingZerosOp>(op);
}

namespace {

// Arithmetic on tangents: a null operand is zero.
class Algebra {
public:
  Algebra(OpBuilder &builder, Location loc, Type type) : builder(builder), loc(loc), type(type) {}

  Value constant(double value) {
    return arith::ConstantOp::create(builder, loc,
                                     isa<FloatType>(type)
                                         ? TypedAttr(builder.getFloatAttr(type, value))
                                         : TypedAttr(builder.getIntegerAttr(type, static_cast<int64_t>(value))));
  }
  Value add(Value a, Value b) { return !a ? b : !b ? a : either<arith::AddFOp, arith::AddIOp>(a, b); }
  Value sub(Value a, Value b) { return !b ? a : !a ? neg(b) : either<arith::SubFOp, arith::SubIOp>(a, b); }
  Value mul(Value a, Value b) { return a && b ? either<arith::MulFOp, arith::MulIOp>(a, b) : Value(); }
  Value div(Value a, Value b) { return a ? arith::DivFOp::create(builder, loc, a, b).getResult() : Value(); }
  Value neg(Value a) {
    if (!a || isa<FloatType>(type))
      return a ? arith::NegFOp::create(builder, loc, a).getResult() : Value();
    return arith::SubIOp::create(builder, loc, constant(0), a);
  }
  Value scale(double by, Value a) { return a ? mul(constant(by), a) : Value(); }
  Value square(Value a) { return mul(a, a); }
  Value orZero(Value a) { return a ? a : constant(0); }
  // a or b, either of which may be null.
  Value select(Value condition, Value a, Value b) {
    return a || b ? arith::SelectOp::create(builder, loc, condition, orZero(a), orZero(b)).getResult() : Value();
  }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  template <typename Op> Value call(Value a) { return Op::create(builder, loc, a); }
  template <typename Op> Value call(Value a, Value b) { return Op::create(builder, loc, a, b); }

  // The same operation on a tangent.
  Value likewise(Operation *op, Value d) {
    if (!d)
      return {};
    Operation *copy = builder.clone(*op);
    copy->setOperand(0, d);
    return copy->getResult(0);
  }

  OpBuilder &builder;
  Location loc;
  Type type;

private:
  template <typename OnFloats, typename OnIntegers> Value either(Value a, Value b) {
    return isa<FloatType>(type) ? OnFloats::create(builder, loc, a, b).getResult()
                                : OnIntegers::create(builder, loc, a, b).getResult();
  }
};

using Rule = Value (*)(Algebra &m, Value x, Value y, Value d);

Value oneMinusSquare(Algebra &m, Value x) { return m.sub(m.constant(1), m.square(x)); }
Value onePlusSquare(Algebra &m, Value x) { return m.add(m.constant(1), m.square(x)); }
Value gaussian(Algebra &m, Value x) {
  return m.scale(2 * std::numbers::inv_sqrtpi, m.call<math::ExpOp>(m.neg(m.square(x))));
}

// d times the sign of x: zero at zero.
Value bySign(Algebra &m, Value x, Value d) {
  Value zero = m.constant(0);
  Value notPositive = m.select(m.compare(arith::CmpFPredicate::OLT, x, zero), m.neg(d), Value());
  return m.select(m.compare(arith::CmpFPredicate::OGT, x, zero), d, notPositive);
}

const llvm::StringMap<Rule> &unaryRules() {
  using A = Algebra;
  static const llvm::StringMap<Rule> rules = {
      {"arith.negf", [](A &m, Value, Value, Value d) { return m.neg(d); }},
      {"math.absf", [](A &m, Value x, Value, Value d) { return bySign(m, x, d); }},
      {"math.sin", [](A &m, Value x, Value, Value d) { return m.mul(m.call<math::CosOp>(x), d); }},
      {"math.cos", [](A &m, Value x, Value, Value d) { return m.neg(m.mul(m.call<math::SinOp>(x), d)); }},
      {"math.tan", [](A &m, Value, Value y, Value d) { return m.mul(onePlusSquare(m, y), d); }},
      {"math.asin", [](A &m, Value x, Value, Value d) { return m.div(d, m.call<math::SqrtOp>(oneMinusSquare(m, x))); }},
      {"math.acos",
       [](A &m, Value x, Value, Value d) { return m.neg(m.div(d, m.call<math::SqrtOp>(oneMinusSquare(m, x)))); }},
      {"math.atan", [](A &m, Value x, Value, Value d) { return m.div(d, onePlusSquare(m, x)); }},
      {"math.sinh", [](A &m, Value x, Value, Value d) { return m.mul(m.call<math::CoshOp>(x), d); }},
      {"math.cosh", [](A &m, Value x, Value, Value d) { return m.mul(m.call<math::SinhOp>(x), d); }},
      {"math.tanh", [](A &m, Value, Value y, Value d) { return m.mul(oneMinusSquare(m, y), d); }},
      {"math.asinh", [](A &m, Value x, Value, Value d) { return m.div(d, m.call<math::SqrtOp>(onePlusSquare(m, x))); }},
      {"math.acosh",
       [](A &m, Value x, Value, Value d) { return m.div(d, m.call<math::SqrtOp>(m.neg(oneMinusSquare(m, x)))); }},
      {"math.atanh", [](A &m, Value x, Value, Value d) { return m.div(d, oneMinusSquare(m, x)); }},
      {"math.exp", [](A &m, Value, Value y, Value d) { return m.mul(y, d); }},
      {"math.exp2", [](A &m, Value, Value y, Value d) { return m.mul(m.scale(std::numbers::ln2, y), d); }},
      {"exp10", [](A &m, Value, Value y, Value d) { return m.mul(m.scale(std::numbers::ln10, y), d); }},
      {"math.expm1", [](A &m, Value, Value y, Value d) { return m.mul(m.add(y, m.constant(1)), d); }},
      {"math.log", [](A &m, Value x, Value, Value d) { return m.div(d, x); }},
      {"math.log2", [](A &m, Value x, Value, Value d) { return m.div(d, m.scale(std::numbers::ln2, x)); }},
      {"math.log10", [](A &m, Value x, Value, Value d) { return m.div(d, m.scale(std::numbers::ln10, x)); }},
      {"math.log1p", [](A &m, Value x, Value, Value d) { return m.div(d, m.add(m.constant(1), x)); }},
      {"math.sqrt", [](A &m, Value, Value y, Value d) { return m.div(d, m.scale(2, y)); }},
      {"math.cbrt", [](A &m, Value, Value y, Value d) { return m.div(d, m.scale(3, m.square(y))); }},
      {"math.rsqrt", [](A &m, Value x, Value y, Value d) { return m.div(m.mul(m.scale(-0.5, y), d), x); }},
      {"math.erf", [](A &m, Value x, Value, Value d) { return m.mul(gaussian(m, x), d); }},
      {"math.erfc", [](A &m, Value x, Value, Value d) { return m.neg(m.mul(gaussian(m, x), d)); }},
  };
  return rules;
}

// x^e: e x^(e-1) dx + x^e log x de; the first term is zero for e = 0, the second at x = 0, where the other factor is
// infinite.
Value powerRule(Algebra &m, Value x, Value e, Value y, Value dx, Value de) {
  Value byBase, byExponent;
  if (dx) {
    Value isZero = m.compare(arith::CmpFPredicate::OEQ, e, m.constant(0));
    Value tangent = m.mul(m.mul(e, m.call<math::PowFOp>(x, m.sub(e, m.constant(1)))), dx);
    byBase = m.select(isZero, Value(), tangent);
  }
  if (de) {
    Value isZero = m.compare(arith::CmpFPredicate::OEQ, x, m.constant(0));
    byExponent = m.select(isZero, Value(), m.mul(m.mul(y, m.call<math::LogOp>(x)), de));
  }
  return m.add(byBase, byExponent);
}

// x^n: n x^(n-1) dx, zero for n = 0 even at x = 0.
Value integerPowerRule(Algebra &m, Value x, Value n, Value dx) {
  if (!dx)
    return {};
  auto constant = [&](int64_t value) {
    return arith::ConstantOp::create(m.builder, m.loc, m.builder.getIntegerAttr(n.getType(), value)).getResult();
  };
  Value less = m.builder.createOrFold<arith::SubIOp>(m.loc, n, constant(1));
  Value factor = arith::SIToFPOp::create(m.builder, m.loc, m.type, n);
  Value tangent = m.mul(m.mul(factor, m.call<math::FPowIOp>(x, less)), dx);
  Value isZero = arith::CmpIOp::create(m.builder, m.loc, arith::CmpIPredicate::eq, n, constant(0));
  return m.select(isZero, Value(), tangent);
}

// x - y trunc(x / y)
Value remainderRule(Algebra &m, Value x, Value y, Value dx, Value dy) {
  return dy ? m.sub(dx, m.mul(m.call<math::TruncOp>(m.div(x, y)), dy)) : dx;
}

Value atan2Rule(Algebra &m, Value y, Value x, Value dy, Value dx) {
  return m.div(m.sub(m.mul(x, dy), m.mul(y, dx)), m.add(m.square(x), m.square(y)));
}

// The tangent of the operand that the result is; of the first if it is both.
Value extremumRule(Algebra &m, Value x, Value result, ArrayRef<Value> d) {
  return m.select(m.compare(arith::CmpFPredicate::OEQ, result, x), d[0], d[1]);
}

Value copySignRule(Algebra &m, Value x, Value sign, Value dx) {
  return dx ? m.mul(m.call<math::CopySignOp>(m.constant(1), sign), bySign(m, x, dx)) : Value();
}

// Functions of the C library; a name ending in f is the one for f32.
FailureOr<Value> callRule(Algebra &m, func::CallOp op, ArrayRef<Value> d) {
  StringRef name = op.getCallee();
  if (m.type.isF32())
    name.consume_back("f");
  Value y = op.getResult(0);
  if (name == "hypot")
    return m.div(m.add(m.mul(op.getOperand(0), d[0]), m.mul(op.getOperand(1), d[1])), y);
  if (name == "fmod")
    return remainderRule(m, op.getOperand(0), op.getOperand(1), d[0], d[1]);
  if (name == "nextafter")
    return d[0];
  // x 2^n
  if (name == "ldexp" && !d[0])
    return Value();
  if (name == "ldexp")
    return func::CallOp::create(m.builder, m.loc, op.getCallee(), m.type, ValueRange{d[0], op.getOperand(1)})
        .getResult(0);
  if (name == "fmin" || name == "fmax")
    return extremumRule(m, op.getOperand(0), y, d);
  if (name == "copysign")
    return copySignRule(m, op.getOperand(0), op.getOperand(1), d[0]);
  if (name == "rint" || name == "nearbyint")
    return Value();
  auto rule = unaryRules().find(name == "exp10" ? std::string(name) : ("math." + name).str());
  if (rule == unaryRules().end() || d.size() != 1)
    return failure();
  return d[0] ? rule->second(m, op.getOperand(0), y, d[0]) : Value();
}

} // namespace

namespace {

// dx (1 / y) - dy (x / y^2), each division that of the operation; y^2 is not formed, as it may wrap to zero.
template <typename Division> Value divisionRule(Algebra &m, Division op, ArrayRef<Value> d) {
  auto divide = [&](Value a) { return Division::create(m.builder, m.loc, a, op.getRhs()).getResult(); };
  Value byX = d[0] ? m.mul(divide(m.constant(1)), d[0]) : Value();
  return m.sub(byX, d[1] ? m.mul(divide(op.getResult()), d[1]) : Value());
}

// The tangent of the operand that the result is; of the first if it is both.
Value integerExtremumRule(Algebra &m, Operation *op, ArrayRef<Value> d) {
  Value isFirst =
      arith::CmpIOp::create(m.builder, m.loc, arith::CmpIPredicate::eq, op->getResult(0), op->getOperand(0));
  return m.select(isFirst, d[0], d[1]);
}

// A division by a power of two, whose factor is zero unless that is 1.
Value shiftRightRule(Algebra &m, Operation *op, Value d) {
  Value isWhole = arith::CmpIOp::create(m.builder, m.loc, arith::CmpIPredicate::eq, op->getOperand(1), m.constant(0));
  return m.select(isWhole, d, Value());
}

// Integers are differentiated like the numbers that they stand for.
Value integerTangentOf(Algebra &m, Operation *op, ArrayRef<Value> d) {
  auto x = [&](unsigned operand) { return op->getOperand(operand); };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<arith::AddIOp>([&](auto) { return m.add(d[0], d[1]); })
      .Case<arith::SubIOp>([&](auto) { return m.sub(d[0], d[1]); })
      .Case<arith::MulIOp>([&](auto) { return m.add(m.mul(d[0], x(1)), m.mul(x(0), d[1])); })
      .Case<arith::DivSIOp, arith::DivUIOp>([&](auto division) { return divisionRule(m, division, d); })
      .Case<arith::RemSIOp, arith::RemUIOp>([&](auto) { return d[0]; })
      .Case<arith::ShLIOp>([&](auto) { return m.likewise(op, d[0]); })
      .Case<arith::ShRSIOp, arith::ShRUIOp>([&](auto) { return shiftRightRule(m, op, d[0]); })
      .Case<arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp, arith::MaxUIOp>(
          [&](auto) { return integerExtremumRule(m, op, d); })
      .Case<arith::XOrIOp>([&](auto) { return d[0]; })
      .Case<arith::SelectOp>([&](auto) { return m.select(x(0), d[1], d[2]); })
      .Case<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp, arith::FPToSIOp, arith::FPToUIOp, arith::BitcastOp>(
          [&](auto) { return m.likewise(op, d[0]); })
      .Default([](Operation *) { return Value(); });
}

} // namespace

FailureOr<Value> tangentOf(OpBuilder &builder, Operation *op, ArrayRef<Value> d) {
  Value y = op->getResult(0);
  Algebra m(builder, op->getLoc(), y.getType());
  if (isa<IntegerType>(y.getType()))
    return integerTangentOf(m, op, d);
  if (!isa<FloatType>(y.getType()))
    return failure();
  if (auto rule = unaryRules().find(op->getName().getStringRef()); rule != unaryRules().end())
    return d[0] ? rule->second(m, op->getOperand(0), y, d[0]) : Value();
  auto x = [&](unsigned operand) { return op->getOperand(operand); };
  return llvm::TypeSwitch<Operation *, FailureOr<Value>>(op)
      .Case<arith::AddFOp>([&](auto) { return m.add(d[0], d[1]); })
      .Case<arith::SubFOp>([&](auto) { return m.sub(d[0], d[1]); })
      .Case<arith::MulFOp>([&](auto) { return m.add(m.mul(d[0], x(1)), m.mul(x(0), d[1])); })
      .Case<arith::DivFOp>([&](auto) { return m.div(m.sub(d[0], m.mul(y, d[1])), x(1)); })
      .Case<arith::RemFOp>([&](auto) { return remainderRule(m, x(0), x(1), d[0], d[1]); })
      .Case<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(
          [&](auto) { return extremumRule(m, x(0), y, d); })
      .Case<arith::SelectOp>([&](auto) { return m.select(x(0), d[1], d[2]); })
      .Case<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp, arith::BitcastOp>(
          [&](auto) { return m.likewise(op, d[0]); })
      .Case<math::FmaOp>([&](auto) { return m.add(m.add(m.mul(d[0], x(1)), m.mul(x(0), d[1])), d[2]); })
      .Case<math::PowFOp>([&](auto) { return powerRule(m, x(0), x(1), y, d[0], d[1]); })
      .Case<math::FPowIOp>([&](auto) { return integerPowerRule(m, x(0), x(1), d[0]); })
      .Case<math::Atan2Op>([&](auto) { return atan2Rule(m, x(0), x(1), d[0], d[1]); })
      .Case<math::CopySignOp>([&](auto) { return copySignRule(m, x(0), x(1), d[0]); })
      .Case<func::CallOp>([&](func::CallOp call) { return callRule(m, call, d); })
      .Default([](Operation *) -> FailureOr<Value> { return failure(); });
}

} // namespace ferry::array
