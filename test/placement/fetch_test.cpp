// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is fetched from the host copy for one operation of the device, in plans worked out by hand. A copy of an array
// costs 110 up and 120 down, a launch 5.
#include "build.h"

#include <gtest/gtest.h>

#include <functional>

namespace ferry::placement::test {
namespace {

Read fetching(ArrayId array, Time fetch, Operand operand = Operand::Operation) {
  Read read = reading(array, std::nullopt, operand);
  read.fetch = fetch;
  return read;
}

Statement onDevice(std::vector<Read> reads, std::vector<Write> writes, Tag tag) {
  return statement(pinned(operation(std::move(reads), std::move(writes)), Side::Device), "f", tag);
}

TEST(Fetch, InsteadOfACopyUntilItIsDearer) {
  for (Time fetch : {10, 12}) {
    Problem problem;
    problem.arrays = {array("a", true)};
    problem.body.push_back(statement(loop(10, {onDevice({fetching(0, fetch)}, {}, 1)}), "i", 2));
    std::get<Loop>(problem.body[0].what).pin = Side::Host;
    Solution solution = solved(problem);
    EXPECT_EQ(solution.uses(1, 0, Traffic::Fetch), fetch == 10);
    EXPECT_EQ(solution.plan.copies.size(), fetch == 10 ? 0u : 1u);
    EXPECT_EQ(solution.plan.cost, Rational(10 * 5 + (fetch == 10 ? 100 : 110)));
    EXPECT_EQ(solution.validBefore(1, 0), (Validity{fetch == 10, fetch != 10}));
    EXPECT_EQ(solution.residency->peakDeviceBytes(), 100); // what is fetched has its place in the copy
  }
}

TEST(Fetch, IsNoUseWhereTheWholeIsWantedAnyway) {
  Problem problem;
  problem.arrays = {array("a", true)};
  problem.body = {onDevice({fetching(0, 10)}, {}, 1), onDevice({reading(0)}, {}, 2)};
  Solution solution = solved(problem);
  EXPECT_FALSE(solution.uses(1, 0, Traffic::Fetch));
  EXPECT_EQ(solution.plan.cost, Rational(110 + 2 * 5));
}

TEST(Fetch, NothingIsFetchedInsideAKernel) {
  Problem problem;
  problem.arrays = {array("a", true)};
  Loop inner = loop(10, {statement(operation({fetching(0, 0)}, {}), "f", 1)});
  inner.control.reads = {fetching(0, 0)};
  inner.pin = Side::Device;
  problem.body.push_back(statement(inner, "i", 2));
  Solution solution = solved(problem);
  EXPECT_TRUE(solution.plan.accesses.empty());
  EXPECT_EQ(solution.plan.cost, Rational(110 + 5));
}

TEST(Fetch, TheHostCopyHasToBeValid) {
  // The host changes what the device reads a part of, trip by trip.
  Problem problem;
  problem.arrays = {array("a", true, true)};
  Body body = {statement(pinned(operation({}, {updating(0)}), Side::Host), "set", 1),
               onDevice({fetching(0, 3)}, {}, 2)};
  problem.body.push_back(statement(loop(10, body), "i", 3));
  EXPECT_EQ(solved(problem).plan.cost, Rational(10 * (3 + 5)));
  std::get<Operation>(std::get<Loop>(problem.body[0].what).body[0].what).pin = Side::Device;
  Solution solution = solved(problem);
  EXPECT_TRUE(solution.plan.accesses.empty()); // it is there already
  EXPECT_EQ(solution.plan.copies.size(), 2u);
}

TEST(Fetch, APartThatIsReadAndChangedGoesThereAndBack) {
  Problem problem;
  problem.arrays = {array("a", true, true)};
  problem.body = {onDevice({fetching(0, 3)}, {updating(0, std::nullopt, 4)}, 1)};
  Solution solution = solved(problem);
  EXPECT_TRUE(solution.uses(1, 0, Traffic::Fetch));
  EXPECT_TRUE(solution.uses(1, 0, Traffic::Push));
  EXPECT_EQ(solution.plan.cost, Rational(3 + 5 + 4));
}

TEST(Fetch, IsMadeBeforeASharedLaunch) {
  Problem problem;
  problem.arrays = {array("a", true), array("b"), array("r", false, true)};
  for (Tag tag : {1, 2, 3}) {
    problem.body.push_back(onDevice({fetching(tag == 3 ? 1 : 0, 3)}, {updating(tag == 1 ? 1 : 2)}, tag));
    std::get<Operation>(problem.body.back().what).fusible = true;
  }
  Solution solution = solved(problem);
  EXPECT_TRUE(solution.uses(2, 0, Traffic::Fetch));
  EXPECT_TRUE(solution.sharesLaunch(2));
  EXPECT_FALSE(solution.sharesLaunch(3)); // what it could fetch is written in that launch
}

TEST(Fetch, ForAnOperandInDeviceMemory) {
  Problem problem;
  problem.arrays = {array("n", true, false, 8)};
  problem.arrays[0].byValue = true;
  problem.body = {statement(pinned(operation({fetching(0, 0, Operand::Device)}, {}), Side::Host), "f", 1),
                  onDevice({fetching(0, 0)}, {}, 2)};
  Solution solution = solved(problem);
  EXPECT_TRUE(solution.uses(1, 0, Traffic::Fetch));
  EXPECT_FALSE(solution.uses(2, 0, Traffic::Fetch)); // an argument of its launch
  EXPECT_TRUE(solution.plan.copies.empty());
}

TEST(Fetch, NotWhereTripsRunAtTheSameTime) {
  Problem problem;
  problem.arrays = {array("a", true)};
  Loop parallel = loop(10, {onDevice({fetching(0, 0)}, {}, 1)});
  parallel.parallel = true;
  problem.body.push_back(statement(parallel, "i", 2));
  Solution solution = solved(problem);
  EXPECT_FALSE(solution.uses(1, 0, Traffic::Fetch));
  EXPECT_EQ(solution.plan.copies.size(), 1u);
}

TEST(Fetch, AnArgumentOfKernelsIsCopiedBeforeTheOneThatReadsItInMemory) {
  Problem problem;
  problem.arrays = {array("n", true, false, 8)};
  problem.arrays[0].byValue = true;
  problem.arrays[0].h2d = 40;
  Branch seldom;
  seldom.probability = Rational(1, 4);
  seldom.then.push_back(statement(operation({fetching(0, 0, Operand::Device)}, {}), "f", 1));
  seldom.pin = Side::Device;
  problem.body.push_back(statement(seldom, "p", 2));
  EXPECT_EQ(solved(problem).plan.cost, Rational(40 + 5));
}

struct Refused {
  const char *message;
  std::function<void(Problem &)> spoil; ///< Before the plan has its fetch added.
};

TEST(Fetch, EachRefusalOfTheVerifier) {
  auto only = [](Problem &p) -> Operation & { return std::get<Operation>(p.body[0].what); };
  const Refused kRefused[] = {
      {"operation 'f': a fetch of array 'a', which it cannot fetch",
       [&](Problem &p) { only(p).reads[0].fetch.reset(); }},
      {"operation 'f': a fetch of array 'a', which is not valid on the host",
       [](Problem &p) { p.arrays[0].home = Side::Device; }},
      {"operation 'f': a fetch of array 'a' that reads nothing", [](Problem &p) { p.arrays[0].byValue = true; }},
      {"operation 'f': a fetch of array 'a' that reads nothing", [&](Problem &p) { only(p).pin = Side::Host; }},
      {"operation 'f': a fetch of array 'a' inside a kernel",
       [](Problem &p) {
         Loop around = loop(2, {p.body[0]});
         around.pin = Side::Device;
         p.body = {statement(around, "i", 2)};
       }},
      {"operation 'f': a fetch of array 'a' inside a parallel loop whose trips share it",
       [](Problem &p) {
         Loop around = loop(2, {p.body[0]});
         around.parallel = true;
         around.pin = Side::Host;
         p.body = {statement(around, "i", 2)};
       }},
      {"operation 'f': two times a fetch of array 'a'", [](Problem &) {}},
  };
  for (const Refused &each : kRefused) {
    Problem problem;
    problem.arrays = {array("a", true)};
    problem.body = {onDevice({fetching(0, 10)}, {}, 1)};
    each.spoil(problem);
    Solution solution = solved(problem);
    PointId f = solution.lowered.statements.at({1, kNone}).first;
    solution.plan.accesses.push_back({f, 0, Traffic::Fetch});
    Result<Rational> judged = verify(solution.graph(), machine(), solution.plan);
    ASSERT_FALSE(judged) << each.message;
    EXPECT_NE(judged.error().message.find(each.message), std::string::npos) << judged.error().message;
  }
}

} // namespace
} // namespace ferry::placement::test
