// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/waits.h"

#include "sdfg/dataflow.h"

#include <algorithm>

namespace ferry::sdfg {

using EdgeId = Dataflow::EdgeId;

static bool isOnDevice(const Sdfg &sdfg, const Node &node) {
  const Container *container = node.kind == NodeKind::Access ? sdfg.find(node.container()) : nullptr;
  return container && container->isOnDevice();
}

/// Whether the last that a state does with some host container is to copy into it from the device.
static bool endsWithCopy(const Sdfg &sdfg, const State &state) {
  auto dataflow = Dataflow::of(state);
  if (!dataflow)
    return false;
  for (NodeId id = 0; id < state.nodes.size(); ++id) {
    const Node &node = state.nodes[id];
    if (node.kind != NodeKind::Access || !dataflow->out(id).empty() || isOnDevice(sdfg, node))
      continue;
    for (EdgeId edge : dataflow->in(id))
      if (isOnDevice(sdfg, state.nodes[state.edges[dataflow->outermost(edge)].from]))
        return true;
  }
  return false;
}

/// A step of the host's that does nothing, but that DaCe's simplification neither takes out nor joins with others.
static Block newWait(const std::string &label) {
  Block wait = Block::newState(label);
  Node step = Node::tasklet("wait", Code{"pass", "Python"}, {}, {});
  step.setAttribute("side_effects", true);
  wait.state()->add(std::move(step));
  return wait;
}

static bool isWait(const Block &block) {
  const State *state = block.state();
  if (!state || state->nodes.size() != 1)
    return false;
  const Node &node = state->nodes.front();
  return node.kind == NodeKind::Tasklet && node.flagAttribute("side_effects") && node.connectors(true).empty() &&
         node.connectors(false).empty();
}

/// Whether something comes next that is no wait. At the end of a graph DaCe waits.
static bool goesOn(const ControlGraph &graph, BlockId from) {
  return std::any_of(graph.edges.begin(), graph.edges.end(),
                     [&](const InterstateEdge &edge) { return edge.from == from && !isWait(graph.blocks[edge.to]); });
}

static void awaitCopies(const Sdfg &sdfg, ControlGraph &graph, Names &names) {
  std::size_t count = graph.blocks.size();
  std::vector<BlockId> late;
  for (BlockId id = 0; id < count; ++id) {
    Block &block = graph.blocks[id];
    if (Region *region = block.region())
      awaitCopies(sdfg, region->graph, names);
    if (Conditional *conditional = block.conditional())
      for (Conditional::Branch &branch : conditional->branches)
        awaitCopies(sdfg, branch.graph, names);
    if (block.state() && endsWithCopy(sdfg, *block.state()) && goesOn(graph, id))
      late.push_back(id);
  }
  for (BlockId id : late) {
    graph.blocks.push_back(newWait(names.fresh("wait")));
    BlockId made = static_cast<BlockId>(graph.blocks.size() - 1);
    for (InterstateEdge &edge : graph.edges)
      if (edge.from == id)
        edge.from = made;
    graph.edges.push_back(InterstateEdge::between(id, made));
  }
}

void awaitCopies(Sdfg &sdfg, Names &names) { awaitCopies(sdfg, sdfg.graph, names); }

} // namespace ferry::sdfg
