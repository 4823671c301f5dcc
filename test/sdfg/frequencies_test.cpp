// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/frequencies.h"

#include "machines.h"

#include "sdfg/place/odds.h"

#include <gtest/gtest.h>

#include <random>

using namespace ferry::sdfg;
using namespace ferry::sdfg::testing;

namespace {

Odds odds(int trips) {
  Odds result;
  result.trips = [=](LoopId) { return Rational(trips); };
  result.weight = [](FlowEdgeId) { return Rational(1); };
  result.least = Rational(1, 1024);
  return result;
}

Frequencies of(const ControlFlow &flow, const Odds &odds) {
  auto result = frequencies(flow, odds);
  EXPECT_TRUE(result) << result.error().message;
  return result ? *result : Frequencies();
}

/// As placement::check wants it: positive, what comes in is what goes out.
void expectConserved(const ControlFlow &flow, const Frequencies &often) {
  for (PointId id = 0; id < flow.points.size(); ++id) {
    Rational in, out;
    for (FlowEdgeId each : flow.in(id))
      in += often.edges[each];
    for (FlowEdgeId each : flow.out(id))
      out += often.edges[each];
    EXPECT_TRUE(often.points[id] > Rational(0));
    if (id != flow.entry) {
      EXPECT_EQ(in, often.points[id]);
    }
    if (id != flow.exit) {
      EXPECT_EQ(out, often.points[id]);
    }
  }
}

const char *const kNested =
    "a -> outer: i = 0\n outer -> inner if i < N: j = 0\n inner -> work if j < i\n work -> inner: j = j + 1\n"
    " inner -> outer if not (j < i): i = i + 1\n outer -> end if not (i < N)";

} // namespace

TEST(Frequencies, OfLoops) {
  Sdfg sdfg = machine(kNested);
  ControlFlow flow = flowOf(sdfg);
  Frequencies often = of(flow, odds(10));
  expectConserved(flow, often);
  EXPECT_EQ(often.points[stateOf(flow, "outer")], Rational(11));
  EXPECT_EQ(often.points[stateOf(flow, "inner")], Rational(110));
  EXPECT_EQ(often.points[stateOf(flow, "work")], Rational(100));
  EXPECT_EQ(often.points[stateOf(flow, "end")], Rational(1));
}

TEST(Frequencies, NothingIsNever) {
  Sdfg sdfg = machine(kNested);
  ControlFlow flow = flowOf(sdfg);
  Odds guess = odds(0);
  guess.weight = [](FlowEdgeId) { return Rational(0); };
  expectConserved(flow, of(flow, guess));
}

TEST(Frequencies, OfCirclesThatAreNoLoops) {
  Sdfg two = machine("a -> x if s > 0\n a -> y if s <= 0\n x -> y if k > 0\n x -> end if k <= 0\n y -> x");
  ControlFlow flow = flowOf(two);
  Frequencies often = of(flow, odds(10));
  expectConserved(flow, often);
  EXPECT_EQ(often.points[stateOf(flow, "x")], Rational(2));
  std::string many = "b0 -> a0 if s > 0\n b0 -> a1 if s <= 0\n a1 -> a0 if s > 1\n a1 -> end if s <= 1\n a0 -> a1";
  for (int i = 0; i < 40; ++i)
    many = "b" + std::to_string(i + 1) + " -> b" + std::to_string(i) + "\n" + many;
  Sdfg large = machine(many);
  auto refused = frequencies(flowOf(large), odds(10));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "the control flow is not reducible and has more than 40 points");
}

TEST(Frequencies, OfManyEarlyExits) {
  std::string text;
  for (int i = 0; i < 300; ++i) {
    std::string here = "s" + std::to_string(i), condition = "k > " + std::to_string(i);
    text += here + " -> s" + std::to_string(i + 1) + " if " + condition + "\n" + here + " -> end if not (" + condition +
            ")\n";
  }
  Sdfg sdfg = machine(text + "s300 -> end");
  ControlFlow flow = flowOf(sdfg);
  auto often = frequenciesAt(flow, LoopSizes(flow, Sizes()), 1);
  ASSERT_TRUE(often) << often.error().message;
  expectConserved(flow, *often);
  EXPECT_EQ(often->points[stateOf(flow, "s1")], Rational(300, 301));
  EXPECT_EQ(often->points[stateOf(flow, "s300")], Rational(1, 301));
}

TEST(Frequencies, OfRandomGraphs) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    std::mt19937 random(seed);
    unsigned states = 2 + random() % 5;
    std::string text;
    for (unsigned i = 0; i + 1 < states; ++i) {
      text += "a" + std::to_string(i) + " -> a" + std::to_string(i + 1) + " if s > " + std::to_string(i) + "\n";
      if (random() % 2)
        text += "a" + std::to_string(i) + " -> a" + std::to_string(random() % states) + " if k == 1\n";
    }
    Sdfg sdfg = machine(text);
    ControlFlow flow = flowOf(sdfg);
    expectConserved(flow, of(flow, odds(static_cast<int>(random() % 5))));
  }
}
