// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "exhaustive.h"
#include "tiny.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace ferry::placement::test {

namespace {

struct Candidate {
  enum { Up, Down, Peek, Poke, Push, Fetch } kind;
  std::uint32_t at;
  ArrayId array;
  Money price;
};

class Search {
public:
  Search(Tiny &tiny, Money bound, std::size_t mostTrials)
      : tiny(tiny), bound(bound), most(mostTrials), plan(tiny.empty()) {
    std::vector<ArrayId> leader(tiny.graph.arrays.size());
    std::iota(leader.begin(), leader.end(), 0);
    for (bool changed = true; changed;) {
      changed = false;
      for (const Edge &edge : tiny.graph.edges)
        for (const Rename &rename : edge.renames) {
          ArrayId low = std::min(leader[rename.source], leader[rename.destination]);
          for (ArrayId array : {rename.source, rename.destination})
            if (leader[array] != low) {
              leader[array] = low;
              changed = true;
            }
        }
    }
    std::set<ArrayId> leaders(leader.begin(), leader.end());
    for (ArrayId each : leaders) {
      groups.emplace_back();
      for (ArrayId a = 0; a < leader.size(); ++a)
        if (leader[a] == each)
          groups.back().push_back(a);
    }
  }

  SearchResult run() {
    sides(0);
    if (trials > most)
      return {false, std::nullopt, ""};
    return {true, better ? std::optional(Rational(*better, tiny.scale)) : std::nullopt, text};
  }

private:
  bool done() const { return better || trials > most; }

  void sides(PointId p) {
    if (done())
      return;
    if (p == tiny.graph.points.size())
      return kernels(0);
    const Point &point = tiny.graph.points[p];
    if (point.kind != PointKind::Operation)
      return sides(p + 1);
    for (Sides side : {Sides::Host, Sides::Device, Sides::Both}) {
      if ((side == Sides::Both && !point.both) ||
          (point.pin && side != (*point.pin == Side::Host ? Sides::Host : Sides::Device)))
        continue;
      plan.sides[p] = side;
      sides(p + 1);
    }
  }

  void kernels(RegionId r) {
    if (done())
      return;
    if (r == tiny.graph.regions.size())
      return shares(0);
    for (bool kernel : {false, true}) {
      plan.kernels[r] = kernel;
      kernels(r + 1);
    }
  }

  void shares(PointId p) {
    if (done())
      return;
    while (p < tiny.graph.points.size() && tiny.neighbour[p] == kNone)
      ++p;
    if (p >= tiny.graph.points.size())
      return traffic();
    for (bool share : {true, false}) {
      plan.shares[p] = share;
      shares(p + 1);
    }
    plan.shares[p] = false;
  }

  void traffic() {
    std::optional<Money> run = tiny.runPrice(plan);
    if (!run || *run >= bound)
      return;
    Money total = *run;
    for (const auto &group : groups) {
      cheapest = bound - total;
      found = false;
      mask = 0;
      for (ArrayId a : group)
        mask |= tiny.all(a);
      collect(group);
      text = groups.front() == group ? describeRuns() : text;
      extend(0, 0);
      if (done() || !found)
        return;
      text += moves;
      total += cheapest;
      if (total >= bound)
        return;
    }
    better = total;
  }

