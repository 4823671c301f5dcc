// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The verifier against plans that are wrong. Each change to a plan is judged by the tests' own judge; if it makes the
// plan illegal or gives it another price, the verifier has to refuse it, and if not, to accept it.
#include "exhaustive.h"
#include "machines.h"
#include "programs.h"

#include "placement/solve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>

namespace ferry::placement::test {
namespace {

struct Score {
  unsigned wrong = 0, refused = 0, harmless = 0;
};

class Mutator {
public:
  Mutator(const Graph &graph, const Machine &machine, const Plan &plan, std::map<std::string, Score> &scores)
      : graph(graph), machine(machine), plan(plan), scores(scores) {}

  void run() {
    for (std::size_t i = 0; i < plan.copies.size(); ++i)
      copy(i);
    for (std::size_t i = 0; i < plan.accesses.size(); ++i) {
      mutate(dropped(plan.accesses[i].traffic),
             [&](Plan &p) { p.accesses.erase(p.accesses.begin() + static_cast<std::ptrdiff_t>(i)); });
      mutate("the same access twice", [&](Plan &p) { p.accesses.push_back(plan.accesses[i]); });
    }
    for (PointId id = 0; id < graph.points.size(); ++id) {
      if (graph.points[id].kind != PointKind::Operation)
        continue;
      for (Sides side : {Sides::Host, Sides::Device, Sides::Both})
        if (side != plan.sides[id])
          mutate(graph.points[id].pin  ? "flip a pinned side"
                 : side == Sides::Both ? "run on both sides"
                                       : "flip a side",
                 [&](Plan &p) { p.sides[id] = side; });
      mutate(plan.shares[id] ? "do not share a launch" : "share a launch that cannot be",
             [&](Plan &p) { p.shares[id] = !p.shares[id]; });
    }
    for (RegionId id = 0; id < graph.regions.size(); ++id)
      mutate("flip a kernel", [&](Plan &p) { p.kernels[id] = !p.kernels[id]; });
    for (EdgeId id = 0; id < graph.edges.size(); ++id)
      for (ArrayId array = 0; array < graph.arrays.size(); ++array)
        for (Direction direction : {Direction::HostToDevice, Direction::DeviceToHost})
          add(id, array, direction);
    for (PointId id = 0; id < graph.points.size(); ++id)
      for (const Read &read : graph.points[id].reads)
        for (Traffic traffic : {Traffic::Peek, Traffic::Fetch})
          if (Access access{id, read.array, traffic};
              std::find(plan.accesses.begin(), plan.accesses.end(), access) == plan.accesses.end())
            mutate(std::string("add a ") + toString(traffic), [&](Plan &p) { p.accesses.push_back(access); });
  }

private:
  /// Without its poke or push an update leaves the other side's copy behind: the twin is lost too early.
  static const char *dropped(Traffic traffic) {
    return traffic == Traffic::Peek    ? "drop a peek"
           : traffic == Traffic::Fetch ? "drop a fetch"
           : traffic == Traffic::Poke  ? "skip a poke"
                                       : "skip a push";
  }

  bool writes(PointId id, ArrayId array) const {
    const auto &all = graph.points[id].writes;
    return std::any_of(all.begin(), all.end(), [&](const Write &write) { return write.array == array; });
  }

  const char *dropping(const Copy &copy) const {
    if (graph.points[graph.edges[copy.edge].to].kind == PointKind::Exit)
      return "leave a result away from home";
    return "drop a copy";
  }

