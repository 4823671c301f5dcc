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

std::optional<Subset> Footprints::partOfCopy(const DataEdge &edge, NodeId access) const {
  const std::string &data = state.nodes[access].data;
  if (edge.memlet.data == data || edge.memlet.dynamic || units.of(data) != data)
    return state.nodes[edge.from].data == state.nodes[edge.to].data ? std::nullopt : partOf(edge, access);
  return edge.memlet.otherSubset;
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
    Subset box = boundingBox(*inner.memlet.subset, *around, whole);
    if (!canBeCopied(box, *around, *source))
      return std::nullopt;
    result = result ? hull(*result, box) : box;
  }
  return result;
}

bool Footprints::canBeCopied(const Subset &box, const std::vector<Parameter> &around, const Container &source) const {
  Assumptions known = variables;
  for (const Expr &extent : source.shape)
    for (const std::string &symbol : extent.freeSymbols())
      if (!known.find(symbol))
        known.set(symbol, {Expr(0), std::nullopt});
  for (const Parameter &parameter : around)
    known.set(parameter.name, {parameter.range.begin, parameter.range.end});
  // Where a parameter has no value nothing is read; the box is empty there if it has as many elements in a dimension.
  Subset whole = wholeOf(source.shape);
  auto isEmptyWith = [&](const Parameter &parameter) {
    for (std::size_t i = 0; i < whole.dims.size(); ++i)
      if (box.dims[i] == whole.dims[i] && provedEqual(elements(parameter.range), source.shape[i]))
        return true;
    return false;
  };
  bool isRead = std::all_of(around.begin(), around.end(), [&](const Parameter &parameter) {
    return provedLessEqual(parameter.range.begin, parameter.range.end, known) || isEmptyWith(parameter);
  });
  bool isInside = true;
  for (std::size_t i = 0; i < whole.dims.size() && !isRead; ++i)
    isInside &=
        provedNonNegative(box.dims[i].begin, known) && provedLessEqual(box.dims[i].end + 1, source.shape[i], known);
  return isRead || isInside;
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
  return boundingBox(*inner.memlet.subset, *around, wholeOf(target.shape));
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
