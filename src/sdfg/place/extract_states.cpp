// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A state's operations as points of the problem, one behind the other.

#include "sdfg/bounds.h"
#include "sdfg/place/extractor.h"
#include "sdfg/place/peeks.h"
#include "sdfg/place/wording.h"

#include <algorithm>

namespace ferry::sdfg {

using placement::ArrayId;
using placement::Direction;
using placement::Error;
using placement::Result;
using placement::Side;

Result<placement::PointId> Extractor::state(Level &level, const Block &block, placement::PointId entry,
                                            const Rational &frequency, LoopId loop) {
  const Sizes &sizes = level.sizes->in(loop);
  Assumptions variables = variablesIn(*level.flow, loop);
  Result<Dataflow> dataflow = Dataflow::of(*block.state());
  if (!dataflow)
    return Error{dataflow.error().kind, "state '" + block.label() + "': " + dataflow.error().message};
  Level::StateParts &parts = level.states[&block];
  parts.dataflow = std::move(*dataflow);
  parts.operations =
      operationsOf(*level.sdfg, *block.state(), parts.dataflow, *level.units, sizes, result.onHost, variables);
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

bool Extractor::isLevel(const Block &block, const Operation &operation) const {
  return operation.kind == Operation::Kind::Nested && !operation.pin &&
         !options.whole.contains(&block.state()->nodes[operation.nodes.front()]);
}

Result<Extractor::Ends> Extractor::nested(Level &outer, const Block &block, std::size_t operation,
                                          const Rational &frequency, const Sizes &sizes) {
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

void Extractor::addUses(const Level &level, const Operation &operation, placement::PointId id,
                        placement::PointId target, const Sizes &sizes) {
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
      if (auto part = bytes(use.readPart); part && !use.launch) {
        read.peek = options.machine.copy(Direction::DeviceToHost, *part);
        read.fetch = options.machine.copy(Direction::HostToDevice, *part);
      }
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

Result<Extractor::Ends> Extractor::place(Level &level, const Block &block, std::size_t index, const Rational &frequency,
                                         const Sizes &sizes) {
  Level::StateParts &parts = level.states.at(&block);
  const Operation &operation = parts.operations[index];
  std::optional<Crossing> crossing = crossingOf(*level.sdfg, operation, options.machine);
  if (crossing && !options.pins.contains(labelOf(operation)))
    return placeCopy(level, block, index, *crossing, frequency, sizes);
  parts.points[index] = place(level, block, operation, frequency, sizes);
  return Ends{parts.points[index], parts.points[index]};
}

Extractor::Ends Extractor::placeCopy(Level &level, const Block &block, std::size_t index, const Crossing &crossing,
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
  placement::Read &read = graph().points[source].reads[0]; // with its source on the other side it is a transfer itself
  read.peek.reset();
  read.fetch.reset();
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

void Extractor::setCost(placement::PointId id, placement::Time host, placement::Time device) {
  graph().points[id].cost.host = host;
  graph().points[id].cost.device = device;
  graph().points[id].cost.launch = 0;
}

placement::PointId Extractor::place(const Level &level, const Block &block, const Operation &operation,
                                    const Rational &frequency, const Sizes &sizes) {
  const State &state = *block.state();
  placement::PointId id = point(placement::PointKind::Operation, frequency,
                                describe(program, block, level.states.at(&block).dataflow, operation));
  addUses(level, operation, id, id, sizes);
  placement::Point &made = graph().points[id];
  made.cost.host = hostTime(operation.work, options.machine);
  made.cost.device = deviceTime(operation.work, options.machine);
  if (operation.launches) {
    made.cost.device = launchTime(*level.sdfg, state, level.states.at(&block).dataflow, operation.nodes.front(), sizes);
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

void Extractor::note(const std::string &label, Side side, const std::string &why) {
  result.notes.push_back("'" + label + "' is not on the " + placement::toString(side) + ": " + why);
}

void Extractor::noteKernels(const Level::StateParts &parts, const State &state, const Operation &operation) {
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

placement::Time Extractor::launchTime(const Sdfg &sdfg, const State &state, const Dataflow &dataflow, NodeId entry,
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

} // namespace ferry::sdfg
