// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All arrays' elements are bits of one word on each side: four an array, one for an array without an extent. So a whole
// must-analysis of a plan is a few hundred word operations, and thousands of plans can be tried for each of thousands
// of programs.
#include "exhaustive.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

namespace ferry::placement::test {

namespace {

using Mask = std::uint32_t;
using Money = std::int64_t;

struct TinyPlan {
  std::vector<Sides> sides;
  std::vector<bool> kernels, shares;
  std::vector<Mask> up, down; ///< By edge: elements copied to the device and to the host, by their names behind it.
  std::vector<Mask> peek, poke, push; ///< By point: one bit an array.
};

struct Candidate {
  enum { Up, Down, Peek, Poke, Push } kind;
  std::uint32_t at;
  ArrayId array;
  Money price;
};

class Tiny {
public:
  Tiny(const Graph &graph, const Machine &machine) : graph(graph), machine(machine) {
    for (PointId p = 0; p < graph.points.size(); ++p) {
      outs.emplace_back();
      ins.emplace_back();
      scale = std::lcm(scale, static_cast<Money>(graph.points[p].frequency.denominator()));
    }
    for (EdgeId e = 0; e < graph.edges.size(); ++e) {
      outs[graph.edges[e].from].push_back(e);
      ins[graph.edges[e].to].push_back(e);
      scale = std::lcm(scale, static_cast<Money>(graph.edges[e].frequency.denominator()));
    }
    findLife();
    for (RegionId r = 0; r < graph.regions.size(); ++r) {
      PointId head = headOf(r);
      heads.push_back(head);
      Mask shared = 0;
      for (ArrayId a = 0; a < graph.arrays.size(); ++a)
        if (graph.regions[r].parallel && (live[head] & all(a)))
          shared |= all(a);
      sharedIn.push_back(shared);
    }
    for (PointId p = 0; p < graph.points.size(); ++p)
      neighbour.push_back(launchNeighbour(p));
  }

  const Graph &graph;
  const Machine &machine;
  Money scale = 1;
  std::vector<std::vector<EdgeId>> outs, ins;
  std::vector<Mask> live, liveBehind; ///< Before and behind each point: elements that may still be read.
  std::vector<PointId> heads, neighbour;
  std::vector<Mask> sharedIn;
  std::string why;
  bool byElement = false; ///< Copies may be valid in part: what plans are judged by; the search has only whole ones.

  // ---- elements

  unsigned size(ArrayId a) const {
    return graph.arrays[a].extent ? static_cast<unsigned>(elements(*graph.arrays[a].extent)) : 1;
  }
  Mask all(ArrayId a) const { return ((Mask{1} << size(a)) - 1) << (4 * a); }
  Mask part(ArrayId a, const std::optional<Box> &box) const {
    if (!box || !graph.arrays[a].extent)
      return all(a);
    Mask mask = 0;
    for (std::int64_t i = (*box)[0].begin; i < (*box)[0].end; ++i)
      mask |= Mask{1} << (4 * a + static_cast<unsigned>(i));
    return mask;
  }
  /// The elements between the first and the last of a mask.
  Mask around(ArrayId a, Mask mask) const {
    Mask mine = (mask & all(a)) >> (4 * a), filled = 0;
    for (unsigned i = 0; i < 4; ++i)
      for (unsigned j = i; j < 4; ++j)
        if ((mine >> i & 1) && (mine >> j & 1))
          filled |= ((Mask{2} << j) - 1) & ~((Mask{1} << i) - 1);
    return filled << (4 * a);
  }

  // ---- shape

