// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on constants fold to constants, so their meaning is tested without running anything: against definitions
// written here over wide integers, for all pairs of 8-bit numbers, and against values from the language's
// documentation.

#include "futhark/lower/scalars.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OwningOpRef.h"
#include <gtest/gtest.h>

#include <cmath>

using namespace ferry::futhark;
using lowering::Emitter;
using typed::BinaryOp;
using types::Prim;

namespace {

class Scalars : public testing::Test {
protected:
  Scalars() : context(mlir::MLIRContext::Threading::DISABLED), module(make()), emit(*module) {
    emit.builder.setInsertionPointToEnd(module->getBody());
  }

  mlir::OwningOpRef<mlir::ModuleOp> make() {
    context.loadDialect<ferry::array::ArrayDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect,
                        mlir::math::MathDialect, mlir::scf::SCFDialect>();
    return mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  }

  mlir::Value number(Prim prim, int64_t value) { return emit.integer(prim, value); }
  mlir::Value number(Prim prim, double value) { return emit.real(emit.typeOf(prim), value); }

  // The value that an operation folded to, sign- or zero-extended.
  int64_t integer(Prim prim, mlir::Value value) {
    llvm::APInt bits;
    EXPECT_TRUE(value && mlir::matchPattern(value, mlir::m_ConstantInt(&bits))) << "not folded";
    return types::isSigned(prim) ? bits.getSExtValue() : static_cast<int64_t>(bits.getZExtValue());
  }
  double real(mlir::Value value) {
    llvm::APFloat number(0.0);
    EXPECT_TRUE(value && mlir::matchPattern(value, mlir::m_ConstantFloat(&number))) << "not folded";
    bool inexact;
    number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    return number.convertToDouble();
  }
  int64_t integerOp(BinaryOp op, Prim prim, int64_t a, int64_t b) {
    return integer(prim, binary(emit, op, prim, number(prim, a), number(prim, b)));
  }
  double realOp(BinaryOp op, double a, double b) {
    return real(binary(emit, op, Prim::F64, number(Prim::F64, a), number(Prim::F64, b)));
  }
  int64_t toInteger(Prim from, Prim to, double value) {
    return integer(to, convert(emit, from, to, number(from, value)));
  }
  mlir::Value member(Prim prim, const char *name, std::vector<mlir::Value> arguments) {
    mlir::Value result = callMember(emit, prim, name, arguments);
    EXPECT_TRUE(result) << name;
    return result;
  }

