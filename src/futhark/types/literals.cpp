// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of number literals. A literal whose type was inferred must be in its range; one with a suffix wraps.
#include "futhark/types/checker.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace ferry::futhark::types {

namespace {

// The value of digits in a base, or nothing beyond 64 bits; `wrapped` is its value modulo 2^64.
std::optional<uint64_t> parseInteger(const std::string &digits, unsigned base, uint64_t &wrapped) {
  wrapped = 0;
  bool overflow = false;
  for (char c : digits) {
    unsigned digit = c <= '9' ? static_cast<unsigned>(c - '0') : static_cast<unsigned>((c | 0x20) - 'a' + 10);
    uint64_t product;
    overflow |= __builtin_mul_overflow(wrapped, static_cast<uint64_t>(base), &product);
    overflow |= __builtin_add_overflow(product, static_cast<uint64_t>(digit), &wrapped);
  }
  return overflow ? std::nullopt : std::optional(wrapped);
}

// Rounded once to half precision: 11 significant bits, exponents from -14, largest 65504.
double roundToHalf(double value) {
  if (!std::isfinite(value) || value == 0)
    return value;
  int exponent;
  std::frexp(value, &exponent);
  int quantum = std::max(exponent, -13) - 11;
  double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -quantum)), quantum);
  return std::fabs(rounded) > 65504.0 ? std::copysign(HUGE_VAL, value) : rounded;
}

double parseFloat(const syntax::NumberLiteral &number, Prim prim) {
  std::string text = (number.base == 16 ? "0x" : "") + number.digits;
  if (number.base == 2) {
    uint64_t wrapped;
    return static_cast<double>(parseInteger(number.digits, 2, wrapped).value_or(wrapped));
  }
  if (prim == Prim::F32)
    return static_cast<double>(std::strtof(text.c_str(), nullptr));
  double value = std::strtod(text.c_str(), nullptr);
  return prim == Prim::F16 ? roundToHalf(value) : value;
}

uint64_t wrap(uint64_t value, Prim prim) {
  unsigned bits = bitWidth(prim);
  if (bits == 64)
    return value;
  value &= (uint64_t(1) << bits) - 1;
  if (isSigned(prim) && value >> (bits - 1))
    value |= ~((uint64_t(1) << bits) - 1);
  return value;
}

} // namespace

typed::Constant Checker::constant(const SourceRange &range, const syntax::NumberLiteral &number, Prim prim,
                                  bool negated) {
  typed::Constant result{prim, 0, 0};
  auto outOfBounds = [&](const std::string &hint) {
    fail(range,
         std::string("the number ") + (negated ? "-" : "") + number.digits + " is out of bounds for type '" +
             std::string(name(prim)) + "'",
         hint);
  };
  if (isFloat(prim)) {
    result.real = parseFloat(number, prim);
    if (number.suffix.empty() && std::isinf(result.real))
      outOfBounds("infinity is '" + std::string(name(prim)) + ".inf'");
    return result;
  }
  uint64_t wrapped;
  std::optional<uint64_t> value = parseInteger(number.digits, number.base, wrapped);
  unsigned bits = bitWidth(prim) - (isSigned(prim) ? 1 : 0);
  uint64_t highest = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  if (negated)
    highest = isSigned(prim) ? highest + 1 : 0;
  if (number.suffix.empty() && (!value || *value > highest))
    outOfBounds("write a suffix such as " + number.digits + (isSigned(prim) || negated ? "i64" : "u64") +
                ", or use a wider type");
  result.integer = wrap(wrapped, prim);
  return result;
}

uint64_t Checker::provisionalValue(const syntax::NumberLiteral &number) {
  uint64_t wrapped;
  parseInteger(number.digits, number.base, wrapped);
  return wrapped;
}

void Checker::finalLiterals() {
  for (const PendingLiteral &pending : pendingLiterals) {
    TypeRef type = finalType(pending.expr ? pending.expr->type : pending.pattern->type);
    const Prim *prim = as<Prim>(type);
    if (!prim)
      continue;
    if (pending.expr) {
      std::get<typed::Literal>(pending.expr->node).value =
          constant(pending.expr->range, pending.number, *prim, pending.negated);
      continue;
    }
    typed::Constant value = constant(pending.pattern->range, pending.number, *prim, pending.negated);
    if (pending.negated) {
      value.integer = wrap(~value.integer + 1, isFloat(*prim) ? Prim::I64 : *prim);
      value.real = -value.real;
    }
    std::get<typed::ConstantPattern>(pending.pattern->node).value = value;
  }
  pendingLiterals.clear();
}

} // namespace ferry::futhark::types
