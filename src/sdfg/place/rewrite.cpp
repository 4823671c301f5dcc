// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/rewrite.h"

#include "sdfg/place/libraries.h"

namespace ferry::sdfg {

static constexpr std::size_t kNoOperation = static_cast<std::size_t>(-1);

StateRewriter::StateRewriter(Level &level, State &state, Level::StateParts &parts, const placement::Plan &plan,
                             const placement::Residency &residency, const Extracted &extracted, Twins &twins,
                             Dialect dialect)
    : level(level), state(state), parts(parts), plan(plan), residency(residency), graph(extracted.graph), twins(twins),
      dialect(dialect), onHost(extracted.onHost), hostMaps(hostMapsIn(state, parts.dataflow, onHost)),
      owner(state.nodes.size(), kNoOperation), wanted(state.nodes.size()) {
  for (const Node &node : state.nodes)
    original.push_back(node.container());
}

bool StateRewriter::onDevice(std::size_t operation) const {
  placement::PointId point = parts.points[operation];
  return point != kNone && plan.sides[point] == placement::Sides::Device;
}

bool StateRewriter::usesTwin(std::size_t operation, const std::string &container) const {
  if (!level.units->has(container))
    return false;
  const std::string &unit = level.units->of(container);
  if (parts.targets[operation] != kNone)
    for (const Use &use : parts.operations[operation].uses)
      if (use.unit == unit)
        return plan.sides[parts.pointOf(operation, use)] == placement::Sides::Device;
  if (!onDevice(operation))
    return false;
  placement::ArrayId array = level.arrays.at(unit);
  placement::PointId point = parts.points[operation];
  // A scalar that the device does not have is an argument of the kernel.
  return !graph.arrays[array].byValue || residency.before(point, array).device || residency.after(point, array).device;
}

/// Nodes belong to the operation that their node at the top is of.
void StateRewriter::findOwners() {
  for (std::size_t i = 0; i < parts.operations.size(); ++i) {
    const Operation &operation = parts.operations[i];
    if (operation.edge)
      copyOwner[*operation.edge] = i;
    std::vector<NodeId> pending = operation.nodes;
    while (!pending.empty()) {
      NodeId id = pending.back();
      pending.pop_back();
      owner[id] = i;
      if (!state.nodes[id].isEntry())
        continue;
      for (NodeId inner : parts.dataflow.children(id))
        pending.push_back(inner);
      owner[state.nodes[id].partner] = i;
    }
  }
  nodesOf.resize(parts.operations.size());
  edgesOf.resize(parts.operations.size());
  for (NodeId id = 0; id < owner.size(); ++id)
    if (owner[id] != kNoOperation)
      nodesOf[owner[id]].push_back(id);
  for (EdgeId id = 0; id < state.edges.size(); ++id) {
    std::size_t from = owner[state.edges[id].from], to = owner[state.edges[id].to];
    if (from != kNoOperation)
      edgesOf[from].push_back(id);
    if (to != kNoOperation && to != from)
      edgesOf[to].push_back(id);
  }
}

/// Which of the two copies are wanted of the container of each access node at the top.
void StateRewriter::findSides() {
  auto want = [&](NodeId node, bool device) { (device ? wanted[node].device : wanted[node].host) = true; };
  for (EdgeId id = 0; id < state.edges.size(); ++id) {
    const DataEdge &edge = state.edges[id];
    for (auto [access, other] : {std::pair(edge.from, edge.to), std::pair(edge.to, edge.from)}) {
      if (owner[access] != kNoOperation || state.nodes[access].kind != NodeKind::Access || edge.memlet.isEmpty())
        continue;
      if (owner[other] != kNoOperation)
        want(access, usesTwin(owner[other], original[access]));
      else if (auto copy = copyOwner.find(id); copy != copyOwner.end())
        want(access, usesTwin(copy->second, original[access]));
    }
  }
  // What a view views is wanted where the view is; chains in either direction.
  std::vector<std::vector<NodeId>> beside(state.nodes.size());
  for (EdgeId id = 0; id < state.edges.size(); ++id) {
    const DataEdge &edge = state.edges[id];
    bool isView = owner[edge.from] == kNoOperation && owner[edge.to] == kNoOperation && !copyOwner.contains(id) &&
                  state.nodes[edge.from].kind == NodeKind::Access && state.nodes[edge.to].kind == NodeKind::Access &&
                  !edge.memlet.isEmpty();
    if (!isView)
      continue;
    beside[edge.from].push_back(edge.to);
    beside[edge.to].push_back(edge.from);
  }
  for (bool Sides::*side : {&Sides::host, &Sides::device}) {
    std::vector<NodeId> pending;
    for (NodeId id = 0; id < state.nodes.size(); ++id)
      if (wanted[id].*side)
        pending.push_back(id);
    while (!pending.empty()) {
      NodeId here = pending.back();
      pending.pop_back();
      for (NodeId each : beside[here])
        if (!(wanted[each].*side)) {
          wanted[each].*side = true;
          pending.push_back(each);
        }
    }
  }
}

/// The node for a copy of an access node's container.
NodeId StateRewriter::access(NodeId node, bool device) {
  if (!device || !wanted[node].host) {
    if (device)
      state.nodes[node].setData(twins.onDevice(level, original[node]));
    return node;
  }
  auto [found, isNew] = clones.try_emplace(node, kNone);
  if (!isNew)
    return found->second;
  std::string name = twins.onDevice(level, original[node]);
  if (name == original[node])
    return found->second = node;
  Node clone = Node::access(name);
  for (bool in : {true, false})
    for (const std::string &connector : state.nodes[node].connectors(in))
      clone.addConnector(in, connector);
  owner.push_back(kNoOperation);
  wanted.push_back({});
  original.push_back(original[node]);
  NodeId made = state.add(std::move(clone));
  clones[node] = made;
  return made;
}

void StateRewriter::renameEdges() {
  std::size_t count = state.edges.size();
  for (EdgeId id = 0; id < count; ++id) {
    DataEdge edge = state.edges[id];
    bool fromTop = owner[edge.from] == kNoOperation && state.nodes[edge.from].kind == NodeKind::Access;
    bool toTop = owner[edge.to] == kNoOperation && state.nodes[edge.to].kind == NodeKind::Access;
    if ((!fromTop && !toTop) || edge.memlet.isEmpty())
      continue;
    auto copy = copyOwner.find(id);
    std::size_t user = !fromTop ? owner[edge.from] : !toTop ? owner[edge.to] : kNoOperation;
    if (copy != copyOwner.end())
      user = copy->second;
    auto rewrite = [&](DataEdge &to, bool fromDevice, bool toDevice) {
      const std::string &fromName = original[edge.from], &toName = original[edge.to];
      bool namesFrom = fromTop && to.memlet.data == fromName, namesTo = toTop && to.memlet.data == toName;
      if (fromTop)
        to.from = access(edge.from, fromDevice);
      if (toTop)
        to.to = access(edge.to, toDevice);
      bool device = namesFrom && (!namesTo || to.memlet.dataIsSource.value_or(true)) ? fromDevice : toDevice;
      if (to.memlet.data && device && (namesFrom || namesTo))
        to.memlet.setData(twins.onDevice(level, *to.memlet.data));
    };
    if (user != kNoOperation) {
      bool fromDevice = fromTop && usesTwin(user, original[edge.from]);
      bool toDevice = toTop && usesTwin(user, original[edge.to]);
      rewrite(state.edges[id], fromDevice, toDevice);
      continue;
    }
    // A view's edge, on each side where the view is wanted.
    if (wanted[edge.from].device && wanted[edge.from].host) {
      DataEdge twin = edge;
      rewrite(twin, true, true);
      if (twin.from != edge.from || twin.to != edge.to)
        state.edges.push_back(std::move(twin));
    } else if (wanted[edge.from].device) {
      rewrite(state.edges[id], true, true);
    }
  }
}

void StateRewriter::renameInside(std::size_t operation) {
  for (EdgeId id : edgesOf[operation]) {
    DataEdge &edge = state.edges[id];
    std::string container = edge.memlet.container();
    if (usesTwin(operation, container))
      edge.memlet.setData(twins.onDevice(level, *edge.memlet.data));
  }
  for (NodeId id : nodesOf[operation])
    if (Node &node = state.nodes[id]; node.kind == NodeKind::Access)
      if (usesTwin(operation, node.container()))
        node.setData(twins.onDevice(level, node.data));
}

void StateRewriter::schedule(const Operation &operation, bool device) {
  Kernels kernels(twins.names(), dialect);
  NodeId first = operation.nodes.front();
  if (!device) {
    for (NodeId id : operation.nodes)
      if (Node &node = state.nodes[id]; node.isEntry() && (!node.schedule || node.schedule->location == Location::Open))
        node.setSchedule("CPU_Multicore");
    callFromHost(owner[first]);
  } else if (operation.launches) {
    kernels.launch(*level.sdfg, state, parts.dataflow, first, hostMaps, onHost);
    own(owner[first]);
  } else if (state.nodes[first].kind == NodeKind::Tasklet) {
    kernels.wrap(state, operation.nodes, operation.name);
    own(owner[first]);
  } else {
    for (NodeId id : operation.nodes)
      kernels.make(*level.sdfg, state, parts.dataflow, id);
  }
}

/// Library nodes of an operation that the host runs, unless it launches kernels.
void StateRewriter::callFromHost(std::size_t operation) {
  NodeId first = parts.operations[operation].nodes.front();
  if (state.nodes[first].isEntry() && launchesKernels(state, parts.dataflow, first))
    return;
  for (NodeId id : nodesOf[operation])
    if (state.nodes[id].kind == NodeKind::Library && !state.nodes[id].isOnDevice())
      chooseImplementation(*level.sdfg, state, id, Caller::Host);
}

/// New nodes belong to an operation.
void StateRewriter::own(std::size_t operation) {
  owner.resize(state.nodes.size(), operation);
  wanted.resize(state.nodes.size());
  original.resize(state.nodes.size());
}

void StateRewriter::run() {
  // Nodes that entered with twins of nested SDFGs are not of the plan's dataflow: they are the device's already.
  findOwners();
  findSides();
  for (std::size_t i = 0; i < parts.operations.size(); ++i)
    if (onDevice(i))
      renameInside(i);
  renameEdges();
  for (std::size_t i = 0; i < parts.operations.size(); ++i) {
    const Operation &operation = parts.operations[i];
    if (!operation.edge)
      schedule(operation, onDevice(i));
  }
  state.changed = true;
}

} // namespace ferry::sdfg
