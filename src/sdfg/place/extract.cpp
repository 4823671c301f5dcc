// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/extract.h"

#include "sdfg/bounds.h"
#include "sdfg/place/crossing.h"
#include "sdfg/place/peeks.h"
#include "sdfg/place/persistent.h"
#include "sdfg/place/wording.h"

#include <algorithm>

namespace ferry::sdfg {

using placement::ArrayId;
using placement::Direction;
using placement::Error;
using placement::Result;
using placement::Side;

namespace {

class Extractor {
public:
  Extractor(Program &program, const ExtractOptions &options) : program(program), options(options) {}

  Result<Extracted> run() {
    Result<MapSet> named = hostMaps(program, options.hostMaps);
    if (!named)
      return named.error();
    result.onHost = std::move(*named);
    Result<Level *> root = level(program.root, nullptr, nullptr, kNone, Sizes(options.assume));
    if (!root)
      return root.error();
    Result<Ends> ends = control(**root, 1);
    if (!ends)
      return ends.error();
    graph().points[ends->entry].kind = placement::PointKind::Entry;
    graph().points[ends->exit].kind = placement::PointKind::Exit;
    return std::move(result);
  }

private:
  struct Ends {
    placement::PointId entry = kNone, exit = kNone;
  };

  placement::Graph &graph() { return result.graph; }

  // ---- Levels and arrays

  Result<Level *> level(Sdfg &sdfg, Level *outer, const Block *outerBlock, NodeId outerNode, Sizes sizes) {
    auto made = std::make_unique<Level>();
    made->sdfg = &sdfg;
    made->outer = outer;
    made->outerBlock = outerBlock;
    made->outerNode = outerNode;
    made->units = std::make_unique<Units>(sdfg);
    Result<ControlFlow> flow = ControlFlow::of(sdfg);
    if (!flow)
      return flow.error();
    made->flow = std::make_unique<ControlFlow>(std::move(*flow));
    made->sizes = std::make_unique<LoopSizes>(*made->flow, std::move(sizes));
    if (outer)
      bind(*made);
    for (const Container &container : sdfg.containers) {
      const std::string &unit = made->units->of(container.name);
      if (unit == container.name && !made->arrays.contains(unit))
        made->arrays.emplace(unit, array(*made, container));
    }
    result.levels.push_back(std::move(made));
    return result.levels.back().get();
  }

  /// A container of a nested SDFG with a connector stands for what that is connected to.
  void bind(Level &inner) {
    const State &state = *inner.outerBlock->state();
    const Node &node = state.nodes[inner.outerNode];
    std::set<ArrayId> inPart;
    std::vector<std::pair<std::string, ArrayId>> bound;
    for (const DataEdge &edge : state.edges) {
      bool in = edge.to == inner.outerNode, out = edge.from == inner.outerNode;
      const std::optional<std::string> &connector = in ? edge.toConnector : edge.fromConnector;
      if ((!in && !out) || !connector || edge.memlet.isEmpty())
        continue;
      const Node &far = state.nodes[in ? edge.from : edge.to];
      if (far.kind != NodeKind::Access || !inner.sdfg->find(*connector))
        continue;
      const std::string &unit = inner.outer->units->of(far.container());
      ArrayId array = inner.outer->arrays.at(unit);
      bound.emplace_back(inner.units->of(*connector), array);
      if (!isWhole(edge.memlet, *inner.outer->sdfg->find(unit)))
        inPart.insert(array);
    }
    std::map<ArrayId, ArrayId> parts;
    for (ArrayId array : inPart) {
      placement::Array part = graph().arrays[array];
      part.argument = part.result = false;
      part.h2d = part.d2h = kForbidden;
      parts[array] = add(std::move(part), result.owners[array], result.origins[array]);
      result.partOf[parts[array]] = &node;
    }
    for (const auto &[unit, array] : bound)
      inner.arrays.emplace(unit, parts.contains(array) ? parts[array] : array);
    inner.parts = std::move(parts);
  }

  static bool isWhole(const Memlet &memlet, const Container &container) {
    return memlet.subset && provedEqual(elements(*memlet.subset), elements(wholeOf(container.shape)));
  }

  ArrayId add(placement::Array array, std::pair<Level *, std::string> owner, ArrayId origin) {
    ArrayId id = static_cast<ArrayId>(graph().arrays.size());
    graph().arrays.push_back(std::move(array));
    result.owners.push_back(std::move(owner));
    result.origins.push_back(origin == kNone ? id : origin);
    return id;
  }