  bool in(PointId p, RegionId r) const {
    RegionId inner = graph.points[p].region;
    while (inner != kNone && inner != r)
      inner = graph.regions[inner].parent;
    return inner == r;
  }
  PointId headOf(RegionId r) const {
    PointId head = kNone;
    for (const Edge &edge : graph.edges)
      if (!in(edge.from, r) && in(edge.to, r))
        head = edge.to;
    return head;
  }
  bool inKernel(const TinyPlan &plan, PointId p) const {
    for (RegionId r = graph.points[p].region; r != kNone; r = graph.regions[r].parent)
      if (plan.kernels[r])
        return true;
    return false;
  }
  bool edgeInKernel(const TinyPlan &plan, EdgeId e) const {
    for (RegionId r = 0; r < graph.regions.size(); ++r)
      if (plan.kernels[r] && in(graph.edges[e].from, r) && in(graph.edges[e].to, r))
        return true;
    return false;
  }
  Mask sharedOnEdge(EdgeId e) const {
    Mask shared = 0;
    for (RegionId r = 0; r < graph.regions.size(); ++r)
      if (in(graph.edges[e].from, r) && in(graph.edges[e].to, r))
        shared |= sharedIn[r];
    return shared;
  }

  PointId launchNeighbour(PointId q) const {
    const Point &second = graph.points[q];
    if (second.kind != PointKind::Operation || !second.fusible || second.both)
      return kNone;
    const Edge &edge = graph.edges[ins[q][0]];
    const Point &first = graph.points[edge.from];
    if (first.kind != PointKind::Operation || !first.fusible || first.region != second.region ||
        !edge.renames.empty() || !graph.edges[outs[q][0]].renames.empty())
      return kNone;
    for (PointId r = edge.from; r != kNone; r = r < neighbour.size() ? neighbour[r] : launchNeighbour(r))
      for (const Write &write : graph.points[r].writes)
        for (const Read &read : second.reads)
          if (read.array == write.array && (read.operand == Operand::Host || read.operand == Operand::Launcher))
            return kNone;
    return edge.from;
  }

  void findLife() {
    live.assign(graph.points.size(), 0);
    liveBehind = live;
    for (bool changed = true; changed;) {
      changed = false;
      for (PointId p = 0; p < graph.points.size(); ++p) {
        Mask now = 0;
        for (EdgeId e : outs[p]) {
          Mask far = live[graph.edges[e].to], mine = far;
          for (const Rename &rename : graph.edges[e].renames)
            mine &= ~all(rename.destination);
          for (const Rename &rename : graph.edges[e].renames)
            mine |= moved(far, rename.destination, rename.source);
          now |= mine;
        }
        liveBehind[p] = now;
        const Point &point = graph.points[p];
        for (const Write &write : point.writes)
          if (write.whole || write.box)
            now &= ~part(write.array, write.box);
        for (const Read &read : point.reads)
          now |= part(read.array, read.box);
        if (point.kind == PointKind::Exit)
          for (ArrayId a = 0; a < graph.arrays.size(); ++a)
            if (graph.arrays[a].result)
              now |= all(a);
        for (RegionId r = 0; r < graph.regions.size(); ++r)
          if (graph.regions[r].parallel && in(p, r))
            for (ArrayId a = 0; a < graph.arrays.size(); ++a)
              if (live[headOf(r)] & all(a)) { // other trips may read any of it
                now |= all(a);
                liveBehind[p] |= all(a);
              }
        changed |= now != live[p];
        live[p] = now;
      }
    }
  }
  Mask moved(Mask mask, ArrayId from, ArrayId to) const { return ((mask & all(from)) >> (4 * from)) << (4 * to); }

  // ---- prices

  Money often(const Rational &frequency) const {
    return static_cast<Money>(frequency.numerator()) * (scale / static_cast<Money>(frequency.denominator()));
  }
  Money copyPrice(ArrayId a, bool up, Mask elements) const {
    const Array &array = graph.arrays[a];
    Money count = __builtin_popcount(elements & all(a)), total = size(a);
    const std::optional<Time> &given = up ? array.h2d : array.d2h;
    if (given || (up && array.byValue))
      return ((given ? *given : machine.argument) * count + total - 1) / total;
    if (array.byValue && count != total)
      return (machine.copy(Direction::DeviceToHost, array.bytes) * count + total - 1) / total;
    return machine.copy(up ? Direction::HostToDevice : Direction::DeviceToHost, array.bytes * count / total);
  }

