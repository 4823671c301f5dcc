// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A register is 64 bits, of which an instruction reads as many as its type has. Floats of 16 bits are computed as wider
// ones, which rounds the same for the operations that there are.

#include "ptx.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>

namespace ptx {

namespace {

enum Operation : int {
  opMove,
  opLoad,
  opStore,
  opAdd,
  opSub,
  opMul,
  opMad,
  opDiv,
  opRem,
  opMin,
  opMax,
  opAbs,
  opNeg,
  opAnd,
  opOr,
  opXor,
  opNot,
  opShl,
  opShr,
  opFma,
  opSqrt,
  opRcp,
  opRsqrt,
  opEx2,
  opLg2,
  opSin,
  opCos,
  opTanh,
  opCopysign,
  opConvert,
  opSet,
  opSelect,
  opBranch,
  opIndexedBranch,
  opReturn,
  opExit,
  opTrap,
  opCall,
  opAtom,
  opFence,
  opPermute,
  opBfe,
  opBfi,
  opShf,
  opClz,
  opPopc,
  opBrev,
  opTestp,
  opAddc,
  opSubc,
  opMadc,
};

int operationNamed(const std::string &name) {
  static const std::map<std::string, int> operations = {
      {"mov", opMove},    {"cvta", opMove},   {"ld", opLoad},      {"st", opStore},     {"add", opAdd},
      {"sub", opSub},     {"mul", opMul},     {"mad", opMad},      {"div", opDiv},      {"rem", opRem},
      {"min", opMin},     {"max", opMax},     {"abs", opAbs},      {"neg", opNeg},      {"and", opAnd},
      {"or", opOr},       {"xor", opXor},     {"not", opNot},      {"shl", opShl},      {"shr", opShr},
      {"fma", opFma},     {"sqrt", opSqrt},   {"rcp", opRcp},      {"rsqrt", opRsqrt},  {"ex2", opEx2},
      {"lg2", opLg2},     {"sin", opSin},     {"cos", opCos},      {"tanh", opTanh},    {"copysign", opCopysign},
      {"cvt", opConvert}, {"setp", opSet},    {"selp", opSelect},  {"bra", opBranch},   {"brx", opIndexedBranch},
      {"ret", opReturn},  {"exit", opExit},   {"trap", opTrap},    {"call", opCall},    {"atom", opAtom},
      {"red", opAtom},    {"fence", opFence}, {"membar", opFence}, {"prmt", opPermute}, {"bfe", opBfe},
      {"bfi", opBfi},     {"shf", opShf},     {"clz", opClz},      {"popc", opPopc},    {"brev", opBrev},
      {"testp", opTestp}, {"addc", opAddc},   {"subc", opSubc},    {"madc", opMadc},
  };
  auto found = operations.find(name);
  return found == operations.end() ? -1 : found->second;
}

uint64_t masked(uint64_t value, int bits) { return bits >= 64 ? value : value & ((uint64_t(1) << bits) - 1); }

int64_t extended(uint64_t value, int bits) {
  if (bits >= 64)
    return static_cast<int64_t>(value);
  uint64_t sign = uint64_t(1) << (bits - 1);
  return static_cast<int64_t>((masked(value, bits) ^ sign) - sign);
}

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
  explicit Rounding(const Instruction &one) : before(std::fegetround()) {
    std::fesetround(one.has("rz") ? FE_TOWARDZERO : one.has("rm") ? FE_DOWNWARD : one.has("rp") ? FE_UPWARD : before);
  }
  ~Rounding() { std::fesetround(before); }

private:
  int before;
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

} // namespace

void prepare(std::vector<Instruction> &code) {
  for (Instruction &one : code) {
    one.operation = operationNamed(one.name);
    if (one.operation < 0)
      throw Error("the fake GPU does not know the instruction " + one.text);
  }
}

//===- Threads ----------------------------------------------------------------------------------------------------===//

class Thread {
public:
  Thread(const Module &module, const std::function<bool(uint64_t, size_t)> &isMemory, std::array<uint32_t, 4> ids)
      : module(module), isMemory(isMemory), ids(ids) {}

  /// True if the thread is to end.
  bool run(const Function &function, std::vector<uint64_t> &frame) {
    std::vector<uint64_t> registers(function.registers, undefined);
    frames.push_back({reinterpret_cast<uintptr_t>(frame.data()), frame.size() * sizeof(uint64_t)});
    bool ends = false;
    for (size_t at = 0; at < function.code.size();) {
      const Instruction &one = function.code[at];
      if (one.guard.kind != Operand::none &&
          ((registers[static_cast<size_t>(one.guard.value)] & 1) != 0) == one.guard.isNegated) {
        ++at;
        continue;
      }
      if (one.operation == opBranch) {
        at = static_cast<size_t>(one.target);
        continue;
      }
      if (one.operation == opIndexedBranch) {
        uint64_t index = masked(read(one.operands[0], registers, frame), 32);
        if (index >= one.targets.size())
          throw Error("a branch by index " + std::to_string(index) + ", of " + std::to_string(one.targets.size()));
        at = static_cast<size_t>(one.targets[index]);
        continue;
      }
      if (one.operation == opReturn)
        break;
      if (one.operation == opExit || (one.operation == opCall && call(one, frame))) {
        ends = true;
        break;
      }
      if (one.operation == opTrap)
        throw Error("a thread ran into a trap");
      if (one.operation != opCall)
        execute(one, registers, frame);
      ++at;
    }
    frames.pop_back();
    return ends;
  }

private:
  static constexpr uint64_t undefined = 0xfefefefefefefefe;
  using Registers = std::vector<uint64_t>;
  using Frame = std::vector<uint64_t>;

