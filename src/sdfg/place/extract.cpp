// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/extract.h"

#include "sdfg/bounds.h"
#include "sdfg/names.h"
#include "sdfg/place/device_boxes.h"
#include "sdfg/place/extractor.h"
#include "sdfg/place/peeks.h"
#include "sdfg/place/persistent_loops.h"
#include "sdfg/place/wording.h"

#include <algorithm>

namespace ferry::sdfg {

using placement::ArrayId;
using placement::Direction;
using placement::Result;
using placement::Side;

Result<Extracted> Extractor::run() {
  Result<MapSet> named = hostMaps(program, options.hostMaps);
  if (!named)
    return named.error();
  result.onHost = std::move(*named);
  Sizes sizes(options.assume);
  Result<Level *> root = level(program.root, nullptr, nullptr, kNone, sizes);
  if (!root)
    return root.error();
  Result<Ends> ends = control(**root, 1);
  if (!ends)
    return ends.error();
  graph().points[ends->entry].kind = placement::PointKind::Entry;
  graph().points[ends->exit].kind = placement::PointKind::Exit;
  noteUnknownPins();
  if (Result<void> narrowed = narrowCopies(result, options.machine); !narrowed)
    return narrowed.error();
  result.guessed = sizes.guessed();
  return std::move(result);
}

void Extractor::noteUnknownPins() {
  std::set<std::string> labels;
  for (const auto &level : result.levels)
    for (const auto &[block, parts] : level->states)
      for (const Operation &operation : parts.operations)
        labels.insert(labelOf(operation));
  for (const auto &[name, side] : options.pins)
    if (!labels.contains(name))
      result.notes.push_back("no operation is called '" + name + "', which is pinned; " + thereAre(labels));
}

Result<Level *> Extractor::level(Sdfg &sdfg, Level *outer, const Block *outerBlock, NodeId outerNode, Sizes sizes) {
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

void Extractor::bind(Level &inner) {
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

bool Extractor::isWhole(const Memlet &memlet, const Container &container) {
  return memlet.subset && provedEqual(elements(*memlet.subset), elements(wholeOf(container.shape)));
}

ArrayId Extractor::add(placement::Array array, std::pair<Level *, std::string> owner, ArrayId origin) {
  ArrayId id = static_cast<ArrayId>(graph().arrays.size());
  graph().arrays.push_back(std::move(array));
  result.owners.push_back(std::move(owner));
  result.origins.push_back(origin == kNone ? id : origin);
  return id;
}

ArrayId Extractor::array(Level &owner, const Container &container) {
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

placement::PointId Extractor::point(placement::PointKind kind, const Rational &frequency, const std::string &name) {
  placement::Point made;
  made.kind = kind;
  made.frequency = frequency;
  made.name = name;
  graph().points.push_back(std::move(made));
  return static_cast<placement::PointId>(graph().points.size() - 1);
}

placement::EdgeId Extractor::connect(placement::PointId from, placement::PointId to, const Rational &frequency,
                                     const std::string &name) {
  placement::Edge made;
  made.name = name;
  made.from = from;
  made.to = to;
  made.frequency = frequency;
  graph().edges.push_back(std::move(made));
  return static_cast<placement::EdgeId>(graph().edges.size() - 1);
}

Result<Extractor::Ends> Extractor::control(Level &level, const Rational &runs) {
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
    Result<placement::PointId> last = state(level, *here.block, ends[id].entry, often->points[id], flow.loopOf(id));
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

bool Extractor::namesContainers(const Level &level, const FlowEdge &edge) {
  std::set<std::string> all = namesIn(edge);
  return std::any_of(all.begin(), all.end(), [&](const std::string &name) { return level.sdfg->find(name); });
}

void Extractor::readNames(Level &level, std::span<const FlowEdgeId> edges, placement::PointId point) {
  std::vector<Evaluated> evaluated;
  std::set<std::string> read;
  bool isBehindState = true;
  for (FlowEdgeId id : edges) {
    const FlowEdge &edge = level.flow->edges[id];
    isBehindState &= (edge.site == Site::Interstate || edge.site == Site::End) && edge.block->state();
    read.merge(namesIn(edge));
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
    made.peek = asTime(placement::multiplyChecked(price, static_cast<placement::Wide>(elements->size())));
    level.peeks[{point, array}] = {level.flow->edges[edges.front()].block, std::move(*elements)};
  }
}

std::vector<std::pair<ArrayId, const Container *>> Extractor::alone(const Level &level,
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

placement::Read &Extractor::addRead(placement::PointId point, ArrayId array, placement::Operand operand) {
  auto &reads = graph().points[point].reads;
  auto found = std::find_if(reads.begin(), reads.end(), [&](const placement::Read &read) {
    return read.array == array && read.operand == operand;
  });
  if (found == reads.end())
    found = reads.insert(found, {array, operand, std::nullopt, std::nullopt, std::nullopt});
  return *found;
}

placement::Write &Extractor::addWrite(placement::PointId point, ArrayId array) {
  auto &writes = graph().points[point].writes;
  auto found = std::find_if(writes.begin(), writes.end(), [&](const auto &write) { return write.array == array; });
  if (found == writes.end())
    found = writes.insert(found, {array, false, {}, {}, {}});
  return *found;
}

Result<Extracted> extract(Program &program, const ExtractOptions &options) {
  return priced(program.root.name(), [&] { return Extractor(program, options).run(); });
}

} // namespace ferry::sdfg
