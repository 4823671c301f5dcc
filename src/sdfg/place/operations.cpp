// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/operations.h"

#include "sdfg/place/components.h"
#include "sdfg/place/footprint.h"
#include "sdfg/place/pins.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace ferry::sdfg {

using placement::Side;
using EdgeId = Dataflow::EdgeId;

namespace {

class Finder {
public:
  Finder(const Sdfg &sdfg, const State &state, const Dataflow &dataflow, const Units &units, const Sizes &sizes,
         const MapSet &onHost, const Assumptions &variables)
      : sdfg(sdfg), state(state), dataflow(dataflow), units(units), sizes(sizes), onHost(onHost),
        footprints(sdfg, state, dataflow, units, variables), group(state.nodes.size()) {
    tops.assign(state.nodes.size(), kNone);
    for (NodeId id : dataflow.order()) // an entry comes before what is in its scope
      tops[id] = dataflow.scope(id) == kNone ? id : tops[dataflow.scope(id)];
  }

  std::vector<Operation> run() {
    std::iota(group.begin(), group.end(), 0);
    joinDirect();
    std::vector<Operation> result;
    for (const std::vector<NodeId> &members : groupsInOrder()) {
      if (state.nodes[members.front()].kind != NodeKind::Access) {
        result.emplace_back().nodes = members;
        complete(result.back());
        continue;
      }
      for (EdgeId edge : dataflow.in(members.front()))
        if (isCopy(edge))
          result.push_back(copy(edge));
    }
    return result;
  }

private:
  NodeId root(NodeId id) {
    while (group[id] != id)
      id = group[id] = group[group[id]];
    return id;
  }

  /// The node at the top that a node is part of.
  NodeId top(NodeId id) const { return tops[id]; }

  /// What hands on values without a container is one operation, and so is what lies between its parts.
  void joinDirect() {
    for (const DataEdge &edge : state.edges) {
      const Node &from = state.nodes[edge.from], &to = state.nodes[edge.to];
      bool isDirect = from.kind != NodeKind::Access && to.kind != NodeKind::Access && !edge.memlet.isEmpty();
      if (isDirect && top(edge.from) != top(edge.to))
        group[root(top(edge.from))] = root(top(edge.to));
    }
    // Circles between groups, with the containers on them.
    std::vector<std::vector<NodeId>> next(state.nodes.size());
    for (const DataEdge &edge : state.edges)
      if (NodeId from = root(top(edge.from)), to = root(top(edge.to)); from != to)
        next[from].push_back(to);
    std::vector<NodeId> component = stronglyConnected(next);
    for (NodeId id = 0; id < group.size(); ++id)
      if (group[id] == id)
        group[id] = component[id];
  }

  /// The groups of nodes at the top, each after all that it depends on; members in topological order.
  std::vector<std::vector<NodeId>> groupsInOrder() {
    std::map<NodeId, std::set<NodeId>> waitsFor;
    std::map<NodeId, std::vector<NodeId>> members;
    std::map<NodeId, std::size_t> rank; // of the first member
    for (NodeId id : dataflow.order()) {
      if (dataflow.scope(id) != kNone || state.nodes[id].isExit())
        continue;
      members[root(id)].push_back(id);
      rank.try_emplace(root(id), rank.size());
      waitsFor[root(id)];
    }
    for (const DataEdge &edge : state.edges) {
      NodeId from = root(top(edge.from)), to = root(top(edge.to));
      if (from != to)
        waitsFor[to].insert(from);
    }
    std::map<NodeId, std::vector<NodeId>> followers;
    std::set<std::pair<std::size_t, NodeId>> ready;
    for (const auto &[id, before] : waitsFor) {
      for (NodeId each : before)
        followers[each].push_back(id);
      if (before.empty())
        ready.insert({rank[id], id});
    }
    std::vector<std::vector<NodeId>> result;
    while (!ready.empty()) {
      NodeId id = ready.begin()->second;
      ready.erase(ready.begin());
      result.push_back(members[id]);
      for (NodeId next : followers[id]) {
        waitsFor[next].erase(id);
        if (waitsFor[next].empty())
          ready.insert({rank[next], next});
      }
    }
    return result;
  }

  bool isCopy(EdgeId id) const {
    const DataEdge &edge = state.edges[id];
    if (state.nodes[edge.from].kind != NodeKind::Access || state.nodes[edge.to].kind != NodeKind::Access ||
        edge.memlet.isEmpty())
      return false;
    for (NodeId node : {edge.from, edge.to})
      if (const Container *container = sdfg.find(state.nodes[node].container());
          container && container->isView() && Units::viewEdge(sdfg, state, dataflow, node) == id)
        return false;
    return true;
  }

