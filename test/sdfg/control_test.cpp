// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops, trip counts and branches, from state machines and from regions.

#include "graphs.h"
#include "machines.h"

#include "sdfg/control_build.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>

using namespace ferry::sdfg;
using namespace ferry::sdfg::testing;

namespace {

/// "i from 0, N trips", one a loop, outer ones first.
std::string loopsOf(const ControlFlow &flow) {
  std::string text;
  for (const FlowLoop &loop : flow.loops) {
    text += text.empty() ? "" : "; ";
    if (!loop.counted) {
      text += "while";
      continue;
    }
    const CountedLoop &counted = *loop.counted;
    text += counted.variable + " from " + (counted.begin ? counted.begin->toString() : "?") + ", " +
            (counted.exact ? "" : "at most ") + (counted.trips ? counted.trips->toString() : "?") + " trips";
  }
  return text;
}

std::string loopsOf(const std::string &edges) {
  Sdfg sdfg = machine(edges);
  return loopsOf(flowOf(sdfg));
}

std::string refusal(const Sdfg &sdfg) {
  auto flow = ControlFlow::of(sdfg);
  return flow ? "nothing" : flow.error().message;
}

const std::string kFor =
    "init -> guard: i = 0\n guard -> work if i < N\n work -> guard: i = i + 1\n guard -> end if not (i < N)";

std::string forLoop(const std::string &begin, const std::string &condition, const std::string &update) {
  return loopsOf("init -> guard: i = " + begin + "\n guard -> work if " + condition +
                 "\n work -> guard: i = " + update + "\n guard -> end if not (" + condition + ")");
}

/// A region block from JSON, with what every block has.
Program regions(const std::string &nodes, const std::string &edges = "") {
  return program(
      R"({"type":"SDFG","dace_version":"2.0.0a6","attributes":{"name":"r","symbols":{"N":"int32","i":"int32"}},"start_block":0,"nodes":[)" +
      nodes + R"(],"edges":[)" + edges + "]}");
}

const std::string kState = R"({"type":"SDFGState","label":"body","attributes":{},"nodes":[],"edges":[]})";

std::string loopRegion(const std::string &more, const std::string &nodes = kState, const std::string &edges = "") {
  return R"json({"type":"LoopRegion","label":"loop","attributes":{"loop_condition":{"string_data":"i < N","language":"Python"},
"init_statement":{"string_data":"i = 0","language":"Python"},"update_statement":{"string_data":"i = (i + 1)","language":"Python"},
"loop_variable":"i")json" +
         more + R"(},"start_block":0,"nodes":[)" + nodes + R"(],"edges":[)" + edges + "]}";
}

std::string jump(const std::string &type) {
  return R"({"type":")" + type + R"(","label":"leave","attributes":{},"nodes":[],"edges":[]})";
}

} // namespace

TEST(Control, CountsLoopsOfStateMachines) {
  EXPECT_EQ(loopsOf(kFor), "i from 0, Max(0, N) trips");
  EXPECT_EQ(forLoop("0", "i < 10", "i + 1"), "i from 0, 10 trips");
  EXPECT_EQ(forLoop("1", "i <= N", "i + 1"), "i from 1, Max(0, N) trips");
  EXPECT_EQ(forLoop("N - 1", "i > 0", "i - 2"), "i from N - 1, Max(0, int_floor(N, 2)) trips");
  EXPECT_EQ(forLoop("N - 1", "i >= 0", "i - 1"), "i from N - 1, Max(0, N) trips");
  EXPECT_EQ(forLoop("0", "i < N", "3 + i"), "i from 0, Max(0, int_floor(N + 2, 3)) trips");
  EXPECT_EQ(forLoop("0", "2*i < N", "i + 1"), "i from 0, Max(0, int_floor(N + 1, 2)) trips");
  EXPECT_EQ(forLoop("0", "i != N", "i + 1"), "i from 0, Max(0, N) trips");
  EXPECT_EQ(forLoop("a", "i < b", "i + step"), "i from a, Max(0, int_ceil(b - a, step)) trips");
  EXPECT_EQ(forLoop("0", "N > i", "i + 1"), "i from 0, Max(0, N) trips");
  EXPECT_EQ(forLoop("5", "i < 3", "i + 1"), "i from 5, 0 trips");
}

