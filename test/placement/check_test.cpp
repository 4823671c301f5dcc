// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every message of check() is provoked once: by a problem that is right but for one thing.
#include "build.h"
#include "machines.h"

#include <gtest/gtest.h>

#include <functional>

namespace ferry::placement::test {
namespace {

struct ProblemCase {
  const char *message;
  std::function<void(Problem &)> spoil;
};

/// 'f' reads a and updates b; the loop 'i' holds 'g'; the function 'callee' has the locals p and q.
Problem goodProblem() {
  Problem problem;
  problem.arrays = {array("a", true), array("b", false, true), array("p"), array("q"), array("v")};
  problem.arrays[0].extent = problem.arrays[1].extent = Box{{0, 10}};
  problem.body.push_back(statement(operation({reading(0)}, {updating(1, 5)}), "f", 1));
  problem.body.push_back(statement(loop(3, {statement(operation({}, {writing(1)}), "g", 3)}), "i", 2));
  Function callee;
  callee.name = "callee";
  callee.locals = {2, 3};
  callee.body.push_back(statement(operation({reading(2)}, {writing(3)}), "h", 4));
  problem.functions.push_back(callee);
  Call call;
  call.function = 0;
  call.arguments = {{2, 4}};
  problem.body.push_back(statement(call, "c", 5));
  problem.arrays[4].aliasOf = std::nullopt;
  return problem;
}

Operation &f(Problem &problem) { return std::get<Operation>(problem.body[0].what); }
Loop &i(Problem &problem) { return std::get<Loop>(problem.body[1].what); }
Call &c(Problem &problem) { return std::get<Call>(problem.body[2].what); }

Statement branchOf(Body then, Body otherwise = {}) {
  Branch branch;
  branch.then = std::move(then);
  branch.otherwise = std::move(otherwise);
  return statement(std::move(branch), "p");
}

/// Makes 'callee' call itself with probability 1/4.
void recurse(Problem &problem, Rational probability = {1, 4}) {
  Call again;
  again.function = 0;
  again.arguments = {{2, 3}};
  Statement branch = branchOf({statement(again, "again")});
  std::get<Branch>(branch.what).probability = probability;
  problem.functions[0].body.push_back(std::move(branch));
}

const ProblemCase kProblemCases[] = {
    {"array 'a': negative size", [](Problem &p) { p.arrays[0].bytes = -1; }},
    {"array 'a': negative price of a copy to the device", [](Problem &p) { p.arrays[0].h2d = -1; }},
    {"array 'a': negative price of a copy to the host", [](Problem &p) { p.arrays[0].d2h = -1; }},
    {"array 'a': extent [1:10] does not start at 0", [](Problem &p) { p.arrays[0].extent = Box{{1, 10}}; }},
    {"array 'a': 101 bytes are no multiple of 10 elements", [](Problem &p) { p.arrays[0].bytes = 101; }},
    {"operation 'f': reads an array that does not exist", [](Problem &p) { f(p).reads[0].array = 99; }},
    {"operation 'f': negative price of a peek of array 'a'", [](Problem &p) { f(p).reads[0].peek = -1; }},
    {"operation 'f': negative price of a fetch of array 'a'", [](Problem &p) { f(p).reads[0].fetch = -1; }},
    {"operation 'f': uses a box of array 'v', which has no extent",
     [](Problem &p) { f(p).reads[0] = {4, Operand::Operation, std::nullopt, std::nullopt, Box{{0, 1}}}; }},
    {"operation 'f': box [0:1, 0:1] has not the dimensions of array 'a'",
     [](Problem &p) { f(p).reads[0].box = Box{{0, 1}, {0, 1}}; }},
    {"operation 'f': box [5:11] is outside of array 'a'", [](Problem &p) { f(p).reads[0].box = Box{{5, 11}}; }},
    {"operation 'f': writes an array that does not exist", [](Problem &p) { f(p).writes[0].array = 99; }},
    {"operation 'f': negative price of a poke of array 'b'", [](Problem &p) { f(p).writes[0].poke = -1; }},
    {"operation 'f': negative price of a push of array 'b'", [](Problem &p) { f(p).writes[0].push = -1; }},
    {"operation 'f': a poke or push of array 'b', which it overwrites whole",
     [](Problem &p) { f(p).writes[0].whole = true; }},
    {"operation 'f': writes array 'b' whole, but only [0:3]",
     [](Problem &p) { f(p).writes[0] = {1, true, std::nullopt, std::nullopt, Box{{0, 3}}}; }},
    {"operation 'f': writes array 'b' twice", [](Problem &p) { f(p).writes.push_back(writing(1)); }},
    {"operation 'f': negative host cost", [](Problem &p) { f(p).cost.host = -1; }},
    {"operation 'f': negative device cost", [](Problem &p) { f(p).cost.device = -1; }},
    {"operation 'f': negative inner cost", [](Problem &p) { f(p).cost.inner = -1; }},
    {"operation 'f': negative launch cost", [](Problem &p) { f(p).cost.launch = -1; }},
    {"operation 'f': an allocation that reads", [](Problem &p) { f(p).allocate = true; }},
    {"operation 'f': an allocation that updates a part",
     [](Problem &p) {
       f(p).allocate = true;
       f(p).reads.clear();
     }},
    {"problem: runs 0 is not positive", [](Problem &p) { p.runs = 0; }},
    {"loop 'i': 1/2 trips; once entered it makes at least one", [](Problem &p) { i(p).trips = Rational(1, 2); }},
    {"loop 'i': entered with probability 0", [](Problem &p) { i(p).enter = 0; }},
    {"loop 'i': entered with probability 2", [](Problem &p) { i(p).enter = 2; }},
    {"loop 'i': a parallel loop carries values from trip to trip",
     [](Problem &p) {
       i(p).parallel = true;
       i(p).onBack = {{0, 1}};
     }},
    {"loop 'i': renames an array that does not exist", [](Problem &p) { i(p).onBack = {{0, 99}}; }},
    {"loop 'i': renames two arrays to array 'a'", [](Problem &p) { i(p).onBack = {{0, 1}, {0, 1}}; }},
    {"loop 'i': renames array 'v' to array 'a' of another extent", [](Problem &p) { i(p).onBack = {{0, 4}}; }},
    {"loop 'i': its body never gets to its end", [](Problem &p) { i(p).body.push_back(statement(Break{}, "out")); }},
    {"loop 'i': 3 trips, but it is left early 3/2 times an entry",
     [](Problem &p) { i(p).body.push_back(branchOf({statement(Break{}, "out")})); }},
    {"break 'out': outside of a loop", [](Problem &p) { p.body.push_back(statement(Break{}, "out")); }},
    {"continue 'on': outside of a loop", [](Problem &p) { p.body.push_back(statement(Continue{}, "on")); }},
    {"statement 'late': nothing gets here",
     [](Problem &p) {
       p.body.push_back(statement(Return{}, "out"));
       p.body.push_back(statement(operation({}, {}), "late"));
     }},
    {"statement 'twin': tag 1 is given twice",
     [](Problem &p) { p.body.push_back(statement(operation({}, {}), "twin", 1)); }},
    {"branch 'p': probability 3/2 is not between 0 and 1",
     [](Problem &p) {
       p.body.push_back(branchOf({}));
       std::get<Branch>(p.body.back().what).probability = Rational(3, 2);
     }},
    {"operation 'h': more than 4 operations after inlining", [](Problem &p) { p.inlineBudget = 4; }},
    {"control 'i': more than 2 operations after inlining",
     [](Problem &p) {
       p.body.erase(p.body.begin());
       p.body.insert(p.body.begin(), statement(operation({}, {}), "first"));
       p.inlineBudget = 2;
     }},
    {"call 'c': of a function that does not exist", [](Problem &p) { c(p).function = 7; }},
    {"call 'c': passes an argument to what is no local of 'callee'", [](Problem &p) { c(p).arguments = {{0, 0}}; }},
    {"call 'c': not all arguments of a recursive function",
     [](Problem &p) {
       recurse(p);
       c(p).arguments.clear();
     }},
    {"function 'callee': on the average it calls itself at least once a call",
     [](Problem &p) {
       recurse(p, {1, 2});
       recurse(p, {9, 10});
     }},
    {"array 'q': a local of two functions",
     [](Problem &p) { p.functions.push_back(p.functions[0]), p.functions[1].locals = {3}; }},
    {"function 'callee': a local that does not exist", [](Problem &p) { p.functions[0].locals.push_back(99); }},
    {"array 'q': a local of a function is an argument or a result of the program",
     [](Problem &p) { p.arrays[3].result = true; }},
    {"array 'v': an alias of an array that does not exist", [](Problem &p) { p.arrays[4].aliasOf = 99; }},
    {"array 'v': an alias of itself", [](Problem &p) { p.arrays[4].aliasOf = 4; }},
    {"array 'v': an alias has no home, price or extent of its own",
     [](Problem &p) {
       p.arrays[4].aliasOf = 0;
       p.arrays[4].argument = true;
     }},
    {"array 'b': an alias has no home, price or extent of its own", [](Problem &p) { p.arrays[1].aliasOf = 0; }},
    {"array 'w': an alias of the alias array 'v'",
     [](Problem &p) {
       p.arrays[4].aliasOf = 0;
       p.arrays.push_back(array("w"));
       p.arrays[5].aliasOf = 4;
     }},
    {"array 'v': an alias of a local of another function", [](Problem &p) { p.arrays[4].aliasOf = 2; }},
    {"array 'v': box [5:11] is outside of array 'a'",
     [](Problem &p) {
       p.arrays[4].aliasOf = 0;
       p.arrays[4].aliasBox = Box{{5, 11}};
     }},
    {"array 'v': a part of no array", [](Problem &p) { p.arrays[4].aliasBox = Box{{0, 1}}; }},
    {"loop 'i': renames the alias array 'v'",
     [](Problem &p) {
       p.arrays[4].aliasOf = 0;
       c(p).arguments.clear();
       i(p).onBack = {{0, 4}};
     }},
};

TEST(Check, EachMessageOfAProblem) {
  Result<void> good = check(goodProblem());
  ASSERT_TRUE(good) << good.error().message;
  for (const ProblemCase &each : kProblemCases) {
    Problem problem = goodProblem();
    each.spoil(problem);
    Result<void> result = check(problem);
    ASSERT_FALSE(result) << each.message;
    EXPECT_EQ(result.error().message, each.message);
    EXPECT_EQ(result.error().kind, ErrorKind::Malformed);
  }
}

TEST(Check, RegionsThatCallBack) {
  for (bool parallel : {true, false}) {
    Problem problem = goodProblem();
    Call again;
    again.function = 0;
    again.arguments = {{2, 3}};
    Loop inner = loop(1, {branchOf({statement(again, "again")})});
    std::get<Branch>(inner.body[0].what).probability = Rational(1, 4);
    inner.parallel = parallel;
    if (!parallel)
      inner.pin = Side::Device;
    problem.functions[0].body.push_back(statement(inner, "j"));
    Result<void> result = check(problem);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message, "loop 'j': calls back into the function it is in, so it is no region");
  }
  Problem problem = goodProblem();
  recurse(problem);
  std::get<Branch>(problem.functions[0].body.back().what).pin = Side::Device;
  Result<void> result = check(problem);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "branch 'p': calls back into the function it is in, so it is no region");
}