  Operation copy(EdgeId id) const {
    const DataEdge &edge = state.edges[id];
    Operation operation;
    operation.kind = Operation::Kind::Copy;
    operation.edge = id;
    operation.name = state.nodes[edge.from].data + " -> " + state.nodes[edge.to].data;
    operation.work = workOfCopy(sdfg, edge, sizes);
    std::map<std::string, Use> uses;
    addRead(touch(uses, edge.from), footprints.partOfCopy(edge, edge.from));
    Use &written = touch(uses, edge.to);
    addWrite(written, edge.memlet.wcr ? std::nullopt : footprints.partOfCopy(edge, edge.to));
    written.reads |= edge.memlet.wcr.has_value();
    written.whole = !edge.memlet.wcr && !edge.memlet.dynamic && footprints.coversTarget(edge);
    finish(operation, uses);
    return operation;
  }

  /// Of several reads the box around all that they read.
  void addRead(Use &use, std::optional<Subset> part) const {
    bool hasBoth = use.reads && use.readPart && part && use.readPart->dims.size() == part->dims.size();
    if (hasBoth)
      part = footprints.around(*use.readPart, *part, *sdfg.find(use.unit));
    else if (use.reads)
      part.reset();
    use.readPart = std::move(part);
    use.reads = true;
  }

  static void addWrite(Use &use, std::optional<Subset> part) {
    use.writtenPart = use.writes ? (use.writtenPart == part ? part : std::nullopt) : std::move(part);
    use.writes = true;
  }

  Use &touch(std::map<std::string, Use> &uses, NodeId access) const {
    const std::string &unit = units.of(state.nodes[access].container());
    Use &use = uses[unit];
    use.unit = unit;
    return use;
  }

  void complete(Operation &operation) {
    const Node &first = state.nodes[operation.nodes.front()];
    operation.kind = operation.nodes.size() > 1           ? Operation::Kind::Code
                     : first.isEntry()                    ? Operation::Kind::Scope
                     : first.kind == NodeKind::NestedSdfg ? Operation::Kind::Nested
                                                          : Operation::Kind::Code;
    operation.name = first.label();
    operation.work = {0, 0, 1, false};
    std::map<std::string, Use> uses;
    for (NodeId id : operation.nodes) {
      const Node &node = state.nodes[id];
      operation.work = operation.work + workOf(sdfg, state, dataflow, id, sizes);
      for (EdgeId edge : dataflow.in(id))
        read(uses, edge);
      for (EdgeId edge : dataflow.out(node.isEntry() ? node.partner : id))
        write(uses, edge);
      if (node.isEntry()) {
        asHostMap(operation, id);
        inside(operation, uses, id, operation.launches ? Caller::Device : Caller::Kernel);
      }
      pinForNode(operation, node, Caller::Device);
    }
    if (operation.nodes.size() > 1)
      for (NodeId id : operation.nodes)
        if (state.nodes[id].kind != NodeKind::Tasklet)
          pinTo(operation, Side::Host, "hands values on without a container");
    finish(operation, uses);
  }

  void read(std::map<std::string, Use> &uses, EdgeId id) const {
    const DataEdge &edge = state.edges[id];
    if (state.nodes[edge.from].kind != NodeKind::Access || edge.memlet.isEmpty())
      return;
    Use &use = touch(uses, edge.from);
    const Node &to = state.nodes[edge.to];
    bool isExtent = to.isEntry() && edge.toConnector && !edge.toConnector->starts_with("IN_");
    if (isExtent)
      use.launch = true;
    else
      addRead(use, footprints.readPart(id));
  }

  void write(std::map<std::string, Use> &uses, EdgeId id) const {
    const DataEdge &edge = state.edges[id];
    if (state.nodes[edge.to].kind != NodeKind::Access || edge.memlet.isEmpty())
      return;
    Use &use = touch(uses, edge.to);
    use.whole |= footprints.writesAll(id);
    addWrite(use, footprints.writtenPart(id));
    if (footprints.writesWithOld(id))
      addRead(use, std::nullopt);
  }