TEST(Control, DoesNotCountOtherLoops) {
  EXPECT_EQ(forLoop("0", "i < N", "i - 1"), "i from 0, ? trips");
  EXPECT_EQ(forLoop("0", "i < N", "2*i"), "while");
  EXPECT_EQ(forLoop("0", "i*i < N", "i + 1"), "i from 0, ? trips");
  EXPECT_EQ(forLoop("0", "A[i] < 3", "i + 1"), "i from 0, ? trips");
  EXPECT_EQ(forLoop("0", "i < N and s > 0", "i + 1"), "while");
  EXPECT_EQ(forLoop("i", "i < N", "i + 1"), "i from ?, ? trips");
  // What bounds it changes in the loop: a symbol, a container.
  EXPECT_EQ(loopsOf("init -> guard: i = 0\n guard -> work if i < N\n work -> guard: i = i + 1, N = N - 1\n guard -> "
                    "end if i >= N"),
            "while");
  EXPECT_EQ(
      loopsOf("init -> guard: i = 0\n guard -> write if i < s\n write -> guard: i = i + 1\n guard -> end if i >= s"),
      "while");
  EXPECT_EQ(
      loopsOf("init -> guard: i = 0\n guard -> work if i < s\n work -> guard: i = i + 1\n guard -> end if i >= s"),
      "i from 0, Max(0, s) trips");
  // Not once in every trip.
  EXPECT_EQ(
      loopsOf(
          "init -> guard: i = 0\n guard -> a if i < N\n a -> b if s > 0: i = i + 1\n a -> c if not (s > 0)\n b -> c\n"
          " c -> guard: i = i + 1\n guard -> end if i >= N"),
      "while");
}

TEST(Control, FindsTheValueBeforeTheLoop) {
  EXPECT_EQ(loopsOf("a -> b: i = 3\n b -> guard: k = 1\n guard -> work if i < N\n work -> guard: i = i + 1\n guard -> "
                    "end if i >= N"),
            "i from 3, Max(0, N - 3) trips");
  EXPECT_EQ(loopsOf("a -> b: i = k\n b -> guard: k = 1\n guard -> work if i < N\n work -> guard: i = i + 1\n guard -> "
                    "end if i >= N"),
            "i from ?, ? trips");
}

TEST(Control, CountsLoopsInLoops) {
  EXPECT_EQ(
      loopsOf("a -> outer: i = 0\n outer -> inner if i < N: j = i\n inner -> work if j < N\n work -> inner: j = j + 1\n"
              " inner -> next if not (j < N)\n next -> outer: i = i + 1\n outer -> end if not (i < N)"),
      "i from 0, Max(0, N) trips; j from i, Max(0, N - i) trips");
}

TEST(Control, LoopsWithOtherWaysOut) {
  std::string broken = "init -> guard: i = 0\n guard -> a if i < N\n a -> end if s > 0\n a -> work if not (s > 0)\n"
                       " work -> guard: i = i + 1\n guard -> end if i >= N";
  EXPECT_EQ(loopsOf(broken), "i from 0, at most Max(0, N) trips");
  // The condition fails without another edge: the program ends there.
  EXPECT_EQ(loopsOf("init -> guard: i = 0\n guard -> work if i < N\n work -> guard: i = i + 1"),
            "i from 0, Max(0, N) trips");
}

TEST(Control, LoopsThatDecideLast) {
  EXPECT_EQ(loopsOf("init -> work: i = 0\n work -> work if i < N: i = i + 1\n work -> end if i >= N"),
            "i from 0, Max(0, N) + 1 trips");
  EXPECT_EQ(loopsOf("init -> work: i = 0\n work -> b: i = i + 1\n b -> work if i < N\n b -> end if i >= N"),
            "i from 0, Max(0, N - 1) + 1 trips");
}

TEST(Control, Branches) {
  Sdfg sdfg = machine("a -> x if s > 0\n a -> y if s <= 0\n x -> join\n y -> join\n join -> b if k == 1\n join -> c if "
                      "k == 2\n b -> c");
  ControlFlow flow = flowOf(sdfg);
  EXPECT_TRUE(flow.loops.empty());
  PointId choice = flow.edges[flow.out(stateOf(flow, "a"))[0]].to;
  EXPECT_EQ(flow.points[choice].kind, FlowKind::Control);
  EXPECT_EQ(flow.out(choice).size(), 2u); // the conditions are opposites: nothing else can happen
  EXPECT_EQ(flow.postDominator(choice), stateOf(flow, "join"));
  EXPECT_EQ(flow.dominator(stateOf(flow, "join")), choice);
  PointId second = flow.edges[flow.out(stateOf(flow, "join"))[0]].to;
  EXPECT_EQ(flow.out(second).size(), 3u); // neither 1 nor 2: the program ends
  EXPECT_EQ(flow.postDominator(second), flow.exit);
}

