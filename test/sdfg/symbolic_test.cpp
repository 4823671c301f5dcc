// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions as mathematics. Each example is also evaluated as written and in normal form, with several values.

#include "sdfg/symbolic.h"

#include <gtest/gtest.h>

using namespace ferry::sdfg;

namespace {

Expr parse(const std::string &text) {
  auto expr = Expr::parse(text);
  EXPECT_TRUE(expr) << text << ": " << expr.error().message;
  return expr ? *expr : Expr::unknown();
}

std::string normal(const std::string &text) { return parse(text).toString(); }

std::string error(const std::string &text) {
  auto expr = Expr::parse(text);
  return expr ? "read as " + expr->toString() : expr.error().message;
}

Rational value(const Expr &expr, const Values &values) {
  auto result = expr.evaluate(values);
  EXPECT_TRUE(result) << expr.toString() << ": " << result.error().message;
  return result ? *result : Rational(-12345);
}

std::string refusal(const std::string &text, const Values &values) {
  auto result = parse(text).evaluate(values);
  return result ? "is " + result->toString() : result.error().message;
}

struct Pair {
  const char *a, *b;
};

} // namespace

TEST(Symbolic, EqualAsMathematics) {
  for (auto [a, b] : std::initializer_list<Pair>{
           {"k - k", "0"},
           {"i + (M - i - 1)", "M - 1"},
           {"(N + 1)*(N - 1)", "N**2 - 1"},
           {"2*(N/2)", "N"},
           {"N*M/M", "N"},
           {"(a + b)/(2*a + 2*b)", "1/2"},
           {"1/(a*b)", "(1/b)/a"},
           {"-(-x)", "x"},
           {"x**-1 * x**3", "x*x"},
           {"+x - +x", "0"},
           {"10 - 2**3", "2"},
           {"-2**2", "-4"},
           {"2**3**2", "512"},
           {"symbol($k, dtype=dace.int64, positive=True) - $k", "0"},
           {"$N - 2", "-2 + N"},
           {"SymExpr($N, $M)", "N"},
           {"3i64*N", "N*3"},
           {"A.rows + 1 - A.rows", "1"},
           {"Attr($A, $rows)", "A.rows"},
           {"Subscript($A, $i, 0)", "A[i, 0]"},
       })
    EXPECT_EQ(parse(a), parse(b)) << a << " = " << normal(a) << " and " << b << " = " << normal(b);
}

TEST(Symbolic, DifferentOrNotProved) {
  for (auto [a, b] : std::initializer_list<Pair>{{"N", "M"},
                                                 {"N", "N + 1"},
                                                 {"f(x)", "f(y)"},
                                                 {"A[i]", "A[j]"},
                                                 {"0.5", "1/2"},
                                                 {"?", "?"},
                                                 {"$?", "0"},
                                                 {"A[i]", "A(i)"}})
    EXPECT_FALSE(parse(a) == parse(b)) << a << " and " << b;
}

TEST(Symbolic, DivisionsOfIntegers) {
  for (auto [a, b] : std::initializer_list<Pair>{
           {"7 // 2", "3"},
           {"-7 // 2", "-4"},
           {"int_floor(7, 2)", "3"},
           {"int_ceil(7, 2)", "4"},
           {"int_ceil(-7, 2)", "-3"},
           {"(4*N + 2) // 4", "N"},
           {"(4*N + M) // 4", "N + M // 4"},
           {"(2*N) // (2*M)", "N // M"},
           {"(N*M + K) // M", "N + K // M"},
           {"(-N) // (-M)", "N // M"},
           {"(N // 2) // 3", "N // 6"},
           {"floor(N/2)", "N // 2"},
           {"floor(N/M)", "N // M"},
           {"floor(N)", "N"},
           {"floor(1/2)", "0"},
           {"floor((N + 1)/(M + 1))", "(N + 1) // (M + 1)"},
           {"ceil(7/2)", "4"},
           {"int_ceil(N, 4)", "(N + 3) // 4"},
           {"int_ceil(N, -4)", "int_ceil(-N, 4)"},
           {"int_ceil(N, N)", "1"},
           {"N // N", "1"},
           {"__int_floor(N, 8)", "N // 8"},
           {"7 % 4", "3"},
           {"-7 % 4", "1"},
           {"(4*i + j) % 4", "j % 4"},
           {"N % 4 + 4*(N // 4)", "N"},
           {"Mod(N, 4)", "N % 4"},
           {"N % N", "0"},
       })
    EXPECT_EQ(parse(a), parse(b)) << a << " = " << normal(a) << " and " << b << " = " << normal(b);
}

