// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/opencl/Operations.h"
#include "codegen/opencl/Vectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace ferry::codegen::opencl {

using Operands = ArrayRef<std::string>;

std::string typeName(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return typeName(vector.getElementType()) + std::to_string(vector.getNumElements());
  if (type.isInteger(1))
    return "bool";
  if (type.isInteger(8))
    return "char";
  if (type.isInteger(16))
    return "short";
  if (type.isInteger(32))
    return "int";
  if (type.isInteger(64))
    return "long";
  return type.isF16() || type.isF32() ? "float" : type.isF64() ? "double" : "";
}

const char halfPrelude[] = R"(
float ferry_half_of(ushort bits) { return vload_half(0, (half *)&bits); }
ushort ferry_half_bits(float x) {
  ushort bits;
  vstore_half_rte(x, 0, (half *)&bits);
  return bits;
}
float ferry_half(float x) { return ferry_half_of(ferry_half_bits(x)); }
)";

const char doublePrelude[] = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n";

const char doubleToHalfPrelude[] = R"(
float ferry_half_from_double(double x) {
  ushort bits;
  vstore_half_rte(x, 0, (half *)&bits);
  return ferry_half_of(bits);
}
)";

std::string loaded(Type type, const std::string &space, const std::string &address) {
  if (auto vector = dyn_cast<VectorType>(type))
    return loadedVector(vector, space, address);
  if (type.isF16())
    return "vload_half(0, (const " + space + "half *)" + address + ")";
  return "*(" + space + typeName(type) + " *)" + address;
}

std::string stored(Type type, const std::string &space, const std::string &address, const std::string &value) {
  if (auto vector = dyn_cast<VectorType>(type))
    return storedVector(vector, space, address, value);
  if (type.isF16())
    return "vstore_half_rte(" + value + ", 0, (" + space + "half *)" + address + ")";
  return "*(" + space + typeName(type) + " *)" + address + " = " + value;
}

static bool isBool(Type type) { return type.isInteger(1); }

std::string fromBits(Type type, const std::string &bits) {
  if (type.isF64())
    return "as_double(" + bits + ")";
  if (type.isF32())
    return "as_float((int)" + bits + ")";
  if (type.isF16())
    return "ferry_half_of((ushort)" + bits + ")";
  if (isBool(type))
    return "(" + bits + " & 1) != 0";
  return "(" + typeName(type) + ")" + bits;
}

std::string literal(Attribute value) {
  if (auto vector = dyn_cast<DenseElementsAttr>(value))
    return vectorLiteral(vector);
  if (auto number = dyn_cast<IntegerAttr>(value)) {
    if (isBool(number.getType()))
      return number.getValue().isZero() ? "false" : "true";
    int64_t signedValue = number.getValue().getSExtValue();
    if (signedValue == INT64_MIN)
      return "(-9223372036854775807L - 1)";
    std::string text = std::to_string(signedValue) + (number.getType().isInteger(64) ? "L" : "");
    if (number.getType().isInteger(32) && signedValue == INT32_MIN)
      text = "(-2147483647 - 1)";
    if (number.getType().getIntOrFloatBitWidth() < 32)
      return "(" + typeName(number.getType()) + ")" + (signedValue < 0 ? "(" + text + ")" : text);
    return signedValue < 0 && text[0] == '-' ? "(" + text + ")" : text;
  }
  auto real = dyn_cast<FloatAttr>(value);
  if (!real)
    return "";
  bool isDouble = real.getType().isF64(), isExact = false;
  APFloat number = real.getValue();
  if (!isDouble)
    number.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &isExact);
  std::string hex = "0x" + llvm::utohexstr(number.bitcastToAPInt().getZExtValue());
  if (!number.isFinite())
    return isDouble ? "as_double(" + hex + "L)" : "as_float(" + hex + ")";
  SmallVector<char> digits;
  number.toString(digits, 0, 3);
  std::string text(digits.begin(), digits.end());
  if (text.find_first_of(".eE") == std::string::npos)
    text += ".0";
  text += isDouble ? "" : "f";
  return text[0] == '-' ? "(" + text + ")" : text;
}