TEST(Control, IrreducibleUnreachableAndEndless) {
  Sdfg two = machine("a -> x if s > 0\n a -> y if s <= 0\n x -> y if k > 0\n x -> end if k <= 0\n y -> x");
  EXPECT_FALSE(flowOf(two).reducible);
  EXPECT_TRUE(flowOf(two).loops.empty());
  Sdfg lost = machine("a -> end\n lost -> end");
  ASSERT_EQ(flowOf(lost).unreachable.size(), 1u);
  EXPECT_EQ(flowOf(lost).unreachable[0]->label(), "lost");
  Sdfg endless = machine("a -> b\n b -> c\n c -> b");
  EXPECT_EQ(refusal(endless), "block 'a': the program cannot end once it is here");
}

TEST(Control, Regions) {
  auto loops = [](const Program &program) { return loopsOf(flowOf(program.root)); };
  EXPECT_EQ(loops(regions(loopRegion(""))), "i from 0, Max(0, N) trips");
  EXPECT_EQ(loops(regions(loopRegion(R"(,"inverted":true)"))), "i from 0, Max(0, N - 1) + 1 trips");
  EXPECT_EQ(loops(regions(loopRegion(R"(,"inverted":true,"update_before_condition":false)"))),
            "i from 0, Max(0, N) + 1 trips");
  std::string conditional =
      R"({"type":"ConditionalBlock","label":"if","attributes":{},"branches":[[{"string_data":"i > 3","language":"Python"},
{"type":"ControlFlowRegion","label":"then","attributes":{},"start_block":0,"edges":[],"nodes":[JUMP]}]]})";
  EXPECT_EQ(loops(regions(loopRegion("", with(conditional, "JUMP", jump("BreakBlock"))))),
            "i from 0, at most Max(0, N) trips");
  EXPECT_EQ(loops(regions(loopRegion("", with(conditional, "JUMP", jump("ContinueBlock"))))),
            "i from 0, Max(0, N) trips");
  EXPECT_EQ(loops(regions(loopRegion("", with(conditional, "JUMP", jump("ReturnBlock"))))),
            "i from 0, at most Max(0, N) trips");
  Program outside = regions(jump("BreakBlock"));
  EXPECT_EQ(refusal(outside.root), "block 'leave': it leaves a loop, but is in none");
}

TEST(Control, ConditionalBlocks) {
  std::string branch =
      R"({"type":"ControlFlowRegion","label":"r","attributes":{},"start_block":0,"edges":[],"nodes":[)" + kState + "]}";
  std::string condition = R"({"string_data":"N > 3","language":"Python"})";
  auto edgesOf = [&](const std::string &branches) {
    Program read = regions(R"({"type":"ConditionalBlock","label":"if","attributes":{},"branches":[)" + branches + "]}");
    ControlFlow flow = flowOf(read.root);
    PointId choice = flow.edges[flow.out(flow.entry)[0]].to;
    std::string text;
    for (FlowEdgeId each : flow.out(choice))
      text += (flow.edges[each].otherwise ? "else" : flow.edges[each].condition.toString()) +
              (flow.edges[each].site == Site::BranchSkip ? "! " : " ");
    return text;
  };
  EXPECT_EQ(edgesOf("[" + condition + "," + branch + "]"), "(3 < N) else! ");
  EXPECT_EQ(edgesOf("[" + condition + "," + branch + "],[null," + branch + "]"), "(3 < N) else ");
}