  void copy(std::size_t i) {
    mutate(dropping(plan.copies[i]),
           [&](Plan &p) { p.copies.erase(p.copies.begin() + static_cast<std::ptrdiff_t>(i)); });
    mutate("turn a copy round", [&](Plan &p) {
      Direction &direction = p.copies[i].direction;
      direction = direction == Direction::HostToDevice ? Direction::DeviceToHost : Direction::HostToDevice;
    });
    const Edge &edge = graph.edges[plan.copies[i].edge];
    for (EdgeId other = 0; other < graph.edges.size(); ++other) {
      if (other == plan.copies[i].edge)
        continue;
      const Edge &to = graph.edges[other];
      bool past = (to.to == edge.from && writes(edge.from, plan.copies[i].array)) ||
                  (to.from == edge.to && writes(edge.to, plan.copies[i].array));
      const char *kind = past                   ? "move a copy past a write"
                         : to.from == edge.from ? "move a copy into the other arm"
                         : to.to == edge.to     ? "move a copy to another way in"
                         : to.from == edge.to   ? "move a copy behind the next point"
                         : to.to == edge.from   ? "move a copy before the last point"
                                                : "move a copy elsewhere";
      mutate(kind, [&](Plan &p) { move(p.copies[i], other); });
    }
    if (plan.copies[i].box || graph.arrays[plan.copies[i].array].extent)
      mutate("copy less", [&](Plan &p) {
        Copy &copy = p.copies[i];
        copy.box = copy.box.value_or(*graph.arrays[copy.array].extent);
        --(*copy.box)[0].end;
      });
  }

  void move(Copy &copy, EdgeId edge) {
    copy.edge = edge;
    copy.source = copy.array;
    for (const Rename &rename : graph.edges[edge].renames)
      if (rename.destination == copy.array)
        copy.source = rename.source;
  }

  void add(EdgeId edge, ArrayId array, Direction direction) {
    for (const Copy &copy : plan.copies)
      if (copy.edge == edge && copy.array == array)
        return;
    mutate("add a copy", [&](Plan &p) {
      Copy copy;
      copy.array = array;
      copy.direction = direction;
      move(copy, edge);
      p.copies.push_back(copy);
    });
  }

  void mutate(const std::string &kind, const std::function<void(Plan &)> &change) {
    Plan changed = plan;
    change(changed);
    TinyJudge::Verdict verdict = TinyJudge::judge(graph, machine, changed);
    bool accepted = static_cast<bool>(verify(graph, machine, changed));
    Score &score = scores[kind];
    if (verdict.price && *verdict.price == plan.cost) {
      ++score.harmless;
      EXPECT_TRUE(accepted) << kind << ": " << verify(graph, machine, changed).error().message;
      return;
    }
    ++score.wrong;
    score.refused += !accepted;
    if (verdict.price) {
      Result<Rational> judged = price(graph, machine, changed);
      EXPECT_TRUE(judged && *judged == *verdict.price) << kind << ": costs " << verdict.price->toString() << ", but "
                                                       << (judged ? judged->toString() : judged.error().message);
    }
  }

  const Graph &graph;
  const Machine &machine;
  const Plan &plan;
  std::map<std::string, Score> &scores;
};

TEST(Mutations, AreRefused) {
  Machine machine = tinyMachine();
  std::map<std::string, Score> scores;
  for (std::uint64_t seed = 200000; seed < 200000 + reduced(2000); ++seed) {
    Result<Lowered> lowered = lower(randomProblem(seed));
    ASSERT_TRUE(lowered);
    if (!isTiny(lowered->graph, 8, 40))
      continue;
    Result<Plan> plan = solve(lowered->graph, machine);
    if (!plan)
      continue;
    Mutator(lowered->graph, machine, *plan, scores).run();
    if (testing::Test::HasFailure())
      FAIL() << "seed " << seed;
  }
  Score all;
  for (const auto &[kind, score] : scores) {
    std::cout << kind << ": " << score.refused << " of " << score.wrong << " wrong plans refused, " << score.harmless
              << " as good\n";
    all.wrong += score.wrong;
    all.refused += score.refused;
    if (reduced(2000) == 2000) {
      EXPECT_GT(score.wrong, 0u) << kind;
    }
  }
  std::cout << "mutation score: " << 100.0 * all.refused / all.wrong << " % of " << all.wrong << "\n";
  EXPECT_EQ(all.refused, all.wrong);
}

} // namespace
} // namespace ferry::placement::test
