// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "array/place/WholeNumbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

using namespace mlir;

namespace ferry::array {

int64_t saturatingProduct(int64_t a, int64_t b) {
  int64_t product;
  return llvm::MulOverflow(a, b, product) ? std::numeric_limits<int64_t>::max() : product;
}

int64_t saturatingSum(int64_t a, int64_t b) {
  int64_t sum;
  return llvm::AddOverflow(a, b, sum) ? std::numeric_limits<int64_t>::max() : sum;
}

bool isWholeNumber(Type type) { return type.isIntOrIndex() && (type.isIndex() || type.getIntOrFloatBitWidth() <= 64); }

static unsigned bitsOf(Type type) { return type.isIndex() ? 64 : type.getIntOrFloatBitWidth(); }

int64_t wrapped(int64_t value, Type type) {
  unsigned bits = bitsOf(type);
  if (bits == 1)
    return value & 1;
  return bits < 64 ? llvm::SignExtend64(static_cast<uint64_t>(value), bits) : value;
}

namespace {

using Maybe = std::optional<int64_t>;

Maybe divide(int64_t a, int64_t b, bool floor) {
  if (b == 0 || (b == -1 && a == std::numeric_limits<int64_t>::min()))
    return std::nullopt;
  return floor ? llvm::divideFloorSigned(a, b) : a / b;
}

// The number as an unsigned one of the operation's width.
uint64_t unsignedOf(Operation *op, int64_t value) {
  return static_cast<uint64_t>(value) & llvm::maskTrailingOnes<uint64_t>(bitsOf(op->getResult(0).getType()));
}

// Shifting by as many bits as there are, or more, is undefined.
bool isShift(Operation *op, int64_t by) { return unsignedOf(op, by) < bitsOf(op->getResult(0).getType()); }

// What an operation on two numbers does; nothing if it is not known.
using Binary = Maybe (*)(Operation *, int64_t, int64_t);
Binary binary(Operation *op) {
  return TypeSwitch<Operation *, Binary>(op)
      .Case([](arith::AddIOp) {
        return +[](Operation *, int64_t a, int64_t b) {
          int64_t result;
          return llvm::AddOverflow(a, b, result) ? Maybe() : Maybe(result);
        };
      })
      .Case([](arith::SubIOp) {
        return +[](Operation *, int64_t a, int64_t b) {
          int64_t result;
          return llvm::SubOverflow(a, b, result) ? Maybe() : Maybe(result);
        };
      })
      .Case([](arith::MulIOp) {
        return +[](Operation *, int64_t a, int64_t b) {
          int64_t result;
          return llvm::MulOverflow(a, b, result) ? Maybe() : Maybe(result);
        };
      })
      .Case([](arith::DivSIOp) { return +[](Operation *, int64_t a, int64_t b) { return divide(a, b, false); }; })
      .Case([](arith::FloorDivSIOp) { return +[](Operation *, int64_t a, int64_t b) { return divide(a, b, true); }; })
      .Case([](arith::CeilDivSIOp) {
        return +[](Operation *, int64_t a, int64_t b) {
          Maybe quotient = divide(a, b, true);
          return quotient ? Maybe(*quotient + (*quotient * b != a)) : Maybe();
        };
      })
      .Case([](arith::RemSIOp) {
        return +[](Operation *, int64_t a, int64_t b) { return b == 0 || b == -1 ? Maybe() : Maybe(a % b); };
      })
      .Case([](arith::DivUIOp) {
        return +[](Operation *op, int64_t a, int64_t b) {
          return b == 0 ? Maybe() : Maybe(unsignedOf(op, a) / unsignedOf(op, b));
        };
      })
      .Case([](arith::RemUIOp) {
        return +[](Operation *op, int64_t a, int64_t b) {
          return b == 0 ? Maybe() : Maybe(unsignedOf(op, a) % unsignedOf(op, b));
        };
      })
      .Case([](arith::ShLIOp) {
        return +[](Operation *op, int64_t a, int64_t b) {
          return isShift(op, b) ? Maybe(unsignedOf(op, a) << b) : Maybe();
        };
      })
      .Case([](arith::ShRSIOp) {
        return +[](Operation *op, int64_t a, int64_t b) { return isShift(op, b) ? Maybe(a >> b) : Maybe(); };
      })
      .Case([](arith::ShRUIOp) {
        return +[](Operation *op, int64_t a, int64_t b) {
          return isShift(op, b) ? Maybe(unsignedOf(op, a) >> b) : Maybe();
        };
      })
      .Case([](arith::MaxUIOp) {
        return +[](Operation *op, int64_t a, int64_t b) {
          return Maybe(std::max(unsignedOf(op, a), unsignedOf(op, b)));
        };
      })
      .Case([](arith::MinUIOp) {
        return +[](Operation *op, int64_t a, int64_t b) {
          return Maybe(std::min(unsignedOf(op, a), unsignedOf(op, b)));
        };
      })
      .Case([](arith::MaxSIOp) { return +[](Operation *, int64_t a, int64_t b) { return Maybe(std::max(a, b)); }; })
      .Case([](arith::MinSIOp) { return +[](Operation *, int64_t a, int64_t b) { return Maybe(std::min(a, b)); }; })
      .Case([](arith::AndIOp) { return +[](Operation *, int64_t a, int64_t b) { return Maybe(a & b); }; })
      .Case([](arith::OrIOp) { return +[](Operation *, int64_t a, int64_t b) { return Maybe(a | b); }; })
      .Case([](arith::XOrIOp) { return +[](Operation *, int64_t a, int64_t b) { return Maybe(a ^ b); }; })
      .Case([](arith::CmpIOp) {
        return +[](Operation *op, int64_t a, int64_t b) {
          auto compare = cast<arith::CmpIOp>(op);
          unsigned bits = bitsOf(compare.getLhs().getType());
          return Maybe(
              arith::applyCmpPredicate(compare.getPredicate(), APInt(bits, a, true, true), APInt(bits, b, true, true)));
        };
      })
      .Default([](Operation *) { return nullptr; });
}

bool isCast(Operation *op) {
  return isa<arith::IndexCastOp, arith::ExtSIOp, arith::ExtUIOp, arith::IndexCastUIOp, arith::TruncIOp,
             UnrealizedConversionCastOp>(op) &&
         op->getNumOperands() == 1;
}

// What a conversion makes of a number.
int64_t converted(Operation *op, int64_t value) {
  Type from = op->getOperand(0).getType();
  if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op) && bitsOf(from) < 64)
    value &= (int64_t{1} << bitsOf(from)) - 1;
  if (isa<arith::ExtSIOp>(op) && from.isInteger(1))
    value = -value;
  return wrapped(value, op->getResult(0).getType());
}

} // namespace

bool isEvaluable(Operation *op) {
  auto isNumber = [](Value value) { return isWholeNumber(value.getType()); };
  return (isCast(op) || isa<arith::SelectOp>(op) || binary(op)) && op->getNumResults() == 1 &&
         isNumber(op->getResult(0)) && llvm::all_of(op->getOperands(), isNumber);
}

std::optional<int64_t> evaluate(Operation *op, function_ref<std::optional<int64_t>(unsigned)> operand) {
  Maybe first = operand(0);
  if (!first)
    return std::nullopt;
  if (isCast(op))
    return converted(op, *first);
  if (isa<arith::SelectOp>(op))
    return operand(*first ? 1 : 2);
  Maybe second = operand(1);
  Maybe result = second ? binary(op)(op, *first, *second) : Maybe();
  return result ? Maybe(wrapped(*result, op->getResult(0).getType())) : Maybe();
}

} // namespace ferry::array
