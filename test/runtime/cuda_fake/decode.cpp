// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an instruction's name says, found out once.

#include "arithmetic.h"

#include <algorithm>
#include <cfenv>

namespace ptx {

namespace {

int operationNamed(const std::string &name) {
  static const std::map<std::string, int> operations = {
      {"mov", opMove},     {"cvta", opMove},         {"bar", opBarrier}, {"barrier", opBarrier}, {"ld", opLoad},
      {"st", opStore},     {"add", opAdd},           {"sub", opSub},     {"mul", opMul},         {"mad", opMad},
      {"div", opDiv},      {"rem", opRem},           {"min", opMin},     {"max", opMax},         {"abs", opAbs},
      {"neg", opNeg},      {"and", opAnd},           {"or", opOr},       {"xor", opXor},         {"not", opNot},
      {"shl", opShl},      {"shr", opShr},           {"fma", opFma},     {"sqrt", opSqrt},       {"rcp", opRcp},
      {"rsqrt", opRsqrt},  {"ex2", opEx2},           {"lg2", opLg2},     {"sin", opSin},         {"cos", opCos},
      {"tanh", opTanh},    {"copysign", opCopysign}, {"cvt", opConvert}, {"setp", opSet},        {"selp", opSelect},
      {"bra", opBranch},   {"brx", opIndexedBranch}, {"ret", opReturn},  {"exit", opExit},       {"trap", opTrap},
      {"call", opCall},    {"atom", opAtom},         {"red", opAtom},    {"fence", opFence},     {"membar", opFence},
      {"prmt", opPermute}, {"bfe", opBfe},           {"bfi", opBfi},     {"shf", opShf},         {"clz", opClz},
      {"popc", opPopc},    {"brev", opBrev},         {"testp", opTestp}, {"addc", opAddc},       {"subc", opSubc},
      {"madc", opMadc},
  };
  auto found = operations.find(name);
  return found == operations.end() ? -1 : found->second;
}

Change changeNamed(const Instruction &one) {
  static const std::map<std::string, Change> changes = {
      {"cas", Change::compareAndSwap}, {"exch", Change::exchange}, {"add", Change::add}, {"and", Change::bitAnd},
      {"or", Change::bitOr},           {"xor", Change::bitXor},    {"min", Change::min}, {"max", Change::max},
      {"inc", Change::increment},      {"dec", Change::decrement},
  };
  for (const std::string &mark : one.marks)
    if (auto found = changes.find(mark); found != changes.end())
      return found->second;
  throw Error("the fake GPU does not know the instruction " + one.text);
}

void decode(Instruction &one) {
  one.operation = operationNamed(one.name);
  if (one.operation < 0)
    throw Error("the fake GPU does not know the instruction " + one.text);
  if (one.name == "cvta" && one.has("shared"))
    one.operation = one.has("to") ? opToShared : opToGeneric;
  one.rounding = one.has("rz") ? FE_TOWARDZERO : one.has("rm") ? FE_DOWNWARD : one.has("rp") ? FE_UPWARD : -1;

  bool isAccess = one.operation == opLoad || one.operation == opStore || one.operation == opAtom;
  bool isFence = one.operation == opFence, isSync = one.has("sc") || one.has("acq_rel") || one.name == "membar";
  if (!isAccess && !isFence)
    return;
  one.space = one.has("global") || one.has("const")  ? Space::global
              : one.has("shared")                    ? Space::shared
              : one.has("local") || one.has("param") ? Space::own
                                                     : Space::generic;
  one.isVolatile = one.has("volatile");
  one.acquires = isSync || one.has("acquire");
  one.releases = isSync || one.has("release");
  one.isStrong = one.isVolatile || one.acquires || one.releases || one.has("relaxed") || one.operation == opAtom;
  one.reachesGroups = !one.has("cta");
  if (one.operation == opAtom)
    one.change = changeNamed(one);
  if (one.operation == opLoad || one.operation == opStore) {
    const Operand &value = one.operands.at(one.operation == opLoad ? 0 : 1);
    one.lanes = value.kind == Operand::several ? value.elements.size() : 1;
  }
}

} // namespace

void prepare(std::vector<Instruction> &code) {
  for (Instruction &one : code)
    decode(one);
  // Where there is no such atomic operation, LLVM writes a loop of compare-and-swap, and begins it with a plain load of
  // what is compared.
  for (const Instruction &swap : code)
    if (swap.operation == opAtom && swap.change == Change::compareAndSwap)
      for (Instruction &load : code)
        if (load.operation == opLoad && load.operands[1].base == Operand::reg &&
            load.operands[1].value == swap.operands[1].value)
          load.isStrong = true;
}

} // namespace ptx