  ArrayId array(Level &owner, const Container &container) {
    placement::Array made;
    made.name = container.name;
    std::optional<Expr> bytes = container.bytes();
    made.bytes = bytes ? owner.sizes->in(kNone).count(*bytes) : 8;
    made.argument = made.result = !container.transient;
    if (container.isOnDevice())
      made.home = Side::Device;
    made.byValue = container.isScalar();
    if (made.byValue) // what a kernel writes needs memory there, which is filled by a copy like any other
      made.h2d = options.machine.copy(Direction::HostToDevice, made.bytes);
    return add(std::move(made), {&owner, container.name}, kNone);
  }

  // ---- Control flow

  placement::PointId point(placement::PointKind kind, const Rational &frequency, const std::string &name) {
    placement::Point made;
    made.kind = kind;
    made.frequency = frequency;
    made.name = name;
    graph().points.push_back(std::move(made));
    return static_cast<placement::PointId>(graph().points.size() - 1);
  }

  placement::EdgeId connect(placement::PointId from, placement::PointId to, const Rational &frequency,
                            const std::string &name) {
    placement::Edge made;
    made.name = name;
    made.from = from;
    made.to = to;
    made.frequency = frequency;
    graph().edges.push_back(std::move(made));
    return static_cast<placement::EdgeId>(graph().edges.size() - 1);
  }

  Result<Ends> control(Level &level, const Rational &runs) {
    const ControlFlow &flow = *level.flow;
    Result<Frequencies> often = frequencies(flow, oddsOf(flow, *level.sizes, runs, options.rarity));
    if (!often)
      return often.error();
    std::vector<Ends> ends(flow.points.size());
    for (PointId id = 0; id < flow.points.size(); ++id) {
      const FlowPoint &here = flow.points[id];
      placement::PointKind kind =
          here.kind == FlowKind::Control ? placement::PointKind::Control : placement::PointKind::Join;
      ends[id].entry = ends[id].exit = point(kind, often->points[id], here.block ? here.block->label() : "");
      if (here.kind == FlowKind::Control)
        readNames(level, flow.out(id), ends[id].entry);
      if (here.kind != FlowKind::State)
        continue;
      Result<placement::PointId> last =
          state(level, *here.block, ends[id].entry, often->points[id], level.sizes->in(flow.loopOf(id)));
      if (!last)
        return last.error();
      ends[id].exit = *last;
    }
    level.edges.resize(flow.edges.size());
    for (FlowEdgeId id = 0; id < flow.edges.size(); ++id) {
      const FlowEdge &edge = flow.edges[id];
      placement::PointId from = ends[edge.from].exit;
      // Values of symbols are computed on the way.
      if (flow.points[edge.from].kind != FlowKind::Control && namesContainers(level, edge)) {
        placement::PointId values =
            point(placement::PointKind::Control, often->edges[id],
                  edge.assignments.empty() ? edge.conditionText
                                           : edge.assignments.front().symbol + " = " + edge.assignments.front().text);
        readNames(level, std::span(&id, 1), values);
        level.edges[id].push_back(connect(from, values, often->edges[id], describe(flow, id)));
        from = values;
      }
      level.edges[id].push_back(connect(from, ends[edge.to].entry, often->edges[id], describe(flow, id)));
    }
    if (program.version.text.starts_with("1.")) {
      std::vector<placement::PointId> entries;
      for (const Ends &each : ends)
        entries.push_back(each.entry);
      addKernelRegions(result, level, entries, options.machine);
    }
    return Ends{ends[flow.entry].entry, ends[flow.exit].entry};
  }

  static std::set<std::string> names(const FlowEdge &edge) {
    std::set<std::string> result = namesIn({edge.conditionText});
    for (const Assignment &each : edge.assignments)
      result.merge(namesIn({each.text}));
    return result;
  }

  static bool namesContainers(const Level &level, const FlowEdge &edge) {
    std::set<std::string> all = names(edge);
    return std::any_of(all.begin(), all.end(), [&](const std::string &name) { return level.sdfg->find(name); });
  }

