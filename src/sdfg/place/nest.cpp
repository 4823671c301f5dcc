// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/nest.h"

#include "sdfg/identifiers.h"
#include "sdfg/place/host_maps.h"
#include "sdfg/symbol_types.h"

#include <algorithm>
#include <map>
#include <set>

namespace ferry::sdfg {

using EdgeId = Dataflow::EdgeId;

namespace {

class Nester {
public:
  Nester(Sdfg &sdfg, State &state, const Dataflow &dataflow, NodeId entry, std::map<std::string, std::string> types,
         Names &names, Dialect dialect)
      : sdfg(sdfg), state(state), entry(entry), exit(state.nodes[entry].partner), types(std::move(types)), names(names),
        dialect(dialect), dataflow(dataflow), inside(state.nodes.size()) {}

  void run() {
    for (NodeId id = 0; id < state.nodes.size(); ++id)
      inside[id] = id != exit && dataflow.isWithin(id, entry);
    Block body = Block::newState(names.fresh("launches"));
    State &inner = *body.state();
    takeEdges();
    std::string name = names.fresh("body");
    auto nested = std::make_unique<Sdfg>(Sdfg::empty(name));
    takeContainers(*nested);
    NodeId node = addNode(name);
    addSymbols(*nested, node);
    takeNodes(inner);
    nested->graph.blocks.push_back(std::move(body));
    state.nodes[node].nested = std::move(nested);
    connect(node);
    inside.resize(state.nodes.size());
    state.remove(inside);
  }

private:
  /// The container at the outer end of an edge that crosses the map's boundary.
  std::string outside(EdgeId edge, bool in) const {
    const DataEdge &far = state.edges[dataflow.outermost(edge)];
    return state.nodes[in ? far.from : far.to].container();
  }

  /// The edges of the body, those across the boundary between access nodes of its own.
  void takeEdges() {
    for (EdgeId id = 0; id < state.edges.size(); ++id) {
      DataEdge &edge = state.edges[id];
      bool from = inside[edge.from], to = inside[edge.to];
      if (!from && !to)
        continue;
      addIdentifiers(edge.memlet.json, named);
      if (from && to) {
        taken.push_back({edge, edge.from, edge.to, ""});
        continue;
      }
      if (edge.memlet.isEmpty())
        continue;
      std::string container = outside(id, to);
      const std::optional<std::string> &connector = to ? edge.fromConnector : edge.toConnector;
      auto &ports = to ? entering : leaving;
      ports[container].insert(connector ? connector->substr(connector->find('_') + 1) : "");
      taken.push_back({edge, from ? edge.from : kNone, to ? edge.to : kNone, container});
    }
  }

  /// Its own containers move, those outside are copied.
  void takeContainers(Sdfg &nested) {
    std::set<std::string> own;
    for (NodeId id = 0; id < state.nodes.size(); ++id)
      if (inside[id] && state.nodes[id].kind == NodeKind::Access)
        own.insert(state.nodes[id].container());
    for (const Container &container : sdfg.containers) {
      bool isHanded = entering.contains(container.name) || leaving.contains(container.name);
      if (!isHanded && !own.contains(container.name))
        continue;
      addIdentifiers(container.json, named);
      Container made = container;
      if (isHanded)
        made.setTransient(false);
      nested.add(std::move(made));
    }
    sdfg.removeContainers([&](const Container &each) {
      return own.contains(each.name) && !entering.contains(each.name) && !leaving.contains(each.name);
    });
  }

  NodeId addNode(const std::string &name) {
    Node node = Node::nestedSdfg(name, "Sequential");
    for (const auto &[container, ports] : entering)
      node.addConnector(true, container);
    for (const auto &[container, ports] : leaving)
      node.addConnector(false, container);
    return state.add(std::move(node));
  }

  /// Symbols and parameters that anything in it names keep their names.
  void addSymbols(Sdfg &nested, NodeId node) {
    for (NodeId id = 0; id < inside.size(); ++id)
      if (inside[id])
        addIdentifiers(state.nodes[id].json, named);
    for (NodeId scope = entry; scope != kNone; scope = dataflow.scope(scope))
      for (const std::string &parameter : state.nodes[scope].scope.params)
        types[parameter] = "int64";
    for (const auto &[symbol, type] : types)
      if (named.contains(symbol)) {
        nested.addSymbol(symbol, type);
        state.nodes[node].setSymbol(symbol, Expr::symbol(symbol), dialect);
      }
  }

  void takeNodes(State &inner) {
    std::map<NodeId, NodeId> made;
    for (NodeId id = 0; id < inside.size(); ++id)
      if (inside[id])
        made[id] = inner.add(std::move(state.nodes[id]));
    for (auto [old, now] : made)
      if (Node &node = inner.nodes[now]; node.partner != kNone)
        node.partner = made.at(node.partner);
    std::map<std::string, NodeId> reads, writes;
    auto access = [&](std::map<std::string, NodeId> &of, const std::string &container) {
      auto [found, isNew] = of.try_emplace(container, kNone);
      if (isNew)
        found->second = inner.add(Node::access(container));
      return found->second;
    };
    for (Taken &each : taken) {
      each.edge.from = each.from == kNone ? access(reads, each.container) : made.at(each.from);
      each.edge.to = each.to == kNone ? access(writes, each.container) : made.at(each.to);
      if (each.from == kNone)
        each.edge.fromConnector.reset();
      if (each.to == kNone)
        each.edge.toConnector.reset();
      inner.edges.push_back(std::move(each.edge));
    }
  }

