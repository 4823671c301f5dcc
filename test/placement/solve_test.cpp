// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans worked out by hand, one rule each. Unless said otherwise a copy of an array costs 100 + latency.
#include "build.h"
#include "machines.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ferry::placement::test {
namespace {

constexpr Time kSlow = 1000000;

/// "h2d a loop-entry 2 x1" of each copy.
std::vector<std::string> copies(const Solution &solution) {
  std::vector<std::string> out;
  for (const Copy &copy : solution.plan.copies)
    out.push_back(std::string(toString(copy.direction)) + " " + solution.graph().arrays[copy.array].name + " " +
                  toString(copy.position.place) + " " + std::to_string(copy.position.tag) + " x" +
                  copy.frequency.toString());
  return out;
}

using Strings = std::vector<std::string>;

TEST(Solve, OneCopyBeforeALoopAndOneAfter) {
  Problem problem;
  problem.arrays = {array("a", true), array("b", false, true)};
  problem.body.push_back(
      statement(loop(10, {statement(operation({reading(0)}, {writing(1)}, kSlow, 1), "map", 1)}), "i", 2));
  Solution solution = solved(problem);
  EXPECT_EQ(solution.side(1), Sides::Device);
  EXPECT_EQ(copies(solution), (Strings{"h2d a loop-entry 2 x1", "d2h b loop-exit 2 x1"}));
  EXPECT_TRUE(solution.isKernel(2)); // one launch instead of ten
  EXPECT_EQ(solution.plan.cost, Rational(110 + 120 + 5 + 10));
  EXPECT_EQ(solution.validBefore(1, 0), (Validity{false, true}));
  EXPECT_EQ(solution.validAfter(1, 1), (Validity{false, true}));
  EXPECT_EQ(solution.validAfter(2, 1), (Validity{true, false}));
  EXPECT_EQ(solution.residency->peakDeviceBytes(), 200);
}

TEST(Solve, ACopyWaitsForTheArmThatWantsIt) {
  Problem problem;
  problem.arrays = {array("a", true), array("b")};
  Branch branch;
  branch.probability = Rational(1, 4);
  branch.then.push_back(statement(pinned(operation({reading(0)}, {writing(1)}), Side::Device), "f", 2));
  problem.body.push_back(statement(branch, "p", 1));
  Solution solution = solved(problem);
  EXPECT_EQ(copies(solution), (Strings{"h2d a arm-start 1 x1/4"}));
}

TEST(Solve, AGuardedLoopCopiesBehindItsGuard) {
  Problem problem;
  problem.arrays = {array("a", true), array("b")};
  Loop inner = loop(4, {statement(pinned(operation({reading(0)}, {updating(1)}), Side::Device), "f", 2)});
  inner.enter = Rational(1, 8);
  problem.body.push_back(statement(inner, "i", 1));
  EXPECT_EQ(copies(solved(problem)), (Strings{"h2d a loop-entry 1 x1/8"}));
}

TEST(Solve, APeekInsteadOfACopyUntilItIsDearer) {
  for (Time peek : {10, 13}) {
    Problem problem;
    problem.arrays = {array("a")};
    problem.body.push_back(statement(pinned(operation({}, {writing(0)}), Side::Device), "f", 1));
    problem.body.push_back(
        statement(loop(10, {statement(pinned(operation({reading(0, peek)}, {}), Side::Host), "g", 2)}), "i", 3));
    Solution solution = solved(problem);
    EXPECT_EQ(solution.uses(2, 0, Traffic::Peek), peek == 10);
    EXPECT_EQ(solution.plan.copies.size(), peek == 10 ? 0u : 1u);
  }
}

TEST(Solve, APokeKeepsTheDeviceCopy) {
  Problem problem;
  problem.arrays = {array("a", false, false)};
  Body body;
  body.push_back(statement(pinned(operation({}, {updating(0, 3)}), Side::Host), "set", 1));
  body.push_back(statement(pinned(operation({reading(0)}, {}), Side::Device), "map", 2));
  problem.body.push_back(statement(loop(10, body), "i", 3));
  Solution solution = solved(problem);
  EXPECT_TRUE(solution.uses(1, 0, Traffic::Poke));
  EXPECT_TRUE(solution.plan.copies.empty());
  EXPECT_EQ(solution.plan.cost, Rational(10 * (3 + 5)));
}

TEST(Solve, AWriteOfOneArmIsNoWriteOfTheWhole) {
  // One arm overwrites c, the other half of it: the half that is left has to come from the host.
  Problem problem;
  problem.arrays = {array("c", true, true)};
  Branch branch;
  branch.then.push_back(statement(pinned(operation({}, {writing(0)}), Side::Device), "all", 1));
  branch.otherwise.push_back(statement(pinned(operation({}, {updating(0)}), Side::Device), "half", 2));
  problem.body.push_back(statement(branch, "p", 3));
  EXPECT_EQ(copies(solved(problem)), (Strings{"h2d c arm-start 3 x1/2", "d2h c end 0 x1"}));
}

TEST(Solve, ReturnsBringTheirResultsHome) {
  Problem problem;
  problem.arrays = {array("a", true, true)};
  Branch branch;
  branch.probability = Rational(1, 10);
  branch.then.push_back(statement(Return{}, "out", 3));
  Body body = {statement(pinned(operation({}, {updating(0)}), Side::Device), "f", 1), statement(branch, "p", 2)};
  problem.body.push_back(statement(loop(5, body), "i", 4));
  Strings found = copies(solved(problem));
  EXPECT_EQ(found, (Strings{"h2d a loop-entry 4 x1", "d2h a arm-start 2 x1/2", "d2h a loop-exit 4 x1/2"}));
}

TEST(Solve, AByValueScalarRidesToTheKernel) {
  for (bool byValue : {false, true}) {
    Problem problem;
    problem.arrays = {array("n", true, false, 8), array("b")};
    problem.arrays[0].byValue = byValue;
    problem.body.push_back(statement(pinned(operation({reading(0)}, {writing(1)}), Side::Device), "f", 1));
    EXPECT_EQ(solved(problem).plan.copies.size(), byValue ? 0u : 1u);
  }
}

TEST(Solve, AByValueScalarWrittenInAKernelNeedsItsDeviceCopy) {
  Problem problem;
  problem.arrays = {array("n", true, false, 8), array("b", false, true)};
  problem.arrays[0].byValue = true;
  Loop inner = loop(10, {statement(operation({reading(0)}, {updating(1)}), "f", 1),
                         statement(operation({reading(0)}, {writing(0)}), "g", 2)});
  inner.pin = Side::Device;
  problem.body.push_back(statement(inner, "i", 3));
  Solution solution = solved(problem);
  EXPECT_EQ(copies(solution), (Strings{"h2d n loop-entry 3 x1", "d2h b loop-exit 3 x1"}));
  EXPECT_EQ(solution.plan.copies[0].price, 1); // the price of an argument
}

TEST(Solve, ACopyIsMadeOncePerRenamedValue) {
  // Double buffering: the names swap each trip, and nothing moves but once at the start and once at the end.
  Problem problem;
  problem.arrays = {array("x", true), array("a"), array("b"), array("r", false, true)};
  Loop swap = loop(10, {statement(operation({reading(1)}, {updating(2)}, kSlow, 1), "step", 1)});
  swap.onEntry = {{1, 0}, {2, 0}};
  swap.onBack = {{1, 2}, {2, 1}};
  swap.onExit = {{3, 2}};
  problem.body.push_back(statement(swap, "i", 2));
  Solution solution = solved(problem);
  EXPECT_EQ(copies(solution), (Strings{"h2d x before 2 x1", "d2h b loop-exit 2 x1"}));
  EXPECT_EQ(solution.validAtHead(2, 1), (Validity{false, true}));
}

TEST(Solve, NeighboursShareALaunch) {
  Problem problem;
  problem.arrays = {array("a"), array("b")};
  for (Tag tag : {1, 2, 3}) {
    Operation each = pinned(operation({}, {updating(0)}), Side::Device);
    each.fusible = true;
    if (tag == 3)
      each.reads = {reading(0, 1, Operand::Host)}; // the host has to see what the others write: a launch of its own
    problem.body.push_back(statement(each, "f", tag));
  }
  Solution solution = solved(problem);
  EXPECT_FALSE(solution.sharesLaunch(1));
  EXPECT_TRUE(solution.sharesLaunch(2));
  EXPECT_FALSE(solution.sharesLaunch(3));
  EXPECT_EQ(solution.plan.cost, Rational(5 + 5 + 1));
}

TEST(Solve, AKernelWithTwoExitsTellsWhichWasTaken) {
  Problem problem;
  problem.arrays = {array("a", false, true)};
  Branch branch;
  branch.probability = Rational(1, 16);
  branch.then.push_back(statement(Break{}, "out", 3));
  Loop inner = loop(8, {statement(operation({}, {updating(0)}, kSlow), "f", 1), statement(branch, "p", 2)});
  inner.pin = Side::Device;
  problem.body.push_back(statement(inner, "i", 4));
  EXPECT_EQ(solved(problem).plan.cost, Rational(5 + 7 + 120));
}

TEST(Solve, ARegionsKernelHasALaunchOfItsOwn) {
  Problem problem;
  problem.arrays = {array("a", true, true)};
  problem.body.push_back(statement(loop(10, {statement(operation({}, {updating(0)}, kSlow, 1), "f", 1)}), "i", 2));
  Graph graph = solved(problem).graph();
  ASSERT_EQ(graph.regions.size(), 1u);
  auto planned = [&](Time launch) {
    graph.regions[0].launch = launch;
    Result<Plan> plan = solve(graph, machine());
    EXPECT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->cost, plan->bound);
    return *plan;
  };
  // Ten launches of the machine's cost 50: one of the region's own pays below that.
  EXPECT_TRUE(planned(49).kernels[0]);
  EXPECT_EQ(planned(49).cost, Rational(110 + 120 + 49 + 10));
  EXPECT_FALSE(planned(51).kernels[0]);
  EXPECT_EQ(planned(51).cost, Rational(110 + 120 + 50 + 10));
  EXPECT_EQ(planned(0).cost, Rational(110 + 120 + 10));
  Plan plan = planned(51);
  plan.kernels[0] = true;
  Result<Rational> judged = price(graph, machine(), plan);
  ASSERT_TRUE(judged) << judged.error().message;
  EXPECT_EQ(*judged, Rational(110 + 120 + 51 + 10)) << "the verifier goes by it, too";
}