namespace {

std::string infix(StringRef sign, Operands x) { return (x[0] + " " + sign + " " + x[1]).str(); }

std::string call(StringRef name, Operands x) {
  std::string text = (name + "(").str();
  for (auto [index, operand] : llvm::enumerate(x))
    text += (index ? ", " : "") + operand;
  return text + ")";
}

std::string asUnsigned(Type type, const std::string &text) { return "(u" + typeName(type) + ")" + text; }

// Through the unsigned type, in which results wrap; narrow types are promoted to int first.
std::string wrapping(Type type, StringRef sign, Operands x) {
  if (isBool(type))
    return "(bool)((" + x[0] + " " + sign.str() + " " + x[1] + ") & 1)";
  return "(" + typeName(type) + ")(" + asUnsigned(type, x[0]) + " " + sign.str() + " " + asUnsigned(type, x[1]) + ")";
}

std::string arithmetic(Operation &op, StringRef sign, Operands x) {
  auto overflow = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  bool isExact =
      overflow && bitEnumContainsAll(overflow.getOverflowAttr().getValue(), arith::IntegerOverflowFlags::nsw);
  return isExact && op.getResult(0).getType().isInteger(64) ? infix(sign, x)
                                                            : wrapping(op.getResult(0).getType(), sign, x);
}

std::string unsignedInfix(Type type, StringRef sign, Operands x) {
  if (isBool(type))
    return infix(sign, x);
  return "(" + typeName(type) + ")(" + asUnsigned(type, x[0]) + " " + sign.str() + " " + asUnsigned(type, x[1]) + ")";
}

std::string unsignedCall(Type type, StringRef name, Operands x) {
  if (isBool(type))
    return name == "min" ? infix("&", x) : infix("|", x);
  return "(" + typeName(type) + ")" + call(name, {asUnsigned(type, x[0]), asUnsigned(type, x[1])});
}

std::string compared(arith::CmpIPredicate predicate, Type type, Operands x) {
  StringRef sign;
  bool isUnsigned = predicate >= arith::CmpIPredicate::ult;
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    sign = "==";
    break;
  case arith::CmpIPredicate::ne:
    sign = "!=";
    break;
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    sign = "<";
    break;
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    sign = "<=";
    break;
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    sign = ">";
    break;
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::uge:
    sign = ">=";
    break;
  }
  if (isUnsigned && !isBool(type))
    return asUnsigned(type, x[0]) + " " + sign.str() + " " + asUnsigned(type, x[1]);
  if (!isUnsigned && isBool(type) && predicate != arith::CmpIPredicate::eq && predicate != arith::CmpIPredicate::ne)
    return "-(int)" + x[0] + " " + sign.str() + " -(int)" + x[1]; // true is -1
  return infix(sign, x);
}

std::optional<std::string> compared(arith::CmpFPredicate predicate, Operands x) {
  auto negated = [&](StringRef sign) { return "!(" + infix(sign, x) + ")"; };
  switch (predicate) {
  case arith::CmpFPredicate::OEQ:
    return infix("==", x);
  case arith::CmpFPredicate::OGT:
    return infix(">", x);
  case arith::CmpFPredicate::OGE:
    return infix(">=", x);
  case arith::CmpFPredicate::OLT:
    return infix("<", x);
  case arith::CmpFPredicate::OLE:
    return infix("<=", x);
  case arith::CmpFPredicate::ONE:
    return "islessgreater(" + x[0] + ", " + x[1] + ") != 0";
  case arith::CmpFPredicate::ORD:
    return "isordered(" + x[0] + ", " + x[1] + ") != 0";
  case arith::CmpFPredicate::UEQ:
    return "islessgreater(" + x[0] + ", " + x[1] + ") == 0";
  case arith::CmpFPredicate::UNE:
    return infix("!=", x);
  case arith::CmpFPredicate::UNO:
    return "isunordered(" + x[0] + ", " + x[1] + ") != 0";
  case arith::CmpFPredicate::UGT:
    return negated("<=");
  case arith::CmpFPredicate::UGE:
    return negated("<");
  case arith::CmpFPredicate::ULT:
    return negated(">=");
  case arith::CmpFPredicate::ULE:
    return negated(">");
  case arith::CmpFPredicate::AlwaysFalse:
    return "false";
  case arith::CmpFPredicate::AlwaysTrue:
    return "true";
  }
  return std::nullopt;
}

// NaN if either is; and the sign of zero counts.
std::string extremum(StringRef name, StringRef sign, Operands x) {
  std::string order = name == "fmax" ? "signbit(" + x[0] + ") ? " + x[1] + " : " + x[0]
                                     : "signbit(" + x[0] + ") ? " + x[0] + " : " + x[1];
  return "isunordered(" + x[0] + ", " + x[1] + ") ? " + x[0] + " + " + x[1] + " : " + x[0] + " == " + x[1] + " ? (" +
         order + ") : " + x[0] + " " + sign.str() + " " + x[1] + " ? " + x[0] + " : " + x[1];
}