TEST(Symbolic, MinAndMax) {
  for (auto [a, b] : std::initializer_list<Pair>{
           {"Min(a, b)", "min(b, a)"},
           {"Min(a, Min(b, a))", "Min(a, b)"},
           {"Min(N, N + 1)", "N"},
           {"Max(N, N + 1, N - 1)", "N + 1"},
           {"Max(2, 3)", "3"},
           {"Min(x, x)", "x"},
           {"abs(-3)", "3"},
           {"Abs(x)", "Max(-x, x)"},
       })
    EXPECT_EQ(parse(a), parse(b)) << a << " = " << normal(a) << " and " << b << " = " << normal(b);
}

TEST(Symbolic, ComparisonsAndLogic) {
  for (auto [a, b] : std::initializer_list<Pair>{
           {"i < N", "N > i"},
           {"2*i < 2*N", "i < N"},
           {"i - N < 0", "i < N"},
           {"not (i < N)", "i >= N"},
           {"not (i == N)", "N != i"},
           {"Ne(i, N)", "i != N"},
           {"Lt(i, N)", "i < N"},
           {"GtE(i, N)", "N <= i"},
           {"not (a < b and c < d)", "b <= a or d <= c"},
           {"not not f(x)", "f(x)"},
           {"a and b and a", "b and a"},
           {"AND(a, b)", "a and b"},
           {"Or(a, b)", "b or a"},
           {"True and x", "x"},
           {"False and x", "0"},
           {"1 < 2", "True"},
           {"0 < i < N", "0 < i and i < N"},
           {"a if a < b else b", "IfExpr(a < b, a, b)"},
           {"x if True else y", "x"},
           {"x if c else x", "x"},
           {"a & b", "bitwise_and(a, b)"},
           {"a << 2", "left_shift(a, 2)"},
           {"~a", "bitwise_invert(a)"},
           {"a is None", "Is(a, None)"},
       })
    EXPECT_EQ(parse(a), parse(b)) << a << " = " << normal(a) << " and " << b << " = " << normal(b);
}

TEST(Symbolic, PrintsWhatItReads) {
  for (const char *text : {"N",
                           "N - 2",
                           "3*N/2",
                           "N/(2*M)",
                           "N*M + K",
                           "x**3",
                           "x**-2",
                           "Min(N, 4*i + 4)",
                           "Max(0, -i)",
                           "N // 4 + 1",
                           "N % 8",
                           "int_ceil(N, M)",
                           "i < N",
                           "(i <= N) and (A[i] > 3)",
                           "not f(x)",
                           "a or (b and not c)",
                           "IfExpr(i < 3, 1, 2)",
                           "A[i, j + 1]",
                           "A.indptr[i]",
                           "f(x, 0.5, 'text')",
                           "1e-06*x",
                           "(a & b) | (c ^ ~d)",
                           "a << 3 >> b",
                           "a is not None",
                           "a in b",
                           "x**y",
                           "1/(a + b)",
                           "x/(a + b)/f(y)",
                           "1/(a + b)/(a + b)/(c + d)",
                           "2*x/(a + b)**2",
                           "floor(x*0.5)",
                           "(a, b)",
                           "g(a)[i]",
                           "math.sqrt(x)",
                           "$N + symbol($k, positive=True)",
                           "2*x == y"}) {
    Expr expr = parse(text);
    EXPECT_EQ(parse(expr.toString()), expr) << text << " was printed as " << expr.toString();
    EXPECT_EQ(parse(expr.toString(Dialect::Dollar)), expr)
        << text << " was printed as " << expr.toString(Dialect::Dollar);
  }
  EXPECT_EQ(parse("$N - 1").toString(Dialect::Dollar), "$N - 1");
  EXPECT_EQ(normal("-1 - i + M"), "M - i - 1");
  EXPECT_EQ(normal("-N"), "-N");
  EXPECT_EQ(normal("i >= N"), "(N <= i)");
}