TEST(Solve, OnlyTheBoxThatMayBeReadIsCopied) {
  Problem problem;
  problem.arrays = {array("a", true)};
  problem.arrays[0].extent = Box{{0, 10}, {0, 10}};
  Operation f =
      pinned(operation({{0, Operand::Operation, std::nullopt, std::nullopt, Box{{2, 4}, {0, 10}}}}, {}), Side::Device);
  problem.body.push_back(statement(f, "f", 1));
  Solution solution = solved(problem);
  ASSERT_EQ(solution.plan.copies.size(), 1u);
  EXPECT_EQ(solution.plan.copies[0].box, (Box{{2, 4}, {0, 10}}));
  EXPECT_EQ(solution.plan.copies[0].price, 10 + 20);
}

TEST(Solve, ViewsShareTheirUnitsCopies) {
  Problem problem;
  problem.arrays = {array("a", true, true), array("top"), array("all")};
  problem.arrays[0].extent = Box{{0, 10}};
  problem.arrays[1].aliasOf = problem.arrays[2].aliasOf = 0;
  problem.arrays[1].aliasBox = Box{{0, 5}};
  problem.arrays[2].aliasBox = Box{{0, 10}};
  problem.body.push_back(
      statement(pinned(operation({}, {writing(1)}), Side::Device), "f", 1)); // half of a: the rest is wanted
  EXPECT_EQ(copies(solved(problem)), (Strings{"h2d a before 1 x1", "d2h a end 0 x1"}));
  std::get<Operation>(problem.body[0].what).writes = {writing(2)}; // all of a
  EXPECT_EQ(copies(solved(problem)), (Strings{"d2h a end 0 x1"}));
}

