// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/work.h"

#include "sdfg/place/grid_stride.h"

#include <algorithm>
#include <cctype>
#include <limits>

namespace ferry::sdfg {

using EdgeId = Dataflow::EdgeId;

NodeWork operator+(const NodeWork &a, const NodeWork &b) {
  return {saturatingSum(a.operations, b.operations), saturatingSum(a.bytes, b.bytes),
          std::max(a.iterations, b.iterations), a.isParallel || b.isParallel};
}

/// Operators and calls in a tasklet's text, whatever the language; at least one.
static std::int64_t operationsIn(const std::string &code) {
  std::int64_t count = 0;
  bool afterName = false;
  for (std::size_t i = 0; i < code.size(); ++i) {
    char c = code[i];
    if (c == '*' || c == '/' || c == '+' || c == '-' || c == '%' || c == '<' || c == '>') {
      ++count;
      if (i + 1 < code.size() && code[i + 1] == c) // one operator of two characters
        ++i;
    } else if (c == '(' && afterName) {
      count += 8; // a call of a mathematical function
    }
    if (!std::isspace(static_cast<unsigned char>(c)))
      afterName = std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  }
  return std::max<std::int64_t>(1, count);
}

static std::int64_t bytesOf(const Sdfg &sdfg, const Memlet &memlet, const Sizes &sizes) {
  const Container *container = sdfg.find(memlet.container());
  if (!container || !memlet.subset)
    return 0;
  return saturatingProduct(sizes.elements(*memlet.subset), container->elementBytes.value_or(8));
}

static std::int64_t operationsOf(const Sdfg &sdfg, const Sizes &sizes);

static std::int64_t operationsOf(const State &state, const Dataflow &dataflow, NodeId id, const Sizes &sizes) {
  const Node &node = state.nodes[id];
  switch (node.kind) {
  case NodeKind::Tasklet:
    return operationsIn(node.code.text);
  case NodeKind::NestedSdfg:
    return operationsOf(*node.nested, sizes.inside(node));
  case NodeKind::MapEntry:
  case NodeKind::ConsumeEntry: {
    std::int64_t each = 0;
    Scope scope = countedScope(state, dataflow, id);
    Sizes inside = sizes.inside(scope);
    for (NodeId inner : dataflow.children(id))
      each = saturatingSum(each, operationsOf(state, dataflow, inner, inside));
    return saturatingProduct(each, inside.elements(scope.range));
  }
  default:
    return 0;
  }
}

/// Of a whole nested graph, each block once and loops as often as is assumed.
static std::int64_t operationsOf(const ControlGraph &graph, const Sizes &sizes) {
  std::int64_t total = 0;
  for (const Block &block : graph.blocks) {
    if (const State *state = block.state()) {
      auto dataflow = Dataflow::of(*state);
      if (!dataflow)
        continue;
      for (NodeId id : dataflow->children(kNone))
        total = saturatingSum(total, operationsOf(*state, *dataflow, id, sizes));
    } else if (const Region *region = block.region()) {
      total =
          saturatingSum(total, saturatingProduct(operationsOf(region->graph, sizes), region->loop ? kAssumedTrips : 1));
    } else if (const Conditional *conditional = block.conditional()) {
      for (const Conditional::Branch &branch : conditional->branches)
        total = saturatingSum(total, operationsOf(branch.graph, sizes));
    }
  }
  return total;
}

static std::int64_t operationsOf(const Sdfg &sdfg, const Sizes &sizes) { return operationsOf(sdfg.graph, sizes); }

/// Of an edge in a scope, in all iterations of it and of those around it.
static std::int64_t bytesInScopes(const Sdfg &sdfg, const State &state, const Dataflow &dataflow, const Memlet &memlet,
                                  NodeId scope, const Sizes &sizes) {
  std::vector<NodeId> around;
  for (; scope != kNone; scope = dataflow.scope(scope))
    around.push_back(scope);
  Sizes inside = sizes;
  std::int64_t times = 1;
  for (std::size_t i = around.size(); i-- > 0;) {
    Scope each = countedScope(state, dataflow, around[i]);
    inside = inside.inside(each);
    times = saturatingProduct(times, inside.elements(each.range));
  }
  return saturatingProduct(times, bytesOf(sdfg, memlet, inside));
}

/// What crosses a scope's boundary by an edge, at most: what the edge says, or what those inside of it add up to where
/// that is less, since DaCe's own union of subsets may be far too large.
static std::int64_t bytesAcross(const Sdfg &sdfg, const State &state, const Dataflow &dataflow, EdgeId id,
                                const Sizes &sizes) {
  std::int64_t outside = bytesOf(sdfg, state.edges[id].memlet, sizes), inside = 0;
  for (EdgeId inner : dataflow.innermost(id)) {
    const DataEdge &edge = state.edges[inner];
    if (!edge.memlet.subset || edge.memlet.data != state.edges[id].memlet.data)
      return outside;
    NodeId end = dataflow.scope(edge.from) == kNone || state.nodes[edge.from].isEntry() ? edge.to : edge.from;
    inside = saturatingSum(inside, bytesInScopes(sdfg, state, dataflow, edge.memlet, dataflow.scope(end), sizes));
  }
  return std::min(outside, inside);
}

NodeWork workOf(const Sdfg &sdfg, const State &state, const Dataflow &dataflow, NodeId id, const Sizes &sizes) {
  const Node &node = state.nodes[id];
  NodeWork work;
  work.operations = operationsOf(state, dataflow, id, sizes);
  work.isParallel = node.isEntry() || node.kind == NodeKind::Library;
  if (node.isEntry())
    work.iterations = sizes.iterations(countedScope(state, dataflow, id));
  auto add = [&](EdgeId edge) {
    work.bytes = saturatingSum(work.bytes, node.isEntry() ? bytesAcross(sdfg, state, dataflow, edge, sizes)
                                                          : bytesOf(sdfg, state.edges[edge].memlet, sizes));
  };
  for (EdgeId edge : dataflow.in(id))
    add(edge);
  for (EdgeId edge : dataflow.out(node.isEntry() ? node.partner : id))
    add(edge);
  if (node.kind == NodeKind::Library) {
    work.operations = saturatingSum(work.operations, work.bytes);
    work.iterations = std::max<std::int64_t>(1, work.bytes / 8); // an element each, about
  }
  return work;
}

NodeWork workOfCopy(const Sdfg &sdfg, const DataEdge &edge, const Sizes &sizes) {
  NodeWork work;
  work.bytes = saturatingProduct(2, bytesOf(sdfg, edge.memlet, sizes));
  work.iterations = edge.memlet.subset ? sizes.elements(*edge.memlet.subset) : 1;
  work.isParallel = true;
  return work;
}

static placement::Work asWork(const NodeWork &work, bool isParallel) {
  placement::Work result;
  (isParallel ? result.operations : result.sequentialOps) = work.operations;
  (isParallel ? result.bytes : result.sequentialBytes) = work.bytes;
  return result;
}

placement::Time asTime(placement::Wide value) {
  if (value > std::numeric_limits<placement::Time>::max() || value < std::numeric_limits<placement::Time>::min())
    throw placement::Overflow();
  return static_cast<placement::Time>(value);
}

placement::Time hostTime(const NodeWork &work, const placement::Machine &machine) {
  return machine.time(placement::Side::Host, asWork(work, work.isParallel));
}

placement::Time deviceTime(const NodeWork &work, const placement::Machine &machine) {
  return machine.time(placement::Side::Device, asWork(work, !work.isSingleThread()));
}

} // namespace ferry::sdfg