  bool call(const Instruction &one, Frame &frame) {
    const Function &callee = module.functions[static_cast<size_t>(one.target)];
    Frame inner(callee.frameBytes / sizeof(uint64_t) + 1, undefined);
    auto move = [](Frame &to, size_t offset, Frame &from, size_t origin, size_t bytes) {
      std::memcpy(reinterpret_cast<char *>(to.data()) + offset, reinterpret_cast<char *>(from.data()) + origin, bytes);
    };
    for (size_t i = 0; i < callee.parameters.size(); ++i)
      move(inner, callee.parameters[i].offset, frame, one.passed.at(i), callee.parameters[i].bytes);
    bool ends = run(callee, inner);
    for (size_t i = 0; i < callee.results.size(); ++i)
      move(frame, one.returned.at(i), inner, callee.results[i].offset, callee.results[i].bytes);
    return ends;
  }

  uint64_t read(const Operand &operand, Registers &registers, Frame &frame) const {
    switch (operand.kind) {
    case Operand::reg:
      return operand.isNegated ? registers[static_cast<size_t>(operand.value)] ^ 1
                               : registers[static_cast<size_t>(operand.value)];
    case Operand::frame:
      return reinterpret_cast<uintptr_t>(frame.data()) + static_cast<uint64_t>(operand.value);
    case Operand::special:
      return ids[static_cast<size_t>(operand.value)];
    default:
      return static_cast<uint64_t>(operand.value);
    }
  }

  static void write(const Operand &operand, Registers &registers, uint64_t value) {
    if (operand.kind == Operand::reg) // else "_"
      registers[static_cast<size_t>(operand.value)] = value;
  }

  uint64_t addressOf(const Operand &operand, Registers &registers, Frame &frame) const {
    Operand base;
    base.kind = operand.base;
    base.value = operand.value;
    return read(base, registers, frame) + static_cast<uint64_t>(operand.offset);
  }

  void check(const Instruction &one, uint64_t address, size_t bytes) const {
    if (address % bytes != 0)
      throw Error("a misaligned access: " + one.text);
    for (const auto &[name, words] : module.globals)
      if (address - reinterpret_cast<uintptr_t>(words.data()) < words.size() * sizeof(uint64_t))
        return;
    for (const auto &[base, size] : frames)
      if (address - base < size)
        return;
    if (!isMemory(address, bytes))
      throw Error("an access outside of all memory: " + one.text);
  }

  void load(const Instruction &one, Registers &registers, Frame &frame) const {
    const Operand &to = one.operands[0];
    Type type = one.type();
    uint64_t address = addressOf(one.operands[1], registers, frame);
    size_t count = to.kind == Operand::several ? to.elements.size() : 1;
    check(one, address, type.bytes());
    for (size_t i = 0; i < count; ++i) {
      uint64_t bits = 0;
      std::memcpy(&bits, reinterpret_cast<const void *>(address + i * type.bytes()), type.bytes());
      if (type.kind == 's')
        bits = static_cast<uint64_t>(extended(bits, type.bits));
      write(count == 1 && to.kind != Operand::several ? to : to.elements[i], registers, bits);
    }
  }

  void store(const Instruction &one, Registers &registers, Frame &frame) const {
    const Operand &from = one.operands[1];
    Type type = one.type();
    uint64_t address = addressOf(one.operands[0], registers, frame);
    size_t count = from.kind == Operand::several ? from.elements.size() : 1;
    check(one, address, type.bytes());
    for (size_t i = 0; i < count; ++i) {
      uint64_t bits = read(from.kind == Operand::several ? from.elements[i] : from, registers, frame);
      std::memcpy(reinterpret_cast<void *>(address + i * type.bytes()), &bits, type.bytes());
    }
  }

