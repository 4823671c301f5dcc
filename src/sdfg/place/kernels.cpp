// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/kernels.h"

#include "sdfg/place/libraries.h"
#include "sdfg/place/surround.h"

namespace ferry::sdfg {

std::set<NodeId> hostMapsIn(const State &state, const Dataflow &dataflow, const MapSet &onHost) {
  std::set<NodeId> result;
  for (NodeId id = 0; id < state.nodes.size(); ++id)
    if (state.nodes[id].kind == NodeKind::MapEntry && isHostMap(state, dataflow, id, onHost))
      result.insert(id);
  return result;
}

/// Whether a container has memory of its own for which no storage was chosen.
static bool isOpen(const Container &container) {
  return container.transient && container.storage && container.storage->location == Location::Open &&
         !container.isView();
}

static void scheduleInside(Sdfg &nested) {
  for (Container &container : nested.containers)
    if (isOpen(container))
      container.setStorage("Register");
  forEachBlock(nested.graph, [&](Block &block) {
    if (State *inner = block.state())
      for (NodeId id = 0; id < inner->nodes.size(); ++id) {
        Node &node = inner->nodes[id];
        if (node.kind == NodeKind::Library)
          chooseImplementation(nested, *inner, id, Caller::Kernel);
        if (node.isEntry() || node.kind == NodeKind::Library || node.kind == NodeKind::NestedSdfg)
          if (node.schedule == nullptr || node.schedule->location == Location::Open)
            node.setSchedule("Sequential");
        if (node.nested)
          scheduleInside(*node.nested);
      }
  });
}

/// What enters a nested SDFG in a kernel is in device memory there too, however deep.
static void storeOnDevice(State &state, NodeId id, const std::set<std::string> &connectors) {
  Sdfg &nested = *state.nodes[id].nested;
  for (const std::string &connector : connectors)
    if (Container *container = nested.find(connector))
      container->setStorage("GPU_Global");
  forEachBlock(nested.graph, [&](Block &block) {
    State *inner = block.state();
    if (!inner)
      return;
    for (NodeId each = 0; each < inner->nodes.size(); ++each) {
      if (!inner->nodes[each].nested)
        continue;
      std::set<std::string> passed;
      for (const DataEdge &edge : inner->edges) {
        const std::optional<std::string> &connector = edge.to == each ? edge.toConnector : edge.fromConnector;
        if ((edge.to == each || edge.from == each) && connector && connectors.contains(edge.memlet.container()))
          passed.insert(*connector);
      }
      storeOnDevice(*inner, each, passed);
    }
  });
}

/// The connectors of a nested SDFG by which something enters or leaves that is in device memory.
static std::set<std::string> deviceConnectors(const Sdfg &sdfg, const State &state, NodeId id) {
  std::set<std::string> result;
  for (const DataEdge &edge : state.edges) {
    const std::optional<std::string> &connector = edge.to == id ? edge.toConnector : edge.fromConnector;
    if ((edge.to != id && edge.from != id) || !connector || edge.memlet.isEmpty())
      continue;
    const Container *container = sdfg.find(edge.memlet.container());
    if (container && container->isOnDevice())
      result.insert(*connector);
  }
  return result;
}

/// What a host map has for itself, and views of that, are in device memory.
static void storeBetweenKernels(Container *container) {
  if (container && (isOpen(*container) || container->isView()))
    container->setStorage("GPU_Global");
}

/// A nested SDFG in a kernel.
void Kernels::store(Sdfg &sdfg, State &state, NodeId id) {
  storeOnDevice(state, id, deviceConnectors(sdfg, state, id));
  scheduleInside(*state.nodes[id].nested);
}

void Kernels::make(Sdfg &sdfg, State &state, const Dataflow &dataflow, NodeId id) {
  schedule(sdfg, state, dataflow, id, true);
}

void Kernels::schedule(Sdfg &sdfg, State &state, const Dataflow &dataflow, NodeId id, bool isTop) {
  Node &node = state.nodes[id];
  if (node.isPersistent())
    return; // it is as it is to be, with all that is in it
  if (node.isEntry()) {
    node.setSchedule(isTop ? "GPU_Device" : "Sequential");
    for (NodeId inner : dataflow.children(id))
      schedule(sdfg, state, dataflow, inner, false);
  } else if (node.kind == NodeKind::Library) {
    node.setSchedule(isTop ? "GPU_Default" : "Sequential");
    chooseImplementation(sdfg, state, id, isTop ? Caller::Device : Caller::Kernel);
  } else if (node.kind == NodeKind::NestedSdfg) {
    store(sdfg, state, id);
  } else if (node.kind == NodeKind::Access && !isTop) {
    if (Container *container = sdfg.find(node.container()); container && isOpen(*container))
      container->setStorage("Register");
  }
}

void Kernels::launch(Sdfg &sdfg, State &state, const Dataflow &dataflow, NodeId entry, const std::set<NodeId> &hostMaps,
                     const MapSet &onHost) {
  if (entry != kNone)
    state.nodes[entry].setSchedule("Sequential"); // threads of the host would share what one iteration allocates
  for (NodeId id : dataflow.children(entry)) {
    Node &node = state.nodes[id];
    if (node.kind == NodeKind::Access) {
      storeBetweenKernels(sdfg.find(node.container()));
    } else if (node.kind == NodeKind::Tasklet) {
      wrap(state, {id}, node.label());
    } else if (node.kind == NodeKind::NestedSdfg) {
      storeOnDevice(state, id, deviceConnectors(sdfg, state, id));
      launchNested(*node.nested, onHost);
      node.setAttribute("no_inline", true); // where it is inlined its kernels' results leave the map directly
    } else if (hostMaps.contains(id)) {
      launch(sdfg, state, dataflow, id, hostMaps, onHost);
    } else if (!node.isExit()) {
      make(sdfg, state, dataflow, id);
    }
  }
}

void Kernels::launchNested(Sdfg &nested, const MapSet &onHost) {
  forEachDataflow(nested.graph, [&](State &state, const Dataflow &dataflow) {
    launch(nested, state, dataflow, kNone, hostMapsIn(state, dataflow, onHost), onHost);
    state.changed = true;
  });
}

void Kernels::wrap(State &state, const std::vector<NodeId> &tasklets, const std::string &label) {
  Subset once;
  once.dims = {SymbolicRange{0, 0, 1, 1}};
  surround(state, tasklets, label + "_once", {{names.fresh("__once")}, once}, dialect);
}

} // namespace ferry::sdfg
