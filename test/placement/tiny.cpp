// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tiny.h"

#include <numeric>

namespace ferry::placement::test {

Tiny::Tiny(const Graph &graph, const Machine &machine) : graph(graph), machine(machine) {
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

unsigned Tiny::size(ArrayId a) const {
  return graph.arrays[a].extent ? static_cast<unsigned>(elements(*graph.arrays[a].extent)) : 1;
}

Mask Tiny::part(ArrayId a, const std::optional<Box> &box) const {
  if (!box || !graph.arrays[a].extent)
    return all(a);
  Mask mask = 0;
  for (std::int64_t i = (*box)[0].begin; i < (*box)[0].end; ++i)
    mask |= Mask{1} << (4 * a + static_cast<unsigned>(i));
  return mask;
}

Mask Tiny::around(ArrayId a, Mask mask) const {
  Mask mine = (mask & all(a)) >> (4 * a), filled = 0;
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned j = i; j < 4; ++j)
      if ((mine >> i & 1) && (mine >> j & 1))
        filled |= ((Mask{2} << j) - 1) & ~((Mask{1} << i) - 1);
  return filled << (4 * a);
}

bool Tiny::in(PointId p, RegionId r) const {
  RegionId inner = graph.points[p].region;
  while (inner != kNone && inner != r)
    inner = graph.regions[inner].parent;
  return inner == r;
}

PointId Tiny::headOf(RegionId r) const {
  PointId head = kNone;
  for (const Edge &edge : graph.edges)
    if (!in(edge.from, r) && in(edge.to, r))
      head = edge.to;
  return head;
}

bool Tiny::inKernel(const TinyPlan &plan, PointId p) const {
  for (RegionId r = graph.points[p].region; r != kNone; r = graph.regions[r].parent)
    if (plan.kernels[r])
      return true;
  return false;
}

bool Tiny::edgeInKernel(const TinyPlan &plan, EdgeId e) const {
  for (RegionId r = 0; r < graph.regions.size(); ++r)
    if (plan.kernels[r] && in(graph.edges[e].from, r) && in(graph.edges[e].to, r))
      return true;
  return false;
}

Mask Tiny::sharedOnEdge(EdgeId e) const {
  Mask shared = 0;
  for (RegionId r = 0; r < graph.regions.size(); ++r)
    if (in(graph.edges[e].from, r) && in(graph.edges[e].to, r))
      shared |= sharedIn[r];
  return shared;
}

PointId Tiny::launchNeighbour(PointId q) const {
  const Point &second = graph.points[q];
  if (second.kind != PointKind::Operation || !second.fusible || second.both)
    return kNone;
  const Edge &edge = graph.edges[ins[q][0]];
  const Point &first = graph.points[edge.from];
  if (first.kind != PointKind::Operation || !first.fusible || first.region != second.region || !edge.renames.empty() ||
      !graph.edges[outs[q][0]].renames.empty())
    return kNone;
  for (PointId r = edge.from; r != kNone; r = r < neighbour.size() ? neighbour[r] : launchNeighbour(r))
    for (const Write &write : graph.points[r].writes)
      for (const Read &read : second.reads)
        if (read.array == write.array &&
            (read.operand == Operand::Host || read.operand == Operand::Launcher || read.fetch))
          return kNone;
  return edge.from;
}

void Tiny::findLife() {
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

Money Tiny::often(const Rational &frequency) const {
  return static_cast<Money>(frequency.numerator()) * (scale / static_cast<Money>(frequency.denominator()));
}

Money Tiny::copyPrice(ArrayId a, bool up, Mask elements) const {
  const Array &array = graph.arrays[a];
  Money count = __builtin_popcount(elements & all(a)), total = size(a);
  const std::optional<Time> &given = up ? array.h2d : array.d2h;
  if (given || (up && array.byValue))
    return ((given ? *given : machine.argument) * count + total - 1) / total;
  if (array.byValue && count != total)
    return (machine.copy(Direction::DeviceToHost, array.bytes) * count + total - 1) / total;
  return machine.copy(up ? Direction::HostToDevice : Direction::DeviceToHost, array.bytes * count / total);
}

std::optional<Money> Tiny::runPrice(const TinyPlan &plan) {
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

bool Tiny::hostRead(const TinyPlan &plan, PointId p, const Read &read) const {
  if (read.operand == Operand::Operation)
    return graph.points[p].kind == PointKind::Operation ? plan.sides[p] != Sides::Device : !inKernel(plan, p);
  return read.operand == Operand::Host || (read.operand == Operand::Launcher && !inKernel(plan, p));
}

bool Tiny::deviceRead(const TinyPlan &plan, PointId p, const Read &read) const {
  if (read.operand == Operand::Operation)
    return graph.points[p].kind == PointKind::Operation ? plan.sides[p] != Sides::Host : inKernel(plan, p);
  return read.operand == Operand::Device || (read.operand == Operand::Launcher && inKernel(plan, p));
}

bool Tiny::fromDeviceCopy(const TinyPlan &plan, PointId p, const Read &read) const {
  bool argument = graph.arrays[read.array].byValue && read.operand != Operand::Device;
  return !argument && deviceRead(plan, p, read);
}

/// The host puts it into device memory before a launch: not in a kernel, nor while other trips may use that memory.
bool Tiny::mayFetch(const TinyPlan &plan, PointId p, const Read &read) const {
  if (!read.fetch || inKernel(plan, p))
    return false;
  for (RegionId r = 0; r < graph.regions.size(); ++r)
    if (in(p, r) && (sharedIn[r] & all(read.array)))
      return false;
  return true;
}

Tiny::State Tiny::behind(const TinyPlan &plan, PointId p, State state) const {
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

Tiny::State Tiny::settled(State state, Mask wanted) const {
  if (byElement)
    return state;
  for (ArrayId a = 0; a < graph.arrays.size(); ++a)
    for (Mask *side : {&state.host, &state.device})
      if (wanted & all(a) & ~*side)
        *side &= ~all(a);
  return state;
}

Tiny::State Tiny::renamed(const TinyPlan &plan, EdgeId e, State state) const {
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

bool Tiny::legal(const TinyPlan &plan, Mask arrays, bool hopeful) {
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
      bool fetches = (plan.fetch[p] >> read.array & 1) && fromDeviceCopy(plan, p, read);
      if (fetches && !hopeful && !(host && mayFetch(plan, p, read)))
        return no("fetch");
      bool argument = graph.arrays[read.array].byValue && read.operand != Operand::Device && host;
      if (deviceRead(plan, p, read) && !device && !argument && !(fetches && host))
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

void Tiny::lose(const TinyPlan &plan, RegionId r, State &state) const {
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

bool Tiny::no(const std::string &reason) {
  why = reason;
  return false;
}

TinyPlan Tiny::empty() const {
  TinyPlan plan;
  plan.sides.assign(graph.points.size(), Sides::Host);
  plan.kernels.assign(graph.regions.size(), false);
  plan.shares.assign(graph.points.size(), false);
  plan.up.assign(graph.edges.size(), 0);
  plan.down = plan.up;
  plan.peek.assign(graph.points.size(), 0);
  plan.poke = plan.push = plan.fetch = plan.peek;
  return plan;
}

} // namespace ferry::placement::test
