// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is asked of a loop, and what DaCe 1.0.2 makes of others:
//
//   one way in and out, counted     DaCe's own `for`, whose control runs once and not before each trip
//   control that reads no container another thread may write it before the last has read it
//   no symbol that is used behind   a kernel hands no symbols back; the loop's own has a value that is known
//   one map or tasklets a state     nothing waits between the parts of a state: a state is split
//   no library node or nested       these are calls of the host's, or code that was not looked at
//   graph on its own
//   copies are made maps            of a copy in a kernel no code was looked at

#include "sdfg/place/persistent_loops.h"

#include "sdfg/identifiers.h"
#include "sdfg/place/copy_map.h"
#include "sdfg/symbol_types.h"

#include <algorithm>

namespace ferry::sdfg {

using placement::Wide;

namespace {

class Judge {
public:
  explicit Judge(const Level &level)
      : level(level), flow(*level.flow), sdfg(*level.sdfg), untyped(symbolTypesOf(sdfg, flow).unknown) {}

  std::vector<std::string> run() {
    findPoints();
    std::vector<std::string> own;
    for (LoopId id = 0; id < flow.loops.size(); ++id) {
      own.push_back(shape(id));
      if (own.back().empty())
        own.back() = work(flow.loops[id]);
    }
    // What is in a loop is part of it; inner ones come later.
    for (LoopId id = static_cast<LoopId>(flow.loops.size()); id-- > 0;)
      if (LoopId parent = flow.loops[id].parent; parent != kNone && own[parent].empty())
        own[parent] = own[id];
    for (LoopId id = 0; id < flow.loops.size(); ++id)
      if (own[id].empty())
        own[id] = symbols(id);
    return own;
  }

private:
  /// Whether it is the loop that DaCe makes a `for` of, with nothing in its control.
  std::string shape(LoopId id) const {
    const FlowLoop &loop = flow.loops[id];
    if (!flow.reducible || loop.region)
      return "it is no loop of states";
    if (!loop.counted || !loop.counted->exact || !loop.counted->begin || !loop.counted->trips ||
        loop.counted->begin->isUnknown() || loop.counted->trips->isUnknown() ||
        !loop.counted->trips->subscripted().empty() || namesContainers(*loop.counted->begin))
      return "its trips are not counted";
    if (loop.control == kNone || loop.decidesLast || loop.backEdges.size() != 1)
      return "its control does not come first";
    const Block *guard = flow.points[loop.control].block;
    if (!guard || !guard->state() || !guard->state()->nodes.empty())
      return "its control does work";
    return enteredByGuard(id, *guard) ? "" : "it is entered or left elsewhere";
  }

  void findPoints() {
    pointOf.assign(sdfg.graph.blocks.size(), kNone);
    for (PointId id = 0; id < flow.points.size(); ++id)
      if (flow.points[id].kind == FlowKind::State)
        if (BlockId block = blockOf(id); block != kNone)
          pointOf[block] = id;
    edgesAt.resize(sdfg.graph.blocks.size());
    for (const InterstateEdge &edge : sdfg.graph.edges) {
      edgesAt[edge.from].push_back(&edge);
      if (edge.to != edge.from)
        edgesAt[edge.to].push_back(&edge);
    }
  }

  /// Of the SDFG's own; kNone for one in a region.
  BlockId blockOf(PointId point) const {
    const std::vector<Block> &blocks = sdfg.graph.blocks;
    const Block *block = flow.points[point].block;
    bool isOwn = !std::less<>()(block, blocks.data()) && std::less<>()(block, blocks.data() + blocks.size());
    return isOwn ? static_cast<BlockId>(block - blocks.data()) : kNone;
  }

  bool isIn(LoopId loop, BlockId id) const { return pointOf[id] != kNone && flow.within(pointOf[id], loop); }

  bool namesContainers(const Expr &expr) const {
    std::set<std::string> names = expr.freeSymbols();
    names.merge(expr.subscripted());
    return std::any_of(names.begin(), names.end(), [&](const std::string &name) { return sdfg.find(name); });
  }