  /// One way in and one way out for each container; of others there remains the order.
  void connect(NodeId node) {
    for (bool in : {true, false})
      for (const auto &[container, ports] : in ? entering : leaving) {
        const std::string &port = *ports.begin();
        NodeId scope = in ? entry : exit;
        for (const std::string &other : ports)
          if (other != port)
            drop(scope, other);
        Memlet whole = Memlet::of(container, wholeOf(sdfg.find(container)->shape), dialect);
        if (in)
          state.connect(entry, "OUT_" + port, node, container, std::move(whole));
        else
          state.connect(node, container, exit, "IN_" + port, std::move(whole));
      }
    if (entering.empty())
      state.connect(entry, std::nullopt, node, std::nullopt, Memlet::empty());
    if (leaving.empty())
      state.connect(node, std::nullopt, exit, std::nullopt, Memlet::empty());
  }

  /// Takes a way out of a scope's node, and of the nodes around it if no other goes on from there.
  void drop(NodeId scope, const std::string &port) {
    bool in = state.nodes[scope].isEntry();
    state.nodes[scope].removeConnector(true, "IN_" + port);
    state.nodes[scope].removeConnector(false, "OUT_" + port);
    for (DataEdge &edge : state.edges) {
      if ((in ? edge.to : edge.from) != scope ||
          (in ? edge.toConnector : edge.fromConnector) != (in ? "IN_" : "OUT_") + port)
        continue;
      NodeId further = in ? edge.from : edge.to;
      std::optional<std::string> connector = in ? edge.fromConnector : edge.toConnector;
      edge.fromConnector.reset();
      edge.toConnector.reset();
      edge.memlet = Memlet::empty();
      if (connector && isScope(further, in) && !isUsed(further, *connector))
        drop(further, connector->substr(connector->find('_') + 1));
    }
  }

  bool isScope(NodeId id, bool isEntry) const { return isEntry ? state.nodes[id].isEntry() : state.nodes[id].isExit(); }

  /// Whether an edge inside of a scope's node is at this connector.
  bool isUsed(NodeId scope, const std::string &connector) const {
    return std::any_of(state.edges.begin(), state.edges.end(), [&](const DataEdge &edge) {
      return (edge.from == scope && edge.fromConnector == connector) ||
             (edge.to == scope && edge.toConnector == connector);
    });
  }

  struct Taken {
    DataEdge edge;
    NodeId from = kNone, to = kNone; ///< kNone: an access node of `container`.
    std::string container;
  };

  Sdfg &sdfg;
  State &state;
  NodeId entry, exit;
  std::map<std::string, std::string> types; ///< Of symbols, and of the parameters around.
  Names &names;
  Dialect dialect;
  const Dataflow &dataflow;
  std::vector<bool> inside; ///< By node.
  std::vector<Taken> taken;
  std::map<std::string, std::set<std::string>> entering, leaving; ///< By container the map's connectors, without IN_.
  std::set<std::string> named;
};

} // namespace

/// A host map with a kernel in it whose results leave the map; kNone if there is none.
static NodeId directLauncher(const State &state, const Dataflow &dataflow) {
  for (NodeId id = 0; id < state.nodes.size(); ++id)
    if (state.nodes[id].kind == NodeKind::MapEntry && launchesKernels(state, dataflow, id))
      for (EdgeId edge : dataflow.in(state.nodes[id].partner)) {
        const Node &from = state.nodes[state.edges[edge].from];
        const Node &kernel = from.isExit() ? state.nodes[from.partner] : from;
        if (kernel.kind != NodeKind::NestedSdfg && kernel.isOnDevice())
          return id;
      }
  return kNone;
}

/// Of symbols that are assigned and not declared too.
static std::map<std::string, std::string> typesIn(const Sdfg &sdfg) {
  auto flow = ControlFlow::of(sdfg);
  return flow ? symbolTypesOf(sdfg, *flow).known : sdfg.symbolTypes();
}

void nestLaunches(Sdfg &sdfg, Names &names, Dialect dialect) {
  std::optional<std::map<std::string, std::string>> types; // nesting changes none of them
  forEachBlock(sdfg.graph, [&](Block &block) {
    State *state = block.state();
    if (!state)
      return;
    for (auto dataflow = Dataflow::of(*state); dataflow; dataflow = Dataflow::of(*state)) {
      NodeId entry = directLauncher(*state, *dataflow);
      if (entry == kNone)
        break;
      if (!types)
        types = typesIn(sdfg);
      Nester(sdfg, *state, *dataflow, entry, *types, names, dialect).run();
    }
    for (Node &node : state->nodes)
      if (node.nested)
        nestLaunches(*node.nested, names, dialect);
  });
}

} // namespace ferry::sdfg