  void atom(const Instruction &one, Registers &registers, Frame &frame) const {
    bool hasResult = one.name == "atom";
    size_t first = hasResult ? 1 : 0;
    Type type = one.type();
    uint64_t address = addressOf(one.operands[first], registers, frame), old = 0;
    check(one, address, type.bytes());
    std::memcpy(&old, reinterpret_cast<const void *>(address), type.bytes());
    uint64_t x = read(one.operands[first + 1], registers, frame), made = old;
    if (one.has("cas"))
      made = masked(old, type.bits) == masked(x, type.bits) ? read(one.operands[first + 2], registers, frame) : old;
    else if (one.has("exch"))
      made = x;
    else if (one.has("add"))
      made = type.kind == 'f' ? bitsOf(asFloat(old, type) + asFloat(x, type), type) : old + x;
    else if (one.has("and"))
      made = old & x;
    else if (one.has("or"))
      made = old | x;
    else
      throw Error("unknown atomic operation: " + one.text);
    std::memcpy(reinterpret_cast<void *>(address), &made, type.bytes());
    if (hasResult)
      write(one.operands[0], registers, old);
  }

  // Also between one register and several parts of it.
  void move(const Instruction &one, Registers &registers, Frame &frame) const {
    const Operand &to = one.operands[0], &from = one.operands[1];
    int bits = one.types.empty() ? 64 : one.types.back().bits;
    if (to.kind == Operand::several) {
      uint64_t whole = read(from, registers, frame);
      int each = bits / static_cast<int>(to.elements.size());
      for (size_t i = 0; i < to.elements.size(); ++i)
        write(to.elements[i], registers, masked(whole >> (i * static_cast<size_t>(each)), each));
      return;
    }
    uint64_t whole = 0;
    if (from.kind == Operand::several) {
      int each = bits / static_cast<int>(from.elements.size());
      for (size_t i = 0; i < from.elements.size(); ++i)
        whole |= masked(read(from.elements[i], registers, frame), each) << (i * static_cast<size_t>(each));
    } else {
      whole = read(from, registers, frame);
    }
    write(to, registers, whole);
  }

  void execute(const Instruction &one, Registers &registers, Frame &frame) {
    switch (one.operation) {
    case opMove:
      return move(one, registers, frame);
    case opLoad:
      return load(one, registers, frame);
    case opStore:
      return store(one, registers, frame);
    case opAtom:
      return atom(one, registers, frame);
    case opFence:
      return;
    default:
      break;
    }
    std::array<uint64_t, 4> x{};
    for (size_t i = 1; i < one.operands.size() && i <= x.size(); ++i)
      x[i - 1] = read(one.operands[i], registers, frame);
    Type type = one.type();
    write(one.operands[0], registers,
          type.kind == 'f' && one.operation != opConvert && one.operation != opSet && one.operation != opSelect
              ? floatResult(one, type, x)
              : wholeResult(one, type, x));
  }

  static uint64_t floatResult(const Instruction &one, Type type, const std::array<uint64_t, 4> &x) {
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

  static uint64_t extremum(const Instruction &one, Type type, uint64_t a, uint64_t b, bool isMax) {
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

  uint64_t wholeResult(const Instruction &one, Type type, const std::array<uint64_t, 4> &x) {
    int bits = type.bits;
    bool isSigned = type.kind == 's';
    uint64_t a = masked(x[0], bits), b = masked(x[1], bits);
    int64_t p = extended(x[0], bits), q = extended(x[1], bits);
    using Wide = unsigned __int128;
    auto product = [&] {
      return isSigned ? static_cast<Wide>(static_cast<__int128>(p) * q) : static_cast<Wide>(a) * b;
    };
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

  static uint64_t permuted(uint64_t low, uint64_t high, uint64_t chosen) {
    uint64_t bytes = masked(high, 32) << 32 | masked(low, 32), result = 0;
    for (int i = 0; i < 4; ++i) {
      uint64_t which = (chosen >> (4 * i)) & 15, byte = (bytes >> (8 * (which & 7))) & 255;
      if ((which & 8) != 0)
        byte = (byte & 128) != 0 ? 255 : 0;
      result |= byte << (8 * i);
    }
    return result;
  }

  const Module &module;
  const std::function<bool(uint64_t, size_t)> &isMemory;
  std::array<uint32_t, 4> ids;
  std::vector<std::pair<uint64_t, size_t>> frames;
  bool carry = false;
};

void Module::run(const Function &kernel, Grid grid, const std::vector<uint64_t> &arguments,
                 const std::function<bool(uint64_t, size_t)> &isMemory) const {
  if (static_cast<int>(grid.threads) > kernel.groupThreads)
    throw Error("more threads in a group than " + kernel.name + " is made for");
  for (uint32_t group = 0; group < grid.groups; ++group)
    for (uint32_t thread = 0; thread < grid.threads; ++thread) {
      std::vector<uint64_t> frame(kernel.frameBytes / sizeof(uint64_t) + 1);
      for (size_t i = 0; i < kernel.parameters.size(); ++i)
        std::memcpy(reinterpret_cast<char *>(frame.data()) + kernel.parameters[i].offset, &arguments.at(i), 8);
      Thread(*this, isMemory, {thread, grid.threads, group, grid.groups}).run(kernel, frame);
    }
}

} // namespace ptx