  /// Whether the blocks' own edges enter and leave it at the control only, by one edge that goes on and one that ends,
  /// and every edge from outside and the one from inside set its variable.
  bool enteredByGuard(LoopId id, const Block &guard) const {
    const FlowLoop &loop = flow.loops[id];
    std::size_t stays = 0, leaves = 0, again = 0, enters = 0;
    for (PointId point : loop.points) {
      BlockId here = flow.points[point].kind == FlowKind::State ? blockOf(point) : kNone;
      if (here == kNone)
        continue;
      for (const InterstateEdge *edge : edgesAt[here]) {
        bool fromGuard = &sdfg.graph.blocks[edge->from] == &guard, toGuard = &sdfg.graph.blocks[edge->to] == &guard;
        bool from = isIn(id, edge->from), to = isIn(id, edge->to);
        if (edge->from != here && from) // it comes with the block that it leaves
          continue;
        if ((!from && !toGuard) || (!to && !fromGuard) || (fromGuard && toGuard))
          return false;
        stays += fromGuard && to;
        leaves += fromGuard && !to;
        again += toGuard && from;
        enters += toGuard && !from;
        bool sets = std::any_of(edge->assignments.begin(), edge->assignments.end(),
                                [&](const auto &each) { return each.first == loop.counted->variable; });
        if ((toGuard && !sets) || (fromGuard && to && !edge->assignments.empty()))
          return false;
      }
    }
    return stays == 1 && leaves == 1 && again == 1 && enters >= 1;
  }

  std::string work(const FlowLoop &loop) {
    for (PointId id : loop.points) {
      const FlowPoint &point = flow.points[id];
      for (FlowEdgeId edge : flow.out(id))
        for (const std::string &name : namesOn(edge))
          if (const Container *found = sdfg.find(name); found && (!found->isScalar() || isWritten(loop, name)))
            return "its control flow reads '" + name + "'";
      if (point.kind != FlowKind::State)
        continue;
      auto [found, isNew] = states.try_emplace(point.block);
      if (isNew)
        found->second = {state(level.states.at(point.block), *point.block->state()),
                         identifiersIn(*point.block->state())};
      if (!found->second.why.empty())
        return found->second.why;
    }
    return "";
  }

  bool isWritten(const FlowLoop &loop, const std::string &container) const {
    return std::any_of(loop.points.begin(), loop.points.end(), [&](PointId id) {
      const FlowPoint &point = flow.points[id];
      if (point.kind != FlowKind::State)
        return false;
      const std::vector<Operation> &operations = level.states.at(point.block).operations;
      return std::any_of(operations.begin(), operations.end(), [&](const Operation &operation) {
        return std::any_of(operation.uses.begin(), operation.uses.end(),
                           [&](const Use &use) { return use.writes && use.unit == level.units->of(container); });
      });
    });
  }

  const std::set<std::string> &namesOn(FlowEdgeId edge) {
    auto [found, isNew] = names.try_emplace(edge);
    if (isNew)
      found->second = namesIn(flow.edges[edge]);
    return found->second;
  }

  std::string state(const Level::StateParts &parts, const State &state) const {
    for (NodeId id = 0; id < state.nodes.size(); ++id)
      if (state.nodes[id].kind == NodeKind::Access && parts.dataflow.scope(id) == kNone)
        if (std::string why = container(state.nodes[id]); !why.empty())
          return why;
    for (const Operation &each : parts.operations)
      if (std::string why = operation(parts.dataflow, state, each); !why.empty())
        return "'" + each.name + "' " + why;
    return "";
  }

  std::string container(const Node &access) const {
    const Container *found = sdfg.find(access.container());
    auto isZero = [](const Expr &each) { return each == Expr(0); };
    if (found && !std::all_of(found->offset.begin(), found->offset.end(), isZero))
      return "'" + access.data + "' has an offset";
    bool isPlain = found && (found->isArray() || found->isScalar()) && !found->isView() && !found->isReference() &&
                   found->name == access.data && level.units->of(found->name) == found->name;
    return isPlain ? "" : "'" + access.data + "' is a view, or no array";
  }

  std::string operation(const Dataflow &dataflow, const State &state, const Operation &of) const {
    if (of.pin == placement::Side::Host)
      return "stays on the host: " + of.why;
    if (of.launches || of.transfer)
      return "is the host's";
    if (of.edge)
      return copy(state, state.edges[*of.edge]);
    for (NodeId id : of.nodes)
      if (std::string why = state.nodes[id].kind == NodeKind::MapEntry  ? map(dataflow, state, id, true)
                            : state.nodes[id].kind == NodeKind::Tasklet ? ""
                                                                        : std::string("is no map and no tasklet");
          !why.empty())
        return why;
    return "";
  }

  std::string copy(const State &state, const DataEdge &edge) const {
    const Container *source = sdfg.find(state.nodes[edge.from].data);
    if (source && source->isScalar())
      return "copies a scalar"; // the kernel's argument, which has no memory to copy from
    return copyMapOf(sdfg, state, edge, [] { return std::string("i"); }) ? "" : "is a copy that is no map";
  }