/// All of DaCe's own graphs have control flow that is understood.
TEST(Control, GraphsOfTheMainBranch) {
  std::map<std::string, std::string> expected = {
      {"stencil", "t from 1, Max(0, steps - 1) trips"},
      {"search", "i from 0, at most Max(0, N) trips"},
      {"early", "i from 0, at most Max(0, N) trips"},
      {"halving", "while"},
      {"rows", ""},
  };
  for (const auto &[name, loops] : expected)
    for (const char *form : {"parsed", "simplified"}) {
      auto read = readProgram("test/sdfg/Inputs/main/" + name + "-" + form + ".sdfg");
      ASSERT_TRUE(read);
      ControlFlow flow = flowOf(read->root);
      EXPECT_EQ(loopsOf(flow), loops) << name << " " << form;
      EXPECT_TRUE(flow.reducible);
    }
}

/// Dominators and loops of random graphs, against their definitions.
TEST(Control, RandomGraphs) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    unsigned states = 2 + random() % 7;
    std::string text;
    for (unsigned i = 0; i + 1 < states; ++i) {
      text += "a" + std::to_string(i) + " -> a" + std::to_string(i + 1) + " if s > " + std::to_string(i) + "\n";
      for (unsigned more = random() % 3; more > 0; --more)
        text += "a" + std::to_string(i) + " -> a" + std::to_string(random() % states) +
                " if k == " + std::to_string(more) + "\n";
    }
    Sdfg sdfg = machine(text);
    ControlFlow flow = flowOf(sdfg);
    auto reachableWithout = [&](PointId without, PointId from) {
      std::vector<bool> seen(flow.points.size(), false);
      std::vector<PointId> pending;
      if (from != without)
        pending.push_back(from);
      while (!pending.empty()) {
        PointId here = pending.back();
        pending.pop_back();
        if (seen[here])
          continue;
        seen[here] = true;
        for (FlowEdgeId each : flow.out(here))
          if (flow.edges[each].to != without)
            pending.push_back(flow.edges[each].to);
      }
      return seen;
    };
    for (PointId a = 0; a < flow.points.size(); ++a) {
      std::vector<bool> seen = reachableWithout(a, flow.entry);
      for (PointId b = 0; b < flow.points.size(); ++b)
        ASSERT_EQ(flow.dominates(a, b), a == b || !seen[b]) << text;
    }
    for (LoopId loop = 0; loop < flow.loops.size(); ++loop)
      for (PointId id = 0; id < flow.points.size(); ++id) {
        bool listed = std::find(flow.loops[loop].points.begin(), flow.loops[loop].points.end(), id) !=
                      flow.loops[loop].points.end();
        ASSERT_EQ(flow.within(id, loop), listed) << text;
        ASSERT_TRUE(!listed || flow.dominates(flow.loops[loop].header, id)) << text;
      }
  }
}

TEST(Control, StatementsUpdateBySeveralOperators) {
  auto textOf = [](const std::string &code) {
    std::string text;
    for (const Assignment &each : statements(Code{code}))
      text += (text.empty() ? "" : "; ") + each.symbol + " = " + each.text;
    return text;
  };
  EXPECT_EQ(textOf("i = 0; j = i + 1\nk=2"), "i = 0; j = i + 1; k = 2");
  EXPECT_EQ(textOf("i += 1; i -= a\ni *= 2"), "i = i + (1); i = i - (a); i = i * (2)");
  EXPECT_EQ(textOf("i //= 2; i **= 2; i /= 2; i %= 2"), "i = i // (2); i = i ** (2); i = i / (2); i = i % (2)");
  EXPECT_EQ(textOf("i >>= 1; i <<= 1; i |= m; i &= m; i ^= m"),
            "i = i >> (1); i = i << (1); i = i | (m); i = i & (m); i = i ^ (m)");
  EXPECT_EQ(textOf("i == 2; i, j = 1, 2; A[0] = 3; f(x=1)"), "") << "assign to no symbol";
}

TEST(Control, LoopThatAssignsToNoSymbolIsRefused) {
  for (const char *update : {"i == 2", "A[0] = i", "i, j = j, i", "next(i)"}) {
    Sdfg sdfg = machine("first -> end");
    Region region;
    region.loop = Loop{Code{"i < 4"}, Code{"i = 0"}, Code{update}, "i", false, true};
    region.graph.blocks.push_back(Block::newState("body"));
    sdfg.graph.blocks[1].json.set("label", "wheel");
    sdfg.graph.blocks[1].what = std::move(region);
    EXPECT_EQ(refusal(sdfg), "loop 'wheel': '" + std::string(update) + "' assigns to no symbol");
  }
}
