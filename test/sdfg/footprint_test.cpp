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

/// kMapText with a map over i from 0 to `last` that reads A[`index`] and writes B[`index`] each time.
std::string mapOver(const std::string &last, const std::string &index) {
  std::string text = with(kMapText, R"("end":"N - 1","step":"2")", R"("end":")" + last + R"(","step":"1")");
  text = with(text, R"({"N":"int32"})", R"({"M":"int32","N":"int32"})");
  text = with(text,
              R"("wcr":"lambda a, b: a + b",)"
              "\n"
              R"("dynamic":true,)",
              "");
  text = with(text, R"("start":"i","end":"i")", R"("start":")" + index + R"(","end":")" + index + R"(")");
  return with(text, R"("indices":["i"])", R"("indices":[")" + index + R"("])");
}

enum class Part : std::uint8_t { Read, Written };

/// What the map reads of A or writes of B, which have N elements.
std::string partOf(Part which, const std::string &graph, const Assumptions &variables = {}) {
  Program half = program(graph);
  const State &state = *half.root.graph.blocks[0].state();
  auto dataflow = Dataflow::of(state);
  EXPECT_TRUE(dataflow) << dataflow.error().message;
  Units units(half.root);
  Footprints footprints(half.root, state, *dataflow, units, variables);
  auto part =
      which == Part::Read ? footprints.readPart(dataflow->in(1)[0]) : footprints.writtenPart(dataflow->out(3)[0]);
  return part ? toString(*part) : "anything";
}

std::string readBy(const std::string &last, const std::string &index, const Assumptions &variables = {}) {
  return partOf(Part::Read, mapOver(last, index), variables);
}

std::string writtenBy(const std::string &last, const std::string &index) {
  return partOf(Part::Written, mapOver(last, index));
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
  EXPECT_EQ(readBy("M - 1", "7"), "[Min(N, 7):Min(N, 8)]") << "there may be 7 elements";
  EXPECT_EQ(readBy("N - 1", "i"), "[0:N]") << "nothing, then";
  EXPECT_EQ(readBy("N - 2", "i"), "[0:Max(0, N - 1)]") << "inside";
  EXPECT_EQ(readBy("N - 1", "k"), "[Min(N, Max(0, k)):Max(Min(N, k + 1), Min(N, Max(0, k)))]");
  Assumptions variables;
  variables.set("k", {Expr(0), expr("N - 1")});
  EXPECT_EQ(readBy("M - 1", "k", variables), "[k]") << "inside in every trip";
  EXPECT_EQ(readBy("M - 1", "k + 1", variables), "[k + 1:Min(N, k + 2)]") << "not that of the last trip";
}

TEST(Footprint, OfExtentsThatAreNoNumbers) {
  EXPECT_EQ(readBy("M - 1", "i"), "[0:Max(0, M)]") << "M may be below zero";
  EXPECT_EQ(readBy("M - 1", "i + k"), "[k:Max(M + k, k)]");
  EXPECT_EQ(writtenBy("M - 1", "i"), "[0:Max(0, M)]");
  EXPECT_EQ(writtenBy("N - 1", "i"), "[0:N]");
}

TEST(Footprint, AMapWithoutIterationsWritesNothing) {
  EXPECT_EQ(writtenBy("9", "7"), "[7]");
  EXPECT_EQ(writtenBy("M - 1", "7"), "anything");
}

TEST(Footprint, NamesOfExtentsThatAreReadMeanNothingOutside) {
  std::string text = mapOver("9", "k + i");
  EXPECT_EQ(partOf(Part::Read, text), "[k:k + 10]");
  EXPECT_EQ(partOf(Part::Written, text), "[k:k + 10]");
  text = with(text, R"("in_connectors":{"IN_A":null})", R"("in_connectors":{"IN_A":null,"k":null})");
  text = with(text, R"("id":4,"scope_entry":null,"scope_exit":null}])",
              R"("id":4,"scope_entry":null,"scope_exit":null},)"
              R"({"type":"AccessNode","label":"s","attributes":{"data":"s"},"id":5}])");
  text = with(text, R"("src_connector":"OUT_B"}])",
              R"("src_connector":"OUT_B"},{"type":"MultiConnectorEdge","attributes":{"data":{"type":"Memlet",)"
              R"("attributes":{"data":"s","subset":{"type":"Indices","indices":["0"]}}}},"src":"5","dst":"1",)"
              R"("dst_connector":"k"}])");
  EXPECT_EQ(partOf(Part::Read, text), "anything");
  EXPECT_EQ(partOf(Part::Written, text), "anything");
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