  /// Price of sides, kernels and launches, or nothing if they do not fit together.
  std::optional<Money> runPrice(const TinyPlan &plan) {
    Money total = 0;
    auto no = [&](const std::string &reason) {
      why = reason;
      return std::nullopt;
    };
    for (PointId p = 0; p < graph.points.size(); ++p) {
      const Point &point = graph.points[p];
      bool kernel = inKernel(plan, p);
      Money f = often(point.frequency);
      for (const Read &read : point.reads)
        if (read.operand == Operand::Host && kernel)
          return no("host operand in a kernel");
      if (point.kind == PointKind::Control)
        total += f * (kernel ? point.cost.inner : point.cost.host);
      if (point.kind != PointKind::Operation)
        continue;
      Sides side = plan.sides[p];
      if (side == Sides::Both && !point.both)
        return no("not pure");
      if (point.pin && side != (*point.pin == Side::Host ? Sides::Host : Sides::Device))
        return no("pin");
      if (kernel) {
        if (side != Sides::Device || point.noKernel || plan.shares[p])
          return no("inside a kernel");
        total += f * point.cost.inner;
        continue;
      }
      Money launch = point.cost.launch.value_or(machine.launch);
      total +=
          f * ((side != Sides::Device ? point.cost.host : 0) + (side != Sides::Host ? point.cost.device + launch : 0));
      if (plan.shares[p]) {
        if (neighbour[p] == kNone || side == Sides::Host || plan.sides[neighbour[p]] == Sides::Host)
          return no("no launch to share");
        total -= f * launch;
      }
    }
    for (RegionId r = 0; r < graph.regions.size(); ++r) {
      const Region &region = graph.regions[r];
      bool above = region.parent != kNone && plan.kernels[region.parent];
      if (region.pin && plan.kernels[r] != (*region.pin == Side::Device))
        return no("region pin");
      if (!plan.kernels[r] && above)
        return no("region outside of its parent's kernel");
      if (!plan.kernels[r] || above)
        continue;
      std::size_t exits = 0;
      Money entries = 0;
      for (const Edge &edge : graph.edges) {
        exits += in(edge.from, r) && !in(edge.to, r);
        entries += !in(edge.from, r) && in(edge.to, r) ? often(edge.frequency) : 0;
      }
      total += entries * (machine.launch + (exits > 1 ? machine.exit : 0));
    }
    return total;
  }

  // ---- traffic

  bool hostRead(const TinyPlan &plan, PointId p, const Read &read) const {
    if (read.operand == Operand::Operation)
      return graph.points[p].kind == PointKind::Operation ? plan.sides[p] != Sides::Device : !inKernel(plan, p);
    return read.operand == Operand::Host || (read.operand == Operand::Launcher && !inKernel(plan, p));
  }
  bool deviceRead(const TinyPlan &plan, PointId p, const Read &read) const {
    if (read.operand == Operand::Operation)
      return graph.points[p].kind == PointKind::Operation ? plan.sides[p] != Sides::Host : inKernel(plan, p);
    return read.operand == Operand::Device || (read.operand == Operand::Launcher && inKernel(plan, p));
  }

  struct State {
    Mask host = ~Mask{0}, device = ~Mask{0};
  };

  State behind(const TinyPlan &plan, PointId p, State state) const {
    Mask shared = 0;
    for (RegionId r = 0; r < graph.regions.size(); ++r)
      if (in(p, r))
        shared |= sharedIn[r];
    for (const Write &write : graph.points[p].writes) {
      Mask bit = Mask{1} << write.array, box = part(write.array, write.box),
           known = write.whole || write.box ? box & ~shared : 0;
      bool toHost = plan.sides[p] != Sides::Device || (plan.push[p] & bit),
           toDevice = plan.sides[p] != Sides::Host || (plan.poke[p] & bit);
      state.host = toHost ? state.host | known : state.host & ~box;
      state.device = toDevice ? state.device | known : state.device & ~box;
    }
    return settled(state, liveBehind[p]);
  }