  std::string map(const Dataflow &dataflow, const State &state, NodeId entry, bool isTop) const {
    const Node &map = state.nodes[entry];
    if (map.schedule && (map.schedule->location == Location::Device || map.schedule->location == Location::InKernel))
      return "is scheduled on the GPU already";
    if (isTop && !map.rangeConnectors().empty())
      return "has an extent that is read";
    for (const SymbolicRange &range : map.scope.range.dims)
      if (std::optional<std::int64_t> step = range.step.integer();
          isTop && (!step || *step < 1 || range.tile != Expr(1)))
        return "has a step that is not known to be positive";
    for (NodeId id : dataflow.children(entry))
      if (std::string why = inside(dataflow, state, id); !why.empty())
        return why;
    return "";
  }

  std::string inside(const Dataflow &dataflow, const State &state, NodeId id) const {
    const Node &node = state.nodes[id];
    if (node.kind == NodeKind::MapEntry)
      return map(dataflow, state, id, false);
    if (node.kind == NodeKind::NestedSdfg)
      return resolvesConflicts(*node.nested) ? "resolves conflicts in a nested graph" : "";
    if (node.kind == NodeKind::Access) {
      const Container *found = sdfg.find(node.container());
      return found && (found->isArray() || found->isScalar()) && !found->isView() && !found->isReference()
                 ? ""
                 : "uses '" + node.data + "', a view, or no array";
    }
    return node.kind == NodeKind::Tasklet || node.kind == NodeKind::MapExit ? "" : "holds what is no tasklet or map";
  }

  static bool resolvesConflicts(const Sdfg &nested) {
    bool found = false;
    forEachBlock(nested.graph, [&](const Block &block) {
      if (const State *state = block.state()) {
        for (const DataEdge &edge : state->edges)
          found |= edge.memlet.wcr.has_value();
        for (const Node &node : state->nodes)
          found |= node.nested && resolvesConflicts(*node.nested);
      }
    });
    return found;
  }

  // ---- Symbols

  /// Whether each symbol that the loop sets is that of a counted loop in it, and known wherever it is used.
  std::string symbols(LoopId id) {
    const FlowLoop &loop = flow.loops[id];
    for (const std::string &name : untyped)
      if (isNamedIn(loop, name))
        return "the type of '" + name + "' is not known";
    std::set<std::string> set;
    for (PointId point : loop.points)
      for (FlowEdgeId edge : flow.out(point))
        if (flow.within(flow.edges[edge].to, id))
          for (const Assignment &each : flow.edges[edge].assignments)
            set.insert(each.symbol);
    auto unknown = [&](const std::set<std::string> &names, LoopId in) -> std::string {
      for (const std::string &name : names)
        if (set.contains(name) && !isVariableAround(name, in, id))
          return name;
      return "";
    };
    for (PointId point : loop.points) {
      std::string wrong;
      if (const FlowPoint &here = flow.points[point]; here.kind == FlowKind::State)
        wrong = unknown(states.at(here.block).named, flow.loopOf(point));
      for (FlowEdgeId edge : flow.out(point)) {
        if (!wrong.empty())
          break;
        std::set<std::string> values;
        for (const Assignment &each : flow.edges[edge].assignments)
          values.merge(namesIn({each.text}));
        wrong = unknown(values, common(point, flow.edges[edge].to));
        if (wrong.empty())
          wrong = unknown(namesIn({flow.edges[edge].conditionText}), flow.loopOf(point));
      }
      if (!wrong.empty())
        return "'" + wrong + "' is used where it may be of an earlier trip";
    }
    if (!mentions)
      mentions.emplace(sdfg);
    for (const std::string &name : set)
      if (name != loop.counted->variable && mentions->outside(name, [&](BlockId block) { return isIn(id, block); }))
        return "'" + name + "' is used behind it";
    return "";
  }

  LoopId common(PointId a, PointId b) const {
    LoopId loop = flow.loopOf(a);
    while (loop != kNone && !flow.within(b, loop))
      loop = flow.loops[loop].parent;
    return loop;
  }

  bool isVariableAround(const std::string &name, LoopId in, LoopId outermost) const {
    for (LoopId each = in; each != kNone; each = flow.loops[each].parent) {
      if (flow.loops[each].counted && flow.loops[each].counted->variable == name)
        return true;
      if (each == outermost)
        break;
    }
    return false;
  }

  bool isNamedIn(const FlowLoop &loop, const std::string &name) {
    auto isSet = [&](const Assignment &each) { return each.symbol == name; };
    auto isOn = [&](FlowEdgeId edge) {
      return namesOn(edge).contains(name) || std::ranges::any_of(flow.edges[edge].assignments, isSet);
    };
    return std::any_of(loop.points.begin(), loop.points.end(), [&](PointId id) {
      auto state = states.find(flow.points[id].block);
      return (state != states.end() && state->second.named.contains(name)) || std::ranges::any_of(flow.out(id), isOn);
    });
  }

