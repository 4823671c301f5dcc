// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/peeks.h"

#include <gtest/gtest.h>

using namespace ferry::sdfg;

namespace {

Expr expr(const std::string &text) {
  auto parsed = Expr::parse(text);
  EXPECT_TRUE(parsed) << text;
  return parsed ? *parsed : Expr::unknown();
}

Container table(const std::vector<std::string> &shape) {
  Container result;
  result.name = "A";
  for (const std::string &extent : shape)
    result.shape.push_back(expr(extent));
  return result;
}

/// "[1, i] [2, i]", or "unknown".
std::string elementsOf(const Container &container, const std::string &text, bool certain = true) {
  auto isContainer = [](const std::string &name) { return name == "A" || name == "B"; };
  std::vector<Evaluated> evaluated = {{expr(text), certain}};
  if (Expr first = firstOperand(text); !first.isUnknown())
    evaluated.push_back({first, true});
  auto elements = elementsRead(container, evaluated, isContainer);
  std::string result;
  for (const Subset &element : elements.value_or(std::vector<Subset>()))
    result += (result.empty() ? "" : " ") + toString(element);
  return elements ? result : "unknown";
}

Subset part(std::vector<SymbolicRange> dims) {
  Subset result;
  result.dims = std::move(dims);
  return result;
}

} // namespace

TEST(Peeks, ElementsThatAConditionReads) {
  Container vector = table({"N"}), matrix = table({"N", "N"});
  EXPECT_EQ(elementsOf(vector, "A[i] > 0.5"), "[i]");
  EXPECT_EQ(elementsOf(matrix, "A[1, 2] > A[i, 0]"), "[i, 0] [1, 2]");
  EXPECT_EQ(elementsOf(vector, "A > 0"), "unknown") << "all of it";
  EXPECT_EQ(elementsOf(vector, "A[B[0]] > 0"), "unknown") << "the host would have to know B first";
  EXPECT_EQ(elementsOf(vector, "B[0] > 0"), "");
}

TEST(Peeks, WhatMayLieOutsideIsReadOnlyWhereTheProgramReadsIt) {
  Container vector = table({"N"}), longer = table({"N + 1"});
  EXPECT_EQ(elementsOf(vector, "i < N and A[i] > 0"), "unknown");
  EXPECT_EQ(elementsOf(vector, "(A[i] > 0) and (i < N)"), "[i]");
  EXPECT_EQ(elementsOf(vector, "not ((A[i] > 0) or (i < N))"), "[i]");
  EXPECT_EQ(elementsOf(longer, "i < N and A[N] > 0"), "[N]") << "it is inside";
}

TEST(Peeks, ArmsOfAConditionalExpressionAreNotCertain) {
  Container vector = table({"N"});
  for (const char *text :
       {"1 if i < N else A[i]", "A[i] if i < N else 1", "(A[i] if i < N else t) > 3", "((A[i])if(i < N)else(t)) > 3",
        "A[i] > 3 and t > 2 if i < N else t", "(A[i] if i < N else t) if t else 1",
        "t if (A[i] if i < N else t) else 1", "IfExpr(i < N, A[i], t) > 3", "A[i] > t if i < N and t > 2 else 1"})
    EXPECT_EQ(elementsOf(vector, text), "unknown") << text;
  EXPECT_EQ(elementsOf(vector, "1 if A[i] > 3 else t"), "[i]") << "its condition is";
  EXPECT_EQ(elementsOf(vector, "(A[i] > 3)and(i < N)"), "[i]");
  EXPECT_EQ(elementsOf(vector, "(i < N)and(A[i] > 3)"), "unknown");
}

TEST(Peeks, PartsHaveNoExtentsBelowZero) {
  Container matrix = table({"N", "M"});
  Expr n = expr("N"), m = expr("M"), i = expr("i");
  EXPECT_TRUE(isPart(part({{i, i}, {0, m - 1}}), matrix)) << "a row";
  EXPECT_TRUE(isPart(part({{i, i + 2}, {0, 0}}), matrix));
  EXPECT_FALSE(isPart(part({{0, n - 1}, {0, m - 1}}), matrix)) << "all of it";
  EXPECT_FALSE(isPart(part({{i, n - 1}, {0, 0}}), matrix)) << "i may be above N";
  EXPECT_TRUE(isPart(part({{i, max({n - 1, i - 1})}, {0, 0}}), matrix));
  EXPECT_TRUE(isPart(part({{i, i}, {0, max({i, -1})}}), matrix));
  EXPECT_FALSE(isPart(part({{0, 8, 2}, {0, 0}}), matrix)) << "has gaps";
  Container cube = table({"N", "N", "N"});
  cube.strides = rowMajor(cube.shape);
  EXPECT_TRUE(isPart(part({{0, 1}, {i, i}, {0, 3}}), cube));
  EXPECT_FALSE(isPart(part({{0, 1}, {0, 3}, {i, i}}), cube)) << "has no rows";
}