TEST(Check, CallsThatNeverComeBack) {
  // A body whose only way out ends the program does not exist: a callee's return goes back to its caller. An endless
  // loop does.
  Problem problem = goodProblem();
  Loop endless = loop(2, {branchOf({statement(Return{}, "out")})});
  problem.functions[0].body = {statement(endless, "l")};
  EXPECT_TRUE(check(problem)) << check(problem).error().message;
}

struct GraphCase {
  const char *message;
  std::function<void(Graph &)> spoil;
};

/// entry -> control (region r) -> operation 'f' or nothing -> join -> exit
Graph goodGraph() {
  Graph graph;
  graph.arrays = {array("a", true, true)};
  graph.points.resize(5);
  graph.points[0].kind = PointKind::Entry;
  graph.points[1].kind = PointKind::Control;
  graph.points[2].kind = PointKind::Operation;
  graph.points[3].kind = PointKind::Join;
  graph.points[4].kind = PointKind::Exit;
  graph.points[2].name = "f";
  graph.points[2].frequency = Rational(1, 2);
  graph.points[2].writes = {updating(0)};
  graph.regions.resize(1);
  graph.regions[0].name = "r";
  for (PointId id : {1, 2, 3})
    graph.points[id].region = 0;
  graph.edges = {
      {0, 1, 1, {}, {}}, {1, 2, {1, 2}, {}, {}}, {1, 3, {1, 2}, {}, {}}, {2, 3, {1, 2}, {}, {}}, {3, 4, 1, {}, {}}};
  return graph;
}

