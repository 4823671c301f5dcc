// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of symbols that edges assign and nothing declares.
#include "graphs.h"
#include "machines.h"

#include "sdfg/symbol_types.h"

#include <gtest/gtest.h>

using namespace ferry::sdfg;
using namespace ferry::sdfg::testing;

namespace {

/// Of `symbol`, where one state follows another and `x = 2`, `half = 0.5` and the given are assigned in between; A and
/// the scalar `s` are containers of float64 and int32.
std::string typeOf(const std::string &assignments, const std::string &symbol = "y") {
  Sdfg sdfg = machine("first -> second: x = 2, half = 0.5\n second -> third: " + assignments);
  addArray(sdfg, "A", "N");
  SymbolTypes types = symbolTypesOf(sdfg, flowOf(sdfg));
  auto found = types.known.find(symbol);
  return found != types.known.end() ? found->second : types.unknown.contains(symbol) ? "unknown" : "absent";
}

} // namespace

TEST(SymbolTypes, Numbers) {
  EXPECT_EQ(typeOf("y = 3"), "int64");
  EXPECT_EQ(typeOf("y = -3"), "int64");
  EXPECT_EQ(typeOf("y = .5"), "float64");
  EXPECT_EQ(typeOf("y = 1e3"), "float64");
  EXPECT_EQ(typeOf("y = 3j"), "unknown");
}

TEST(SymbolTypes, Names) {
  EXPECT_EQ(typeOf("y = x"), "int64");
  EXPECT_EQ(typeOf("y = half"), "float64");
  EXPECT_EQ(typeOf("y = s"), "int32");
  EXPECT_EQ(typeOf("y = A[x]"), "float64");
  EXPECT_EQ(typeOf("y = nobody"), "unknown");
  EXPECT_EQ(typeOf("z = 3"), "absent");
}

TEST(SymbolTypes, Operators) {
  EXPECT_EQ(typeOf("y = (x + s) * 2"), "int64");
  EXPECT_EQ(typeOf("y = x * half"), "float64");
  EXPECT_EQ(typeOf("y = x // 2"), "int64");
  EXPECT_EQ(typeOf("y = half / x"), "float64");
  EXPECT_EQ(typeOf("y = x / 2"), "unknown");
  EXPECT_EQ(typeOf("y = A[x / 2] * 2"), "float64");
  EXPECT_EQ(typeOf("y = max(x, 2)"), "int64");
  EXPECT_EQ(typeOf("y = sqrt(x)"), "unknown");
  EXPECT_EQ(typeOf("y = x if x else 2"), "unknown");
}

TEST(SymbolTypes, SeveralAssignments) {
  EXPECT_EQ(typeOf("y = y + 1, z = y"), "int64");
  EXPECT_EQ(typeOf("y = z, z = w, w = 0.5"), "float64");
  EXPECT_EQ(typeOf("x = 0.5", "x"), "float64");
  EXPECT_EQ(typeOf("y = y"), "unknown");
  EXPECT_EQ(typeOf("y = z, z = y"), "unknown");
}

TEST(SymbolTypes, DeclaredOnesAreAsDeclared) {
  Sdfg sdfg = machine("first -> second: x = 0.5");
  sdfg.addSymbol("x", "int32");
  EXPECT_EQ(symbolTypesOf(sdfg, flowOf(sdfg)).known.at("x"), "int32");
}
