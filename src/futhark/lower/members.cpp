// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/lower/scalars.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace ferry::futhark::lowering {

namespace {

using typed::BinaryOp;

std::optional<BinaryOp> operatorNamed(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<BinaryOp>>(name)
      .Case("+", BinaryOp::Add)
      .Case("-", BinaryOp::Sub)
      .Case("*", BinaryOp::Mul)
      .Case("/", BinaryOp::Div)
      .Case("%", BinaryOp::Mod)
      .Case("//", BinaryOp::Quot)
      .Case("%%", BinaryOp::Rem)
      .Case("**", BinaryOp::Pow)
      .Case("<<", BinaryOp::Shl)
      .Case(">>", BinaryOp::Shr)
      .Case("&", BinaryOp::And)
      .Case("|", BinaryOp::Or)
      .Case("^", BinaryOp::Xor)
      .Case("==", BinaryOp::Equal)
      .Case("!=", BinaryOp::NotEqual)
      .Case("<", BinaryOp::Less)
      .Case("<=", BinaryOp::LessEqual)
      .Case(">", BinaryOp::Greater)
      .Case(">=", BinaryOp::GreaterEqual)
      .Default(std::nullopt);
}

} // namespace

Value callMember(Emitter &emit, Prim prim, llvm::StringRef name, llvm::ArrayRef<Value> arguments) {
  if (auto op = operatorNamed(name))
    return arguments.size() == 2 ? binary(emit, *op, prim, arguments[0], arguments[1]) : Value();
  if (auto from = types::primNamed(name))
    return arguments.size() == 1 ? convert(emit, *from, prim, arguments[0]) : Value();
  if (name == "neg")
    return negate(emit, prim, arguments[0]);
  if (name == "not")
    return complement(emit, prim, arguments[0]);
  return types::isFloat(prim) ? callFloatMember(emit, prim, name, arguments)
                              : callIntegerMember(emit, prim, name, arguments);
}

} // namespace ferry::futhark::lowering