TEST(Solve, ACallIsPlacedAsIfInlined) {
  Problem problem;
  problem.arrays = {array("x", true), array("y", false, true), array("p"), array("q")};
  Function callee{"callee", {statement(pinned(operation({reading(2)}, {writing(3)}), Side::Device), "f", 1)}, {2, 3}};
  problem.functions.push_back(callee);
  Call call;
  call.function = 0;
  call.arguments = {{2, 0}};
  call.results = {{1, 3}};
  problem.body.push_back(statement(loop(10, {statement(call, "c", 2)}), "i", 3));
  Solution solution = solved(problem);
  EXPECT_EQ(copies(solution), (Strings{"h2d x loop-entry 3 x1", "d2h y loop-exit 3 x1"}));
  EXPECT_EQ(solution.side(1, 0), Sides::Device);
  EXPECT_EQ(solution.graph().calls[0].tag, 2u);
}

TEST(Solve, ARecursiveFunctionHasOneCopyForAllItsCalls) {
  // f(p): q <- map p on the device; half of the time f(q). It runs twice a call from outside.
  Problem problem;
  problem.arrays = {array("x", true), array("y", false, true), array("p"), array("q")};
  Call again;
  again.function = 0;
  again.arguments = {{2, 3}};
  again.results = {{3, 3}};
  Branch branch;
  branch.then.push_back(statement(again, "again", 2));
  problem.functions.push_back(
      {"f",
       {statement(pinned(operation({reading(2)}, {writing(3)}), Side::Device), "map", 1), statement(branch, "p", 3)},
       {2, 3}});
  Call call;
  call.function = 0;
  call.arguments = {{2, 0}};
  call.results = {{1, 3}};
  problem.body.push_back(statement(call, "c", 4));
  Solution solution = solved(problem);
  EXPECT_EQ(solution.plan.copies.size(), 2u); // x on the way in, y on the way out
  EXPECT_EQ(solution.plan.cost, Rational(110 + 120 + 2 * 5));
  auto map = std::find_if(solution.graph().points.begin(), solution.graph().points.end(),
                          [](const Point &point) { return point.name == "map"; });
  EXPECT_EQ(map->frequency, Rational(2));
}

