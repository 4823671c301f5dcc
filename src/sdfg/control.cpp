// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dominators by Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001); natural loops by their back
// edges (Aho, Lam, Sethi and Ullman, 9.6). Nothing recurses over the graph.

#include "sdfg/control_build.h"

#include <algorithm>

namespace ferry::sdfg {

using placement::Error;
using placement::ErrorKind;
using placement::Result;

Result<ControlFlow> ControlFlow::of(const Sdfg &sdfg) {
  ControlFlow flow;
  flow.sdfg = &sdfg;
  if (Result<void> built = FlowBuilder(flow).program(sdfg); !built)
    return built.error();
  flow.dropUnreachable();
  if (Result<void> analysed = flow.analyse(); !analysed)
    return analysed.error();
  return flow;
}

Result<void> ControlFlow::analyse() {
  connect();
  if (Result<void> ends = requireEnd(); !ends)
    return ends;
  sort();
  findDominators();
  findLoops();
  countLoops(*this);
  return {};
}

/// The points that edges lead to from `start`, forwards or backwards.
static std::vector<bool> reached(const std::vector<FlowEdge> &edges, std::size_t count, PointId start, bool forwards) {
  std::vector<std::vector<PointId>> next(count);
  for (const FlowEdge &edge : edges)
    next[forwards ? edge.from : edge.to].push_back(forwards ? edge.to : edge.from);
  std::vector<bool> seen(count, false);
  std::vector<PointId> pending = {start};
  seen[start] = true;
  while (!pending.empty()) {
    PointId here = pending.back();
    pending.pop_back();
    for (PointId each : next[here])
      if (!seen[each]) {
        seen[each] = true;
        pending.push_back(each);
      }
  }
  return seen;
}

/// Keeps the exit, so that requireEnd can say why it is not reached.
void ControlFlow::dropUnreachable() {
  std::vector<bool> kept = reached(edges, points.size(), entry, true);
  for (PointId id = 0; id < points.size(); ++id)
    if (!kept[id] && points[id].kind == FlowKind::State)
      unreachable.push_back(points[id].block);
  kept[exit] = true;
  std::vector<PointId> moved(points.size(), kNone);
  std::vector<FlowPoint> remaining;
  for (PointId id = 0; id < points.size(); ++id)
    if (kept[id]) {
      moved[id] = static_cast<PointId>(remaining.size());
      remaining.push_back(points[id]);
    }
  points = std::move(remaining);
  std::erase_if(edges, [&](const FlowEdge &edge) { return !kept[edge.from]; });
  for (FlowEdge &edge : edges) {
    edge.from = moved[edge.from];
    edge.to = moved[edge.to];
  }
  entry = moved[entry];
  exit = moved[exit];
}

Result<void> ControlFlow::requireEnd() const {
  std::vector<bool> ends = reached(edges, points.size(), exit, false);
  for (PointId id = 0; id < points.size(); ++id)
    if (!ends[id] && points[id].block)
      return Error{ErrorKind::Malformed,
                   "block '" + points[id].block->label() + "': the program cannot end once it is here"};
  if (!ends[entry])
    return Error{ErrorKind::Malformed, "the program cannot end"};
  return {};
}

static void index(const std::vector<FlowEdge> &edges, std::size_t count, PointId FlowEdge::*end,
                  std::vector<std::uint32_t> &start, std::vector<FlowEdgeId> &sorted) {
  start.assign(count + 1, 0);
  for (const FlowEdge &edge : edges)
    ++start[edge.*end + 1];
  for (std::size_t i = 1; i < start.size(); ++i)
    start[i] += start[i - 1];
  sorted.resize(edges.size());
  std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
  for (FlowEdgeId id = 0; id < edges.size(); ++id)
    sorted[next[edges[id].*end]++] = id;
}

void ControlFlow::connect() {
  index(edges, points.size(), &FlowEdge::from, outStart, outEdges);
  index(edges, points.size(), &FlowEdge::to, inStart, inEdges);
}

/// Depth-first, so that a point is done when all that it leads to is.
static std::vector<PointId> postorder(std::size_t count, PointId start, const auto &following) {
  std::vector<PointId> done;
  std::vector<bool> seen(count, false);
  std::vector<std::pair<PointId, std::size_t>> stack = {{start, 0}};
  seen[start] = true;
  while (!stack.empty()) {
    PointId here = stack.back().first;
    std::vector<PointId> next = following(here);
    std::size_t &at = stack.back().second;
    while (at < next.size() && seen[next[at]])
      ++at;
    if (at == next.size()) {
      done.push_back(here);
      stack.pop_back();
      continue;
    }
    PointId to = next[at++];
    seen[to] = true;
    stack.push_back({to, 0});
  }
  return done;
}

static std::vector<PointId> ends(const ControlFlow &flow, PointId of, bool forwards) {
  std::vector<PointId> result;
  for (FlowEdgeId each : forwards ? flow.out(of) : flow.in(of))
    result.push_back(forwards ? flow.edges[each].to : flow.edges[each].from);
  return result;
}

void ControlFlow::sort() {
  reversePostorder = postorder(points.size(), entry, [&](PointId id) { return ends(*this, id, true); });
  std::reverse(reversePostorder.begin(), reversePostorder.end());
  position.assign(points.size(), kNone);
  for (std::uint32_t i = 0; i < reversePostorder.size(); ++i)
    position[reversePostorder[i]] = i;
}

/// Immediate dominators of the points in `order`, a reverse postorder from its first along `before`'s edges.
static std::vector<PointId> immediate(std::size_t count, const std::vector<PointId> &order, const auto &before) {
  std::vector<std::uint32_t> rank(count, kNone);
  for (std::uint32_t i = 0; i < order.size(); ++i)
    rank[order[i]] = i;
  std::vector<PointId> result(count, kNone);
  result[order[0]] = order[0];
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 1; i < order.size(); ++i) {
      PointId best = kNone;
      for (PointId each : before(order[i])) {
        if (result[each] == kNone)
          continue;
        PointId a = each, b = best == kNone ? each : best;
        while (a != b)
          (rank[a] > rank[b] ? a : b) = result[rank[a] > rank[b] ? a : b];
        best = a;
      }
      changed |= result[order[i]] != best;
      result[order[i]] = best;
    }
  }
  result[order[0]] = kNone;
  return result;
}