  /// What the host has to read to choose among flow edges, or to go one, and for their assignments.
  void readNames(Level &level, std::span<const FlowEdgeId> edges, placement::PointId point) {
    std::vector<Evaluated> evaluated;
    std::set<std::string> read;
    bool isBehindState = true;
    for (FlowEdgeId id : edges) {
      const FlowEdge &edge = level.flow->edges[id];
      isBehindState &= (edge.site == Site::Interstate || edge.site == Site::End) && edge.block->state();
      read.merge(names(edge));
      bool isFirst = id == edges.front();
      if (Expr operand = firstOperand(edge.conditionText); isFirst && !operand.isUnknown())
        evaluated.push_back({operand, true});
      evaluated.push_back({edge.condition, isFirst});
      for (const Assignment &each : edge.assignments)
        evaluated.push_back({each.value, edges.size() == 1});
    }
    for (const auto &[array, container] : alone(level, read)) {
      placement::Read &made = addRead(point, array, placement::Operand::Host);
      if (!isBehindState || !container)
        continue;
      auto isContainer = [&](const std::string &each) { return level.sdfg->find(each) != nullptr; };
      auto elements = elementsRead(*container, evaluated, isContainer);
      if (!elements || elements->empty() || !isPart(elements->front(), *container))
        continue;
      placement::Time price = options.machine.copy(Direction::DeviceToHost, container->elementBytes.value_or(8));
      made.peek = price * static_cast<placement::Time>(elements->size());
      level.peeks[{point, array}] = {level.flow->edges[edges.front()].block, std::move(*elements)};
    }
  }

  /// The arrays that names are of, each once, with the container if no other name is of the same memory.
  static std::vector<std::pair<ArrayId, const Container *>> alone(const Level &level,
                                                                  const std::set<std::string> &names) {
    std::vector<std::pair<ArrayId, const Container *>> result;
    for (const std::string &name : names)
      if (const Container *container = level.sdfg->find(name)) {
        const std::string &unit = level.units->of(name);
        ArrayId array = level.arrays.at(unit);
        auto found = std::find_if(result.begin(), result.end(), [&](const auto &each) { return each.first == array; });
        if (found == result.end())
          result.emplace_back(array, unit == name ? container : nullptr);
        else
          found->second = nullptr;
      }
    return result;
  }

  /// Each array once for each kind of operand. The reference is good until the next read.
  placement::Read &addRead(placement::PointId point, ArrayId array, placement::Operand operand) {
    auto &reads = graph().points[point].reads;
    auto found = std::find_if(reads.begin(), reads.end(), [&](const placement::Read &read) {
      return read.array == array && read.operand == operand;
    });
    if (found == reads.end())
      found = reads.insert(found, {array, operand, std::nullopt, std::nullopt});
    return *found;
  }

  /// Each array once, as addRead.
  placement::Write &addWrite(placement::PointId point, ArrayId array) {
    auto &writes = graph().points[point].writes;
    auto found = std::find_if(writes.begin(), writes.end(), [&](const auto &write) { return write.array == array; });
    if (found == writes.end())
      found = writes.insert(found, {array, false, {}, {}, {}});
    return *found;
  }

  // ---- States

  /// Gives the state's last point.
  Result<placement::PointId> state(Level &level, const Block &block, placement::PointId entry,
                                   const Rational &frequency, const Sizes &sizes) {
    Result<Dataflow> dataflow = Dataflow::of(*block.state());
    if (!dataflow)
      return Error{dataflow.error().kind, "state '" + block.label() + "': " + dataflow.error().message};
    Level::StateParts &parts = level.states[&block];
    parts.dataflow = std::move(*dataflow);
    parts.operations = operationsOf(*level.sdfg, *block.state(), parts.dataflow, *level.units, sizes, result.onHost);
    parts.points.assign(parts.operations.size(), kNone);
    parts.targets = parts.points;
    placement::PointId last = entry;
    for (std::size_t i = 0; i < parts.operations.size(); ++i) {
      const Operation &operation = parts.operations[i];
      Ends ends;
      if (isLevel(block, operation)) {
        Result<Ends> inner = nested(level, block, i, frequency, sizes);
        if (!inner)
          return inner.error();
        ends = *inner;
      } else {
        Result<Ends> made = priced(operation.name, [&] { return place(level, block, i, frequency, sizes); });
        if (!made)
          return made.error();
        ends = *made;
      }
      std::string where = "in state '" + block.label() + "' before '" + operation.name + "'";
      level.stateEdges[connect(last, ends.entry, frequency, where)] = {&block, i};
      last = ends.exit;
    }
    return last;
  }

