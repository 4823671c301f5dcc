// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/host_maps.h"

#include "sdfg/identifiers.h"
#include "sdfg/names.h"
#include "sdfg/place/libraries.h"
#include "sdfg/place/odds.h"
#include "sdfg/symbol_types.h"

#include <algorithm>
#include <map>

namespace ferry::sdfg {

using placement::Error;
using placement::ErrorKind;
using placement::Result;

static void forEachState(const ControlGraph &graph, const std::function<void(const State &)> &visit) {
  forEachBlock(graph, [&](const Block &block) {
    if (const State *state = block.state())
      visit(*state);
  });
}

// --- Which maps ------------------------------------------------------------------------------------------------------

/// Whether a nested graph has maps, and outside of them nothing that works.
static bool onlyLaunches(const Sdfg &sdfg) {
  bool hasMap = false, works = false;
  forEachDataflow(sdfg.graph, [&](const State &state, const Dataflow &dataflow) {
    for (NodeId id : dataflow.children(kNone)) {
      const Node &node = state.nodes[id];
      bool isLaunch = node.kind == NodeKind::MapEntry || (node.nested && onlyLaunches(*node.nested));
      hasMap |= isLaunch;
      works |= !isLaunch && node.isCode();
    }
  });
  return hasMap && !works;
}

/// Whether a map holds maps, itself or in nested graphs, and beside them nothing that works.
static bool launches(const State &state, const Dataflow &dataflow, NodeId entry) {
  bool hasMap = false;
  for (NodeId id : dataflow.children(entry)) {
    const Node &node = state.nodes[id];
    bool isLaunch = node.kind == NodeKind::MapEntry || (node.nested && onlyLaunches(*node.nested));
    hasMap |= isLaunch;
    if (!isLaunch && (node.isCode() || node.isEntry()))
      return false;
  }
  return hasMap;
}

static bool isName(const std::string &name, std::initializer_list<const char *> of) {
  return std::any_of(of.begin(), of.end(), [&](const char *each) { return name == each; });
}

std::string nameOf(const Node &entry) { return entry.label().substr(0, entry.label().find('[')); }

static void addNamed(const Sdfg &sdfg, const std::string &name, MapSet &to) {
  bool byStructure = isName(name, {"True", "all-launching"});
  forEachState(sdfg.graph, [&](const State &state) {
    std::optional<Dataflow> dataflow;
    if (byStructure)
      if (auto found = Dataflow::of(state))
        dataflow = std::move(*found);
    for (NodeId id = 0; id < state.nodes.size(); ++id) {
      const Node &node = state.nodes[id];
      if (node.kind == NodeKind::MapEntry &&
          (byStructure ? dataflow && launches(state, *dataflow, id)
                       : nameOf(node) == name || node.stringAttribute("guid") == name))
        to.insert(&node);
      if (node.nested)
        addNamed(*node.nested, name, to);
    }
  });
}

static void addLabels(const Sdfg &sdfg, std::set<std::string> &to) {
  forEachState(sdfg.graph, [&](const State &state) {
    for (const Node &node : state.nodes) {
      if (node.kind == NodeKind::MapEntry)
        to.insert(nameOf(node));
      if (node.nested)
        addLabels(*node.nested, to);
    }
  });
}

Result<MapSet> hostMaps(const Program &program, const std::vector<std::string> &names) {
  MapSet result;
  for (const std::string &name : names) {
    if (isName(name, {"False", "None", "none", "[]"}))
      continue;
    MapSet found;
    addNamed(program.root, name, found);
    if (found.empty() && !isName(name, {"True", "all-launching"})) {
      std::set<std::string> labels;
      addLabels(program.root, labels);
      return Error{ErrorKind::Malformed, "host maps: there is no map '" + name + "'; " + thereAre(labels)};
    }
    result.merge(found);
  }
  return result;
}

// --- What is in them -------------------------------------------------------------------------------------------------

static bool holdsMap(const Sdfg &sdfg, const std::function<bool(const Node &)> &is) {
  bool found = false;
  forEachState(sdfg.graph, [&](const State &state) {
    for (const Node &node : state.nodes)
      found |= (node.kind == NodeKind::MapEntry && is(node)) || (node.nested && holdsMap(*node.nested, is));
  });
  return found;
}

bool holdsMap(const State &state, const Dataflow &dataflow, NodeId entry, const std::function<bool(const Node &)> &is) {
  std::span<const NodeId> children = dataflow.children(entry);
  return std::any_of(children.begin(), children.end(), [&](NodeId id) {
    const Node &node = state.nodes[id];
    return (node.kind == NodeKind::MapEntry && is(node)) || (node.isEntry() && holdsMap(state, dataflow, id, is)) ||
           (node.nested && holdsMap(*node.nested, is));
  });
}

bool isHostMap(const State &state, const Dataflow &dataflow, NodeId entry, const MapSet &onHost) {
  auto isNamed = [&](const Node &node) { return onHost.contains(&node); };
  return !onHost.empty() && (isNamed(state.nodes[entry]) || holdsMap(state, dataflow, entry, isNamed));
}

bool launchesKernels(const State &state, const Dataflow &dataflow, NodeId entry) {
  auto isKernel = [](const Node &node) { return node.isOnDevice(); };
  return !isKernel(state.nodes[entry]) && holdsMap(state, dataflow, entry, isKernel);
}

namespace {

/// Looks for what a host map cannot launch.
class Judge {
public:
  explicit Judge(const MapSet &onHost) : onHost(onHost) {}

