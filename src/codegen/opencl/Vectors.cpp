// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "codegen/opencl/Vectors.h"
#include "codegen/opencl/Operations.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace ferry::codegen::opencl {

static StringRef signOf(Operation &op) {
  return llvm::TypeSwitch<Operation *, StringRef>(&op)
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return "+"; })
      .Case<arith::SubFOp, arith::SubIOp, arith::NegFOp>([](auto) { return "-"; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return "*"; })
      .Case<arith::DivFOp>([](auto) { return "/"; })
      .Case<arith::AndIOp>([](auto) { return "&"; })
      .Case<arith::OrIOp>([](auto) { return "|"; })
      .Case<arith::XOrIOp>([](auto) { return "^"; })
      .Default(StringRef());
}

bool hasVectors(Operation &op) {
  Type type = op.getResult(0).getType();
  return !signOf(op).empty() && !type.isInteger(1) && !type.isF16();
}

// Integers wrap as unsigned ones.
std::optional<std::string> vectorExpression(Operation &op, ArrayRef<std::string> x) {
  std::string sign = signOf(op).str();
  if (sign.empty())
    return std::nullopt;
  auto type = cast<VectorType>(op.getResult(0).getType());
  if (x.size() == 1)
    return sign + x[0];
  if (type.getElementType().isFloat())
    return x[0] + " " + sign + " " + x[1];
  std::string name = typeName(type);
  return "as_" + name + "(as_u" + name + "(" + x[0] + ") " + sign + " as_u" + name + "(" + x[1] + "))";
}

std::string spread(Type vector, const std::string &number) { return "(" + typeName(vector) + ")(" + number + ")"; }

std::string vectorLiteral(DenseElementsAttr value) {
  std::string numbers;
  for (Attribute number : value.getValues<Attribute>())
    numbers += (numbers.empty() ? "" : ", ") + literal(number);
  return spread(value.getType(), numbers);
}

static std::string numbersAt(VectorType type, const std::string &space, const std::string &address) {
  return "(" + space + typeName(type.getElementType()) + " *)" + address + ")";
}

std::string loadedVector(VectorType type, const std::string &space, const std::string &address) {
  return "vload" + std::to_string(type.getNumElements()) + "(0, " + numbersAt(type, "const " + space, address);
}

std::string storedVector(VectorType type, const std::string &space, const std::string &address,
                         const std::string &value) {
  return "vstore" + std::to_string(type.getNumElements()) + "(" + value + ", 0, " + numbersAt(type, space, address);
}

} // namespace ferry::codegen::opencl
