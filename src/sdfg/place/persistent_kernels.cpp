// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     before -i = 0-> control -i < N-> body ... -i = i + 1-> control -not (i < N)-> behind
//
// becomes
//
//     before -i = 0-> launch -> behind                  launch: map [0:1] { nested SDFG }
//     first -i = 0-> control -i < N-> body ... -i = i + 1-> control -not (i < N)-> last
//
// Each state of the body has beside its map a tasklet that does nothing. DaCe's simplification joins states whose order
// their data shows, and between the maps of one state no thread waits; of two states with such tasklets it joins none.

#include "sdfg/place/persistent_kernels.h"

#include "sdfg/identifiers.h"
#include "sdfg/place/grid_stride.h"
#include "sdfg/symbol_types.h"

#include <algorithm>

namespace ferry::sdfg {

/// Threads a block, and blocks that a multiprocessor has to hold: DaCe launches two of them for each
/// (`persistent_map_occupancy`), and a block that waits for its turn would never get it.
static constexpr int kBlockSize = 512, kBlocks = 2;

static bool isOwnKernel(const Level &level, LoopId id, const placement::Graph &graph, const placement::Plan &plan) {
  if (level.regions.empty() || level.regions[id] == kNone || !plan.kernels[level.regions[id]])
    return false;
  return !plan.inKernel(graph.regions[level.regions[id]].parent);
}

static bool isOf(const ControlFlow &flow, const FlowLoop &loop, const Block &block) {
  return std::any_of(loop.points.begin(), loop.points.end(),
                     [&](PointId point) { return flow.points[point].block == &block; });
}

std::vector<KernelLoop> kernelLoopsOf(const Level &level, const placement::Graph &graph, const placement::Plan &plan) {
  const ControlFlow &flow = *level.flow;
  std::vector<KernelLoop> result;
  for (LoopId id = 0; id < flow.loops.size(); ++id) {
    if (!isOwnKernel(level, id, graph, plan))
      continue;
    const FlowLoop &loop = flow.loops[id];
    const CountedLoop &counted = *loop.counted;
    BlockId first = flow.edges[loop.stays].edge->to;
    KernelLoop made{flow.points[loop.control].block->label(),
                    level.sdfg->graph.blocks[first].label(),
                    counted.variable,
                    *counted.begin,
                    *counted.begin + counted.step * *counted.trips,
                    false};
    made.isLeft =
        namedOutside(*level.sdfg, counted.variable, [&](const Block &block) { return isOf(flow, loop, block); });
    result.push_back(std::move(made));
  }
  return result;
}

void splitStates(const Level &level, const placement::Graph &graph, const placement::Plan &plan, Insertions &to) {
  for (const auto &[block, parts] : level.states)
    for (std::size_t i = 1; i < parts.points.size(); ++i)
      if (parts.points[i] != kNone && plan.inKernel(graph.points[parts.points[i]].region))
        to.cuts.insert({block, i});
}

namespace {

class Nester {
public:
  Nester(Sdfg &sdfg, const KernelLoop &loop, const Sizes &sizes, const SymbolTypes &types, Names &names,
         Dialect dialect)
      : sdfg(sdfg), loop(loop), sizes(sizes), types(types), names(names), dialect(dialect) {}

  void run() {
    findBlocks();
    std::string name = names.fresh(loop.control + "_loop");
    auto nested = std::make_unique<Sdfg>(Sdfg::empty(name));
    takeBlocks(*nested);
    for (Block &block : nested->graph.blocks)
      prepare(*block.state());
    takeContainers(*nested);
    Block launch = Block::newState(names.fresh(loop.control + "_kernel"));
    NodeId node = addLaunch(*launch.state(), name);
    addSymbols(*nested, launch.state()->nodes[node]);
    launch.state()->nodes[node].nested = std::move(nested);
    place(std::move(launch));
  }

private:
  /// The control, and what is reached from the first block of a trip before the control comes again.
  void findBlocks() {
    const ControlGraph &graph = sdfg.graph;
    inside.assign(graph.blocks.size(), false);
    std::vector<BlockId> pending;
    for (BlockId id = 0; id < graph.blocks.size(); ++id) {
      std::string label = graph.blocks[id].label();
      if (label == loop.control)
        control = id;
      if (label == loop.control || label == loop.first)
        inside[id] = true;
      if (label == loop.first)
        pending.push_back(id);
    }
    while (!pending.empty()) {
      BlockId here = pending.back();
      pending.pop_back();
      for (const InterstateEdge &edge : graph.edges)
        if (edge.from == here && !inside[edge.to]) {
          inside[edge.to] = true;
          pending.push_back(edge.to);
        }
    }
  }

