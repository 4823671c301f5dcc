// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rotated loop's guard and the control at the end of its trips are one piece of the program, so an edge out of it is
// two of the flow's. What is copied on the landing pad is copied in front of the guard, which does no harm where there
// is no trip: source and target are the same there. What leaves the loop by the guard and by the control is copied on
// the edge that both are, if both want it, or if it does no harm to the one that does not.

#include "sdfg/place/insertions.h"

#include <algorithm>

namespace ferry::sdfg {

using placement::ArrayId;
using placement::Direction;

namespace {

class Finder {
public:
  Finder(const Level &level, const placement::Graph &graph, const placement::Plan &plan,
         const placement::Residency &residency)
      : level(level), flow(*level.flow), graph(graph), residency(residency), onFlow(flow.edges.size()),
        earlier(flow.edges.size()) {
    std::map<placement::EdgeId, Transfers> byEdge;
    for (const placement::Copy &copy : plan.copies)
      byEdge[copy.edge].push_back({copy.array, copy.direction, std::nullopt});
    auto at = [&](placement::EdgeId edge) {
      auto found = byEdge.find(edge);
      return found == byEdge.end() ? Transfers() : found->second;
    };
    for (const auto &[edge, where] : level.stateEdges)
      add(result.inState[{where.block, where.slot}], at(edge));
    for (FlowEdgeId id = 0; id < flow.edges.size(); ++id) {
      add(onFlow[id], at(level.edges[id].back()));
      if (level.edges[id].size() > 1)
        add(earlier[id], at(level.edges[id].front()));
    }
    for (const placement::Access &access : plan.accesses)
      accesses.insert({access.point, access.array, access.traffic});
    for (const auto &[block, parts] : level.states)
      for (std::size_t i = 0; i < parts.operations.size(); ++i)
        if (parts.points[i] != kNone)
          for (const Use &use : parts.operations[i].uses)
            addTraffic(block, i, parts.points[i], use);
  }

  std::optional<Insertions> run() {
    if (!addPeeks())
      return std::nullopt;
    for (PointId id = 0; id < flow.points.size(); ++id)
      if (flow.points[id].guard && !mergeGuard(id))
        return std::nullopt;
    for (FlowEdgeId id = 0; id < flow.edges.size(); ++id)
      if (!insert(id))
        return std::nullopt;
    return std::move(result);
  }

private:
  using Traffic = placement::Traffic;

  void addTraffic(const Block *block, std::size_t slot, placement::PointId point, const Use &use) {
    ArrayId array = level.arrays.at(use.unit);
    if (accesses.contains({point, array, Traffic::Peek}))
      add(result.peeked[{block, slot}], {{array, Direction::DeviceToHost, use.readPart}});
    if (accesses.contains({point, array, Traffic::Poke}))
      add(result.written[{block, slot + 1}], {{array, Direction::HostToDevice, use.writtenPart}});
    if (accesses.contains({point, array, Traffic::Push}))
      add(result.written[{block, slot + 1}], {{array, Direction::DeviceToHost, use.writtenPart}});
  }

  /// A rotated loop's guard and control are one choice: if one peeks, the other does, and the device must have it.
  bool addPeeks() {
    for (const auto &[where, peek] : level.peeks) {
      auto [point, array] = where;
      if (!accesses.contains({point, array, Traffic::Peek}))
        continue;
      for (const Subset &element : peek.elements)
        add(result.choice[peek.block], {{array, Direction::DeviceToHost, element}});
    }
    for (const auto &[where, peek] : level.peeks) {
      auto [point, array] = where;
      if (result.choice.contains(peek.block) && !accesses.contains({point, array, Traffic::Peek}) &&
          !residency.before(point, array).device)
        return false;
    }
    return true;
  }

  static void add(Transfers &to, const Transfers &more) {
    to.insert(to.end(), more.begin(), more.end());
    std::sort(to.begin(), to.end());
    to.erase(std::unique(to.begin(), to.end()), to.end());
  }

  bool entersLoop(FlowEdgeId id) const {
    PointId to = flow.edges[id].to;
    return !flow.out(to).empty() && flow.edges[flow.out(to)[0]].site == Site::LandingPad;
  }