std::optional<std::string> integerExpression(Operation &op, Operands x) {
  Type type = op.getNumOperands() ? op.getOperand(0).getType() : Type();
  using Text = std::optional<std::string>;
  return llvm::TypeSwitch<Operation *, Text>(&op)
      .Case<arith::AddIOp>([&](auto) { return arithmetic(op, "+", x); })
      .Case<arith::SubIOp>([&](auto) { return arithmetic(op, "-", x); })
      .Case<arith::MulIOp>([&](auto) { return arithmetic(op, "*", x); })
      .Case<arith::DivSIOp>([&](auto) { return "(" + typeName(type) + ")(" + infix("/", x) + ")"; })
      .Case<arith::RemSIOp>([&](auto) { return "(" + typeName(type) + ")(" + infix("%", x) + ")"; })
      .Case<arith::DivUIOp>([&](auto) { return unsignedInfix(type, "/", x); })
      .Case<arith::RemUIOp>([&](auto) { return unsignedInfix(type, "%", x); })
      .Case<arith::FloorDivSIOp>([&](auto) {
        std::string q = infix("/", x),
                    isOff = "((" + infix("%", x) + ") != 0 && (" + x[0] + " < 0) != (" + x[1] + " < 0))";
        return "(" + typeName(type) + ")(" + q + " - " + isOff + ")";
      })
      .Case<arith::AndIOp>([&](auto) { return infix("&", x); })
      .Case<arith::OrIOp>([&](auto) { return infix("|", x); })
      .Case<arith::XOrIOp>([&](auto) { return infix("^", x); })
      .Case<arith::ShLIOp>([&](auto) { return unsignedInfix(type, "<<", x); })
      .Case<arith::ShRUIOp>([&](auto) { return unsignedInfix(type, ">>", x); })
      .Case<arith::ShRSIOp>([&](auto) { return infix(">>", x); })
      .Case<arith::MinSIOp>([&](auto) { return call("min", x); })
      .Case<arith::MaxSIOp>([&](auto) { return call("max", x); })
      .Case<arith::MinUIOp>([&](auto) { return unsignedCall(type, "min", x); })
      .Case<arith::MaxUIOp>([&](auto) { return unsignedCall(type, "max", x); })
      .Case<arith::CmpIOp>([&](arith::CmpIOp cmp) { return compared(cmp.getPredicate(), type, x); })
      .Case<arith::ExtSIOp>([&](auto) {
        return isBool(type) ? "-(" + typeName(op.getResult(0).getType()) + ")" + x[0]
                            : "(" + typeName(op.getResult(0).getType()) + ")" + x[0];
      })
      .Case<arith::ExtUIOp>([&](auto) {
        std::string to = "(" + typeName(op.getResult(0).getType()) + ")";
        return isBool(type) ? to + x[0] : to + asUnsigned(type, x[0]);
      })
      .Case<arith::TruncIOp>([&](auto) {
        Type to = op.getResult(0).getType();
        return isBool(to) ? "(" + x[0] + " & 1) != 0" : "(" + typeName(to) + ")" + x[0];
      })
      .Case<math::AbsIOp>([&](auto) { return "(" + typeName(type) + ")abs(" + x[0] + ")"; })
      .Case<math::CountLeadingZerosOp>([&](auto) { return call("clz", x); })
      .Case<math::CtPopOp>([&](auto) { return call("popcount", x); })
      .Case<math::CountTrailingZerosOp>([&](auto) {
        std::string bits = std::to_string(type.getIntOrFloatBitWidth());
        return "(" + typeName(type) + ")(" + x[0] + " == 0 ? " + bits + " : " + bits + " - 1 - clz((" + typeName(type) +
               ")(" + x[0] + " & -" + x[0] + ")))";
      })
      .Default(Text());
}