  size_t countAsserts() {
    size_t count = 0;
    module->walk([&](ferry::array::AssertOp) { ++count; });
    return count;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Emitter emit;
};

int64_t wrapped(Prim prim, int64_t value) {
  return prim == Prim::I8 ? static_cast<int8_t>(value) : static_cast<uint8_t>(value);
}

int64_t floorDivide(int64_t a, int64_t b) { return static_cast<int64_t>(std::floor(double(a) / double(b))); }

TEST_F(Scalars, DivisionOfAllSmallNumbers) {
  for (Prim prim : {Prim::I8, Prim::U8}) {
    int64_t low = prim == Prim::I8 ? -128 : 0;
    for (int64_t a = low; a < low + 256; a += 3) {
      for (int64_t b = low; b<low + 256; b += b> - 4 && b < 4 ? 1 : 5) {
        if (b == 0)
          continue;
        SCOPED_TRACE(testing::Message() << a << " by " << b);
        ASSERT_EQ(integerOp(BinaryOp::Div, prim, a, b), wrapped(prim, floorDivide(a, b)));
        ASSERT_EQ(integerOp(BinaryOp::Mod, prim, a, b), wrapped(prim, a - floorDivide(a, b) * b));
        ASSERT_EQ(integerOp(BinaryOp::Quot, prim, a, b), wrapped(prim, a / b));
        ASSERT_EQ(integerOp(BinaryOp::Rem, prim, a, b), wrapped(prim, a % b));
      }
    }
  }
  EXPECT_EQ(countAsserts(), 0u) << "divisors known not to be zero need no check";
}

TEST_F(Scalars, ZeroDivisorEndsTheProgram) {
  for (BinaryOp op : {BinaryOp::Div, BinaryOp::Mod, BinaryOp::Quot, BinaryOp::Rem})
    integerOp(op, Prim::I32, 7, 0);
  EXPECT_EQ(countAsserts(), 4u);
  emit.checked = false;
  integerOp(BinaryOp::Div, Prim::I32, 7, 0);
  EXPECT_EQ(countAsserts(), 4u);
}

TEST_F(Scalars, ComparisonsFollowTheSign) {
  EXPECT_EQ(integerOp(BinaryOp::Less, Prim::I8, -1, 1) & 1, 1);
  EXPECT_EQ(integerOp(BinaryOp::Less, Prim::U8, 255, 1) & 1, 0);
  EXPECT_EQ(integerOp(BinaryOp::GreaterEqual, Prim::U64, -1, 1) & 1, 1);
  EXPECT_EQ(integerOp(BinaryOp::LessEqual, Prim::I64, -1, -1) & 1, 1);
}

TEST_F(Scalars, ShiftsAndPowers) {
  EXPECT_EQ(integerOp(BinaryOp::Shr, Prim::I16, -8, 1), -4);
  EXPECT_EQ(integerOp(BinaryOp::Shr, Prim::U16, 0xFFF8, 1), 0x7FFC);
  EXPECT_EQ(integerOp(BinaryOp::Shl, Prim::I8, 1, 7), -128);
  EXPECT_EQ(integer(Prim::I8, member(Prim::I8, ">>>", {number(Prim::I8, int64_t(-1)), number(Prim::I8, int64_t(7))})),
            1);
  EXPECT_EQ(integerOp(BinaryOp::Pow, Prim::I32, -3, 3), -27);
  EXPECT_EQ(integerOp(BinaryOp::Pow, Prim::U8, 2, 8), 0);
  EXPECT_EQ(integerOp(BinaryOp::Pow, Prim::I32, 5, 0), 1);
}

TEST_F(Scalars, FloatRemainders) {
  EXPECT_EQ(realOp(BinaryOp::Mod, -7, 3), 2);
  EXPECT_EQ(realOp(BinaryOp::Mod, 7, -3), -2);
  EXPECT_EQ(realOp(BinaryOp::Mod, 7.5, 2), 1.5);
  EXPECT_EQ(realOp(BinaryOp::Rem, -7, 3), -1);
}

TEST_F(Scalars, NaN) {
  mlir::Value nan = number(Prim::F64, NAN), one = number(Prim::F64, 1.0);
  for (BinaryOp op : {BinaryOp::Equal, BinaryOp::Less, BinaryOp::LessEqual, BinaryOp::Greater, BinaryOp::GreaterEqual})
    EXPECT_EQ(integer(Prim::Bool, binary(emit, op, Prim::F64, nan, one)), 0);
  EXPECT_EQ(integer(Prim::Bool, binary(emit, BinaryOp::NotEqual, Prim::F64, nan, nan)), 1);
  for (const char *name : {"min", "max"}) {
    EXPECT_EQ(real(member(Prim::F64, name, {nan, one})), 1);
    EXPECT_EQ(real(member(Prim::F64, name, {one, nan})), 1);
  }
  EXPECT_EQ(integer(Prim::Bool, member(Prim::F64, "isnan", {nan})), 1);
  EXPECT_EQ(integer(Prim::Bool, convert(emit, Prim::F64, Prim::Bool, nan)), 1);
}

TEST_F(Scalars, FloatToIntegerTruncates) {
  for (Prim from : {Prim::F16, Prim::F32, Prim::F64}) {
    for (Prim to : {Prim::I8, Prim::I16, Prim::I32, Prim::I64, Prim::U8, Prim::U16, Prim::U32, Prim::U64}) {
      SCOPED_TRACE(std::string(types::name(from)) + " to " + std::string(types::name(to)));
      EXPECT_EQ(toInteger(from, to, 100.75), 100);
      EXPECT_EQ(toInteger(from, to, NAN), 0);
      EXPECT_EQ(toInteger(from, to, INFINITY), 0);
      EXPECT_EQ(toInteger(from, to, -INFINITY), 0);
      EXPECT_EQ(toInteger(from, to, -1.5) & 0xFF, 0xFF) << "negative numbers wrap";
    }
  }
  EXPECT_EQ(toInteger(Prim::F64, Prim::I64, -9223372036854775808.0), INT64_MIN);
  EXPECT_EQ(toInteger(Prim::F64, Prim::U32, 4294967295.0), 4294967295);
  EXPECT_EQ(static_cast<uint64_t>(toInteger(Prim::F64, Prim::U64, 18446744073709549568.0)), 18446744073709549568u);
  EXPECT_EQ(toInteger(Prim::F32, Prim::U64, 1e30), 0);
  EXPECT_EQ(toInteger(Prim::F64, Prim::I32, -2147483648.0), INT32_MIN);
}

TEST_F(Scalars, IntegerConversions) {
  auto through = [&](Prim from, Prim to, int64_t value) {
    return integer(to, convert(emit, from, to, number(from, value)));
  };
  EXPECT_EQ(through(Prim::I8, Prim::I64, -1), -1);
  EXPECT_EQ(through(Prim::U8, Prim::I64, 255), 255);
  EXPECT_EQ(through(Prim::I8, Prim::U32, -1), 0xFF); // The u8 that it is first.
  EXPECT_EQ(through(Prim::I32, Prim::U64, -1), 0xFFFFFFFF);
  EXPECT_EQ(through(Prim::I32, Prim::U8, -1), 0xFF);
  EXPECT_EQ(through(Prim::I64, Prim::U8, 257), 1);
  EXPECT_EQ(through(Prim::I32, Prim::Bool, 256) & 1, 1);
  EXPECT_EQ(through(Prim::Bool, Prim::I32, 1), 1);
  EXPECT_EQ(real(convert(emit, Prim::U8, Prim::F32, number(Prim::U8, int64_t(255)))), 255);
  EXPECT_EQ(real(convert(emit, Prim::I8, Prim::F32, number(Prim::I8, int64_t(255)))), -1);
  EXPECT_EQ(real(convert(emit, Prim::F64, Prim::F16, number(Prim::F64, 1.5))), 1.5);
}

TEST_F(Scalars, IntegerMembers) {
  auto one = [&](Prim prim, const char *name, int64_t value, Prim result) {
    return integer(result, member(prim, name, {number(prim, value)}));
  };
  EXPECT_EQ(one(Prim::I8, "abs", -128, Prim::I8), -128);
  EXPECT_EQ(one(Prim::U8, "abs", 200, Prim::U8), 200);
  EXPECT_EQ(one(Prim::I32, "sgn", -9, Prim::I32), -1);
  EXPECT_EQ(one(Prim::U32, "sgn", -9, Prim::U32), 1);
  EXPECT_EQ(one(Prim::I16, "popc", -1, Prim::I32), 16);
  EXPECT_EQ(one(Prim::U16, "clz", 1, Prim::I32), 15);
  EXPECT_EQ(one(Prim::U64, "ctz", 0, Prim::I32), 64);
  EXPECT_EQ(one(Prim::I16, "to_i64", -5, Prim::I64), -5);
  EXPECT_EQ(one(Prim::I16, "not", 0, Prim::I16), -1);
  auto two = [&](Prim prim, const char *name, int64_t a, int64_t b) {
    return integer(prim, member(prim, name, {number(prim, a), number(prim, b)}));
  };
  EXPECT_EQ(two(Prim::U8, "min", 255, 1), 1);
  EXPECT_EQ(two(Prim::I8, "min", 255, 1), -1);
  EXPECT_EQ(two(Prim::U8, "mul_hi", 255, 255), 254);
  EXPECT_EQ(two(Prim::I8, "mul_hi", -128, 127), -64);
  EXPECT_EQ(two(Prim::U8, "%%", 7, 4), 3);
}

TEST_F(Scalars, FloatMembers) {
  auto one = [&](const char *name, double value) { return real(member(Prim::F64, name, {number(Prim::F64, value)})); };
  EXPECT_EQ(one("round", 2.5), 2);
  EXPECT_EQ(one("round", -3.5), -4);
  EXPECT_EQ(one("trunc", -3.5), -3);
  EXPECT_EQ(one("floor", -3.5), -4);
  EXPECT_EQ(one("sgn", -3.5), -1);
  EXPECT_TRUE(std::isnan(one("sgn", NAN)));
  EXPECT_NEAR(one("sinpi", 1e6 + 0.5), 1, 1e-15);
  EXPECT_NEAR(one("acospi", 0), 0.5, 1e-15);
  EXPECT_NEAR(one("rsqrt", 4), 0.5, 0);
  EXPECT_EQ(integer(Prim::U64, member(Prim::F64, "to_bits", {number(Prim::F64, 1.0)})), 0x3FF0000000000000);
  EXPECT_EQ(real(member(Prim::F16, "from_bits", {number(Prim::U16, int64_t(0x3C00))})), 1);
  auto next = [&](double a, double b) {
    return real(member(Prim::F16, "nextafter", {number(Prim::F16, a), number(Prim::F16, b)}));
  };
  EXPECT_EQ(next(1, 2), 1 + std::ldexp(1.0, -10));
  EXPECT_EQ(next(1, 0), 1 - std::ldexp(1.0, -11));
  EXPECT_EQ(next(0, -1), -std::ldexp(1.0, -24));
  EXPECT_EQ(next(-1, -2), -1 - std::ldexp(1.0, -10));
}

TEST_F(Scalars, LibraryFunctionsAreDeclaredOnce) {
  member(Prim::F64, "hypot", {number(Prim::F64, 3.0), number(Prim::F64, 4.0)});
  member(Prim::F64, "hypot", {number(Prim::F64, 6.0), number(Prim::F64, 8.0)});
  member(Prim::F16, "gamma", {number(Prim::F16, 3.0)});
  size_t declarations = llvm::range_size(module->getOps<mlir::func::FuncOp>());
  EXPECT_EQ(declarations, 2u);
  EXPECT_TRUE(module->lookupSymbol("hypot"));
  EXPECT_TRUE(module->lookupSymbol("tgammaf"));
}

TEST_F(Scalars, UnknownMembersAreNone) {
  EXPECT_FALSE(callMember(emit, Prim::F64, "popc", {number(Prim::F64, 1.0)}));
  EXPECT_FALSE(callMember(emit, Prim::I32, "sqrt", {number(Prim::I32, int64_t(1))}));
}

} // namespace