  /// Moves the blocks and the edges between them, with a state before the control and one behind it. Edges that enter
  /// or leave lead to the launch, which comes in the control's place.
  void takeBlocks(Sdfg &nested) {
    ControlGraph &from = sdfg.graph, &to = nested.graph;
    to.blocks.push_back(Block::newState(names.fresh(loop.control + "_first")));
    std::vector<BlockId> moved(from.blocks.size(), kNone);
    for (BlockId id = 0; id < from.blocks.size(); ++id)
      if (inside[id]) {
        moved[id] = static_cast<BlockId>(to.blocks.size());
        to.blocks.push_back(std::move(from.blocks[id]));
      }
    BlockId last = static_cast<BlockId>(to.blocks.size());
    to.blocks.push_back(Block::newState(names.fresh(loop.control + "_last")));
    to.edges.push_back(InterstateEdge::between(0, moved[control]));
    to.edges.back().setAssignments({{loop.variable, loop.begin.toString()}});
    for (InterstateEdge &edge : from.edges) {
      if (!inside[edge.from])
        continue;
      to.edges.push_back(edge);
      to.edges.back().from = moved[edge.from];
      to.edges.back().to = inside[edge.to] ? moved[edge.to] : last;
      if (!inside[edge.to])
        to.edges.back().setAssignments({});
    }
  }

  // ---- States

  /// One map a state, as its generated code gets it right, and the tasklet that keeps states apart.
  void prepare(State &state) {
    auto dataflow = Dataflow::of(state);
    if (!dataflow || state.nodes.empty())
      return;
    for (NodeId id : dataflow->children(kNone))
      if (state.nodes[id].kind == NodeKind::MapEntry)
        makeGridStride(state, id, sizes, names, dialect);
    Node apart = Node::tasklet(names.fresh("apart"), Code{"pass", "Python"}, {}, {});
    apart.setAttribute("side_effects", true);
    state.add(std::move(apart));
  }

  // ---- Containers and symbols

  /// Those with a node at the top of a state are handed in under their names; others are a map's own.
  void takeContainers(Sdfg &nested) {
    std::set<std::string> used, named; // `named`: by memlets between tasklets, without a node
    for (const Block &block : nested.graph.blocks) {
      for (const DataEdge &edge : block.state()->edges)
        named.insert(edge.memlet.container());
      auto dataflow = Dataflow::of(*block.state());
      for (NodeId id = 0; dataflow && id < block.state()->nodes.size(); ++id) {
        const Node &node = block.state()->nodes[id];
        if (node.kind != NodeKind::Access)
          continue;
        used.insert(node.container());
        if (dataflow->scope(id) != kNone)
          continue;
        handed.insert(node.container());
        if (!dataflow->in(id).empty())
          written.insert(node.container());
      }
    }
    for (const InterstateEdge &edge : nested.graph.edges)
      for (const auto &names : {edge.condition.text, textOf(edge.assignments)})
        for (const std::string &name : namesIn({names}))
          if (sdfg.find(name)) {
            used.insert(name);
            handed.insert(name);
          }
    for (const Container &container : sdfg.containers) {
      if (!used.contains(container.name) && !named.contains(container.name))
        continue;
      if (used.contains(container.name) && !isOwn(container))
        handed.insert(container.name);
      Container made = container;
      if (handed.contains(container.name))
        made.setTransient(false);
      nested.add(std::move(made));
    }
    std::erase_if(sdfg.containers, [&](const Container &each) {
      return used.contains(each.name) && !handed.contains(each.name) && !isUsedElsewhere(each.name);
    });
  }

  static std::string textOf(const std::vector<std::pair<std::string, std::string>> &assignments) {
    std::string text;
    for (const auto &[symbol, value] : assignments)
      text += " " + value;
    return text;
  }

  static bool isOwn(const Container &container) {
    return container.transient && container.storage && container.storage->location == Location::Local;
  }

  bool isUsedElsewhere(const std::string &container) const {
    return std::any_of(sdfg.graph.blocks.begin(), sdfg.graph.blocks.end(), [&](const Block &block) {
      const State *state = block.state();
      return state && std::any_of(state->nodes.begin(), state->nodes.end(), [&](const Node &node) {
               return node.kind == NodeKind::Access && node.container() == container;
             });
    });
  }