  std::string scope(const Sdfg &sdfg, const State &state, const Dataflow &dataflow, NodeId entry) const {
    if (entry != kNone)
      if (std::string view = viewAt(sdfg, state, entry); !view.empty())
        return "'" + view + "' is a view";
    if (entry != kNone)
      if (std::string name = untypedIn(sdfg, state, dataflow, entry); !name.empty())
        return "the type of symbol '" + name + "' is not known; declare it";
    if (entry != kNone)
      if (std::string name = notItsOwn(sdfg, state, dataflow, entry); !name.empty())
        return "'" + name + "' is used outside of it too";
    for (NodeId id : dataflow.children(entry))
      if (std::string why = node(sdfg, state, dataflow, id); !why.empty())
        return why;
    return "";
  }

private:
  /// A view that enters or leaves a map.
  static std::string viewAt(const Sdfg &sdfg, const State &state, NodeId entry) {
    for (const DataEdge &edge : state.edges) {
      if (edge.to != entry && edge.from != state.nodes[entry].partner)
        continue;
      const Node &far = state.nodes[edge.to == entry ? edge.from : edge.to];
      const Container *found = far.kind == NodeKind::Access ? sdfg.find(far.container()) : nullptr;
      if (found && found->isView())
        return far.data;
    }
    return "";
  }

  /// A container that has an access node in a map and is also used elsewhere: by an access node that is not in the map,
  /// by control flow, by whoever calls the program.
  static std::string notItsOwn(const Sdfg &sdfg, const State &state, const Dataflow &dataflow, NodeId entry) {
    std::map<std::string, std::size_t> inside; // how many access nodes
    for (NodeId id = 0; id < state.nodes.size(); ++id)
      if (state.nodes[id].kind == NodeKind::Access && dataflow.isWithin(id, entry))
        ++inside[state.nodes[id].container()];
    if (inside.empty())
      return "";
    std::map<std::string, std::size_t> all;
    forEachState(sdfg.graph, [&](const State &each) {
      for (const Node &node : each.nodes)
        if (node.kind == NodeKind::Access)
          ++all[node.container()];
    });
    std::set<std::string> read = readByControl(sdfg);
    for (const auto &[name, count] : inside) {
      const Container *container = sdfg.find(name);
      if (count != all[name] || read.contains(name) || (container && !container->transient))
        return name;
    }
    return "";
  }

  /// A symbol of unknown type that a map names: the nested SDFG that its body becomes declares its symbols.
  static std::string untypedIn(const Sdfg &sdfg, const State &state, const Dataflow &dataflow, NodeId entry) {
    auto flow = ControlFlow::of(sdfg);
    std::set<std::string> unknown = flow ? symbolTypesOf(sdfg, *flow).unknown : std::set<std::string>();
    if (unknown.empty())
      return "";
    std::set<std::string> named;
    auto isInside = [&](NodeId id) { return id == entry || dataflow.isWithin(id, entry); };
    for (NodeId id = 0; id < state.nodes.size(); ++id)
      if (isInside(id))
        addIdentifiers(state.nodes[id], named);
    for (const DataEdge &edge : state.edges)
      if (isInside(edge.from) && isInside(edge.to))
        addIdentifiers(edge.memlet.json, named);
    auto found = std::find_if(unknown.begin(), unknown.end(), [&](const auto &each) { return named.contains(each); });
    return found == unknown.end() ? "" : *found;
  }

  static std::set<std::string> readByControl(const Sdfg &sdfg) {
    std::set<std::string> read;
    auto flow = ControlFlow::of(sdfg);
    for (const FlowEdge &edge : flow ? flow->edges : std::vector<FlowEdge>())
      read.merge(namesIn(edge));
    return read;
  }

  std::string node(const Sdfg &sdfg, const State &state, const Dataflow &dataflow, NodeId id) const {
    const Node &node = state.nodes[id];
    switch (node.kind) {
    case NodeKind::MapEntry:
      if (!node.rangeConnectors().empty())
        return "the extent of '" + nameOf(node) + "' is in a container";
      return isHostMap(state, dataflow, id, onHost) ? scope(sdfg, state, dataflow, id) : "";
    case NodeKind::NestedSdfg:
      return nested(*node.nested);
    case NodeKind::Tasklet:
      return handsOn(state, dataflow, id) ? "'" + node.label() + "' hands values on without a container" : "";
    case NodeKind::Access:
      return container(sdfg, node);
    case NodeKind::Library:
      return whyNoImplementation(node, Caller::Device);
    case NodeKind::MapExit:
      return "";
    case NodeKind::ConsumeEntry:
    case NodeKind::ConsumeExit:
    case NodeKind::Other:
      return "'" + node.label() + "' is no kernel";
    }
    return "";
  }