std::optional<std::string> floatExpression(Operation &op, Operands x) {
  using Text = std::optional<std::string>;
  Type from = op.getNumOperands() ? op.getOperand(0).getType() : Type(), to = op.getResult(0).getType();
  return llvm::TypeSwitch<Operation *, Text>(&op)
      .Case<arith::AddFOp>([&](auto) { return infix("+", x); })
      .Case<arith::SubFOp>([&](auto) { return infix("-", x); })
      .Case<arith::MulFOp>([&](auto) { return infix("*", x); })
      .Case<arith::DivFOp>([&](auto) { return infix("/", x); })
      .Case<arith::NegFOp>([&](auto) { return "-" + x[0]; })
      .Case<arith::RemFOp>([&](auto) { return call("fmod", x); })
      .Case<arith::MaximumFOp>([&](auto) { return extremum("fmax", ">", x); })
      .Case<arith::MinimumFOp>([&](auto) { return extremum("fmin", "<", x); })
      .Case<arith::MaxNumFOp>([&](auto) { return call("fmax", x); })
      .Case<arith::MinNumFOp>([&](auto) { return call("fmin", x); })
      .Case<arith::CmpFOp>([&](arith::CmpFOp cmp) { return compared(cmp.getPredicate(), x); })
      .Case<arith::ExtFOp, arith::TruncFOp, arith::FPToSIOp>([&](auto) { return "(" + typeName(to) + ")" + x[0]; })
      .Case<arith::FPToUIOp>([&](auto) { return "(" + typeName(to) + ")" + asUnsigned(to, x[0]); })
      .Case<arith::SIToFPOp>(
          [&](auto) { return isBool(from) ? "-(" + typeName(to) + ")" + x[0] : "(" + typeName(to) + ")" + x[0]; })
      .Case<arith::UIToFPOp>(
          [&](auto) { return "(" + typeName(to) + ")" + (isBool(from) ? x[0] : asUnsigned(from, x[0])); })
      .Case<arith::BitcastOp>([&](auto) {
        return to.isF16()     ? "ferry_half_of((ushort)" + x[0] + ")"
               : from.isF16() ? "(short)ferry_half_bits(" + x[0] + ")"
                              : "as_" + typeName(to) + "(" + x[0] + ")";
      })
      .Case<math::AbsFOp>([&](auto) { return call("fabs", x); })
      .Case<math::PowFOp>([&](auto) { return call("pow", x); })
      .Case<math::FmaOp>([&](auto) { return call("fma", x); })
      .Case<math::RoundEvenOp>([&](auto) { return call("rint", x); })
      .Case<math::AbsFOp, math::SqrtOp, math::ExpOp, math::Exp2Op, math::ExpM1Op, math::LogOp, math::Log2Op,
            math::Log10Op, math::Log1pOp, math::SinOp, math::CosOp, math::TanOp, math::AsinOp, math::AcosOp,
            math::AtanOp, math::SinhOp, math::CoshOp, math::TanhOp, math::AsinhOp, math::AcoshOp, math::AtanhOp,
            math::Atan2Op, math::FloorOp, math::CeilOp, math::RoundOp, math::TruncOp, math::CbrtOp, math::RsqrtOp,
            math::ErfOp, math::ErfcOp, math::CopySignOp>([&](auto) { return call(op.getName().stripDialect(), x); })
      .Case<math::IsNaNOp>([&](auto) { return "isnan(" + x[0] + ") != 0"; })
      .Case<math::IsInfOp>([&](auto) { return "isinf(" + x[0] + ") != 0"; })
      .Default(Text());
}

} // namespace

std::optional<std::string> expressionOf(Operation &op, Operands x) {
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return x[0] + " ? " + x[1] + " : " + x[2];
  if (auto compare = dyn_cast<LLVM::ICmpOp>(op))
    return compare.getPredicate() == LLVM::ICmpPredicate::ne   ? std::optional(infix("!=", x))
           : compare.getPredicate() == LLVM::ICmpPredicate::eq ? std::optional(infix("==", x))
                                                               : std::nullopt;
  if (op.getNumResults() != 1)
    return std::nullopt;
  if (isa<VectorType>(op.getResult(0).getType()))
    return vectorExpression(op, x);
  if (auto text = integerExpression(op, x))
    return text;
  std::optional<std::string> text = floatExpression(op, x);
  if (!text || !op.getResult(0).getType().isF16() || isa<arith::BitcastOp>(op))
    return text;
  bool isFromDouble = op.getNumOperands() == 1 && op.getOperand(0).getType().isF64();
  return isFromDouble ? "ferry_half_from_double(" + x[0] + ")" : "ferry_half(" + *text + ")";
}

std::optional<std::string> libraryFunction(llvm::StringRef name) {
  using Text = std::optional<std::string>;
  StringRef base = name;
  base.consume_back("f");
  return llvm::StringSwitch<Text>(base)
      .Cases({"hypot", "tgamma", "lgamma", "erf", "erfc", "nextafter", "ldexp", "cbrt", "pow", "fmod"},
             Text(base.str()))
      .Default(std::nullopt);
}

} // namespace ferry::codegen::opencl