  /// What it names and does not set itself comes from outside; what it sets is its own.
  void addSymbols(Sdfg &nested, Node &node) {
    std::set<std::string> named, set;
    addIdentifiers(nested, named);
    for (const InterstateEdge &edge : nested.graph.edges)
      for (const auto &[symbol, value] : edge.assignments)
        set.insert(symbol);
    for (const auto &[symbol, type] : types.known) {
      if (!named.contains(symbol) && !set.contains(symbol))
        continue;
      nested.addSymbol(symbol, type);
      if (!set.contains(symbol))
        node.setSymbol(symbol, Expr::symbol(symbol), dialect);
    }
  }

  // ---- The launch

  NodeId addLaunch(State &state, const std::string &name) {
    Subset once;
    once.dims = {SymbolicRange{0, 0, 1, 1}};
    auto [entryNode, exitNode] =
        Node::map(loop.control + "_kernel", {{names.fresh("__all")}, once}, "GPU_Persistent", dialect);
    entryNode.setAttribute("gpu_block_size", Array{kBlockSize, 1, 1});
    entryNode.setAttribute("gpu_launch_bounds", std::to_string(kBlockSize) + ", " + std::to_string(kBlocks));
    NodeId entry = state.add(std::move(entryNode)), exit = state.add(std::move(exitNode));
    state.nodes[entry].partner = exit;
    state.nodes[exit].partner = entry;
    NodeId node = state.add(Node::nestedSdfg(name, "GPU_Persistent"));
    std::size_t ports = 0;
    for (bool in : {true, false})
      for (const std::string &container : in ? handed : written)
        hand(state, container, in, in ? entry : exit, node, std::to_string(ports++));
    if (handed.empty())
      state.connect(entry, std::nullopt, node, std::nullopt, Memlet::empty());
    if (written.empty())
      state.connect(node, std::nullopt, exit, std::nullopt, Memlet::empty());
    return node;
  }

  /// A container, all of it, in or out by a connector of its name.
  void hand(State &state, const std::string &container, bool in, NodeId gate, NodeId node, const std::string &port) {
    state.nodes[gate].addConnector(true, "IN_" + port);
    state.nodes[gate].addConnector(false, "OUT_" + port);
    state.nodes[node].addConnector(in, container);
    NodeId outside = state.add(Node::access(container));
    Memlet whole = Memlet::of(container, wholeOf(sdfg.find(container)->shape), dialect);
    if (in) {
      state.connect(outside, std::nullopt, gate, "IN_" + port, whole);
      state.connect(gate, "OUT_" + port, node, container, whole);
    } else {
      state.connect(node, container, gate, "IN_" + port, whole);
      state.connect(gate, "OUT_" + port, outside, std::nullopt, whole);
    }
  }

  /// The launch takes the control's place, and the variable gets the value that it has behind the loop.
  void place(Block launch) {
    ControlGraph old = std::move(sdfg.graph), made;
    old.blocks[control] = std::move(launch);
    std::vector<BlockId> moved(old.blocks.size(), kNone);
    for (BlockId id = 0; id < old.blocks.size(); ++id) {
      if (inside[id] && id != control)
        continue;
      moved[id] = static_cast<BlockId>(made.blocks.size());
      made.blocks.push_back(std::move(old.blocks[id]));
    }
    for (InterstateEdge &edge : old.edges) {
      bool from = inside[edge.from], to = inside[edge.to];
      if (from && to)
        continue;
      edge.from = moved[from ? control : edge.from];
      edge.to = moved[edge.to];
      if (from) {
        edge.setCondition(Code{"1", "Python"});
        std::vector<std::pair<std::string, std::string>> set = edge.assignments;
        if (loop.isLeft &&
            std::none_of(set.begin(), set.end(), [&](const auto &each) { return each.first == loop.variable; }))
          set.emplace_back(loop.variable, loop.last.toString());
        edge.setAssignments(std::move(set));
      }
      made.edges.push_back(std::move(edge));
    }
    if (old.start)
      made.start = moved[*old.start];
    sdfg.graph = std::move(made);
  }

  Sdfg &sdfg;
  const KernelLoop &loop;
  const Sizes &sizes;
  const SymbolTypes &types;
  Names &names;
  Dialect dialect;
  BlockId control = kNone;
  std::vector<bool> inside;              ///< By block of the SDFG as it was.
  std::set<std::string> handed, written; ///< Containers that enter; those that leave as well.
};

} // namespace

void nestKernelLoops(Level &level, const std::vector<KernelLoop> &loops, Names &names, Dialect dialect) {
  if (loops.empty())
    return;
  SymbolTypes types = symbolTypesOf(*level.sdfg, *level.flow);
  for (const KernelLoop &loop : loops)
    Nester(*level.sdfg, loop, level.sizes->in(kNone), types, names, dialect).run();
}

} // namespace ferry::sdfg
