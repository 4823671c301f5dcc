// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/dataflow.h"

#include <map>
#include <queue>
#include <set>

namespace ferry::sdfg {

using placement::Error;
using placement::ErrorKind;
using placement::Result;

/// Scopes inside of each other are visited by recursion.
static constexpr std::uint32_t kMostScopes = 1000;

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
  std::vector<std::uint32_t> depth(count, 0); // of what is in a scope's entry
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
      if (depth[to] = scope == kNone ? 0 : depth[scope] + 1; depth[to] > kMostScopes)
        return Error{ErrorKind::Malformed,
                     describe(state, to) + " is in more than " + std::to_string(kMostScopes) + " scopes"};
      if (--waiting[to] == 0)
        ready.push(to);
    }
  }
  if (flow.sorted.size() != count)
    for (NodeId id = 0; id < count; ++id)
      if (waiting[id] > 0)
        return Error{ErrorKind::Malformed, "its dataflow runs in a circle through or before " + describe(state, id)};
  flow.findChildren();
  flow.findPorts();
  return flow;
}

void Dataflow::findChildren() {
  NodeId count = static_cast<NodeId>(scopes.size());
  auto slot = [&](NodeId id) { return scopes[id] == kNone ? count : scopes[id]; };
  childStart.assign(count + 2, 0);
  for (NodeId id = 0; id < count; ++id)
    ++childStart[slot(id) + 1];
  for (std::size_t i = 1; i < childStart.size(); ++i)
    childStart[i] += childStart[i - 1];
  childNodes.resize(count);
  std::vector<std::uint32_t> at(childStart.begin(), childStart.end() - 1);
  for (NodeId id = 0; id < count; ++id)
    childNodes[at[slot(id)]++] = id;
}

NodeId Dataflow::onlyChild(NodeId entry) const {
  NodeId found = kNone;
  for (NodeId id : children(entry)) {
    if (state->nodes[id].isExit())
      continue;
    if (found != kNone)
      return kNone;
    found = id;
  }
  return found;
}

void Dataflow::findPorts() {
  portFrom.assign(state->edges.size(), kNone);
  portTo = portFrom;
  for (NodeId id = 0; id < state->nodes.size(); ++id) {
    if (!state->nodes[id].isEntry() && !state->nodes[id].isExit())
      continue;
    std::map<std::string_view, std::uint32_t> byName;
    auto portOf = [&](const std::optional<std::string> &connector, std::string_view prefix) {
      if (!connector || !connector->starts_with(prefix))
        return kNone;
      auto [found, isNew] = byName.try_emplace(std::string_view(*connector).substr(prefix.size()), ports.size());
      if (isNew)
        ports.emplace_back();
      return found->second;
    };
    for (EdgeId edge : in(id))
      if (portTo[edge] = portOf(state->edges[edge].toConnector, "IN_"); portTo[edge] != kNone)
        ports[portTo[edge]].in.push_back(edge);
    for (EdgeId edge : out(id))
      if (portFrom[edge] = portOf(state->edges[edge].fromConnector, "OUT_"); portFrom[edge] != kNone)
        ports[portFrom[edge]].out.push_back(edge);
  }
}

std::span<const Dataflow::EdgeId> Dataflow::next(EdgeId edge, bool outwards) const {
  const DataEdge &here = state->edges[edge];
  const Node &from = state->nodes[here.from], &to = state->nodes[here.to];
  // Outwards: back through an entry or on through an exit. Inwards: on through an entry or back through an exit.
  bool back = outwards ? from.isEntry() : from.isExit();
  bool on = outwards ? to.isExit() : to.isEntry();
  std::uint32_t port = back ? portFrom[edge] : on ? portTo[edge] : kNone;
  if (port == kNone)
    return {};
  return back ? ports[port].in : ports[port].out;
}

Dataflow::EdgeId Dataflow::outermost(EdgeId edge) const {
  // Without cycles each step leads to an edge not seen before.
  for (std::span<const EdgeId> further = next(edge, true); !further.empty(); further = next(edge, true))
    edge = further[0];
  return edge;
}

std::vector<Dataflow::EdgeId> Dataflow::innermost(EdgeId edge) const {
  std::vector<EdgeId> result, pending = {edge};
  std::set<EdgeId> seen;
  while (!pending.empty()) {
    EdgeId here = pending.back();
    pending.pop_back();
    if (!seen.insert(here).second)
      continue;
    std::span<const EdgeId> further = next(here, false);
    if (further.empty())
      result.push_back(here);
    pending.insert(pending.end(), further.rbegin(), further.rend());
  }
  return result;
}

} // namespace ferry::sdfg
