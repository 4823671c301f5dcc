// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/subset.h"

#include <gtest/gtest.h>

using namespace ferry::sdfg;

namespace {

Expr expr(const std::string &text) {
  auto result = Expr::parse(text);
  EXPECT_TRUE(result) << text;
  return result ? *result : Expr::unknown();
}

/// "begin:end" or "begin:end:step" with the end included, or an index; dimensions separated by ';'.
SymbolicRange range(const std::string &text) {
  std::vector<std::string> parts(1);
  for (char c : text)
    if (c == ':')
      parts.emplace_back();
    else
      parts.back() += c;
  if (parts.size() == 1)
    return {expr(parts[0]), expr(parts[0])};
  return {expr(parts[0]), expr(parts[1]), parts.size() > 2 ? expr(parts[2]) : 1, parts.size() > 3 ? expr(parts[3]) : 1};
}

Subset subset(const std::string &text) {
  Subset result;
  std::string dim;
  for (char c : text + ";")
    if (c == ';') {
      result.dims.push_back(range(dim));
      dim.clear();
    } else {
      dim += c;
    }
  return result;
}

std::string count(const std::string &text) { return elements(subset(text)).toString(); }

Assumptions sizes() {
  Assumptions assuming;
  assuming.set("N", {1, std::nullopt});
  assuming.set("M", {1, std::nullopt});
  return assuming;
}

} // namespace

TEST(Bounds, Proves) {
  Assumptions assuming = sizes();
  assuming.set("i", {0, expr("N - 1")});
  assuming.set("j", {expr("i"), expr("N - 1")});
  for (const char *text : {"0",
                           "N",
                           "N - 1",
                           "N*M",
                           "N*M - 1",
                           "i",
                           "N - 1 - i",
                           "j - i",
                           "N - j",
                           "i*M",
                           "N*M - i*M - M",
                           "Max(0, x)",
                           "N - Min(N, x)",
                           "Max(N, x) - N",
                           "Min(N, M) - 1",
                           "N // 2",
                           "N - N // 2",
                           "N % 4",
                           "3 - N % 4",
                           "4*(N // 4) - N + 3",
                           "IfExpr(x < 3, N, 0)",
                           "(x < y)",
                           "1 - (x < y)",
                           "(N + M - 1) // M - N // M",
                           "N*N - N"})
    EXPECT_TRUE(provedNonNegative(expr(text), assuming)) << text;
  for (const char *text :
       {"-1", "x", "N - 2", "i - 1", "N - M", "j - N", "N // 2 - 1", "Min(0, x)", "?", "f(N)", "A[0]", "N - 2*i"})
    EXPECT_FALSE(provedNonNegative(expr(text), assuming)) << text;
  EXPECT_TRUE(provedEqual(expr("Min(N, N*M)"), expr("N"), assuming));
  EXPECT_FALSE(provedEqual(expr("Min(N, M)"), expr("N"), assuming));
}

TEST(Bounds, LowestAndHighest) {
  Interval interval{0, expr("N - 1")};
  auto both = [&](const char *text) {
    auto low = lowest(expr(text), "i", interval, sizes()), high = highest(expr(text), "i", interval, sizes());
    return (low ? low->toString() : "none") + " .. " + (high ? high->toString() : "none");
  };
  EXPECT_EQ(both("i"), "0 .. N - 1");
  EXPECT_EQ(both("-i"), "1 - N .. 0");
  EXPECT_EQ(both("N - 1 - i"), "0 .. N - 1");
  EXPECT_EQ(both("4*i + 3"), "3 .. 4*N - 1");
  EXPECT_EQ(both("i*M"), "0 .. M*N - M");
  EXPECT_EQ(both("i*M - i"), "0 .. M*N - M - N + 1");
  EXPECT_EQ(both("Min(i + 3, N)"), "Min(N, 3) .. N");
  EXPECT_EQ(both("i // 4"), "0 .. int_floor(N + 3, 4) - 1");
  EXPECT_EQ(both("K"), "K .. K");
  EXPECT_EQ(both("i*x"), "none .. none");
  EXPECT_EQ(both("A[i]"), "none .. none");
  EXPECT_EQ(both("i**2"), "none .. none");
}

TEST(Subset, CountsElements) {
  EXPECT_EQ(count("0:N - 1"), "N");
  EXPECT_EQ(count("0:N - 1;1:M"), "M*N");
  EXPECT_EQ(count("i"), "1");
  EXPECT_EQ(count("0:9:2"), "5");
  EXPECT_EQ(count("9:0:-2"), "5");
  EXPECT_EQ(count("0:N - 1:4"), "int_floor(N + 3, 4)");
  EXPECT_EQ(count("0:15:4:4"), "16");
  EXPECT_EQ(count("5:2"), "-2");
  EXPECT_EQ(elements(Subset{}), Expr(1));
}

TEST(Subset, Covers) {
  Assumptions assuming = sizes();
  assuming.set("i", {0, expr("N - 1")});
  auto covered = [&](const char *outer, const char *inner) { return covers(subset(outer), subset(inner), assuming); };
  EXPECT_TRUE(covered("0:N - 1", "0:N - 1"));
  EXPECT_TRUE(covered("0:N - 1", "i"));
  EXPECT_TRUE(covered("0:N - 1", "1:N - 2"));
  EXPECT_TRUE(covered("0:N - 1", "0:N // 2 - 1"));
  EXPECT_TRUE(covered("0:N - 1", "0:N - 1:2"));
  EXPECT_TRUE(covered("0:N - 1;0:M - 1", "i;0:M - 1"));
  EXPECT_TRUE(covered("i:j:2", "i:j:2"));
  EXPECT_TRUE(covered("N - 1:0:-1", "0:N - 1"));
  EXPECT_FALSE(covered("0:N // 2 - 1", "0:N - 1"));
  EXPECT_FALSE(covered("0:N - 1:2", "0:N - 1"));
  EXPECT_FALSE(covered("0:5:4:4", "0:8")); // 0..3 and 4..7
  EXPECT_FALSE(covered("0:N - 1", "x"));
  EXPECT_FALSE(covered("0:N - 1", "0:N - 1;0:M - 1"));
  EXPECT_FALSE(covered("0:?", "0:?"));
}

