// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A state as a sequence of operations, where some of its nodes can only be placed together.
#include "machines.h"

#include "sdfg/place/components.h"
#include "sdfg/place/operations.h"

#include <gtest/gtest.h>

#include <random>

using namespace ferry;
using namespace ferry::sdfg;
using namespace ferry::sdfg::testing;

namespace {

Memlet ofS() { return Memlet::of("s", Subset{{{0, 0}}}, Dialect::Plain); }

/// Each operation's nodes.
std::vector<std::vector<NodeId>> groupsOf(const Sdfg &sdfg) {
  const State &state = *sdfg.graph.blocks[0].state();
  auto dataflow = Dataflow::of(state);
  EXPECT_TRUE(dataflow) << dataflow.error().message;
  std::vector<std::vector<NodeId>> result;
  for (const Operation &each : operationsOf(sdfg, state, *dataflow, Units(sdfg), Sizes()))
    result.push_back(each.nodes);
  return result;
}

} // namespace

TEST(Operations, WhatLiesBetweenTheEndsOfADirectEdgeIsPartOfThem) {
  Sdfg sdfg = machine("state -> end");
  State &state = *sdfg.graph.blocks[0].state();
  std::vector<NodeId> tasklets;
  for (const char *name : {"first", "between", "last", "apart"})
    tasklets.push_back(state.add(Node::tasklet(name, {"pass"}, {"i", "k"}, {"o"})));
  NodeId before = state.add(Node::access("s")), behind = state.add(Node::access("s"));
  state.connect(tasklets[0], "o", tasklets[2], "i", ofS());
  state.connect(tasklets[0], "o", before, std::nullopt, ofS());
  state.connect(before, std::nullopt, tasklets[1], "i", ofS());
  state.connect(tasklets[1], "o", behind, std::nullopt, ofS());
  state.connect(behind, std::nullopt, tasklets[2], "k", ofS());
  state.connect(behind, std::nullopt, tasklets[3], "k", ofS());
  EXPECT_EQ(groupsOf(sdfg),
            (std::vector<std::vector<NodeId>>{{tasklets[0], before, tasklets[1], behind, tasklets[2]}, {tasklets[3]}}));
}

/// Against their definition.
TEST(Operations, ComponentsOfRandomGraphs) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    std::uint32_t count = 1 + random() % 12;
    std::vector<std::vector<std::uint32_t>> next(count);
    std::vector<std::vector<bool>> reaches(count, std::vector<bool>(count));
    for (std::uint32_t edges = random() % (2 * count); edges > 0; --edges) {
      std::uint32_t from = random() % count, to = random() % count;
      next[from].push_back(to);
      reaches[from][to] = true;
    }
    for (std::uint32_t k = 0; k < count; ++k)
      for (std::uint32_t i = 0; i < count; ++i)
        for (std::uint32_t j = 0; j < count; ++j)
          reaches[i][j] = reaches[i][j] || (reaches[i][k] && reaches[k][j]);
    std::vector<std::uint32_t> component = stronglyConnected(next);
    for (std::uint32_t i = 0; i < count; ++i)
      for (std::uint32_t j = 0; j < count; ++j)
        ASSERT_EQ(component[i] == component[j], i == j || (reaches[i][j] && reaches[j][i]));
  }
}

TEST(Operations, ComponentsOfALongChain) {
  std::vector<std::vector<std::uint32_t>> next(1000000);
  for (std::uint32_t i = 0; i + 1 < next.size(); ++i)
    next[i].push_back(i + 1);
  std::vector<std::uint32_t> component = stronglyConnected(next);
  EXPECT_EQ(component.front(), 0u);
  next.back().push_back(0);
  component = stronglyConnected(next);
  EXPECT_EQ(component.front(), component.back());
}