void ControlFlow::findDominators() {
  dominators = immediate(points.size(), reversePostorder, [&](PointId id) { return ends(*this, id, false); });
  std::vector<PointId> backwards = postorder(points.size(), exit, [&](PointId id) { return ends(*this, id, false); });
  std::reverse(backwards.begin(), backwards.end());
  postDominators = immediate(points.size(), backwards, [&](PointId id) { return ends(*this, id, true); });

  // Sizes of subtrees give each point its interval: children come after their parents in reverse postorder.
  std::vector<std::uint32_t> size(points.size(), 1), next(points.size());
  for (std::size_t i = reversePostorder.size(); i-- > 1;)
    size[dominators[reversePostorder[i]]] += size[reversePostorder[i]];
  treeFirst.assign(points.size(), 0);
  treeLast.assign(points.size(), 0);
  for (PointId id : reversePostorder) {
    treeFirst[id] = id == entry ? 0 : next[dominators[id]];
    treeLast[id] = treeFirst[id] + size[id] - 1;
    next[id] = treeFirst[id] + 1;
    if (id != entry)
      next[dominators[id]] += size[id];
  }
}

bool ControlFlow::dominates(PointId a, PointId b) const {
  return treeFirst[a] <= treeFirst[b] && treeFirst[b] <= treeLast[a];
}

/// Points from which a back edge is reached without the header; `inside` has none before, and these after.
std::vector<PointId> ControlFlow::membersOf(const FlowLoop &loop, std::vector<bool> &inside) const {
  std::vector<PointId> members = {loop.header}, pending;
  inside[loop.header] = true;
  for (FlowEdgeId each : loop.backEdges)
    pending.push_back(edges[each].from);
  while (!pending.empty()) {
    PointId here = pending.back();
    pending.pop_back();
    if (inside[here])
      continue;
    inside[here] = true;
    members.push_back(here);
    for (FlowEdgeId each : in(here))
      pending.push_back(edges[each].from);
  }
  std::sort(members.begin(), members.end(), [&](PointId a, PointId b) { return position[a] < position[b]; });
  return members;
}