TEST(Solve, WhatARecursiveCallLeavesAliveIsNotOverwritten) {
  // q lives across the call of f in f: its write on the host leaves the outer calls' q on the device alone only if that
  // side keeps them, so the write is an update.
  Problem problem;
  problem.arrays = {array("x", true), array("p"), array("q")};
  Call again;
  again.function = 0;
  again.arguments = {{1, 1}};
  Branch branch;
  branch.then.push_back(statement(again, "again", 2));
  branch.then.push_back(statement(pinned(operation({reading(2)}, {}), Side::Host), "use", 5));
  problem.functions.push_back(
      {"f",
       {statement(pinned(operation({reading(1)}, {writing(2)}), Side::Host), "make", 1), statement(branch, "p", 3)},
       {1, 2}});
  Call call;
  call.function = 0;
  call.arguments = {{1, 0}};
  problem.body.push_back(statement(call, "c", 4));
  Result<Lowered> lowered = lower(problem);
  ASSERT_TRUE(lowered);
  for (const Point &point : lowered->graph.points)
    if (point.name == "make") {
      EXPECT_FALSE(point.writes[0].whole);
    }
  EXPECT_TRUE(solve(problem, machine()));
}

TEST(Solve, AParallelLoopKeepsSharedArraysOnTheirSides) {
  for (bool parallel : {false, true}) {
    Problem problem;
    problem.arrays = {array("a", true), array("b")};
    Loop inner = loop(2, {statement(pinned(operation({reading(0)}, {}), Side::Device), "f", 1),
                          statement(pinned(operation({}, {updating(0)}), Side::Host), "g", 2)});
    inner.parallel = parallel;
    problem.body.push_back(statement(inner, "i", 3));
    Result<Solution> solution = solve(problem, machine());
    EXPECT_EQ(static_cast<bool>(solution), !parallel); // a trip's copy would clobber another's update
  }
}