TEST(Subset, Disjoint) {
  auto apart = [](const char *a, const char *b) { return disjoint(subset(a), subset(b), sizes()); };
  EXPECT_TRUE(apart("0:N - 1", "N:2*N - 1"));
  EXPECT_TRUE(apart("0:5;1", "0:5;2"));
  EXPECT_FALSE(apart("0:N - 1", "N - 1:N"));
  EXPECT_FALSE(apart("i", "j"));
}

TEST(Subset, Hull) {
  auto box = [](const char *a, const char *b) { return toString(hull(subset(a), subset(b), sizes())); };
  EXPECT_EQ(box("0:N - 1", "1:N"), "[0:N + 1]");
  EXPECT_EQ(box("i", "i + 2"), "[i:i + 3]");
  EXPECT_EQ(box("i", "j"), "[Min(i, j):Max(i + 1, j + 1)]");
  EXPECT_EQ(box("0:9:3", "0:9:3"), "[0:10:3]");
  EXPECT_EQ(box("0:9:3", "0:4"), "[0:10]");
}

TEST(Subset, BoundingBoxOfAMap) {
  auto box = [](const char *text, const std::vector<Parameter> &parameters) {
    return toString(boundingBox(subset(text), parameters, subset("0:S - 1"), sizes()));
  };
  Parameter i{"i", range("0:N - 1")}, j{"j", range("0:i")}, down{"k", range("N - 1:0:-1")},
      tile{"t", range("0:N - 1:32")};
  EXPECT_EQ(box("i", {i}), "[0:N]");
  EXPECT_EQ(box("i - 1:i + 1", {i}), "[-1:N + 1]");
  EXPECT_EQ(box("N - 1 - i", {i}), "[0:N]");
  EXPECT_EQ(box("j", {j, i}), "[0:N]");
  EXPECT_EQ(box("k", {down}), "[0:N]");
  EXPECT_EQ(box("t:Min(t + 31, N - 1)", {tile}), "[0:N]");
  EXPECT_EQ(box("M", {i}), "[M]");
  EXPECT_EQ(box("A[i]", {i}), "[0:S]");
  EXPECT_EQ(box("i*x", {i}), "[0:S]");
}

TEST(Subset, FillsItsBox) {
  Parameter i{"i", range("0:N - 1")}, j{"j", range("0:M - 1")}, triangle{"j", range("0:i")},
      two{"i", range("0:N - 1:2")};
  EXPECT_TRUE(fillsBox(subset("i;j"), {j, i}));
  EXPECT_TRUE(fillsBox(subset("i + 1"), {i}));
  EXPECT_TRUE(fillsBox(subset("N - 1 - i"), {i}));
  EXPECT_TRUE(fillsBox(subset("i:i + 2"), {i}));
  EXPECT_TRUE(fillsBox(subset("0:M - 1;i"), {i}));
  EXPECT_FALSE(fillsBox(subset("i;i"), {i}));
  EXPECT_FALSE(fillsBox(subset("2*i"), {i}));
  EXPECT_FALSE(fillsBox(subset("i"), {two}));
  EXPECT_FALSE(fillsBox(subset("i;j"), {triangle, i}));
  EXPECT_FALSE(fillsBox(subset("A[i]"), {i}));
  EXPECT_FALSE(fillsBox(subset("i + j"), {j, i}));
  EXPECT_FALSE(fillsBox(subset("i:N - 1"), {i}));
}

TEST(Subset, AsJson) {
  auto read = [](const char *text) { return subsetFromJson(parseJson(text)->json); };
  auto range = read(R"json({"type": "Range", "ranges": [{"start": "0", "end": "N - 1", "step": "1", "tile": "1"},
      {"start": "symbol($i, dtype=dace.int64)", "end": {"main": "i", "approx": "N"}, "step": 1, "tile": "1"}]})json");
  ASSERT_TRUE(range);
  EXPECT_EQ(toString(*range), "[0:N, i]");
  auto indices = read(R"({"type": "Indices", "indices": ["i", "0"]})");
  ASSERT_TRUE(indices);
  EXPECT_EQ(toString(*indices), "[i, 0]");
  EXPECT_EQ(*subsetFromJson(toJson(*range, Dialect::Dollar)), *range);
  EXPECT_EQ(*subsetFromJson(toJson(*indices, Dialect::Plain)), *indices);
  EXPECT_EQ(read(R"({"type": "Range", "ranges": [{"start": "0"}]})").error().message, "a range without 'end'");
  EXPECT_EQ(read(R"({"type": "Range", "ranges": [{"start": "N +"}]})").error().message,
            "start: column 4: the expression ends early");
  EXPECT_EQ(read(R"({"type": "Range"})").error().message, "a range without a list of 'ranges'");
  EXPECT_EQ(read(R"({"type": "Indices", "indices": [null]})").error().message, "not an expression but null");
  EXPECT_EQ(read("3").error().message, "a subset that is neither a Range nor Indices");
}
