// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A register is 64 bits, of which an instruction reads as many as its type has. Floats of 16 bits are computed as wider
// ones, which rounds the same for the operations that there are.

#include "arithmetic.h"

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>

namespace ptx {

namespace {

double asFloat(uint64_t bits, Type type) {
  if (type.bits == 64)
    return std::bit_cast<double>(bits);
  if (type.bits == 32)
    return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  return static_cast<double>(std::bit_cast<_Float16>(static_cast<uint16_t>(bits)));
}

uint64_t bitsOf(double value, Type type) {
  if (type.bits == 64)
    return std::bit_cast<uint64_t>(value);
  if (type.bits == 32)
    return std::bit_cast<uint32_t>(static_cast<float>(value));
  return std::bit_cast<uint16_t>(static_cast<_Float16>(value));
}

class Rounding {
public:
  explicit Rounding(const Instruction &one) : isOther(one.rounding >= 0) {
    if (isOther)
      std::fesetround(one.rounding);
  }
  ~Rounding() {
    if (isOther)
      std::fesetround(FE_TONEAREST);
  }
  Rounding(const Rounding &) = delete;
  Rounding &operator=(const Rounding &) = delete;

private:
  bool isOther;
};

// A float operation in the precision of its type; operands of 16 bits are computed in 32.
template <typename Compute> uint64_t onFloats(const Instruction &one, Type type, Compute compute) {
  Rounding rounding(one);
  if (type.bits == 64) {
    volatile double result = compute(double());
    return std::bit_cast<uint64_t>(static_cast<double>(result));
  }
  volatile float result = static_cast<float>(compute(float()));
  return bitsOf(static_cast<double>(result), type);
}

double roundedToWhole(const Instruction &one, double x) {
  if (one.has("rzi"))
    return std::trunc(x);
  if (one.has("rni"))
    return std::nearbyint(x);
  if (one.has("rmi"))
    return std::floor(x);
  return one.has("rpi") ? std::ceil(x) : x;
}

template <typename Whole> uint64_t clamped(double x, int bits, Whole least, Whole most) {
  if (std::isnan(x))
    return bits == 64 && std::is_signed_v<Whole> ? static_cast<uint64_t>(least) : 0;
  if (x <= static_cast<double>(least))
    return static_cast<uint64_t>(least);
  return x >= static_cast<double>(most) ? static_cast<uint64_t>(most) : static_cast<uint64_t>(static_cast<Whole>(x));
}

uint64_t wholeOf(double x, Type to) {
  if (to.kind == 's')
    return clamped<int64_t>(x, to.bits, extended(uint64_t(1) << (to.bits - 1), to.bits),
                            static_cast<int64_t>(masked(~uint64_t(0), to.bits) >> 1));
  return clamped<uint64_t>(x, to.bits, 0, masked(~uint64_t(0), to.bits));
}

uint64_t converted(const Instruction &one, Type to, Type from, uint64_t bits) {
  Rounding rounding(one);
  if (from.kind == 'f' && to.kind == 'f') {
    double x = roundedToWhole(one, asFloat(bits, from));
    return bitsOf(one.has("sat") ? std::isnan(x) ? 0 : std::clamp(x, 0.0, 1.0) : x, to);
  }
  if (from.kind == 'f')
    return wholeOf(roundedToWhole(one, asFloat(bits, from)), to);
  bool isSigned = from.kind == 's';
  if (to.kind != 'f')
    return masked(isSigned ? static_cast<uint64_t>(extended(bits, from.bits)) : masked(bits, from.bits), to.bits);
  if (to.bits == 32)
    return std::bit_cast<uint32_t>(isSigned ? static_cast<float>(extended(bits, from.bits))
                                            : static_cast<float>(masked(bits, from.bits)));
  return bitsOf(
      isSigned ? static_cast<double>(extended(bits, from.bits)) : static_cast<double>(masked(bits, from.bits)), to);
}

// "lt", "neu", "hs", …
bool compared(const Instruction &one, Type type, uint64_t a, uint64_t b) {
  std::string mark = one.marks.front();
  bool isLess, isEqual, isUnordered = false;
  if (type.kind == 'f') {
    double x = asFloat(a, type), y = asFloat(b, type);
    isUnordered = std::isnan(x) || std::isnan(y);
    if (mark == "num" || mark == "nan")
      return isUnordered == (mark == "nan");
    isLess = x < y;
    isEqual = x == y;
    if (mark.size() == 3) { // true of NaNs
      if (isUnordered)
        return true;
      mark.pop_back();
    }
    if (isUnordered)
      return false;
  } else {
    bool isSigned = type.kind == 's';
    int64_t x = extended(a, type.bits), y = extended(b, type.bits);
    uint64_t p = masked(a, type.bits), q = masked(b, type.bits);
    isEqual = p == q;
    isLess = isSigned ? x < y : p < q;
  }
  if (mark == "eq")
    return isEqual;
  if (mark == "ne")
    return !isEqual;
  if (mark == "lt" || mark == "lo")
    return isLess;
  if (mark == "le" || mark == "ls")
    return isLess || isEqual;
  if (mark == "gt" || mark == "hi")
    return !isLess && !isEqual;
  if (mark == "ge" || mark == "hs")
    return !isLess;
  throw Error("unknown comparison: " + one.text);
}

uint64_t extremum(const Instruction &one, Type type, uint64_t a, uint64_t b, bool isMax) {
  double x = asFloat(a, type), y = asFloat(b, type);
  if (std::isnan(x) || std::isnan(y)) {
    if (one.has("NaN") || (std::isnan(x) && std::isnan(y)))
      return bitsOf(std::numeric_limits<double>::quiet_NaN(), type);
    return std::isnan(x) ? b : a;
  }
  if (x == y)
    return std::signbit(x) == isMax ? b : a;
  return (x < y) == isMax ? b : a;
}

uint64_t floatResult(const Instruction &one, Type type, const std::array<uint64_t, 4> &x) {
  auto value = [&](size_t which, auto like) { return static_cast<decltype(like)>(asFloat(x[which], type)); };
  auto compute = [&](auto operation) {
    return onFloats(one, type, [&](auto like) { return operation(value(0, like), value(1, like), value(2, like)); });
  };
  uint64_t sign = uint64_t(1) << (type.bits - 1);
  switch (one.operation) {
  case opAdd:
    return compute([](auto a, auto b, auto) { return a + b; });
  case opSub:
    return compute([](auto a, auto b, auto) { return a - b; });
  case opMul:
    return compute([](auto a, auto b, auto) { return a * b; });
  case opDiv:
    return compute([](auto a, auto b, auto) { return a / b; });
  case opFma:
  case opMad:
    if (type.bits == 16)
      return bitsOf(std::fma(asFloat(x[0], type), asFloat(x[1], type), asFloat(x[2], type)), type);
    return compute([](auto a, auto b, auto c) { return std::fma(a, b, c); });
  case opSqrt:
    return compute([](auto a, auto, auto) { return std::sqrt(a); });
  case opRcp: {
    uint64_t result = compute([](auto a, auto, auto) { return 1 / a; });
    return one.has("approx") && type.bits == 64 ? result & 0xffffffff00000000 : result;
  }
  case opRsqrt:
    return compute([](auto a, auto, auto) { return 1 / std::sqrt(a); });
  case opEx2:
    return compute([](auto a, auto, auto) { return std::exp2(a); });
  case opLg2:
    return compute([](auto a, auto, auto) { return std::log2(a); });
  case opSin:
    return compute([](auto a, auto, auto) { return std::sin(a); });
  case opCos:
    return compute([](auto a, auto, auto) { return std::cos(a); });
  case opTanh:
    return compute([](auto a, auto, auto) { return std::tanh(a); });
  case opAbs:
    return masked(x[0], type.bits) & ~sign;
  case opNeg:
    return masked(x[0], type.bits) ^ sign;
  case opCopysign: // the sign of the first
    return (masked(x[1], type.bits) & ~sign) | (x[0] & sign);
  case opMin:
  case opMax:
    return extremum(one, type, x[0], x[1], one.operation == opMax);
  case opTestp: {
    double a = asFloat(x[0], type);
    return one.has("infinite")     ? std::isinf(a)
           : one.has("finite")     ? std::isfinite(a)
           : one.has("number")     ? !std::isnan(a)
           : one.has("notanumber") ? std::isnan(a)
                                   : throw Error("unknown test: " + one.text);
  }
  default:
    throw Error("the fake GPU does not know " + one.text);
  }
}

uint64_t permuted(uint64_t low, uint64_t high, uint64_t chosen) {
  uint64_t bytes = masked(high, 32) << 32 | masked(low, 32), result = 0;
  for (int i = 0; i < 4; ++i) {
    uint64_t which = (chosen >> (4 * i)) & 15, byte = (bytes >> (8 * (which & 7))) & 255;
    if ((which & 8) != 0)
      byte = (byte & 128) != 0 ? 255 : 0;
    result |= byte << (8 * i);
  }
  return result;
}

uint64_t wholeResult(const Instruction &one, Type type, const std::array<uint64_t, 4> &x, bool &carry) {
  int bits = type.bits;
  bool isSigned = type.kind == 's';
  uint64_t a = masked(x[0], bits), b = masked(x[1], bits);
  int64_t p = extended(x[0], bits), q = extended(x[1], bits);
  using Wide = unsigned __int128;
  auto product = [&] { return isSigned ? static_cast<Wide>(static_cast<__int128>(p) * q) : static_cast<Wide>(a) * b; };
  auto part = [&](Wide whole) {
    return one.has("hi")     ? masked(static_cast<uint64_t>(whole >> bits), bits)
           : one.has("wide") ? masked(static_cast<uint64_t>(whole), 2 * bits)
                             : masked(static_cast<uint64_t>(whole), bits);
  };
  auto counted = [&](uint64_t to, uint64_t added, int width, bool takesIn) { // with the carry
    Wide sum = static_cast<Wide>(to) + masked(added, width) + (takesIn && carry);
    if (one.has("cc"))
      carry = (sum >> width) != 0;
    return masked(static_cast<uint64_t>(sum), width);
  };
  switch (one.operation) {
  case opAdd:
    return counted(a, b, bits, false);
  case opAddc:
    return counted(a, b, bits, true);
  case opSub:
    if (one.has("cc"))
      carry = a < b;
    return masked(a - b, bits);
  case opSubc: {
    uint64_t less = b + carry;
    bool borrows = a < b || (carry && a == b);
    if (one.has("cc"))
      carry = borrows;
    return masked(a - less, bits);
  }
  case opMul:
    return part(product());
  case opMad:
  case opMadc:
    return counted(part(product()), x[2], one.has("wide") ? 2 * bits : bits, one.operation == opMadc);
  case opDiv:
  case opRem:
    if (b == 0)
      return masked(~uint64_t(0), bits);
    if (isSigned && q == -1)
      return one.operation == opDiv ? masked(-a, bits) : 0;
    if (one.operation == opDiv)
      return masked(isSigned ? static_cast<uint64_t>(p / q) : a / b, bits);
    return masked(isSigned ? static_cast<uint64_t>(p % q) : a % b, bits);
  case opMin:
    return isSigned ? masked(static_cast<uint64_t>(std::min(p, q)), bits) : std::min(a, b);
  case opMax:
    return isSigned ? masked(static_cast<uint64_t>(std::max(p, q)), bits) : std::max(a, b);
  case opAbs:
    return masked(p < 0 ? -a : a, bits);
  case opNeg:
    return masked(-a, bits);
  case opAnd:
    return a & b;
  case opOr:
    return a | b;
  case opXor:
    return a ^ b;
  case opNot:
    return masked(~a, bits);
  case opShl:
    return masked(x[1], 32) >= static_cast<uint64_t>(bits) ? 0 : masked(a << masked(x[1], 32), bits);
  case opShr: {
    auto by = static_cast<int>(std::min<uint64_t>(masked(x[1], 32), static_cast<uint64_t>(bits)));
    if (isSigned)
      return masked(static_cast<uint64_t>(p >> std::min(by, bits - 1)), bits);
    return by == bits ? 0 : a >> by;
  }
  case opConvert:
    return converted(one, type, one.type(1), x[0]);
  case opSet:
    return compared(one, type, x[0], x[1]);
  case opSelect:
    return (x[2] & 1) != 0 ? a : b;
  case opPermute:
    return permuted(x[0], x[1], x[2]);
  case opBfe: {
    int from = static_cast<int>(x[1] & 255), length = static_cast<int>(x[2] & 255);
    if (length == 0 || from >= bits)
      return 0;
    length = std::min(length, bits - from);
    uint64_t field = masked(a >> from, length);
    return isSigned ? masked(static_cast<uint64_t>(extended(field, length)), bits) : field;
  }
  case opBfi: {
    int to = static_cast<int>(x[2] & 255), length = static_cast<int>(x[3] & 255);
    if (length == 0 || to >= bits)
      return b;
    uint64_t mask = masked(masked(~uint64_t(0), length) << to, bits);
    return (b & ~mask) | ((a << to) & mask);
  }
  case opShf: {
    uint64_t by = one.has("wrap") ? x[2] & 31 : std::min<uint64_t>(masked(x[2], 32), 32);
    uint64_t both = masked(x[1], 32) << 32 | masked(x[0], 32);
    return one.has("l") ? masked(by == 32 ? both : (both << by) >> 32, 32) : masked(by == 64 ? 0 : both >> by, 32);
  }
  case opClz:
    return static_cast<uint64_t>(std::countl_zero(a) - (64 - bits));
  case opPopc:
    return static_cast<uint64_t>(std::popcount(a));
  case opBrev: {
    uint64_t reversed = 0;
    for (int i = 0; i < bits; ++i)
      reversed |= ((a >> i) & 1) << (bits - 1 - i);
    return reversed;
  }
  default:
    throw Error("the fake GPU does not know " + one.text);
  }
}

} // namespace

uint64_t resultOf(const Instruction &one, const std::array<uint64_t, 4> &x, bool &carry) {
  Type type = one.type();
  bool isOfFloats =
      type.kind == 'f' && one.operation != opConvert && one.operation != opSet && one.operation != opSelect;
  return isOfFloats ? floatResult(one, type, x) : wholeResult(one, type, x, carry);
}

uint64_t exchanged(const Instruction &one, uint64_t old, uint64_t x, uint64_t y) {
  Type type = one.type();
  old = masked(old, type.bits);
  x = masked(x, type.bits);
  bool isSigned = type.kind == 's';
  bool isLess = isSigned ? extended(x, type.bits) < extended(old, type.bits) : x < old;
  switch (one.change) {
  case Change::compareAndSwap:
    return old == x ? y : old;
  case Change::exchange:
    return x;
  case Change::add:
    return type.kind == 'f' ? bitsOf(asFloat(old, type) + asFloat(x, type), type) : old + x;
  case Change::bitAnd:
    return old & x;
  case Change::bitOr:
    return old | x;
  case Change::bitXor:
    return old ^ x;
  case Change::min:
    return isLess ? x : old;
  case Change::max:
    return isLess || old == x ? old : x;
  case Change::increment:
    return old >= x ? 0 : old + 1;
  case Change::decrement:
    return old == 0 || old > x ? x : old - 1;
  case Change::none:
    break;
  }
  throw Error("the fake GPU does not know " + one.text);
}

} // namespace ptx
