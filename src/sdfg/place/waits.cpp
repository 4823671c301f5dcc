// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/waits.h"

#include "sdfg/dataflow.h"

#include <algorithm>

namespace ferry::sdfg {

using EdgeId = Dataflow::EdgeId;

static bool isOnDevice(const Sdfg &sdfg, const Node &node) {
  const Container *container = node.kind == NodeKind::Access ? sdfg.find(node.container()) : nullptr;
  return container && container->storage && container->storage->location == Location::Device;
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

static bool usesDevice(const Sdfg &sdfg, const Block &block) {
  const State *state = block.state();
  return !state || std::any_of(state->nodes.begin(), state->nodes.end(), [&](const Node &node) {
    return isOnDevice(sdfg, node) || node.kind == NodeKind::NestedSdfg ||
           (node.schedule && node.schedule->location == Location::Device);
  });
}

static bool isEmpty(const Block &block) { return block.state() && block.state()->nodes.empty(); }

/// Whether something for the device can come next, states that do nothing left out.
static bool deviceFollows(const Sdfg &sdfg, const ControlGraph &graph, BlockId from) {
  std::vector<bool> isSeen(graph.blocks.size());
  std::vector<BlockId> pending = {from};
  while (!pending.empty()) {
    BlockId id = pending.back();
    pending.pop_back();
    for (const InterstateEdge &edge : graph.edges) {
      if (edge.from != id || isSeen[edge.to])
        continue;
      isSeen[edge.to] = true;
      if (isEmpty(graph.blocks[edge.to]))
        pending.push_back(edge.to);
      else if (usesDevice(sdfg, graph.blocks[edge.to]))
        return true;
    }
  }
  return false;
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
    if (block.state() && endsWithCopy(sdfg, *block.state()) && deviceFollows(sdfg, graph, id))
      late.push_back(id);
  }
  for (BlockId id : late) {
    Block wait = Block::newState(names.fresh("wait"));
    wait.state()->add(Node::tasklet("wait", Code{"pass", "Python"}, {}, {}));
    graph.blocks.push_back(std::move(wait));
    BlockId made = static_cast<BlockId>(graph.blocks.size() - 1);
    for (InterstateEdge &edge : graph.edges)
      if (edge.from == id)
        edge.from = made;
    graph.edges.push_back(InterstateEdge::between(id, made));
  }
}

void awaitCopies(Sdfg &sdfg, Names &names) { awaitCopies(sdfg, sdfg.graph, names); }

} // namespace ferry::sdfg