  void collect(const std::vector<ArrayId> &group) {
    candidates.clear();
    const Graph &graph = tiny.graph;
    auto inGroup = [&](ArrayId a) { return std::find(group.begin(), group.end(), a) != group.end(); };
    for (EdgeId e = 0; e < graph.edges.size(); ++e) {
      const Edge &edge = graph.edges[e];
      if (tiny.edgeInKernel(plan, e) || plan.shares[edge.to] || skipped(e))
        continue;
      for (ArrayId a : group) {
        Mask elements = tiny.around(a, tiny.live[edge.to]);
        if (elements == 0 || (tiny.sharedOnEdge(e) & tiny.all(a)))
          continue;
        for (bool up : {true, false})
          candidates.push_back({up ? Candidate::Up : Candidate::Down, e, a,
                                tiny.often(edge.frequency) * tiny.copyPrice(a, up, elements)});
      }
    }
    for (PointId p = 0; p < graph.points.size(); ++p) {
      const Point &point = graph.points[p];
      Money f = tiny.often(point.frequency);
      for (ArrayId a : group) {
        std::optional<Money> peek, fetch;
        for (const Read &read : point.reads) {
          if (read.array == a && read.peek && tiny.hostRead(plan, p, read))
            peek = peek.value_or(0) + f * *read.peek;
          if (read.array == a && tiny.fromDeviceCopy(plan, p, read) && tiny.mayFetch(plan, p, read))
            fetch = fetch.value_or(0) + f * *read.fetch;
        }
        if (peek)
          candidates.push_back({Candidate::Peek, p, a, *peek});
        if (fetch)
          candidates.push_back({Candidate::Fetch, p, a, *fetch});
      }
      for (const Write &write : point.writes) {
        if (!inGroup(write.array) || tiny.inKernel(plan, p))
          continue;
        if (write.poke && plan.sides[p] == Sides::Host)
          candidates.push_back({Candidate::Poke, p, write.array, f * *write.poke});
        if (write.push && plan.sides[p] == Sides::Device)
          candidates.push_back({Candidate::Push, p, write.array, f * *write.push});
      }
    }
    std::sort(candidates.begin(), candidates.end(),
              [](const Candidate &a, const Candidate &b) { return a.price < b.price; });
  }

  /// Of two edges in a row through a point that does nothing, either will do for a copy: the second is left out, unless
  /// the first is in a kernel.
  bool skipped(EdgeId e) const {
    const Edge &edge = tiny.graph.edges[e];
    if (tiny.graph.points[edge.from].kind != PointKind::Join || tiny.ins[edge.from].size() != 1 ||
        tiny.outs[edge.from].size() != 1)
      return false;
    EdgeId before = tiny.ins[edge.from][0];
    return edge.renames.empty() && tiny.graph.edges[before].renames.empty() && !tiny.edgeInKernel(plan, before) &&
           tiny.sharedOnEdge(before) == tiny.sharedOnEdge(e);
  }

  void set(const Candidate &candidate, bool on) {
    Mask elements = candidate.kind <= Candidate::Down
                        ? tiny.around(candidate.array, tiny.live[tiny.graph.edges[candidate.at].to])
                        : Mask{1} << candidate.array;
    Mask &word = candidate.kind == Candidate::Up     ? plan.up[candidate.at]
                 : candidate.kind == Candidate::Down ? plan.down[candidate.at]
                 : candidate.kind == Candidate::Peek ? plan.peek[candidate.at]
                 : candidate.kind == Candidate::Poke ? plan.poke[candidate.at]
                 : candidate.kind == Candidate::Push ? plan.push[candidate.at]
                                                     : plan.fetch[candidate.at];
    word = on ? word | elements : word & ~elements;
  }

  void extend(std::size_t at, Money cost) {
    if (++trials > most || cost >= cheapest)
      return;
    if (tiny.legal(plan, mask, false)) {
      cheapest = cost;
      found = true;
      moves = describeMoves();
      return;
    }
    if (at == candidates.size() || cost + candidates[at].price >= cheapest)
      return;
    for (std::size_t k = at; k < candidates.size(); ++k)
      set(candidates[k], true);
    bool hope = tiny.legal(plan, mask, true);
    for (std::size_t k = at; k < candidates.size(); ++k)
      set(candidates[k], false);
    if (!hope)
      return;
    for (std::size_t k = at; k < candidates.size() && cost + candidates[k].price < cheapest && trials <= most; ++k) {
      set(candidates[k], true);
      extend(k + 1, cost + candidates[k].price);
      set(candidates[k], false);
    }
  }

  std::string describeRuns() const {
    std::string out;
    for (PointId p = 0; p < plan.sides.size(); ++p)
      if (tiny.graph.points[p].kind == PointKind::Operation)
        out += " " + std::to_string(p) +
               (plan.sides[p] == Sides::Host     ? ":host"
                : plan.sides[p] == Sides::Device ? ":device"
                                                 : ":both") +
               (plan.shares[p] ? "+" : "");
    for (RegionId r = 0; r < plan.kernels.size(); ++r)
      out += plan.kernels[r] ? " kernel " + std::to_string(r) : "";
    return out;
  }
  std::string describeMoves() const {
    static constexpr const char *kNames[] = {"h2d", "d2h", "peek", "poke", "push", "fetch"};
    std::string out;
    for (const Candidate &candidate : candidates)
      if (taken(candidate))
        out += std::string(" ") + kNames[candidate.kind] + " " + tiny.graph.arrays[candidate.array].name + "@" +
               std::to_string(candidate.at);
    return out;
  }
  bool taken(const Candidate &candidate) const {
    const std::vector<Mask> *words[] = {&plan.up, &plan.down, &plan.peek, &plan.poke, &plan.push, &plan.fetch};
    Mask bits = candidate.kind <= Candidate::Down ? tiny.all(candidate.array) : Mask{1} << candidate.array;
    return ((*words[candidate.kind])[candidate.at] & bits) != 0;
  }

