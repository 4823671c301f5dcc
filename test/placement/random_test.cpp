// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs over all features: the plan is legal and costs what the cut says, by the engine's verifier and by the
// tests' own judge, and no plan that an exhaustive search finds is cheaper.
#include "exhaustive.h"
#include "machines.h"
#include "programs.h"

#include "placement/solve.h"

#include <gtest/gtest.h>

#include <iostream>
#include <map>

namespace ferry::placement::test {
namespace {

constexpr std::size_t kMostTrials = 3000;

/// What the plans of the tried programs make use of, so that a feature that has gone missing shows.
void countFeatures(const Graph &graph, const Plan &plan, std::map<std::string, unsigned> &count) {
  for (PointId id = 0; id < graph.points.size(); ++id) {
    const Point &point = graph.points[id];
    if (point.kind == PointKind::Operation)
      ++count[std::string("on ") + toString(plan.sides[id])];
    count["shared launches"] += plan.shares[id];
    for (const Read &read : point.reads) {
      count["by-value reads in kernels"] += graph.arrays[read.array].byValue && plan.inKernel(point.region);
      count["reads of boxes"] += read.box.has_value();
    }
  }
  for (RegionId id = 0; id < graph.regions.size(); ++id) {
    count["kernels"] += plan.kernels[id] && !plan.inKernel(graph.regions[id].parent);
    count["parallel loops"] += graph.regions[id].parallel;
  }
  for (const Copy &copy : plan.copies) {
    ++count[toString(copy.direction)];
    count["copies that rename"] += copy.array != copy.source;
    count["copies of boxes"] += copy.box.has_value();
  }
  for (const Access &access : plan.accesses)
    ++count[toString(access.traffic)];
  std::size_t exits = 0;
  for (const Point &point : graph.points)
    exits += point.kind == PointKind::Exit;
  count["early returns"] += exits > 1;
  count["calls"] += !graph.calls.empty();
}

void tryPrograms(std::uint64_t first, unsigned programs) {
  Machine machine = tinyMachine();
  std::map<std::string, unsigned> count;
  unsigned proven = 0;
  for (std::uint64_t seed = first; proven < programs; ++seed) {
    ASSERT_LT(seed, first + 2 * programs + 1000) << "too few programs can be searched";
    Result<Lowered> lowered = lower(randomProblem(seed));
    ASSERT_TRUE(lowered) << "seed " << seed << ": " << lowered.error().message;
    const Graph &graph = lowered->graph;
    Result<Plan> plan = solve(graph, machine);
    if (!plan) {
      ASSERT_EQ(plan.error().kind, ErrorKind::Infeasible) << "seed " << seed << ": " << plan.error().message;
      ++count["infeasible"];
      continue;
    }
    ASSERT_EQ(plan->cost, plan->bound) << "seed " << seed;
    if (!isTiny(graph, 5, 26)) {
      ++count["too large to search"];
      continue;
    }
    TinyJudge::Verdict verdict = TinyJudge::judge(graph, machine, *plan);
    ASSERT_TRUE(verdict.price) << "seed " << seed << ": " << verdict.why;
    ASSERT_EQ(*verdict.price, plan->cost) << "seed " << seed;
    SearchResult search = searchCheaper(graph, machine, plan->cost, kMostTrials);
    if (!search.finished) {
      ++count["too long to search"];
      continue;
    }
    ASSERT_FALSE(search.better) << "seed " << seed << ": " << search.better->toString() << " instead of "
                                << plan->cost.toString() << ":" << search.plan;
    countFeatures(graph, *plan, count);
    ++proven;
  }
  std::cout << proven << " programs: no plan is cheaper\n";
  for (const auto &[what, times] : count) {
    std::cout << "  " << what << ": " << times << "\n";
    if (programs >= 10000) {
      EXPECT_GT(times, 0u) << what;
    }
  }
}

// Several, so that they can run side by side.
TEST(RandomPrograms, NothingIsCheaper) { tryPrograms(0, reduced(20000)); }

/// Solving the same problem again gives the same plan, and no objective after the price changes the price.
TEST(RandomPrograms, AreDeterministic) {
  Machine machine = tinyMachine();
  for (std::uint64_t seed = 100000; seed < 100000 + reduced(2000); ++seed) {
    Result<Lowered> lowered = lower(randomProblem(seed, 2));
    ASSERT_TRUE(lowered);
    Result<Plan> once = solve(lowered->graph, machine), twice = solve(lowered->graph, machine);
    Result<Plan> cheapest = solve(lowered->graph, machine, {true});
    ASSERT_EQ(static_cast<bool>(once), static_cast<bool>(cheapest)) << "seed " << seed;
    if (!once)
      continue;
    EXPECT_EQ(once->sides, twice->sides);
    EXPECT_EQ(once->kernels, twice->kernels);
    EXPECT_EQ(once->copies, twice->copies);
    EXPECT_EQ(once->accesses, twice->accesses);
    EXPECT_EQ(once->cost, cheapest->cost) << "seed " << seed;
  }
}

} // namespace
} // namespace ferry::placement::test
