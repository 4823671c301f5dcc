// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/flatten.h"

#include "machines.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace ferry::sdfg;
using namespace ferry::sdfg::testing;

namespace {

Block jump(Jump what) {
  Block block;
  block.json.set("label", "jump");
  block.what = what;
  return block;
}

Block region(Region what) {
  Block block;
  block.json.set("label", "region");
  block.what = std::move(what);
  return block;
}

Region loop(bool inverted, bool early) {
  Region result;
  result.loop = Loop{Code{"i < 4"}, Code{"i = 0"}, Code{"i = i + 1"}, "i", inverted, early};
  result.graph.blocks.push_back(Block::newState("body"));
  return result;
}

Program programOf(Block block) {
  Program program;
  program.root.graph.blocks.push_back(std::move(block));
  program.root.graph.start = 0;
  return program;
}

/// "condition: i=value" of each edge that says something.
std::vector<std::string> edgesOf(const Program &program) {
  std::vector<std::string> result;
  for (const InterstateEdge &edge : program.root.graph.edges) {
    std::string text = edge.isUnconditional() ? "" : edge.condition.text;
    for (const auto &[symbol, value] : edge.assignments)
      text += ": " + symbol + "=" + value;
    if (!text.empty())
      result.push_back(text);
  }
  std::sort(result.begin(), result.end());
  return result;
}

} // namespace

TEST(Flatten, LoopBecomesAGuardedStateMachine) {
  Program program = programOf(region(loop(false, true)));
  EXPECT_TRUE(hasRegions(program));
  flatten(program);
  EXPECT_FALSE(hasRegions(program));
  EXPECT_EQ(edgesOf(program), (std::vector<std::string>{": i=0", ": i=i + 1", "i < 4", "not (i < 4)"}));
  ControlFlow flow = flowOf(program.root);
  ASSERT_EQ(flow.loops.size(), 1u);
  ASSERT_TRUE(flow.loops[0].counted && flow.loops[0].counted->trips);
  EXPECT_EQ(flow.loops[0].counted->trips->toString(), "4");
}

TEST(Flatten, InvertedLoopRunsItsBodyFirst) {
  Program early = programOf(region(loop(true, true))), late = programOf(region(loop(true, false)));
  flatten(early);
  flatten(late);
  EXPECT_EQ(edgesOf(early), (std::vector<std::string>{": i=0", ": i=i + 1", "i < 4", "not (i < 4)"}));
  EXPECT_EQ(edgesOf(late), (std::vector<std::string>{": i=0", "i < 4: i=i + 1", "not (i < 4)"}));
  for (const Program *each : {&early, &late}) {
    ControlFlow flow = flowOf(each->root);
    ASSERT_EQ(flow.loops.size(), 1u);
    EXPECT_TRUE(flow.dominates(stateOf(flow, "body"), flow.exit)) << "a first trip is certain";
  }
}

TEST(Flatten, OnlyTheFirstBranchThatHoldsIsTaken) {
  Conditional conditional;
  for (const char *condition : {"a", "b", ""}) {
    Conditional::Branch branch;
    if (*condition)
      branch.condition = Code{condition};
    branch.graph.blocks.push_back(Block::newState("arm"));
    conditional.branches.push_back(std::move(branch));
  }
  Block block;
  block.json.set("label", "choice");
  block.what = std::move(conditional);
  Program program = programOf(std::move(block));
  flatten(program);
  EXPECT_EQ(edgesOf(program), (std::vector<std::string>{"(a)", "not ((a) or (b))", "not ((a)) and (b)"}));
}

TEST(Flatten, ReturnEndsTheProgramAndWhatNothingLeadsToIsDropped) {
  Program program = programOf(jump(Jump::Return));
  flatten(program);
  EXPECT_FALSE(hasRegions(program));
  EXPECT_EQ(program.root.graph.blocks.size(), 2u);
}

TEST(Flatten, BreakLeavesTheLoop) {
  Region outer = loop(false, true);
  outer.graph.blocks.push_back(jump(Jump::Break));
  outer.graph.edges.push_back(InterstateEdge::between(0, 1));
  Program program = programOf(region(std::move(outer)));
  flatten(program);
  ControlFlow flow = flowOf(program.root);
  EXPECT_TRUE(flow.loops.empty()) << "there is no second trip";
}
