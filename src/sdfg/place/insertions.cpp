// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sdfg/place/insertions.h"

#include <algorithm>

namespace ferry::sdfg {

using placement::ArrayId;
using placement::Direction;

namespace {

class Finder {
public:
  Finder(const Extracted &extracted, const Level &level, const placement::Plan &plan)
      : level(level), flow(*level.flow), onFlow(flow.edges.size()), earlier(flow.edges.size()) {
    const auto &owners = extracted.owners;
    std::map<placement::EdgeId, Transfers> byEdge;
    for (const placement::Copy &copy : plan.copies)
      if (owners[copy.array].first) // what a copy carries it copies itself
        byEdge[copy.edge].push_back({copy.array, copy.direction, boxOf(extracted, copy)});
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
        if (parts.points[i] != kNone) {
          for (const Use &use : parts.operations[i].uses)
            addTraffic(block, i, parts.pointOf(i, use), use);
          if (parts.targets[i] != kNone && plan.sides[parts.points[i]] != plan.sides[parts.targets[i]])
            result.transfers.insert({block, i});
        }
  }

  std::optional<Insertions> run() {
    addPeeks();
    for (FlowEdgeId id = 0; id < flow.edges.size(); ++id)
      if (!insert(id))
        return std::nullopt;
    return std::move(result);
  }

private:
  using Traffic = placement::Traffic;

  static std::optional<Subset> boxOf(const Extracted &extracted, const placement::Copy &copy) {
    auto found = extracted.deviceBoxes.find(copy.array);
    return found == extracted.deviceBoxes.end() ? std::nullopt : std::optional(found->second);
  }

  void addTraffic(const Block *block, std::size_t slot, placement::PointId point, const Use &use) {
    ArrayId array = level.arrays.at(use.unit);
    if (accesses.contains({point, array, Traffic::Peek}))
      add(result.peeked[{block, slot}], {{array, Direction::DeviceToHost, use.readPart}});
    if (accesses.contains({point, array, Traffic::Fetch}))
      add(result.peeked[{block, slot}], {{array, Direction::HostToDevice, use.readPart}});
    if (accesses.contains({point, array, Traffic::Poke}))
      add(result.written[{block, slot + 1}], {{array, Direction::HostToDevice, use.writtenPart}});
    if (accesses.contains({point, array, Traffic::Push}))
      add(result.written[{block, slot + 1}], {{array, Direction::DeviceToHost, use.writtenPart}});
  }

  void addPeeks() {
    for (const auto &[where, peek] : level.peeks) {
      auto [point, array] = where;
      if (!accesses.contains({point, array, Traffic::Peek}))
        continue;
      for (const Subset &element : peek.elements)
        add(result.choice[peek.block], {{array, Direction::DeviceToHost, element}});
    }
  }

  static void add(Transfers &to, const Transfers &more) {
    to.insert(to.end(), more.begin(), more.end());
    std::sort(to.begin(), to.end());
    to.erase(std::unique(to.begin(), to.end()), to.end());
  }

  bool insert(FlowEdgeId id) {
    const FlowEdge &edge = flow.edges[id];
    if (!earlier[id].empty() && !insertEarlier(edge, earlier[id]))
      return false;
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
    case Site::Jump:
      add(result.before[edge.block], copies);
      return true;
    case Site::LoopBody:
      add(result.first[{edge.block, kNone}], copies);
      return true;
    case Site::LoopUpdate:
      return insertLast(edge, copies);
    case Site::BranchSkip:
      add(result.skipped[edge.block], copies);
      return true;
    case Site::LoopAgain:
      return false;
    }
    return false;
  }

  /// At the end of each trip of a loop region, also where that is continued early. A trip also ends where a block has
  /// edges of which none is taken, and there is no place for that.
  bool insertLast(const FlowEdge &update, const Transfers &copies) {
    add(result.last[{update.block, kNone}], copies);
    std::span<const FlowEdgeId> ends = flow.in(update.from);
    for (FlowEdgeId id : ends)
      if (flow.edges[id].site == Site::Jump)
        add(result.before[flow.edges[id].block], copies);
    return std::none_of(ends.begin(), ends.end(), [&](FlowEdgeId id) { return flow.edges[id].otherwise; });
  }

  /// Before what is read on an edge.
  bool insertEarlier(const FlowEdge &edge, const Transfers &copies) {
    switch (edge.site) {
    case Site::LoopEntry:
      add(result.before[edge.block], copies);
      return true;
    case Site::LoopUpdate:
      return insertLast(edge, copies);
    default:
      add(result.behind[edge.block], copies);
      return true;
    }
  }

  /// Whether a loop is also left by a jump.
  bool hasJumps(const FlowEdge &exit) const {
    std::span<const FlowEdgeId> ways = flow.in(exit.to);
    return std::any_of(ways.begin(), ways.end(), [&](FlowEdgeId id) { return flow.edges[id].site == Site::Jump; });
  }

  const Level &level;
  const ControlFlow &flow;
  std::set<std::tuple<placement::PointId, ArrayId, Traffic>> accesses;
  std::vector<Transfers> onFlow, earlier; ///< By flow edge; `earlier` before its assignments.
  Insertions result;
};

} // namespace

std::optional<Insertions> insertionsOf(const Extracted &extracted, const Level &level, const placement::Plan &plan) {
  return Finder(extracted, level, plan).run();
}

} // namespace ferry::sdfg