  const Level &level;
  const ControlFlow &flow;
  const Sdfg &sdfg;
  std::set<std::string> untyped;                            ///< Symbols: a kernel is handed each with its type.
  std::optional<Mentions> mentions;                         // made when asked for
  std::vector<PointId> pointOf;                             ///< By block of the SDFG; kNone.
  std::vector<std::vector<const InterstateEdge *>> edgesAt; ///< By block, those that leave or enter it.
  std::map<FlowEdgeId, std::set<std::string>> names;        // made when asked for, as the others
  struct Judged {
    std::string why;
    std::set<std::string> named;
  };
  std::map<const Block *, Judged> states;
};

} // namespace

std::vector<std::string> whyNotPersistent(const Level &level) {
  return level.flow->loops.empty() ? std::vector<std::string>() : Judge(level).run();
}

placement::Time persistentLaunch(const placement::Machine &machine) {
  constexpr placement::Time kOwnStates = 3; // before the loop, its control, behind it
  return asTime(Wide(machine.launch) + machine.gridBarrierSetup + kOwnStates * Wide(machine.gridBarrier));
}

/// What is paid once an entry of a loop, shared out among the runs of its control.
static placement::Time onceAnEntry(const placement::Graph &graph, const Level &level, const FlowLoop &loop,
                                   const placement::Point &control, placement::Time price) {
  Rational entries = 0;
  for (FlowEdgeId edge : loop.entries)
    entries += graph.edges[level.edges[edge].back()].frequency;
  return asTime((Rational(price) * entries / control.frequency).ceiling());
}

/// A copy is a map of a tasklet that has to do something for each element.
static NodeWork inKernel(const Operation &operation) {
  NodeWork work = operation.work;
  if (operation.edge)
    work.operations = work.iterations;
  return work;
}

void addKernelRegions(Extracted &extracted, Level &level, const std::vector<placement::PointId> &entries,
                      const placement::Machine &machine) {
  const ControlFlow &flow = *level.flow;
  placement::Graph &graph = extracted.graph;
  std::vector<std::string> why = whyNotPersistent(level);
  level.regions.assign(flow.loops.size(), kNone);
  std::set<const Block *> controls;
  for (LoopId id = 0; id < flow.loops.size(); ++id) {
    const FlowLoop &loop = flow.loops[id];
    if (!why[id].empty())
      continue;
    placement::Region region;
    region.parent = loop.parent == kNone ? kNone : level.regions[loop.parent];
    region.name = "loop over " + loop.counted->variable;
    region.launch = persistentLaunch(machine);
    level.regions[id] = static_cast<placement::RegionId>(graph.regions.size());
    graph.regions.push_back(std::move(region));
    controls.insert(flow.points[loop.control].block);
    for (PointId point : loop.points) {
      graph.points[entries[point]].region = level.regions[id];
      if (flow.points[point].kind == FlowKind::State)
        for (const auto *points :
             {&level.states.at(flow.points[point].block).points, &level.states.at(flow.points[point].block).targets})
          for (placement::PointId each : *points)
            if (each != kNone)
              graph.points[each].region = level.regions[id];
    }
  }
  // All threads wait for each other behind each operation, each state without one, and an inner loop's first control.
  for (PointId id = 0; id < flow.points.size(); ++id) {
    placement::Point &point = graph.points[entries[id]];
    if (point.region == kNone)
      continue;
    for (placement::Read &read : point.reads) // scalars, arguments of the kernel
      if (flow.points[id].kind == FlowKind::Control)
        read.operand = placement::Operand::Operation;
    if (LoopId loop = flow.loopOf(id); flow.points[id].kind == FlowKind::Control && loop != kNone &&
                                       flow.loops[loop].control == id && flow.loops[loop].parent != kNone &&
                                       level.regions[flow.loops[loop].parent] != kNone)
      point.cost.inner = onceAnEntry(graph, level, flow.loops[loop], point, machine.gridBarrier);
    if (flow.points[id].kind != FlowKind::State)
      continue;
    const Level::StateParts &parts = level.states.at(flow.points[id].block);
    for (std::size_t i = 0; i < parts.operations.size(); ++i) {
      if (parts.targets[i] != kNone)
        graph.points[parts.targets[i]].cost.inner = 0; // all of it is the source's
      graph.points[parts.points[i]].cost.inner =
          asTime(Wide(deviceTime(inKernel(parts.operations[i]), machine)) + machine.gridBarrier);
    }
    if (parts.operations.empty() && !controls.contains(flow.points[id].block)) {
      point.kind = placement::PointKind::Control;
      point.cost.inner = machine.gridBarrier;
    }
  }
}

} // namespace ferry::sdfg