  bool isLevel(const Block &block, const Operation &operation) const {
    return operation.kind == Operation::Kind::Nested && !operation.pin &&
           !options.whole.contains(&block.state()->nodes[operation.nodes.front()]);
  }

  Result<Ends> nested(Level &outer, const Block &block, std::size_t operation, const Rational &frequency,
                      const Sizes &sizes) {
    NodeId id = outer.states[&block].operations[operation].nodes.front();
    const Node &node = block.state()->nodes[id];
    Result<Level *> inner = level(*node.nested, &outer, &block, id, sizes.inside(node));
    if (!inner)
      return inner.error();
    Result<Ends> inside = control(**inner, frequency);
    if (!inside || (*inner)->parts.empty())
      return inside;
    // What is inside under another name gets it behind a point of its own, before which it can still be copied.
    Ends around{point(placement::PointKind::Join, frequency, ""), point(placement::PointKind::Join, frequency, "")};
    placement::EdgeId in = connect(around.entry, inside->entry, frequency, "before '" + node.label() + "'"),
                      out = connect(inside->exit, around.exit, frequency, "behind '" + node.label() + "'");
    outer.stateEdges[out] = {&block, operation + 1}; // the name is the old one there already
    for (auto [array, part] : (*inner)->parts) {
      graph().edges[in].renames.push_back({part, array});
      graph().edges[out].renames.push_back({array, part});
    }
    return around;
  }

  void addUses(const Level &level, const Operation &operation, placement::PointId id, placement::PointId target,
               const Sizes &sizes) {
    std::map<ArrayId, unsigned> units; // a container may be handed in by several connectors
    for (const Use &use : operation.uses)
      ++units[level.arrays.at(use.unit)];
    for (const Use &use : operation.uses) {
      ArrayId array = level.arrays.at(use.unit);
      if (use.launch)
        addRead(id, array, placement::Operand::Host);
      const Container &container = *level.sdfg->find(use.unit);
      auto bytes = [&](const std::optional<Subset> &part) -> std::optional<std::int64_t> {
        if (!part || !isPart(*part, container) || units[array] > 1)
          return std::nullopt;
        return saturatingProduct(sizes.elements(*part), container.elementBytes.value_or(8));
      };
      if (use.reads) {
        placement::Read &read = addRead(id, array, placement::Operand::Operation);
        if (auto part = bytes(use.readPart); part && !use.launch)
          read.peek = options.machine.copy(Direction::DeviceToHost, *part);
      }
      if (!use.writes)
        continue;
      placement::Write &write = addWrite(target, array);
      write.whole |= use.whole && !result.partOf.contains(array);
      if (auto part = bytes(use.writtenPart); part && !write.whole) {
        write.poke = options.machine.copy(Direction::HostToDevice, *part);
        write.push = options.machine.copy(Direction::DeviceToHost, *part);
      }
    }
  }

  Result<Ends> place(Level &level, const Block &block, std::size_t index, const Rational &frequency,
                     const Sizes &sizes) {
    Level::StateParts &parts = level.states.at(&block);
    const Operation &operation = parts.operations[index];
    std::optional<Crossing> crossing = crossingOf(*level.sdfg, operation, options.machine);
    if (crossing && !options.pins.contains(labelOf(operation)))
      return placeCopy(level, block, index, *crossing, frequency, sizes);
    parts.points[index] = place(level, block, operation, frequency, sizes);
    return Ends{parts.points[index], parts.points[index]};
  }

  /// A copy's source and its target as points of their own, with an array for what is carried from one to the other.
  Ends placeCopy(Level &level, const Block &block, std::size_t index, const Crossing &crossing,
                 const Rational &frequency, const Sizes &sizes) {
    Level::StateParts &parts = level.states.at(&block);
    const Operation &operation = parts.operations[index];
    std::string name = describe(program, block, parts.dataflow, operation);
    placement::PointId source = parts.points[index] = point(placement::PointKind::Operation, frequency, name),
                       target = parts.targets[index] =
                           point(placement::PointKind::Operation, frequency, "target of " + name);
    addUses(level, operation, source, target, sizes);
    placement::Array carried;
    carried.name = operation.name;
    carried.h2d = crossing.toDevice;
    carried.d2h = crossing.toHost;
    ArrayId array = add(std::move(carried), {nullptr, ""}, kNone);
    graph().points[source].reads[0].peek.reset(); // that is a copy to the host with its source on the device
    placement::PointId first = source;
    if (ArrayId from = graph().points[source].reads[0].array; graph().arrays[from].byValue) {
      // A copy by the device reads device memory, no argument.
      placement::Array value;
      value.name = operation.name;
      value.h2d = value.d2h = kForbidden;
      ArrayId inMemory = add(std::move(value), {nullptr, ""}, kNone);
      first = point(placement::PointKind::Join, frequency, name);
      placement::EdgeId edge = connect(first, source, frequency, "before '" + operation.name + "'");
      graph().edges[edge].renames.push_back({inMemory, from});
      level.stateEdges[edge] = {&block, index};
      graph().points[source].reads[0].array = inMemory;
    }
    addWrite(source, array).whole = true;
    addRead(target, array, placement::Operand::Operation);
    setCost(source, crossing.sourceHost, crossing.sourceDevice);
    setCost(target, crossing.targetHost, crossing.targetDevice);
    level.stateEdges[connect(source, target, frequency, "in '" + operation.name + "'")] = {&block, index};
    return {first, target};
  }