  static bool handsOn(const State &state, const Dataflow &dataflow, NodeId id) {
    auto isCode = [&](NodeId other) { return state.nodes[other].isCode(); };
    auto in = dataflow.in(id), out = dataflow.out(id);
    return std::any_of(in.begin(), in.end(), [&](auto edge) { return isCode(state.edges[edge].from); }) ||
           std::any_of(out.begin(), out.end(), [&](auto edge) { return isCode(state.edges[edge].to); });
  }

  static std::string container(const Sdfg &sdfg, const Node &access) {
    const Container *found = sdfg.find(access.container());
    bool isPlain = found && !found->isStream() && !found->isReference() &&
                   (found->kind->shape == Shape::Array || found->kind->shape == Shape::Scalar);
    if (!isPlain)
      return "'" + access.data + "' stays on the host";
    bool isKept = found->transient && !found->isView() && found->storage &&
                  found->storage->location != Location::Open && found->storage->location != Location::Device;
    return isKept ? "'" + access.data + "' is in " + std::string(found->storage->name) : "";
  }

  /// The host runs a nested graph's control flow, so that must not ask for what the device has.
  std::string nested(const Sdfg &sdfg) const {
    auto flow = ControlFlow::of(sdfg);
    if (!flow)
      return flow.error().message;
    for (const std::string &name : readByControl(sdfg))
      if (sdfg.find(name))
        return "control flow in it reads '" + name + "'";
    std::string why;
    forEachDataflow(sdfg.graph, [&](const State &state, const Dataflow &dataflow) {
      if (why.empty())
        why = scope(sdfg, state, dataflow, kNone);
    });
    return why;
  }

  const MapSet &onHost;
};

/// Lists what a host map runs.
class Lister {
public:
  explicit Lister(const std::function<bool(const State &, const Dataflow &, NodeId)> &isHostMap)
      : isHostMap(isHostMap) {}

  void scope(const Sdfg &sdfg, const State &state, const Dataflow &dataflow, NodeId entry, const Sizes &around,
             double times) {
    const Scope &scope = state.nodes[entry].scope;
    Sizes sizes = around.inside(scope);
    run(sdfg, state, dataflow, entry, sizes, times * static_cast<double>(sizes.elements(scope.range)));
  }

  std::vector<Launched> found;

private:
  void run(const Sdfg &sdfg, const State &state, const Dataflow &dataflow, NodeId entry, const Sizes &sizes,
           double times) {
    for (NodeId id : dataflow.children(entry)) {
      const Node &node = state.nodes[id];
      if (node.kind == NodeKind::Access) {
        for (Dataflow::EdgeId edge : dataflow.in(id))
          if (state.nodes[state.edges[edge].from].kind == NodeKind::Access && !state.edges[edge].memlet.isEmpty())
            found.push_back({&sdfg, &state, nullptr, edge, workOfCopy(sdfg, state.edges[edge], sizes), times});
      } else if (node.isEntry() && isHostMap(state, dataflow, id)) {
        scope(sdfg, state, dataflow, id, sizes, times);
      } else if (node.nested) {
        nested(*node.nested, sizes.inside(node), times);
      } else if (!node.isExit()) {
        found.push_back({&sdfg, &state, &node, kNone, workOf(sdfg, state, dataflow, id, sizes), times});
      }
    }
  }

  void nested(const Sdfg &sdfg, Sizes around, double times) {
    auto flow = ControlFlow::of(sdfg);
    if (!flow)
      return;
    LoopSizes sizes(*flow, std::move(around));
    auto often = frequencies(*flow, oddsOf(*flow, sizes, 1, Rarity::Coarse)); // else each state once
    for (PointId id = 0; id < flow->points.size(); ++id) {
      if (flow->points[id].kind != FlowKind::State)
        continue;
      const State &state = *flow->points[id].block->state();
      double runs = often ? often->points[id].toDouble() : 1;
      if (auto dataflow = Dataflow::of(state))
        run(sdfg, state, *dataflow, kNone, sizes.in(flow->loopOf(id)), times * runs);
    }
  }

  const std::function<bool(const State &, const Dataflow &, NodeId)> &isHostMap;
};

} // namespace

std::string whyNotLaunched(const Sdfg &sdfg, const State &state, const Dataflow &dataflow, NodeId entry,
                           const MapSet &onHost) {
  return Judge(onHost).scope(sdfg, state, dataflow, entry);
}

std::vector<Launched> launchesOf(const Sdfg &sdfg, const State &state, const Dataflow &dataflow, NodeId entry,
                                 const Sizes &sizes,
                                 const std::function<bool(const State &, const Dataflow &, NodeId)> &isHostMap) {
  Lister lister(isHostMap);
  lister.scope(sdfg, state, dataflow, entry, sizes, 1);
  return std::move(lister.found);
}

} // namespace ferry::sdfg
