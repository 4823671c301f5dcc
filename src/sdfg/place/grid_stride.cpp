// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/grid_stride.h"

#include "sdfg/place/surround.h"

#include <algorithm>

namespace ferry::sdfg {

/// Threads over all dimensions: four times as many as the largest device has at once.
static constexpr std::int64_t kMostThreads = std::int64_t{1} << 18;

/// By dimension: powers of two, so that a thread's number is taken apart by shifts. The last gets as many as it has
/// iterations, since neighbouring threads should touch neighbouring elements.
static std::vector<std::int64_t> threadsOf(const Scope &scope, const Sizes &sizes) {
  std::vector<std::int64_t> result(scope.range.dims.size(), 1);
  std::int64_t left = kMostThreads;
  for (std::size_t i = result.size(); i-- > 0;) {
    std::int64_t wanted = sizes.inside(scope).count(elements(scope.range.dims[i]));
    while (result[i] < wanted && result[i] < left)
      result[i] *= 2;
    left /= result[i];
  }
  return result;
}

/// What one thread runs over, by its number: each dimension from its own digit on, in strides of its threads.
static Subset strided(Subset range, const std::vector<std::int64_t> &threads, const std::string &number) {
  Expr rest = Expr::symbol(number);
  for (std::size_t i = threads.size(); i-- > 0;) {
    Expr own = i == 0 ? rest : modulo(rest, threads[i]);
    rest = floorDivide(rest, threads[i]);
    range.dims[i].begin = range.dims[i].begin + own * range.dims[i].step;
    range.dims[i].step = range.dims[i].step * Expr(threads[i]);
  }
  return range;
}

static void setRange(State &state, NodeId entry, const Subset &range, Dialect dialect) {
  Node &map = state.nodes[entry];
  map.scope.range = range;
  map.setAttribute("range", toJson(range, dialect));
  std::string name = map.stringAttribute("label").value_or("map");
  std::string label = Node::map(name, map.scope, "Sequential", dialect).first.label();
  map.json.set("label", label);
  state.nodes[map.partner].json.set("label", label);
}

void makeGridStride(State &state, NodeId entry, const Sizes &sizes, Names &names, Dialect dialect) {
  const Scope &scope = state.nodes[entry].scope;
  if (scope.params.size() == 1 && scope.range.dims[0].step == Expr(1))
    return;
  std::vector<std::int64_t> threads = threadsOf(scope, sizes);
  std::string number = names.fresh("__number");
  Expr all = 1;
  for (std::int64_t each : threads)
    all = all * Expr(each);
  setRange(state, entry, strided(scope.range, threads, number), dialect);
  state.nodes[entry].setSchedule("Sequential");
  Subset outer;
  outer.dims = {SymbolicRange{0, all - 1, 1, 1}};
  std::string name = state.nodes[entry].stringAttribute("label").value_or("map");
  surroundMap(state, entry, name + "_threads", {{number}, outer}, dialect);
}

/// The map in a map over threads, and what it ran over before it was made a grid-stride loop.
struct GridStride {
  NodeId inner = kNone;
  Scope whole;
};

/// By the strides: a thread's number, one more than those of all dimensions behind, puts a dimension one step further.
static std::optional<GridStride> gridStrideOf(const State &state, const Dataflow &dataflow, NodeId outer) {
  const Scope &threads = state.nodes[outer].scope;
  NodeId inner = dataflow.onlyChild(outer);
  if (threads.params.size() != 1 || inner == kNone || state.nodes[inner].kind != NodeKind::MapEntry)
    return std::nullopt;
  const std::string &number = threads.params[0];
  GridStride result{inner, state.nodes[inner].scope};
  std::vector<std::int64_t> counts(result.whole.params.size(), 1);
  std::int64_t all = 1;
  for (std::size_t i = counts.size(); i-- > 0;) {
    SymbolicRange &range = result.whole.range.dims[i];
    Expr first = range.begin.substitute({{number, 0}});
    Expr step = range.begin.substitute({{number, Expr(all)}}) - first;
    std::optional<std::int64_t> count = step == Expr(0) ? std::nullopt : (range.step / step).integer();
    if (count) {
      counts[i] = *count;
      range.step = step;
    }
    range.begin = first;
    all = saturatingProduct(all, std::max<std::int64_t>(1, counts[i]));
  }
  bool isSame = elements(threads.range) == Expr(all) &&
                strided(result.whole.range, counts, number) == state.nodes[result.inner].scope.range;
  return isSame ? std::optional(std::move(result)) : std::nullopt;
}

Scope countedScope(const State &state, const Dataflow &dataflow, NodeId entry) {
  NodeId around = dataflow.scope(entry);
  if (around != kNone && state.nodes[around].kind == NodeKind::MapEntry && gridStrideOf(state, dataflow, around))
    return {};
  std::optional<GridStride> loop = gridStrideOf(state, dataflow, entry);
  return loop ? loop->whole : state.nodes[entry].scope;
}

} // namespace ferry::sdfg