void ControlFlow::findLoops() {
  loops.clear();
  reducible = true;
  innermost.assign(points.size(), kNone);
  std::vector<bool> inside(points.size(), false);
  for (PointId header : reversePostorder) {
    FlowLoop loop;
    loop.header = header;
    for (FlowEdgeId each : in(header))
      if (dominates(header, edges[each].from))
        loop.backEdges.push_back(each);
      else if (position[edges[each].from] >= position[header])
        reducible = false;
    if (loop.backEdges.empty())
      continue;
    // Outer loops have their headers first, so that inner ones overwrite what they say.
    loop.parent = innermost[header];
    loop.points = membersOf(loop, inside);
    for (PointId id : loop.points) {
      innermost[id] = static_cast<LoopId>(loops.size());
      for (FlowEdgeId each : out(id))
        if (!inside[edges[each].to])
          loop.exits.push_back(each);
    }
    for (FlowEdgeId each : in(header))
      if (!inside[edges[each].from])
        loop.entries.push_back(each);
    for (PointId id : loop.points)
      inside[id] = false;
    loops.push_back(std::move(loop));
  }
  numberLoops();
  for (FlowLoop &loop : loops)
    findControl(loop);
}

/// As dominators are numbered: a loop comes behind the one around it.
void ControlFlow::numberLoops() {
  std::vector<std::uint32_t> size(loops.size(), 1), next(loops.size());
  for (LoopId id = static_cast<LoopId>(loops.size()); id-- > 0;)
    if (loops[id].parent != kNone)
      size[loops[id].parent] += size[id];
  loopFirst.assign(loops.size(), 0);
  loopLast.assign(loops.size(), 0);
  std::uint32_t outermost = 0;
  for (LoopId id = 0; id < loops.size(); ++id) {
    std::uint32_t &free = loops[id].parent == kNone ? outermost : next[loops[id].parent];
    loopFirst[id] = free;
    loopLast[id] = free + size[id] - 1;
    next[id] = free + 1;
    free += size[id];
  }
}

/// Whether nothing happens between two points that single edges join.
static bool isPlainWay(const ControlFlow &flow, PointId from, PointId to) {
  for (PointId here = from; here != to; here = flow.edges[flow.out(here)[0]].to) {
    const FlowPoint &point = flow.points[here];
    bool empty = point.kind == FlowKind::Join || (point.kind == FlowKind::State && point.block->state()->nodes.empty());
    if (!empty || !flow.edges[flow.out(here)[0]].assignments.empty())
      return false;
  }
  return true;
}

/// Of the first choice behind the header and the last before it, those count one of whose edges leaves the loop. A loop
/// region's own condition comes first; then one right at the header; then the last.
void ControlFlow::findControl(FlowLoop &loop) const {
  auto leaves = [&](FlowEdgeId each) {
    return std::find(loop.exits.begin(), loop.exits.end(), each) != loop.exits.end();
  };
  auto decides = [&](PointId id) {
    return points[id].kind == FlowKind::Control && std::any_of(out(id).begin(), out(id).end(), leaves);
  };
  auto ofRegion = [&](PointId id) {
    return points[id].block && points[id].block->region() && points[id].block->region()->loop;
  };

  PointId first = loop.header, last = edges[loop.backEdges[0]].from;
  for (std::size_t steps = 0;
       steps < loop.points.size() && points[first].kind != FlowKind::Control && out(first).size() == 1; ++steps)
    first = edges[out(first)[0]].to;
  bool firstDecides = decides(first), lastDecides = loop.backEdges.size() == 1 && decides(last);
  bool takeLast = lastDecides;
  if (firstDecides && lastDecides && first != last)
    takeLast = ofRegion(last) || (!ofRegion(first) && !isPlainWay(*this, loop.header, first));
  if (!firstDecides && !lastDecides)
    return;
  PointId control = takeLast ? last : first;
  std::vector<FlowEdgeId> staying;
  for (FlowEdgeId each : out(control))
    if (!leaves(each))
      staying.push_back(each);
  if (staying.size() != 1)
    return;
  loop.control = control;
  loop.stays = staying[0];
  loop.decidesLast = takeLast && control != loop.header;
  if (ofRegion(control))
    loop.region = points[control].block;
}

} // namespace ferry::sdfg
