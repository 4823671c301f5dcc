// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The problems that graphs become, before anything is solved.
#include "graphs.h"
#include "machines.h"

#include "sdfg/place/extract.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <tuple>

using namespace ferry;
using namespace ferry::sdfg;
using namespace ferry::sdfg::testing;

namespace {

Extracted extracted(Program &program) {
  ExtractOptions options;
  options.machine = *placement::machineByName("h200");
  auto result = extract(program, options);
  EXPECT_TRUE(result) << result.error().message;
  return result ? std::move(*result) : Extracted();
}

/// What points of a kind read, and "peeks" of what can cross the bus alone: "A peeks", sorted, each once.
std::vector<std::string> readsOf(const Extracted &extracted, placement::PointKind kind) {
  std::vector<std::string> result;
  for (const placement::Point &point : extracted.graph.points)
    for (const placement::Read &read : point.reads)
      if (point.kind == kind)
        result.push_back(extracted.graph.arrays[read.array].name + (read.peek ? " peeks" : ""));
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

/// A choice by a condition over X, its views B_v and Z_v, and C.
Program choosing(const std::string &condition) {
  Program result;
  result.version.text = "1.0.2";
  result.root = machine("work -> left if " + condition + "\n work -> right if not (" + condition + ")");
  for (const char *name : {"X", "C"})
    addArray(result.root, name, "N");
  State &state = *result.root.graph.blocks[0].state();
  for (const char *name : {"B_v", "Z_v"}) {
    addArray(result.root, name, "N", "View");
    NodeId viewed = state.add(Node::access("X")), view = state.add(Node::access(name));
    state.connect(viewed, std::nullopt, view, "views",
                  Memlet::of("X", Subset{{{0, Expr::symbol("N") - 1}}}, Dialect::Plain));
  }
  return result;
}

std::vector<std::string> readsOf(const std::string &condition) {
  Program program = choosing(condition);
  return readsOf(extracted(program), placement::PointKind::Control);
}

using Texts = std::vector<std::string>;

} // namespace

TEST(Extract, ConditionPeeksAtAnElement) {
  EXPECT_EQ(readsOf("X[0] > 3"), (Texts{"X peeks"}));
  EXPECT_EQ(readsOf("X[0] > C[1]"), (Texts{"C peeks", "X peeks"}));
}

TEST(Extract, WhatIsReadUnderAnotherNameTooIsNotPeekedAt) {
  EXPECT_EQ(readsOf("X[0] + Z_v[5] > 3"), (Texts{"X"})) << "the view comes behind its array";
  EXPECT_EQ(readsOf("X[0] + B_v[5] > 3"), (Texts{"X"})) << "and before it";
  EXPECT_EQ(readsOf("Z_v[5] > 3"), (Texts{"X"}));
  EXPECT_EQ(readsOf("B_v[5] + C + X[0] > 3"), (Texts{"C", "X"})) << "and makes nothing of what comes in between";
}

TEST(Extract, ContainerWithSeveralConnectorsIsUsedOnce) {
  Subset whole{{{0, Expr::symbol("N") - 1}}}, element{{{3, 3}}};
  Program program;
  program.version.text = "1.0.2";
  program.root = machine("state -> end");
  addArray(program.root, "X", "N");
  Sdfg inner = machine("state -> end");
  for (const char *name : {"B", "C"})
    addArray(inner, name, "N");
  State &inside = *inner.graph.blocks[0].state();
  NodeId tasklet = inside.add(Node::tasklet("swap", {"p = b; q = c"}, {"b", "c"}, {"p", "q"}));
  for (auto [name, in, out] : {std::tuple{"B", "b", "p"}, std::tuple{"C", "c", "q"}}) {
    NodeId before = inside.add(Node::access(name)), behind = inside.add(Node::access(name));
    inside.connect(before, std::nullopt, tasklet, in, Memlet::of(name, element, Dialect::Plain));
    inside.connect(tasklet, out, behind, std::nullopt, Memlet::of(name, element, Dialect::Plain));
  }
  State &state = *program.root.graph.blocks[0].state();
  NodeId nested = state.add(nestedSdfg(std::move(inner), {"B", "C"}));
  for (const char *name : {"B", "C"}) {
    NodeId before = state.add(Node::access("X")), behind = state.add(Node::access("X"));
    state.connect(before, std::nullopt, nested, name, Memlet::of("X", whole, Dialect::Plain));
    state.connect(nested, name, behind, std::nullopt, Memlet::of("X", whole, Dialect::Plain));
  }
  Extracted problem = extracted(program);
  EXPECT_EQ(readsOf(problem, placement::PointKind::Operation), (Texts{"X"})) << "no element of it crosses alone";
  for (const placement::Point &point : problem.graph.points) {
    EXPECT_LE(point.writes.size(), 1u);
    for (const placement::Write &write : point.writes)
      EXPECT_FALSE(write.poke || write.push);
  }
}

/// Of a counted loop that may be one kernel.
TEST(Extract, PricesOutOfRangeAreErrors) {
  ExtractOptions options;
  options.machine = *placement::machineByName("h200");
  Program looped;
  looped.version.text = "1.0.2";
  looped.root = machine("init -> guard: i = 0\n guard -> work if i < N\n work -> guard: i = i + 1\n"
                        "guard -> end if not (i < N)");
  ASSERT_TRUE(extract(looped, options));
  for (placement::Time placement::Machine::*price :
       {&placement::Machine::launch, &placement::Machine::gridBarrier, &placement::Machine::gridBarrierSetup}) {
    ExtractOptions dear = options;
    dear.machine.*price = std::numeric_limits<placement::Time>::max();
    auto result = extract(looped, dear);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, placement::ErrorKind::Overflow);
    EXPECT_NE(result.error().message.find("'machine'"), std::string::npos) << result.error().message;
  }
}

TEST(Extract, PinsOfNothingAreSaid) {
  ExtractOptions options;
  options.machine = *placement::machineByName("h200");
  options.pins = {{"t", placement::Side::Host}, {"nowhere", placement::Side::Device}};
  Program one;
  one.version.text = "1.0.2";
  one.root = machine("work -> end");
  auto result = extract(one, options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->notes,
            std::vector<std::string>{"no operation is called 'nowhere', which is pinned; there are 't'"});
}
