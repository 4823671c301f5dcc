// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/wording.h"

#include <algorithm>

namespace ferry::sdfg {

static std::string quoted(const Block *block) { return block ? "'" + block->label() + "'" : std::string("the graph"); }

static std::string between(const ControlFlow &flow, const FlowEdge &edge) {
  const FlowPoint &from = flow.points[edge.from], &to = flow.points[edge.to];
  if (!from.block)
    return "before " + quoted(to.block);
  bool isSame = !to.block || to.block == from.block;
  return isSame ? "behind " + quoted(from.block) : "between " + quoted(from.block) + " and " + quoted(to.block);
}

std::string describe(const ControlFlow &flow, FlowEdgeId id) {
  const FlowEdge &edge = flow.edges[id];
  switch (edge.site) {
  case Site::Interstate:
    return between(flow, edge);
  case Site::Decision:
    return "behind " + quoted(edge.block);
  case Site::Start:
    return "at the start of " + quoted(edge.block);
  case Site::End:
    return "behind " + quoted(edge.block) + ", at the end";
  case Site::LoopEntry:
    return "before loop " + quoted(edge.block);
  case Site::LoopBody:
    return "at the start of each trip of loop " + quoted(edge.block);
  case Site::LoopUpdate:
    return "at the end of each trip of loop " + quoted(edge.block);
  case Site::LoopAgain:
    return "between trips of loop " + quoted(edge.block);
  case Site::LoopExit:
    return "behind the last trip of loop " + quoted(edge.block);
  case Site::BranchSkip:
    return "where no branch of " + quoted(edge.block) + " is taken";
  case Site::Jump:
    return "on the way out by " + quoted(edge.block);
  }
  return "";
}

/// "prog.py:7", without folders; empty if the graph does not say.
static std::string lineOf(const Program &program, const Element &element) {
  SourceLine source = sourceOf(element, program);
  if (source.file.empty() || source.line == 0)
    return "";
  return source.file.substr(source.file.find_last_of("/\\") + 1) + ":" + std::to_string(source.line);
}

/// Of a node, or else of the first in its scope that has one.
static std::string lineOf(const Program &program, const State &state, const Dataflow &dataflow, NodeId id) {
  std::string line = lineOf(program, state.nodes[id]);
  if (line.empty() && state.nodes[id].isEntry())
    for (NodeId inner : dataflow.children(id))
      if (line.empty())
        line = lineOf(program, state, dataflow, inner);
  return line;
}

std::string describe(const Program &program, const Block &block, const Dataflow &dataflow, const Operation &operation) {
  const State &state = *block.state();
  std::vector<NodeId> nodes = operation.nodes;
  if (operation.edge)
    nodes = {state.edges[*operation.edge].to, state.edges[*operation.edge].from};
  std::string line;
  for (NodeId id : nodes)
    if (line.empty())
      line = lineOf(program, state, dataflow, id);
  return operation.name + " in state " + block.label() + (line.empty() ? "" : ", " + line);
}

} // namespace ferry::sdfg