TEST(Symbolic, ErrorsHaveAPlace) {
  EXPECT_EQ(error(""), "column 1: the expression ends early");
  EXPECT_EQ(error("N +"), "column 4: the expression ends early");
  EXPECT_EQ(error("N M"), "column 3: an operator is expected");
  EXPECT_EQ(error("(N"), "column 3: ')' is expected");
  EXPECT_EQ(error("Min(N, "), "column 8: the expression ends early");
  EXPECT_EQ(error("a if b"), "column 7: 'else' is expected");
  EXPECT_EQ(error("3x"), "column 3: a number ends in 'x'");
  EXPECT_EQ(error("'abc"), "column 1: a string has no end");
  EXPECT_EQ(error("lambda x: x"), "column 7: an operand is expected");
  EXPECT_EQ(error("a and"), "column 6: the expression ends early");
  EXPECT_EQ(error("N # M"), "column 3: an operator is expected");
  EXPECT_EQ(error("symbol(N)"), "column 8: a symbol is expected");
  EXPECT_EQ(error("symbol($N, 3)"), "column 12: a property of the symbol is expected");
  EXPECT_EQ(error("A[0:3]"), "column 4: ']' is expected");
}

TEST(Symbolic, DeepAndLargeInputIsRefusedOrUnknown) {
  EXPECT_NE(error(std::string(100000, '(')).find("nested deeper than"), std::string::npos);
  EXPECT_NE(error(std::string(100000, '-')).find("nested deeper than"), std::string::npos);
  std::string nots;
  for (int i = 0; i < 100000; ++i)
    nots += "not ";
  EXPECT_NE(error(nots + "x").find("nested deeper than"), std::string::npos);
  std::string chain = "x";
  for (int i = 0; i < 150; ++i)
    chain = "f(" + chain + ")";
  EXPECT_TRUE(parse(chain).isUnknown());
  EXPECT_TRUE(parse("(a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q+r+s+t+u+v+w+x+y+z)**4").isUnknown());
  EXPECT_TRUE(parse("99999999999999999999 * 99999999999999999999 * 99999999999999999999").isUnknown());
  EXPECT_TRUE(parse("9999999999999999999999999999999999999999999999").isUnknown());
  EXPECT_TRUE(parse("1 / 0").isUnknown());
  EXPECT_TRUE(parse("N // 0").isUnknown());
  EXPECT_TRUE((parse("?") + 1).isUnknown());
  EXPECT_EQ(parse("?").toString(), "?");
}

TEST(Symbolic, Substitutes) {
  Expr expr = parse("i*N + Min(i, 4) + A[i]");
  EXPECT_EQ(expr.substitute({{"i", parse("N - 1")}}), parse("N**2 - N + Min(N - 1, 4) + A[N - 1]"));
  EXPECT_EQ(parse("i + j").substitute({{"i", parse("j")}, {"j", parse("i")}}), parse("i + j"));
  EXPECT_EQ(parse("i - j").substitute({{"i", parse("j")}, {"j", parse("i")}}), parse("j - i"));
  EXPECT_EQ(parse("N // T").substitute({{"T", 4}}), parse("N // 4"));
  EXPECT_EQ(parse("1/(N + 1)").substitute({{"N", 3}}), parse("1/4"));
  EXPECT_TRUE(parse("1/N").substitute({{"N", 0}}).isUnknown());
  EXPECT_EQ(parse("i < N").substitute({{"i", 3}, {"N", 4}}), Expr(1));
  EXPECT_EQ(parse("int_ceil(N, T)").substitute({{"T", 32}}), parse("(N + 31) // 32"));
}

TEST(Symbolic, FreeSymbols) {
  EXPECT_EQ(parse("N + f(M, A[i])").freeSymbols(), (std::set<std::string>{"M", "N", "i"}));
  EXPECT_EQ(parse("N - N + 3").freeSymbols(), std::set<std::string>{});
}