  /// A copy is valid if all that may still be read of it is; there are no copies that are valid in part.
  State settled(State state, Mask wanted) const {
    if (byElement)
      return state;
    for (ArrayId a = 0; a < graph.arrays.size(); ++a)
      for (Mask *side : {&state.host, &state.device})
        if (wanted & all(a) & ~*side)
          *side &= ~all(a);
    return state;
  }

  State renamed(const TinyPlan &plan, EdgeId e, State state) const {
    State out = state;
    bool kernel = edgeInKernel(plan, e);
    for (const Rename &rename : graph.edges[e].renames) {
      out.host &= ~all(rename.destination);
      out.device &= ~all(rename.destination);
    }
    for (const Rename &rename : graph.edges[e].renames) {
      if (!kernel || rename.source == rename.destination)
        out.host |= moved(state.host, rename.source, rename.destination);
      out.device |= moved(state.device, rename.source, rename.destination);
    }
    return out;
  }

  /// Whether everything finds its value. `hopeful`: copies of what is not there, and peeks, do no harm.
  bool legal(const TinyPlan &plan, Mask arrays, bool hopeful) {
    std::vector<State> before(graph.points.size());
    std::vector<bool> reached(graph.points.size());
    PointId entry = 0;
    for (PointId p = 0; p < graph.points.size(); ++p)
      if (graph.points[p].kind == PointKind::Entry)
        entry = p;
    reached[entry] = true;
    for (ArrayId a = 0; a < graph.arrays.size(); ++a)
      if (graph.arrays[a].argument)
        (graph.arrays[a].home == Side::Host ? before[entry].device : before[entry].host) &= ~all(a);
    for (bool changed = true; changed;) {
      changed = false;
      for (PointId p = 0; p < graph.points.size(); ++p) {
        if (!reached[p])
          continue;
        State after = behind(plan, p, before[p]);
        for (EdgeId e : outs[p]) {
          State far = renamed(plan, e, after), arrived = far;
          arrived.device |= plan.up[e] & far.host;
          arrived.host |= plan.down[e] & far.device;
          PointId to = graph.edges[e].to;
          for (RegionId r = 0; r < graph.regions.size(); ++r)
            if (sharedIn[r] && heads[r] == to)
              lose(plan, r, arrived);
          arrived = settled(arrived, live[to]);
          State old = before[to];
          before[to].host &= arrived.host;
          before[to].device &= arrived.device;
          changed |= !reached[to] || old.host != before[to].host || old.device != before[to].device;
          reached[to] = true;
        }
      }
    }
    for (EdgeId e = 0; e < graph.edges.size() && !hopeful; ++e) {
      if (!((plan.up[e] | plan.down[e]) & arrays))
        continue;
      State far = renamed(plan, e, behind(plan, graph.edges[e].from, before[graph.edges[e].from]));
      Mask wanted = arrays;
      for (ArrayId a = 0; a < graph.arrays.size(); ++a)
        if (graph.arrays[a].extent) // of a part, dead elements may be copied along
          wanted &= ~all(a) | live[graph.edges[e].to];
      if ((plan.up[e] & ~far.host & wanted) || (plan.down[e] & ~far.device & wanted))
        return no("copy of what is not there");
      if (edgeInKernel(plan, e) || (plan.shares[graph.edges[e].to] && (plan.up[e] | plan.down[e])))
        return no("copy inside a kernel or a shared launch");
      if ((plan.up[e] | plan.down[e]) & sharedOnEdge(e))
        return no("copy inside a parallel loop");
    }
    for (PointId p = 0; p < graph.points.size(); ++p) {
      const Point &point = graph.points[p];
      for (const Read &read : point.reads) {
        Mask needed = part(read.array, read.box);
        if (!(all(read.array) & arrays))
          continue;
        bool host = !(needed & ~before[p].host), device = !(needed & ~before[p].device);
        if (deviceRead(plan, p, read) && !device &&
            !(graph.arrays[read.array].byValue && read.operand != Operand::Device && host))
          return no("read on the device");
        if (!hostRead(plan, p, read))
          continue;
        bool peeks = plan.peek[p] >> read.array & 1;
        if (peeks && !hopeful && (!read.peek || !device))
          return no("peek");
        if (!(peeks && device) && !host)
          return no("read on the host");
      }
      if (point.kind == PointKind::Exit)
        for (ArrayId a = 0; a < graph.arrays.size(); ++a)
          if (graph.arrays[a].result && (all(a) & arrays) &&
              (all(a) & ~(graph.arrays[a].home == Side::Host ? before[p].host : before[p].device)))
            return no("result not at home");
    }
    return true;
  }