const GraphCase kGraphCases[] = {
    {"array 'a': an alias in a graph", [](Graph &g) { g.arrays[0].aliasOf = 0; }},
    {"operation 'f': region 7 does not exist", [](Graph &g) { g.points[2].region = 7; }},
    {"operation 'f': frequency -1 is negative", [](Graph &g) { g.points[2].frequency = -1; }},
    {"join 3: only an operation writes, runs on both sides, shares a launch or is pinned",
     [](Graph &g) { g.points[3].pin = Side::Host; }},
    {"join 3: only an operation or a control reads", [](Graph &g) { g.points[3].reads = {reading(0)}; }},
    {"entry 0: is inside a region", [](Graph &g) { g.points[0].region = 0; }},
    {"operation 'f': writes array 'a' twice", [](Graph &g) { g.points[2].writes.push_back(updating(0)); }},
    {"edge 1: a point that does not exist", [](Graph &g) { g.edges[1].to = 9; }},
    {"edge from control 1 to operation 'f': frequency -1 is negative", [](Graph &g) { g.edges[1].frequency = -1; }},
    {"operation 'f': frequency 1/3, but 1/2 comes in", [](Graph &g) { g.points[2].frequency = Rational(1, 3); }},
    {"operation 'f': frequency 1/2, but 1/3 goes out", [](Graph &g) { g.edges[3].frequency = Rational(1, 3); }},
    {"operation 'f': not in a straight line",
     [](Graph &g) {
       g.edges[3].frequency = Rational(1, 4);
       g.edges.push_back({2, 3, {1, 4}, {}, {}});
     }},
    {"graph: 2 entries instead of one",
     [](Graph &g) {
       g.points.resize(7);
       g.points[5].kind = PointKind::Entry;
       g.points[6].kind = PointKind::Exit;
       g.edges.push_back({5, 6, 1, {}, {}});
     }},
    {"join 5: cannot be reached from the entry",
     [](Graph &g) {
       g.points.resize(6);
       g.edges.push_back({5, 5, 1, {}, {}});
     }},
    {"region 'r': its parent does not come before it", [](Graph &g) { g.regions[0].parent = 0; }},
    {"region 'r': entered at 2 points instead of one", [](Graph &g) { g.points[1].region = kNone; }},
    {"edge from control 1 to operation 'f': renames two arrays to array 'a'",
     [](Graph &g) { g.edges[1].renames = {{0, 0}, {0, 0}}; }},
};

TEST(Check, EachMessageOfAGraph) {
  Result<void> good = check(goodGraph());
  ASSERT_TRUE(good) << good.error().message;
  for (const GraphCase &each : kGraphCases) {
    Graph graph = goodGraph();
    each.spoil(graph);
    Result<void> result = check(graph);
    ASSERT_FALSE(result) << each.message;
    EXPECT_EQ(result.error().message, each.message);
  }
}

} // namespace
} // namespace ferry::placement::test