TEST(Symbolic, KnowsNumbersAndSymbols) {
  EXPECT_EQ(parse("7 - 3").integer(), 4);
  EXPECT_EQ(parse("1/2").integer(), std::nullopt);
  EXPECT_EQ(parse("1/2").constant(), Rational(1, 2));
  EXPECT_EQ(parse("9223372036854775807").integer(), INT64_MAX);
  EXPECT_EQ(parse("9223372036854775808").integer(), std::nullopt);
  EXPECT_EQ(parse("N").asSymbol(), "N");
  EXPECT_EQ(parse("2*N").asSymbol(), std::nullopt);
  EXPECT_EQ(Expr().integer(), 0);
}

TEST(Symbolic, Evaluates) {
  Values values{{"N", 10}, {"M", -3}};
  EXPECT_EQ(value(parse("N // 4"), values), Rational(2));
  EXPECT_EQ(value(parse("M // 4"), values), Rational(-1));
  EXPECT_EQ(value(parse("M % 4"), values), Rational(1));
  EXPECT_EQ(value(parse("int_ceil(N, 4)"), values), Rational(3));
  EXPECT_EQ(value(parse("N/4"), values), Rational(5, 2));
  EXPECT_EQ(value(parse("Min(N, M) + Max(N, M)"), values), Rational(7));
  EXPECT_EQ(value(parse("M < N and N != 3"), values), Rational(1));
  EXPECT_EQ(value(parse("1 if M > 0 else 2"), values), Rational(2));
  EXPECT_EQ(value(parse("N**M"), values), Rational(1, 1000));
  EXPECT_EQ(value(parse("floor(N*0.25)"), values), Rational(2));
  EXPECT_EQ(refusal("K + 1", values), "'K' has no value");
  EXPECT_EQ(refusal("f(N)", values), "'f(N)' cannot be computed");
  EXPECT_EQ(refusal("A[3]", values), "'A[3]' cannot be computed");
  EXPECT_EQ(refusal("1 / (N - 10)", values), "division by zero");
  EXPECT_EQ(refusal("?", values), "its value is not known");
  EXPECT_EQ(refusal("N**64", values), "number out of range");
}

/// The normal form has the value of what was written, whatever the numbers: checked against C++'s own integers.
TEST(Symbolic, NormalFormKeepsValues) {
  auto down = [](long a, long b) { return a / b - (a % b != 0 && (a % b < 0) != (b < 0)); };
  for (long a = -9; a <= 9; ++a)
    for (long b = -5; b <= 5; ++b) {
      if (b == 0)
        continue;
      Values values{{"a", a}, {"b", b}};
      std::pair<const char *, long> cases[] = {
          {"a // b", down(a, b)},
          {"a % b", a - b * down(a, b)},
          {"int_ceil(a, b)", -down(-a, b)},
          {"(3*a + 2) // 6", down(3 * a + 2, 6)},
          {"(7*a - 4) % 3", (7 * a - 4) - 3 * down(7 * a - 4, 3)},
          {"(a*b + 1) // b", down(a * b + 1, b)},
          {"(2*a) // (4*b)", down(2 * a, 4 * b)},
          {"int_ceil(5*a, 4)", -down(-5 * a, 4)},
          {"int_ceil(5*a, -4)", -down(-5 * a, -4)},
          {"floor((a + 1)/b)", down(a + 1, b)},
          {"Min(a, b, a + 2) - Max(b, 2*a)", std::min({a, b, a + 2}) - std::max(b, 2 * a)},
          {"(a < b) + 2*(2*a >= 2*b)", (a < b) + 2 * (a >= b)},
          {"(a + b)**3 - a**3", 3 * a * a * b + 3 * a * b * b + b * b * b},
          {"(not (a == b or a < 2)) * 5", !(a == b || a < 2) * 5},
          {"((a // 2) // 3) * b", down(down(a, 2), 3) * b},
      };
      for (auto [text, expected] : cases)
        EXPECT_EQ(value(parse(text), values), Rational(expected)) << text << " with a = " << a << ", b = " << b;
    }
}