  /// Containers that a scope uses without handing them through its entry and exit, and what cannot be in a kernel.
  void inside(Operation &operation, std::map<std::string, Use> &uses, NodeId entry, Caller caller) {
    if (state.nodes[entry].isPersistent())
      return; // a kernel of Ferry's own making
    for (NodeId id : dataflow.children(entry)) {
      const Node &node = state.nodes[id];
      if (node.kind == NodeKind::Access && !isLocal(node.container(), entry)) {
        Use &use = touch(uses, id);
        addRead(use, std::nullopt);
        addWrite(use, std::nullopt);
      }
      if (node.isEntry()) {
        bool isKernel = caller == Caller::Kernel || !isHostMap(state, dataflow, id, onHost);
        inside(operation, uses, id, isKernel ? Caller::Kernel : Caller::Device);
      }
      pinForNode(operation, node, caller);
      if (node.nested)
        pinForNested(operation, *node.nested, caller);
    }
  }

  /// Whether all access nodes of a transient, in the whole SDFG, are in this scope.
  bool isLocal(const std::string &container, NodeId entry) {
    const Container *found = sdfg.find(container);
    if (!found || !found->transient)
      return false;
    if (homes.empty())
      findHomes();
    return units.onlyStateOf(container) == &state && homes.at(container) == top(entry);
  }

  /// By container with access nodes: the node at the top in which all of them are; kNone if that is no single one.
  void findHomes() {
    for (NodeId id = 0; id < state.nodes.size(); ++id)
      if (const Node &node = state.nodes[id]; node.kind == NodeKind::Access) {
        NodeId home = dataflow.scope(id) == kNone ? kNone : top(id);
        auto [found, isNew] = homes.try_emplace(node.container(), home);
        if (!isNew && found->second != home)
          found->second = kNone;
      }
  }

  /// A map that stays on the host launches the maps in it, if all of them can be launched.
  void asHostMap(Operation &operation, NodeId entry) const {
    if (launchesKernels(state, dataflow, entry))
      pinTo(operation, Side::Host, "it launches kernels already");
    else if (!isHostMap(state, dataflow, entry, onHost))
      return;
    else if (operation.whyPlain = whyNotLaunched(sdfg, state, dataflow, entry, onHost); !operation.whyPlain.empty())
      pinTo(operation, Side::Host, "it is a host map, and " + operation.whyPlain);
    else
      operation.launches = true;
  }

  bool isInDeviceMemory(const std::string &unit) const {
    const Container *container = sdfg.find(unit);
    return container && container->isOnDevice();
  }

  /// Whether a copy is between elements of different types.
  bool converts(const DataEdge &copy) const {
    auto typeOf = [this](NodeId access) {
      const Container *container = sdfg.find(state.nodes[access].container());
      const Json *type = container ? container->attribute("dtype") : nullptr;
      return type && !type->isNull() ? *type : Json("int32");
    };
    return typeOf(copy.from) != typeOf(copy.to);
  }

  /// What a graph has in device memory already stays there, and what uses it does.
  void finish(Operation &operation, std::map<std::string, Use> &uses) const {
    for (auto &[unit, use] : uses) {
      if (std::string reason = units.hostOnly(unit); !reason.empty())
        pinTo(operation, Side::Host, "it uses '" + unit + "', " + reason);
      if (!isInDeviceMemory(unit))
        operation.uses.push_back(use);
    }
    bool isLevel = operation.kind == Operation::Kind::Nested; // its operations are asked for themselves
    if (operation.uses.size() == uses.size() && operation.edge && converts(state.edges[*operation.edge]))
      pinTo(operation, Side::Host, "it converts numbers, which copies by the GPU do not");
    if (operation.uses.size() == uses.size() || isLevel)
      return;
    if (!operation.edge || operation.uses.empty()) {
      pinTo(operation, Side::Device, "it uses what is in device memory");
      return;
    }
    operation.transfer =
        operation.uses[0].writes ? placement::Direction::DeviceToHost : placement::Direction::HostToDevice;
    pinTo(operation, Side::Host, "it is a transfer");
  }

  const Sdfg &sdfg;
  const State &state;
  const Dataflow &dataflow;
  const Units &units;
  const Sizes &sizes;
  const MapSet &onHost;
  Footprints footprints;
  std::map<std::string, NodeId> homes; ///< Made when it is first asked for.
  std::vector<NodeId> tops;            ///< By node: the one at the top that it is part of.
  std::vector<NodeId> group;           ///< Union-find over nodes at the top.
};

} // namespace

std::vector<Operation> operationsOf(const Sdfg &sdfg, const State &state, const Dataflow &dataflow, const Units &units,
                                    const Sizes &sizes, const MapSet &onHost, const Assumptions &variables) {
  return Finder(sdfg, state, dataflow, units, sizes, onHost, variables).run();
}

} // namespace ferry::sdfg