TEST(Solve, ContradictingPinsAreNamed) {
  Problem problem;
  problem.arrays = {array("a")};
  Loop inner = loop(2, {statement(pinned(operation({}, {updating(0)}), Side::Host), "f", 1)});
  inner.pin = Side::Device;
  problem.body.push_back(statement(inner, "i", 2));
  Result<Solution> solution = solve(problem, machine());
  ASSERT_FALSE(solution);
  EXPECT_EQ(solution.error().kind, ErrorKind::Infeasible);
  EXPECT_EQ(
      solution.error().message,
      "no plan meets all requirements: region 'i' inside a kernel, so operation 'f' on the device, which is ruled out");
}

TEST(Solve, AnOverflowNamesItsObject) {
  Problem problem;
  problem.arrays = {array("huge", true, false, INT64_MAX)};
  problem.runs = Rational(INT64_MAX);
  Body body = {statement(pinned(operation({reading(0)}, {}, INT64_MAX, INT64_MAX), Side::Device), "f", 1)};
  for (Tag tag = 2; tag < 5; ++tag)
    body = {statement(loop(INT64_MAX / 4, body), "loop" + std::to_string(tag), tag)};
  problem.body = body;
  Result<Solution> solution = solve(problem, machine());
  ASSERT_FALSE(solution);
  EXPECT_EQ(solution.error().kind, ErrorKind::Overflow);
  EXPECT_NE(solution.error().message.find("out of range"), std::string::npos);
}

TEST(Solve, PricesBeyond64BitsAreExact) {
  Problem problem;
  problem.arrays = {array("a", true)};
  problem.arrays[0].h2d = INT64_MAX;
  problem.runs = Rational(std::int64_t{1} << 40);
  problem.body.push_back(statement(pinned(operation({reading(0)}, {}), Side::Device), "f", 1));
  EXPECT_EQ(solved(problem).plan.cost, problem.runs * (Rational(INT64_MAX) + Rational(5)));
}

TEST(Solve, PlacingAPlacedProgramChangesNothing) {
  Problem problem;
  problem.arrays = {array("a", true, true), array("b")};
  Body body;
  body.push_back(statement(operation({reading(0)}, {writing(1)}, 500, 1), "f", 1));
  body.push_back(statement(operation({reading(1, 4)}, {updating(0, 2, 2)}, 1, 300), "g", 2));
  problem.body.push_back(statement(loop(7, body), "i", 3));
  Solution first = solved(problem);
  auto &placed = std::get<Loop>(problem.body[0].what).body;
  for (Statement &each : placed) {
    auto &leaf = std::get<Operation>(each.what);
    leaf.pin = first.side(each.tag) == Sides::Host ? Side::Host : Side::Device;
  }
  Solution second = solved(problem);
  EXPECT_EQ(first.plan.copies, second.plan.copies);
  EXPECT_EQ(first.plan.accesses, second.plan.accesses);
  EXPECT_EQ(first.plan.cost, second.plan.cost);
}

TEST(Solve, ZeroBytesCostNothing) {
  Problem problem;
  problem.arrays = {array("a", true, false, 0)};
  problem.body.push_back(statement(pinned(operation({reading(0)}, {}), Side::Device), "f", 1));
  EXPECT_EQ(solved(problem).plan.cost, Rational(5));
}

} // namespace
} // namespace ferry::placement::test