  /// With its launch.
  void setCost(placement::PointId id, placement::Time host, placement::Time device) {
    graph().points[id].cost.host = host;
    graph().points[id].cost.device = device;
    graph().points[id].cost.launch = 0;
  }

  placement::PointId place(const Level &level, const Block &block, const Operation &operation,
                           const Rational &frequency, const Sizes &sizes) {
    const State &state = *block.state();
    placement::PointId id = point(placement::PointKind::Operation, frequency,
                                  describe(program, block, level.states.at(&block).dataflow, operation));
    addUses(level, operation, id, id, sizes);
    placement::Point &made = graph().points[id];
    made.cost.host = hostTime(operation.work, options.machine);
    made.cost.device = deviceTime(operation.work, options.machine);
    if (operation.launches) {
      made.cost.device =
          launchTime(*level.sdfg, state, level.states.at(&block).dataflow, operation.nodes.front(), sizes);
      made.cost.launch = 0; // each of the maps in it has its own
    }
    if (operation.transfer)
      made.cost.host = options.machine.copy(*operation.transfer, operation.work.bytes / 2);
    made.pin = operation.kind == Operation::Kind::Nested ? Side::Host : operation.pin;
    std::string label = labelOf(operation);
    noteKernels(level.states.at(&block), state, operation);
    if (!operation.whyPlain.empty())
      result.notes.push_back("'" + label + "' launches nothing: " + operation.whyPlain);
    auto pinned = options.pins.find(label);
    if (pinned == options.pins.end())
      return id;
    if (!made.pin)
      made.pin = pinned->second;
    else if (made.pin != pinned->second)
      note(label, pinned->second, operation.why);
    return id;
  }

  void note(const std::string &label, Side side, const std::string &why) {
    result.notes.push_back("'" + label + "' is not on the " + placement::toString(side) + ": " + why);
  }

  /// What is to stay on the host and is in a kernel already.
  void noteKernels(const Level::StateParts &parts, const State &state, const Operation &operation) {
    if (operation.pin != Side::Device)
      return;
    auto noteNamed = [&](const Node &node) {
      if (result.onHost.contains(&node))
        note(nameOf(node), Side::Host, operation.why);
      return false;
    };
    for (NodeId id : operation.nodes)
      if (!noteNamed(state.nodes[id]) && state.nodes[id].isEntry())
        holdsMap(state, parts.dataflow, id, noteNamed);
  }

  static std::string labelOf(const Operation &operation) { return operation.name.substr(0, operation.name.find('[')); }

  /// Of one run of a host map all kernels in it, with their launches.
  placement::Time launchTime(const Sdfg &sdfg, const State &state, const Dataflow &dataflow, NodeId entry,
                             const Sizes &sizes) {
    auto staysOnHost = [this](const State &state, const Dataflow &dataflow, NodeId entry) {
      return isHostMap(state, dataflow, entry, result.onHost);
    };
    double total = 0;
    for (const Launched &each : launchesOf(sdfg, state, dataflow, entry, sizes, staysOnHost))
      total += each.times * (static_cast<double>(options.machine.launch) +
                             static_cast<double>(deviceTime(each.work, options.machine)));
    return static_cast<placement::Time>(std::min(total, static_cast<double>(kForbidden)));
  }

  Program &program;
  const ExtractOptions &options;
  Extracted result;
};

} // namespace

Result<Extracted> extract(Program &program, const ExtractOptions &options) { return Extractor(program, options).run(); }

} // namespace ferry::sdfg
