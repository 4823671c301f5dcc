// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What instructions compute from values alone.

#pragma once

#include "ptx.h"

#include <array>

namespace ptx {

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
  opToShared,
  opToGeneric,
  opBarrier,
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

inline uint64_t masked(uint64_t value, int bits) { return bits >= 64 ? value : value & ((uint64_t(1) << bits) - 1); }

inline int64_t extended(uint64_t value, int bits) {
  if (bits >= 64)
    return static_cast<int64_t>(value);
  uint64_t sign = uint64_t(1) << (bits - 1);
  return static_cast<int64_t>((masked(value, bits) ^ sign) - sign);
}

/// `x`: the operands behind the first. `carry`: the thread's flag. Throws Error.
uint64_t resultOf(const Instruction &one, const std::array<uint64_t, 4> &x, bool &carry);

/// What an atomic operation leaves where `old` was. Throws Error.
uint64_t exchanged(const Instruction &one, uint64_t old, uint64_t x, uint64_t y);

} // namespace ptx
