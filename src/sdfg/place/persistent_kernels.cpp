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
#include "sdfg/place/copy_map.h"
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

std::vector<KernelLoop> kernelLoopsOf(const Level &level, const placement::Graph &graph, const placement::Plan &plan) {
  const ControlFlow &flow = *level.flow;
  std::vector<KernelLoop> result;
  std::optional<Mentions> mentions;
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
    std::set<const Block *> blocks;
    for (PointId point : loop.points)
      blocks.insert(flow.points[point].block);
    if (!mentions)
      mentions.emplace(*level.sdfg);
    made.isLeft = mentions->outside(counted.variable,
                                    [&](BlockId block) { return blocks.contains(&level.sdfg->graph.blocks[block]); });
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
  Nester(Sdfg &sdfg, const std::vector<KernelLoop> &loops, const Sizes &sizes, SymbolTypes types, Names &names,
         Dialect dialect)
      : sdfg(sdfg), loops(loops), sizes(sizes), types(std::move(types)), names(names), dialect(dialect) {}

  void run() {
    findBlocks();
    for (std::size_t i = 0; i < loops.size(); ++i)
      nest(i);
    place();
    removeTaken();
  }

private:
  static constexpr std::size_t kNoLoop = static_cast<std::size_t>(-1);

  void nest(std::size_t index) {
    const KernelLoop &loop = loops[index];
    handed.clear();
    written.clear();
    std::string name = names.fresh(loop.control + "_loop");
    auto nested = std::make_unique<Sdfg>(Sdfg::empty(name));
    takeBlocks(index, *nested);
    for (Block &block : nested->graph.blocks)
      prepare(*block.state());
    takeContainers(*nested);
    Block launch = Block::newState(names.fresh(loop.control + "_kernel"));
    NodeId node = addLaunch(*launch.state(), loop.control, name);
    addSymbols(*nested, launch.state()->nodes[node]);
    launch.state()->nodes[node].nested = std::move(nested);
    sdfg.graph.blocks[controls[index]] = std::move(launch);
  }

  /// Of each loop the control, and what is reached from the first block of a trip before the control comes again.
  void findBlocks() {
    const ControlGraph &graph = sdfg.graph;
    std::map<std::string, BlockId> byLabel;
    for (BlockId id = 0; id < graph.blocks.size(); ++id)
      byLabel[graph.blocks[id].label()] = id;
    leaving.resize(graph.blocks.size());
    for (std::size_t id = 0; id < graph.edges.size(); ++id)
      leaving[graph.edges[id].from].push_back(id);
    owner.assign(graph.blocks.size(), kNoLoop);
    members.resize(loops.size());
    for (std::size_t i = 0; i < loops.size(); ++i) {
      controls.push_back(byLabel.at(loops[i].control));
      std::vector<BlockId> &found = members[i];
      found = {controls.back()};
      std::vector<BlockId> pending = {byLabel.at(loops[i].first)};
      owner[controls.back()] = i;
      while (!pending.empty()) {
        BlockId here = pending.back();
        pending.pop_back();
        if (owner[here] == i)
          continue;
        owner[here] = i;
        found.push_back(here);
        for (std::size_t edge : leaving[here])
          pending.push_back(graph.edges[edge].to);
      }
      std::sort(found.begin(), found.end());
    }
  }

  /// Moves the blocks and the edges between them, with a state before the control and one behind it. Edges that enter
  /// or leave lead to the launch, which comes in the control's place.
  void takeBlocks(std::size_t index, Sdfg &nested) {
    ControlGraph &from = sdfg.graph, &to = nested.graph;
    const std::string &control = loops[index].control;
    to.blocks.push_back(Block::newState(names.fresh(control + "_first")));
    std::map<BlockId, BlockId> moved;
    std::vector<std::size_t> edges;
    for (BlockId id : members[index]) {
      moved[id] = static_cast<BlockId>(to.blocks.size());
      to.blocks.push_back(std::move(from.blocks[id]));
      edges.insert(edges.end(), leaving[id].begin(), leaving[id].end());
    }
    std::sort(edges.begin(), edges.end());
    BlockId last = static_cast<BlockId>(to.blocks.size());
    to.blocks.push_back(Block::newState(names.fresh(control + "_last")));
    to.edges.push_back(InterstateEdge::between(0, moved.at(controls[index])));
    to.edges.back().setAssignments({{loops[index].variable, loops[index].begin.toString()}});
    for (std::size_t id : edges) {
      const InterstateEdge &edge = from.edges[id];
      to.edges.push_back(edge);
      to.edges.back().from = moved.at(edge.from);
      to.edges.back().to = owner[edge.to] == index ? moved.at(edge.to) : last;
      if (owner[edge.to] != index)
        to.edges.back().setAssignments({});
    }
  }

  // ---- States

  /// One map a state, as its generated code gets it right, and the tasklet that keeps states apart.
  void prepare(State &state) {
    makeCopyMaps(state);
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

  /// A loop with a copy that is no map is no kernel.
  void makeCopyMaps(State &state) {
    auto dataflow = Dataflow::of(state);
    for (std::size_t id = 0, count = dataflow ? state.edges.size() : 0; id < count; ++id) {
      const DataEdge &edge = state.edges[id];
      auto isAtTop = [&](NodeId node) {
        return state.nodes[node].kind == NodeKind::Access && dataflow->scope(node) == kNone;
      };
      if (isAtTop(edge.from) && isAtTop(edge.to) && !edge.memlet.isEmpty())
        makeCopyMap(state, id, copyMapOf(sdfg, state, edge, [&] { return names.fresh("__at"); }).value(), names,
                    dialect);
    }
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
    std::set<const Container *> taken; // in their order
    for (const std::set<std::string> *list : {&used, &named})
      for (const std::string &name : *list)
        if (const Container *found = sdfg.find(name))
          taken.insert(found);
    for (const Container *container : taken) {
      if (used.contains(container->name) && !isOwn(*container))
        handed.insert(container->name);
      Container made = *container;
      if (handed.contains(container->name))
        made.setTransient(false);
      else if (used.contains(container->name))
        own.insert(container->name);
      nested.add(std::move(made));
    }
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

  /// Containers that only kernels have now.
  void removeTaken() {
    forEachBlock(sdfg.graph, [&](const Block &block) {
      if (const State *state = block.state())
        for (const Node &node : state->nodes)
          if (node.kind == NodeKind::Access)
            own.erase(node.container());
    });
    sdfg.removeContainers([&](const Container &each) { return own.contains(each.name); });
  }

  /// What it names and does not set itself comes from outside; what it sets is its own.
  void addSymbols(Sdfg &nested, Node &node) {
    std::set<std::string> named, set;
    addIdentifiers(nested, named);
    for (const InterstateEdge &edge : nested.graph.edges)
      for (const auto &[symbol, value] : edge.assignments)
        set.insert(symbol);
    named.insert(set.begin(), set.end());
    for (const std::string &symbol : named) {
      auto type = types.known.find(symbol);
      if (type == types.known.end())
        continue;
      nested.addSymbol(symbol, type->second);
      if (!set.contains(symbol))
        node.setSymbol(symbol, Expr::symbol(symbol), dialect);
    }
  }

  // ---- The launch

  NodeId addLaunch(State &state, const std::string &control, const std::string &name) {
    Subset once;
    once.dims = {SymbolicRange{0, 0, 1, 1}};
    auto [entry, exit] =
        state.add(Node::map(control + "_kernel", {{names.fresh("__all")}, once}, "GPU_Persistent", dialect));
    state.nodes[entry].setAttribute("gpu_block_size", Array{kBlockSize, 1, 1});
    state.nodes[entry].setAttribute("gpu_launch_bounds", std::to_string(kBlockSize) + ", " + std::to_string(kBlocks));
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

  /// Launches are in their controls' places, and variables get the values that they have behind their loops.
  void place() {
    ControlGraph old = std::move(sdfg.graph), made;
    std::vector<BlockId> moved(old.blocks.size(), kNone);
    for (BlockId id = 0; id < old.blocks.size(); ++id) {
      if (owner[id] != kNoLoop && id != controls[owner[id]])
        continue;
      moved[id] = static_cast<BlockId>(made.blocks.size());
      made.blocks.push_back(std::move(old.blocks[id]));
    }
    for (InterstateEdge &edge : old.edges) {
      std::size_t from = owner[edge.from];
      if (from != kNoLoop && from == owner[edge.to])
        continue;
      edge.from = moved[from == kNoLoop ? edge.from : controls[from]];
      edge.to = moved[edge.to];
      if (from != kNoLoop)
        leave(edge, loops[from]);
      made.edges.push_back(std::move(edge));
    }
    if (old.start)
      made.start = moved[*old.start];
    sdfg.graph = std::move(made);
  }

  static void leave(InterstateEdge &edge, const KernelLoop &loop) {
    edge.setCondition(Code{"1", "Python"});
    std::vector<std::pair<std::string, std::string>> set = edge.assignments;
    auto isVariable = [&](const auto &each) { return each.first == loop.variable; };
    if (loop.isLeft && std::none_of(set.begin(), set.end(), isVariable))
      set.emplace_back(loop.variable, loop.last.toString());
    edge.setAssignments(std::move(set));
  }

  Sdfg &sdfg;
  const std::vector<KernelLoop> &loops;
  const Sizes &sizes;
  SymbolTypes types;
  Names &names;
  Dialect dialect;
  std::vector<std::vector<std::size_t>> leaving; ///< By block of the SDFG as it was: its edges.
  std::vector<std::size_t> owner;                ///< By block: the loop that it is in, kNoLoop.
  std::vector<std::vector<BlockId>> members;     ///< By loop.
  std::vector<BlockId> controls;                 ///< By loop.
  std::set<std::string> handed, written;         ///< Of one loop, containers that enter; those that leave as well.
  std::set<std::string> own;                     ///< Containers that a kernel has for itself.
};

} // namespace

void nestKernelLoops(Level &level, const std::vector<KernelLoop> &loops, Names &names, Dialect dialect) {
  if (!loops.empty())
    Nester(*level.sdfg, loops, level.sizes->in(kNone), symbolTypesOf(*level.sdfg, *level.flow), names, dialect).run();
}

} // namespace ferry::sdfg