  Tiny &tiny;
  Money bound;
  std::size_t most, trials = 0;
  TinyPlan plan;
  std::vector<std::vector<ArrayId>> groups;
  std::optional<Money> better;
  std::vector<Candidate> candidates;
  Mask mask = 0;
  Money cheapest = 0;
  bool found = false;
  std::string text, moves;
};

} // namespace

TinyJudge::Verdict TinyJudge::judge(const Graph &graph, const Machine &machine, const Plan &plan) {
  Tiny tiny(graph, machine);
  tiny.byElement = true;
  TinyPlan mine = tiny.empty();
  mine.sides = plan.sides;
  mine.kernels = plan.kernels;
  mine.shares = plan.shares;
  std::optional<Money> total = tiny.runPrice(mine);
  if (!total)
    return {std::nullopt, tiny.why};
  for (const Copy &copy : plan.copies) {
    bool up = copy.direction == Direction::HostToDevice;
    Mask elements = tiny.part(copy.array, copy.box);
    (up ? mine.up : mine.down)[copy.edge] |= elements;
    *total += tiny.often(graph.edges[copy.edge].frequency) * tiny.copyPrice(copy.array, up, elements);
  }
  for (const Access &access : plan.accesses) {
    const Point &point = graph.points[access.point];
    Mask bit = Mask{1} << access.array;
    Money f = tiny.often(point.frequency);
    bool any = false;
    std::vector<Mask> &uses = access.traffic == Traffic::Peek   ? mine.peek
                              : access.traffic == Traffic::Poke ? mine.poke
                              : access.traffic == Traffic::Push ? mine.push
                                                                : mine.fetch;
    if (uses[access.point] & bit)
      return {std::nullopt, "the same access twice"};
    uses[access.point] |= bit;
    if (access.traffic == Traffic::Fetch)
      for (const Read &read : point.reads)
        if (read.array == access.array && tiny.fromDeviceCopy(mine, access.point, read)) {
          *total += f * read.fetch.value_or(0);
          any = true;
        }
    if (access.traffic == Traffic::Peek)
      for (const Read &read : point.reads)
        if (read.array == access.array && tiny.hostRead(mine, access.point, read)) {
          *total += f * read.peek.value_or(0);
          any = true;
        }
    Sides side = access.traffic == Traffic::Poke ? Sides::Host : Sides::Device;
    if (access.traffic == Traffic::Poke || access.traffic == Traffic::Push)
      for (const Write &write : point.writes)
        if (write.array == access.array && !write.whole && mine.sides[access.point] == side &&
            !tiny.inKernel(mine, access.point)) {
          const std::optional<Time> &price = access.traffic == Traffic::Poke ? write.poke : write.push;
          any = price.has_value();
          *total += f * price.value_or(0);
        }
    if (!any)
      return {std::nullopt, "access without a use"};
  }
  if (!tiny.legal(mine, ~Mask{0}, false))
    return {std::nullopt, tiny.why};
  return {Rational(*total, tiny.scale), ""};
}

SearchResult searchCheaper(const Graph &graph, const Machine &machine, const Rational &bound, std::size_t mostTrials) {
  Tiny tiny(graph, machine);
  Rational scaled = bound * Rational(tiny.scale);
  return Search(tiny, static_cast<Money>(scaled.numerator()), mostTrials).run();
}

bool isTiny(const Graph &graph, std::size_t operations, std::size_t edges) {
  std::size_t count = 0;
  for (const Point &point : graph.points)
    count += point.kind == PointKind::Operation;
  return graph.arrays.size() <= 8 && count >= 1 && count <= operations && graph.edges.size() <= edges &&
         graph.regions.size() <= 4;
}

} // namespace ferry::placement::test
