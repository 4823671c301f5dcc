// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/dataflow.h"

#include <queue>

namespace ferry::sdfg {

using placement::Error;
using placement::ErrorKind;
using placement::Result;

static std::string describe(const State &state, NodeId id) {
  return "node " + std::to_string(id) + " ('" + state.nodes[id].label() + "')";
}

/// Edges by one of their ends, in the file's order.
static void index(const State &state, NodeId DataEdge::*end, std::vector<std::uint32_t> &start,
                  std::vector<std::uint32_t> &edges) {
  start.assign(state.nodes.size() + 1, 0);
  for (const DataEdge &edge : state.edges)
    ++start[edge.*end + 1];
  for (std::size_t i = 1; i < start.size(); ++i)
    start[i] += start[i - 1];
  edges.resize(state.edges.size());
  std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
  for (std::uint32_t id = 0; id < state.edges.size(); ++id)
    edges[next[state.edges[id].*end]++] = id;
}

Result<Dataflow> Dataflow::of(const State &state) {
  Dataflow flow;
  flow.state = &state;
  index(state, &DataEdge::from, flow.outStart, flow.outEdges);
  index(state, &DataEdge::to, flow.inStart, flow.inEdges);

  std::size_t count = state.nodes.size();
  std::vector<std::size_t> waiting(count);
  std::priority_queue<NodeId, std::vector<NodeId>, std::greater<>> ready;
  for (NodeId id = 0; id < count; ++id)
    if (waiting[id] = flow.in(id).size(); waiting[id] == 0)
      ready.push(id);
  flow.scopes.assign(count, kNone);
  std::vector<bool> known(count, false);
  while (!ready.empty()) {
    NodeId id = ready.top();
    ready.pop();
    flow.sorted.push_back(id);
    for (EdgeId edge : flow.out(id)) {
      NodeId to = state.edges[edge].to;
      // Behind an exit goes on the scope that its entry is in.
      NodeId scope = flow.scopes[id];
      if (state.nodes[id].isEntry())
        scope = id;
      else if (state.nodes[id].isExit() && scope != kNone)
        scope = flow.scopes[scope];
      if (known[to] && flow.scopes[to] != scope)
        return Error{ErrorKind::Malformed, describe(state, to) + " is in two scopes at once"};
      known[to] = true;
      flow.scopes[to] = scope;
      if (--waiting[to] == 0)
        ready.push(to);
    }
  }
  if (flow.sorted.size() != count)
    for (NodeId id = 0; id < count; ++id)
      if (waiting[id] > 0)
        return Error{ErrorKind::Malformed, "its dataflow runs in a circle through or before " + describe(state, id)};
  return flow;
}

std::vector<NodeId> Dataflow::children(NodeId entry) const {
  std::vector<NodeId> result;
  for (NodeId id = 0; id < scopes.size(); ++id)
    if (scopes[id] == entry)
      result.push_back(id);
  return result;
}

std::vector<Dataflow::EdgeId> Dataflow::next(EdgeId edge, bool outwards) const {
  const DataEdge &here = state->edges[edge];
  const Node &from = state->nodes[here.from], &to = state->nodes[here.to];
  // Outwards: back through an entry or on through an exit. Inwards: on through an entry or back through an exit.
  bool back = outwards ? from.isEntry() : from.isExit();
  bool on = outwards ? to.isExit() : to.isEntry();
  const std::optional<std::string> &connector = back ? here.fromConnector : here.toConnector;
  std::vector<EdgeId> result;
  if ((!back && !on) || !connector)
    return result;
  std::string_view prefix = back ? "OUT_" : "IN_";
  if (!connector->starts_with(prefix))
    return result;
  std::string other = (back ? "IN_" : "OUT_") + connector->substr(prefix.size());
  for (EdgeId each : back ? in(here.from) : out(here.to))
    if ((back ? state->edges[each].toConnector : state->edges[each].fromConnector) == other)
      result.push_back(each);
  return result;
}

Dataflow::EdgeId Dataflow::outermost(EdgeId edge) const {
  // Without cycles each step leads to an edge not seen before.
  for (std::vector<EdgeId> further = next(edge, true); !further.empty(); further = next(edge, true))
    edge = further[0];
  return edge;
}

std::vector<Dataflow::EdgeId> Dataflow::innermost(EdgeId edge) const {
  std::vector<EdgeId> result, pending = {edge};
  std::vector<bool> seen(state->edges.size(), false);
  while (!pending.empty()) {
    EdgeId here = pending.back();
    pending.pop_back();
    if (seen[here])
      continue;
    seen[here] = true;
    std::vector<EdgeId> further = next(here, false);
    if (further.empty())
      result.push_back(here);
    pending.insert(pending.end(), further.rbegin(), further.rend());
  }
  return result;
}

} // namespace ferry::sdfg
