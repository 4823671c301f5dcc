// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which part of an array a map reads, as far as that can be copied whenever the map runs.
#include "graphs.h"
#include "machines.h"

#include "sdfg/place/footprint.h"
#include "sdfg/place/odds.h"

#include <gtest/gtest.h>

using namespace ferry::sdfg;
using namespace ferry::sdfg::testing;

namespace {

Expr expr(const std::string &text) {
  auto parsed = Expr::parse(text);
  EXPECT_TRUE(parsed) << text;
  return parsed ? *parsed : Expr::unknown();
}

/// Of A, which has N elements, by a map over i from 0 to `last` that reads A[`index`] each time.
std::string readBy(const std::string &last, const std::string &index, const Assumptions &variables = {}) {
  std::string text = with(kMapText, R"("end":"N - 1","step":"2")", R"("end":")" + last + R"(","step":"1")");
  text = with(text, R"({"N":"int32"})", R"({"M":"int32","N":"int32"})");
  Program half = program(with(text, R"("indices":["i"])", R"("indices":[")" + index + R"("])"));
  const State &state = *half.root.graph.blocks[0].state();
  auto dataflow = Dataflow::of(state);
  EXPECT_TRUE(dataflow) << dataflow.error().message;
  Units units(half.root);
  auto part = Footprints(half.root, state, *dataflow, units, variables).readPart(dataflow->in(1)[0]);
  return part ? toString(*part) : "anything";
}

std::string rangeOf(const Assumptions &variables, const std::string &name) {
  const Interval *found = variables.find(name);
  return found ? found->low->toString(Dialect::Plain) + " to " + found->high->toString(Dialect::Plain) : "unknown";
}

} // namespace

TEST(Footprint, OfAMapThatRuns) {
  EXPECT_EQ(readBy("9", "i"), "[0:10]");
  EXPECT_EQ(readBy("9", "k + i"), "[k:k + 10]") << "the program itself reads them";
  EXPECT_EQ(readBy("9", "7"), "[7]");
}

TEST(Footprint, WhatAMapWithoutIterationsWouldHaveReadMayLieOutside) {
  EXPECT_EQ(readBy("M - 1", "7"), "anything") << "there may be 7 elements and no iteration";
  EXPECT_EQ(readBy("N - 1", "i"), "[0:N]") << "nothing, then";
  EXPECT_EQ(readBy("N - 2", "i"), "[0:N - 1]") << "inside";
  EXPECT_EQ(readBy("N - 1", "k"), "anything");
  Assumptions variables;
  variables.set("k", {Expr(0), expr("N - 1")});
  EXPECT_EQ(readBy("M - 1", "k", variables), "[k]") << "inside in every trip";
  EXPECT_EQ(readBy("M - 1", "k + 1", variables), "anything") << "the last one's is not";
}

TEST(Footprint, VariablesOfTheLoopsAroundAState) {
  Sdfg sdfg = machine("begin -> outer: k = 2\n outer -> middle if k < N\n outer -> end if k >= N\n"
                      "middle -> inner: j = N\n inner -> body if j > 0\n inner -> next if j <= 0\n"
                      "body -> inner: j = j - 1\n next -> outer: k = k + 3");
  ControlFlow flow = flowOf(sdfg);
  Assumptions inside = variablesIn(flow, flow.loopOf(stateOf(flow, "body"))), sizes;
  sizes.set("N", {Expr(0), std::nullopt});
  const Interval *k = inside.find("k"), *j = inside.find("j");
  ASSERT_TRUE(k && j);
  EXPECT_TRUE(provedEqual(*k->low, 2)) << rangeOf(inside, "k");
  EXPECT_TRUE(provedLessEqual(*k->high, expr("N - 1"), sizes)) << rangeOf(inside, "k");
  EXPECT_TRUE(provedEqual(*j->low, 1, sizes)) << rangeOf(inside, "j");
  EXPECT_TRUE(provedEqual(*j->high, expr("N"))) << rangeOf(inside, "j");
  Assumptions around = variablesIn(flow, flow.loopOf(stateOf(flow, "middle")));
  EXPECT_EQ(rangeOf(around, "j"), "unknown");
}
