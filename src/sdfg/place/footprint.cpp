// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/footprint.h"

#include <algorithm>

namespace ferry::sdfg {

bool Footprints::coversTarget(const DataEdge &edge) const {
  const Container *target = sdfg.find(state.nodes[edge.to].container());
  if (!target || target->isView() || state.nodes[edge.to].data != target->name)
    return false;
  bool names = edge.memlet.data == target->name &&
               !(edge.memlet.dataIsSource.value_or(false) && state.nodes[edge.from].data == target->name);
  const std::optional<Subset> &subset = names ? edge.memlet.subset : edge.memlet.otherSubset;
  if (subset)
    return covers(wholeOf(target->shape), *subset) && covers(*subset, wholeOf(target->shape));
  // Without a subset of its own the target takes as many elements as the source gives, from its beginning.
  return edge.memlet.subset && elements(*edge.memlet.subset) == elements(wholeOf(target->shape));
}

std::optional<Subset> Footprints::partOf(const DataEdge &edge, NodeId access) const {
  const std::string &data = state.nodes[access].data;
  if (edge.memlet.data != data || units.of(data) != data || edge.memlet.dynamic)
    return std::nullopt;
  return edge.memlet.subset;
}

static Expr extentOf(const SymbolicRange &range) { return range.end - range.begin + 1; }

static Subset withoutNegativeExtents(Subset box, const Assumptions &known) {
  for (SymbolicRange &range : box.dims)
    if (!provedNonNegative(extentOf(range), known))
      range.end = max({range.end, range.begin - 1});
  return box;
}

std::optional<Subset> Footprints::partOfCopy(const DataEdge &edge, NodeId access) const {
  const std::string &data = state.nodes[access].data;
  std::optional<Subset> part;
  if (edge.memlet.data != data && !edge.memlet.dynamic && units.of(data) == data)
    part = edge.memlet.otherSubset;
  else if (state.nodes[edge.from].data != state.nodes[edge.to].data)
    part = partOf(edge, access);
  return part ? std::optional(withoutNegativeExtents(std::move(*part), knownOf(*sdfg.find(data)))) : std::nullopt;
}

/// DaCe copies more than a row by a call that wants rows no longer than the container's, however few there are.
static bool hasRowsThatFit(const Subset &box, const Container &container, const Assumptions &known) {
  auto isWide = [](const SymbolicRange &range) { return !(range.begin == range.end); };
  if (std::count_if(box.dims.begin(), box.dims.end(), isWide) < 2)
    return true;
  std::size_t last = box.dims.size() - 1;
  while (!isWide(box.dims[last]))
    --last;
  return provedLessEqual(extentOf(box.dims[last]), container.shape[last], known);
}

static bool isNeverEmpty(const Parameter &parameter, const Assumptions &known) {
  return provedLessEqual(parameter.range.begin, parameter.range.end, known);
}

/// Whether a box has no elements where a parameter has no values.
static bool isEmptyWithout(const Subset &box, const Parameter &parameter) {
  return std::any_of(box.dims.begin(), box.dims.end(), [&](const SymbolicRange &range) {
    return provedEqual(range.end - range.begin + 1, elements(parameter.range));
  });
}

std::optional<Subset> Footprints::readPart(EdgeId id) const {
  const DataEdge &edge = state.edges[id];
  const Container *source = sdfg.find(state.nodes[edge.from].container());
  if (!source || !partOf(edge, edge.from))
    return std::nullopt;
  Subset whole = wholeOf(source->shape);
  std::optional<Subset> result;
  for (EdgeId innerId : dataflow.innermost(id)) {
    const DataEdge &inner = state.edges[innerId];
    std::optional<std::vector<Parameter>> around = parameters(inner.to);
    if (!around || !inner.memlet.subset || inner.memlet.dynamic || inner.memlet.data != source->name ||
        inner.memlet.subset->dims.size() != whole.dims.size())
      return std::nullopt;
    Subset box = copiable(boundingBox(*inner.memlet.subset, *around, whole), *around, *source);
    if (!hasMeaningOutside(box, inner.to))
      return std::nullopt;
    result = result ? this->around(*result, box, *source) : box;
  }
  return result;
}

Subset Footprints::around(const Subset &a, const Subset &b, const Container &source) const {
  Assumptions known = knownOf(source);
  auto hasElements = [&](const SymbolicRange &range) { return provedNonNegative(range.end - range.begin, known); };
  bool areEmptyTogether = std::equal(a.dims.begin(), a.dims.end(), b.dims.begin(), b.dims.end(),
                                     [&](const SymbolicRange &one, const SymbolicRange &other) {
                                       return one == other || (hasElements(one) && hasElements(other));
                                     });
  Subset box = hull(a, b, known);
  // If one alone may be empty, it may lie anywhere.
  return areEmptyTogether && hasRowsThatFit(box, source, known) ? box : inside(std::move(box), source, known);
}

bool Footprints::hasMeaningOutside(const Subset &box, NodeId node) const {
  std::set<std::string> names = freeSymbols(box);
  for (const std::string &name : names)
    if (sdfg.find(name))
      return false;
  for (NodeId scope = dataflow.scope(node); scope != kNone; scope = dataflow.scope(scope))
    for (EdgeId in : dataflow.in(scope))
      if (const auto &connector = state.edges[in].toConnector; connector && names.contains(*connector))
        return false; // an extent that is read where the scope is entered
  return true;
}

Assumptions Footprints::knownOf(const Container &container, const std::vector<Parameter> &around) const {
  Assumptions known = sizesOf(container);
  known.update(variables);
  for (const Parameter &parameter : around)
    known.set(parameter.name, {parameter.range.begin, parameter.range.end});
  return known;
}

Subset Footprints::copiable(Subset box, const std::vector<Parameter> &around, const Container &container) const {
  Assumptions known = knownOf(container, around);
  bool mayBeEmpty = hasRowsThatFit(box, container, known); // then it may lie anywhere
  bool isTouched = std::all_of(around.begin(), around.end(), [&](const Parameter &parameter) {
    return isNeverEmpty(parameter, known) || (mayBeEmpty && isEmptyWithout(box, parameter));
  });
  return isTouched ? withoutNegativeExtents(std::move(box), known) : inside(std::move(box), container, known);
}

Subset inside(Subset box, const Container &container, const Assumptions &known) {
  for (std::size_t i = 0; i < box.dims.size(); ++i) {
    SymbolicRange &range = box.dims[i];
    const Expr &size = container.shape[i];
    if (!provedNonNegative(range.begin, known))
      range.begin = max({range.begin, 0});
    if (!provedLessEqual(range.end + 1, size, known))
      range.end = min({range.end, size - 1});
    if (!provedNonNegative(extentOf(range), known) && !provedLessEqual(range.begin, size, known))
      range.begin = min({range.begin, size});
  }
  return withoutNegativeExtents(std::move(box), known);
}

bool Footprints::writesWithOld(EdgeId id) const {
  if (state.edges[id].memlet.wcr)
    return true;
  for (EdgeId inner : dataflow.innermost(id))
    if (state.edges[inner].memlet.wcr)
      return true;
  return false;
}

bool Footprints::writesAll(EdgeId id) const {
  const DataEdge &edge = state.edges[id];
  const Container *target = sdfg.find(state.nodes[edge.to].container());
  if (!target || target->isView() || target->isStream() || state.nodes[edge.to].data != target->name ||
      writesWithOld(id))
    return false;
  Subset whole = wholeOf(target->shape);
  for (EdgeId inner : dataflow.innermost(id))
    if (std::optional<Subset> box = filled(state.edges[inner], *target); box && covers(*box, whole))
      return true;
  return false;
}

std::optional<std::vector<Parameter>> Footprints::parameters(NodeId node) const {
  std::vector<Parameter> result;
  for (NodeId scope = dataflow.scope(node); scope != kNone; scope = dataflow.scope(scope)) {
    const Node &entry = state.nodes[scope];
    if (entry.kind != NodeKind::MapEntry)
      return std::nullopt;
    for (std::size_t i = entry.scope.params.size(); i-- > 0;)
      result.push_back({entry.scope.params[i], entry.scope.range.dims[i]});
  }
  return result;
}

std::optional<Subset> Footprints::filled(const DataEdge &inner, const Container &target) const {
  const Node &from = state.nodes[inner.from];
  bool isCertain = (from.kind == NodeKind::Tasklet || from.kind == NodeKind::Library) && !inner.memlet.dynamic &&
                   inner.memlet.subset && inner.memlet.data == target.name;
  std::optional<std::vector<Parameter>> around = isCertain ? parameters(inner.from) : std::nullopt;
  if (!around || !fillsBox(*inner.memlet.subset, *around))
    return std::nullopt;
  Subset box = boundingBox(*inner.memlet.subset, *around, wholeOf(target.shape));
  Assumptions known = knownOf(target, *around);
  for (const Parameter &parameter : *around)
    if (!isNeverEmpty(parameter, known) && !isEmptyWithout(box, parameter))
      return std::nullopt;
  box = copiable(std::move(box), *around, target);
  return hasMeaningOutside(box, inner.from) ? std::optional(box) : std::nullopt;
}

std::optional<Subset> Footprints::writtenPart(EdgeId id) const {
  const DataEdge &edge = state.edges[id];
  const Container *target = sdfg.find(state.nodes[edge.to].container());
  std::vector<EdgeId> innermost = dataflow.innermost(id);
  if (!target || !partOf(edge, edge.to) || writesWithOld(id) || innermost.size() != 1)
    return std::nullopt;
  return filled(state.edges[innermost[0]], *target);
}

} // namespace ferry::sdfg