  bool mergeGuard(PointId guard) {
    Transfers early; // in front of the guard
    for (FlowEdgeId id : flow.out(guard))
      if (entersLoop(id)) {
        early = onFlow[id];
        FlowEdgeId pad = flow.out(flow.edges[id].to)[0];
        add(early, onFlow[pad]);
        onFlow[id].clear();
        onFlow[pad].clear();
        for (FlowEdgeId in : flow.in(guard))
          add(onFlow[in], early);
        for (FlowEdgeId other : twinsOf(id)) // the control's, on which nothing is copied at each trip but its own
          if (!onFlow[other].empty())
            return false;
      }
    for (FlowEdgeId id : flow.out(guard)) {
      if (entersLoop(id))
        continue;
      for (FlowEdgeId other : twinsOf(id)) {
        if (!isHarmless(onFlow[other], onFlow[id], id, early) || !isHarmless(onFlow[id], onFlow[other], other, {}))
          return false;
        Transfers both = onFlow[id];
        add(both, onFlow[other]);
        onFlow[id] = onFlow[other] = both;
      }
    }
    return true;
  }

  /// Other edges of the flow that are the same edge of the program.
  std::vector<FlowEdgeId> twinsOf(FlowEdgeId id) const {
    std::vector<FlowEdgeId> twins;
    const FlowEdge &edge = flow.edges[id];
    for (FlowEdgeId other = 0; other < flow.edges.size(); ++other) {
      const FlowEdge &each = flow.edges[other];
      bool isSame = edge.edge ? each.edge == edge.edge
                              : each.edge == nullptr && each.site == edge.site && each.block == edge.block &&
                                    each.branch == edge.branch;
      if (other != id && isSame && each.site != Site::LandingPad)
        twins.push_back(other);
    }
    return twins;
  }

  /// Whether copies that an edge does not want can be made there all the same: their sources are valid, or have just
  /// been made so by a copy in front.
  bool isHarmless(const Transfers &copies, const Transfers &wanted, FlowEdgeId edge, const Transfers &early) const {
    placement::PointId from = graph.edges[level.edges[edge].front()].from;
    return std::all_of(copies.begin(), copies.end(), [&](const Transfer &copy) {
      if (std::find(wanted.begin(), wanted.end(), copy) != wanted.end() ||
          std::any_of(early.begin(), early.end(), [&](const Transfer &each) {
            return each.array == copy.array && each.direction != copy.direction && !each.part;
          }))
        return true;
      placement::Validity validity = residency.after(from, copy.array);
      return copy.direction == Direction::HostToDevice ? validity.host : validity.device;
    });
  }

  bool insert(FlowEdgeId id) {
    const FlowEdge &edge = flow.edges[id];
    if (!earlier[id].empty())
      add(result.behind[edge.block], earlier[id]);
    const Transfers &copies = onFlow[id];
    if (copies.empty())
      return true;
    switch (edge.site) {
    case Site::Interstate:
      add(result.onEdge[edge.edge], copies);
      return true;
    case Site::Decision:
    case Site::LoopExit:
      add(result.behind[edge.block], copies);
      return edge.site == Site::Decision || !hasJumps(edge);
    case Site::Start:
      add(result.first[{edge.block, edge.branch}], copies);
      return true;
    case Site::End:
      add(result.behind[edge.block], copies);
      return true;
    case Site::LoopEntry:
    case Site::LandingPad:
      add(result.before[edge.block], copies);
      return true;
    case Site::LoopBody:
      add(result.first[{edge.block, kNone}], copies);
      return true;
    case Site::LoopUpdate:
      add(result.last[{edge.block, kNone}], copies);
      return !hasJumps(edge);
    case Site::LoopAgain:
    case Site::BranchSkip:
    case Site::Jump:
      return false;
    }
    return false;
  }

  /// Whether a loop is also left, or its trips ended, by a jump.
  bool hasJumps(const FlowEdge &edge) const {
    return std::any_of(flow.edges.begin(), flow.edges.end(), [&](const FlowEdge &each) {
      return each.site == Site::Jump && (each.to == edge.to || each.to == edge.from);
    });
  }

  const Level &level;
  const ControlFlow &flow;
  const placement::Graph &graph;
  const placement::Residency &residency;
  std::set<std::tuple<placement::PointId, ArrayId, Traffic>> accesses;
  std::vector<Transfers> onFlow, earlier; ///< By flow edge; `earlier` before its assignments.
  Insertions result;
};

} // namespace

std::optional<Insertions> insertionsOf(const Level &level, const placement::Graph &graph, const placement::Plan &plan,
                                       const placement::Residency &residency) {
  return Finder(level, graph, plan, residency).run();
}

} // namespace ferry::sdfg
