// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/units.h"

namespace ferry::sdfg {

using EdgeId = Dataflow::EdgeId;

// The container of the access node at the far end of an edge's path; empty if there is another node.
static std::string farContainer(const State &state, const Dataflow &dataflow, EdgeId edge, bool backwards) {
  const DataEdge &outer = state.edges[dataflow.outermost(edge)];
  const Node &far = state.nodes[backwards ? outer.from : outer.to];
  return far.kind == NodeKind::Access ? far.container() : std::string();
}

EdgeId Units::viewEdge(const Sdfg &sdfg, const State &state, const Dataflow &dataflow, NodeId node) {
  auto in = dataflow.in(node), out = dataflow.out(node);
  if (in.size() == 1 && out.size() != 1)
    return farContainer(state, dataflow, in[0], true).empty() ? kNone : in[0];
  if (out.size() == 1 && in.size() != 1)
    return farContainer(state, dataflow, out[0], false).empty() ? kNone : out[0];
  if (in.size() != 1 || out.size() != 1)
    return kNone;
  std::string before = farContainer(state, dataflow, in[0], true),
              behind = farContainer(state, dataflow, out[0], false);
  if (before.empty() || behind.empty())
    return !before.empty() ? in[0] : !behind.empty() ? out[0] : kNone;
  if (state.edges[in[0]].toConnector == "views")
    return in[0];
  if (state.edges[out[0]].fromConnector == "views")
    return out[0];
  // A memlet that names the view cannot say which part of something else it is.
  bool inNamesView = state.edges[in[0]].memlet.data == state.nodes[node].data,
       outNamesView = state.edges[out[0]].memlet.data == state.nodes[node].data;
  if (inNamesView != outNamesView)
    return inNamesView ? out[0] : in[0];
  // Of two views in a row the first is one of the second or the other way round; of nothing but arrays, the source.
  const Container *source = sdfg.find(before);
  return source && source->isView() && !inNamesView ? out[0] : in[0];
}

const std::string &Units::root(std::string_view name) const {
  auto found = parents.find(name);
  while (found->second != found->first) // every container has an entry
    found = parents.find(found->second);
  return found->first;
}

void Units::join(std::string_view a, std::string_view b) {
  std::string first = root(a), second = root(b);
  if (first != second)
    parents[first] = second;
}

Units::Units(const Sdfg &sdfg) {
  for (const Container &container : sdfg.containers)
    parents.emplace(container.name, container.name);
  std::map<std::string, std::string, std::less<>> found;
  std::set<std::string> anchored;
  forEachDataflow(sdfg.graph, [&](const State &state, const Dataflow &dataflow) {
    for (NodeId id = 0; id < state.nodes.size(); ++id) {
      const Node &node = state.nodes[id];
      const Container *container = node.kind == NodeKind::Access ? sdfg.find(node.container()) : nullptr;
      if (!container)
        continue;
      if (auto [at, isNew] = states.try_emplace(container->name, &state); !isNew && at->second != &state)
        at->second = nullptr;
      if (container->isView()) {
        EdgeId edge = viewEdge(sdfg, state, dataflow, id);
        if (edge == kNone)
          continue;
        bool backwards = state.edges[edge].to == id;
        join(container->name, farContainer(state, dataflow, edge, backwards));
        anchored.insert(container->name);
      } else if (container->isReference()) {
        for (EdgeId edge : dataflow.in(id))
          if (std::string target = farContainer(state, dataflow, edge, true);
              state.edges[edge].toConnector == "set" && !target.empty())
            join(target, container->name);
      }
    }
  });
  for (const Container &container : sdfg.containers) {
    std::string reason;
    if (container.isStream())
      reason = "a stream";
    else if (container.kind->shape == Shape::Structure)
      reason = "a structure";
    else if (container.kind->shape == Shape::ContainerArray)
      reason = "an array of containers";
    else if (container.isReference())
      reason = "what a reference may refer to";
    else if (container.isView() && !anchored.contains(container.name))
      reason = "a view of what is not known";
    if (!reason.empty())
      reasons.try_emplace(root(container.name), reason);
  }
  // What owns memory stands for its unit.
  std::map<std::string, std::string, std::less<>> owners;
  for (const Container &container : sdfg.containers)
    if (!container.isView() && !container.isReference())
      owners.try_emplace(root(container.name), container.name);
  for (const auto &[unit, owner] : owners)
    if (unit != owner) {
      auto reason = reasons.extract(unit);
      parents[unit] = owner;
      parents[owner] = owner;
      if (!reason.empty())
        reasons.emplace(owner, reason.mapped());
    }
}

const std::string &Units::of(std::string_view container) const {
  return root(container.substr(0, container.find('.')));
}

std::string Units::hostOnly(std::string_view unit) const {
  auto found = reasons.find(unit);
  return found == reasons.end() ? std::string() : found->second;
}

} // namespace ferry::sdfg