  void lose(const TinyPlan &plan, RegionId r, State &state) const {
    for (PointId p = 0; p < graph.points.size(); ++p)
      if (in(p, r))
        for (const Write &write : graph.points[p].writes) {
          if (!(sharedIn[r] & all(write.array)))
            continue;
          Mask bit = Mask{1} << write.array;
          if (plan.sides[p] == Sides::Device && !(plan.push[p] & bit))
            state.host &= ~all(write.array);
          if (plan.sides[p] == Sides::Host && !(plan.poke[p] & bit))
            state.device &= ~all(write.array);
        }
  }

  bool no(const std::string &reason) {
    why = reason;
    return false;
  }

  TinyPlan empty() const {
    TinyPlan plan;
    plan.sides.assign(graph.points.size(), Sides::Host);
    plan.kernels.assign(graph.regions.size(), false);
    plan.shares.assign(graph.points.size(), false);
    plan.up.assign(graph.edges.size(), 0);
    plan.down = plan.up;
    plan.peek.assign(graph.points.size(), 0);
    plan.poke = plan.push = plan.peek;
    return plan;
  }
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
        std::optional<Money> price;
        for (const Read &read : point.reads)
          if (read.array == a && read.peek && tiny.hostRead(plan, p, read))
            price = price.value_or(0) + f * *read.peek;
        if (price)
          candidates.push_back({Candidate::Peek, p, a, *price});
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
                                                     : plan.push[candidate.at];
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
    static constexpr const char *kNames[] = {"h2d", "d2h", "peek", "poke", "push"};
    std::string out;
    for (const Candidate &candidate : candidates)
      if (taken(candidate))
        out += std::string(" ") + kNames[candidate.kind] + " " + tiny.graph.arrays[candidate.array].name + "@" +
               std::to_string(candidate.at);
    return out;
  }
  bool taken(const Candidate &candidate) const {
    const std::vector<Mask> *words[] = {&plan.up, &plan.down, &plan.peek, &plan.poke, &plan.push};
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
    if (access.traffic == Traffic::Peek)
      for (const Read &read : point.reads)
        if (read.array == access.array && tiny.hostRead(mine, access.point, read)) {
          *total += f * read.peek.value_or(0);
          any = true;
        }
    Sides side = access.traffic == Traffic::Poke ? Sides::Host : Sides::Device;
    if (access.traffic != Traffic::Peek)
      for (const Write &write : point.writes)
        if (write.array == access.array && !write.whole && mine.sides[access.point] == side &&
            !tiny.inKernel(mine, access.point)) {
          const std::optional<Time> &price = access.traffic == Traffic::Poke ? write.poke : write.push;
          any = price.has_value();
          *total += f * price.value_or(0);
        }
    if (!any)
      return {std::nullopt, "access without a use"};
    (access.traffic == Traffic::Peek   ? mine.peek
     : access.traffic == Traffic::Poke ? mine.poke
                                       : mine.push)[access.point] |= bit;
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
