// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/copy_map.h"

#include "sdfg/bounds.h"

#include <algorithm>

namespace ferry::sdfg {

/// What an end's subset is. Where the memlet does not say it of an end, that is all of it (docs/sdfg.md).
static std::optional<Subset> subsetAt(const Sdfg &sdfg, const State &state, const DataEdge &edge, NodeId end) {
  const Container *container = sdfg.find(state.nodes[end].data);
  if (!container)
    return std::nullopt;
  const auto &named = edge.memlet.data == container->name ? edge.memlet.subset : edge.memlet.otherSubset;
  return named ? *named : wholeOf(container->shape);
}

/// The dimensions of more than one element.
static std::vector<std::size_t> wideDimensions(const Subset &subset) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < subset.dims.size(); ++i)
    if (!provedEqual(elements(subset.dims[i]), 1))
      result.push_back(i);
  return result;
}

static bool isTiled(const Subset &subset) {
  return std::any_of(subset.dims.begin(), subset.dims.end(),
                     [](const SymbolicRange &range) { return !(range.tile == Expr(1)); });
}

/// The element at `parameters`, one for each wide dimension.
static Subset elementAt(const Subset &subset, const std::vector<std::size_t> &wide,
                        const std::vector<std::string> &parameters) {
  Subset result = subset;
  for (SymbolicRange &range : result.dims)
    range = {range.begin, range.begin};
  for (std::size_t i = 0; i < wide.size(); ++i) {
    const SymbolicRange &range = subset.dims[wide[i]];
    Expr at = range.begin + Expr::symbol(parameters[i]) * range.step;
    result.dims[wide[i]] = {at, at};
  }
  return result;
}

std::optional<CopyMap> copyMapOf(const Sdfg &sdfg, const State &state, const DataEdge &edge,
                                 const std::function<std::string()> &parameter) {
  std::optional<Subset> read = subsetAt(sdfg, state, edge, edge.from), written = subsetAt(sdfg, state, edge, edge.to);
  if (!read || !written || edge.memlet.dynamic || edge.memlet.wcr || isTiled(*read) || isTiled(*written) ||
      state.nodes[edge.from].data == state.nodes[edge.to].data)
    return std::nullopt;
  std::vector<std::size_t> from = wideDimensions(*read), to = wideDimensions(*written);
  if (from.size() != to.size())
    return std::nullopt;
  CopyMap result{{}, *read, *written, {}, {}};
  for (std::size_t i = 0; i < from.size(); ++i) {
    Expr count = elements(read->dims[from[i]]);
    if (!provedEqual(count, elements(written->dims[to[i]])))
      return std::nullopt;
    result.scope.params.push_back(parameter());
    result.scope.range.dims.push_back({0, count - 1});
  }
  result.element = elementAt(*read, from, result.scope.params);
  result.position = elementAt(*written, to, result.scope.params);
  if (from.empty()) {
    result.scope.params.push_back(parameter());
    result.scope.range.dims.push_back({0, 0});
  }
  return result;
}

void makeCopyMap(State &state, std::size_t edge, const CopyMap &map, Names &names, Dialect dialect) {
  NodeId from = state.edges[edge].from, to = state.edges[edge].to;
  const std::string source = state.nodes[from].data, target = state.nodes[to].data;
  auto [entry, exit] = state.add(Node::map(names.fresh("copy_" + source), map.scope, "GPU_Device", dialect));
  NodeId step = state.add(Node::tasklet(names.fresh("copy"), Code{"__out = __in", "Python"}, {"__in"}, {"__out"}));
  for (NodeId gate : {entry, exit}) {
    state.nodes[gate].addConnector(true, "IN_0");
    state.nodes[gate].addConnector(false, "OUT_0");
  }
  DataEdge &first = state.edges[edge];
  first.fromConnector.reset();
  first.to = entry;
  first.toConnector = "IN_0";
  first.memlet = Memlet::of(source, map.read, dialect);
  state.connect(entry, "OUT_0", step, "__in", Memlet::of(source, map.element, dialect));
  state.connect(step, "__out", exit, "IN_0", Memlet::of(target, map.position, dialect));
  state.connect(exit, "OUT_0", to, std::nullopt, Memlet::of(target, map.written, dialect));
}

} // namespace ferry::sdfg
