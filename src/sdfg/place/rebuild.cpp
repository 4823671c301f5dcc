// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/rebuild.h"

#include <algorithm>

namespace ferry::sdfg {

using placement::Error;
using placement::Result;

namespace {

class Rebuilder {
public:
  Rebuilder(Level &level, const Insertions &insertions, Twins &twins, Dialect dialect)
      : level(level), insertions(insertions), twins(twins), dialect(dialect) {
    for (const auto &[unit, array] : level.arrays)
      units.try_emplace(array, unit);
  }

  Result<void> run() {
    graph(level.sdfg->graph, nullptr, kNone);
    return failure ? Result<void>(*failure) : Result<void>();
  }

private:
  using EdgeId = Dataflow::EdgeId;
  struct Ends {
    BlockId in = kNone, out = kNone;
  };

  void graph(ControlGraph &old, const Block *around, std::uint32_t branch) {
    std::optional<BlockId> start = old.startBlock();
    ControlGraph made;
    std::vector<Ends> ends;
    std::vector<bool> isLast(old.blocks.size(), true);
    for (const InterstateEdge &edge : old.edges)
      isLast[edge.from] = false;
    for (Block &block : old.blocks)
      ends.push_back(add(made, block));
    // Keys are the old elements' addresses.
    for (InterstateEdge &edge : old.edges) {
      BlockId from = ends[edge.from].out, to = ends[edge.to].in;
      auto copies = insertions.onEdge.find(&edge);
      bool isCopied = copies != insertions.onEdge.end() && !copies->second.empty();
      BlockId between = isCopied ? state(made, copies->second) : kNone;
      edge.from = from;
      edge.to = isCopied ? between : to;
      made.edges.push_back(std::move(edge));
      if (isCopied)
        made.edges.push_back(InterstateEdge::between(between, to));
    }
    if (old.start) // DaCe leaves it out where edges tell the start
      made.start = ends[*old.start].in;
    if (auto first = insertions.first.find({around, branch});
        first != insertions.first.end() && !first->second.empty()) {
      BlockId begin = state(made, first->second);
      if (start)
        made.edges.push_back(InterstateEdge::between(begin, ends[*start].in));
      made.start = begin;
    }
    if (auto last = insertions.last.find({around, branch}); last != insertions.last.end() && !last->second.empty()) {
      BlockId end = state(made, last->second);
      for (std::size_t i = 0; i < ends.size(); ++i)
        if (isLast[i] && !made.blocks[ends[i].out].jump())
          made.edges.push_back(InterstateEdge::between(ends[i].out, end));
    }
    old = std::move(made);
  }

  Ends add(ControlGraph &to, Block &block) {
    const Block *key = &block;
    auto found = [&](const std::map<const Block *, Transfers> &copies) {
      auto at = copies.find(key);
      return at == copies.end() ? Transfers() : at->second;
    };
    Transfers before = found(insertions.before), behind = found(insertions.behind);
    std::vector<BlockId> chain;
    if (!before.empty())
      chain.push_back(state(to, before));
    if (block.state()) {
      split(to, block, chain);
      if (std::size_t end = operationsIn(key); end > 0)
        for (const Transfers *copies : copiesAt({key, end}))
          chain.push_back(state(to, *copies));
    } else {
      if (Region *region = block.region())
        graph(region->graph, key, kNone);
      if (Conditional *conditional = block.conditional())
        addBranches(*conditional, key);
      to.blocks.push_back(std::move(block));
      chain.push_back(static_cast<BlockId>(to.blocks.size() - 1));
    }
    if (!behind.empty())
      chain.push_back(state(to, behind));
    if (Transfers choice = found(insertions.choice); !choice.empty())
      chain.push_back(state(to, choice));
    for (std::size_t i = 1; i < chain.size(); ++i)
      to.edges.push_back(InterstateEdge::between(chain[i - 1], chain[i]));
    return {chain.front(), chain.back()};
  }

  void addBranches(Conditional &conditional, const Block *key) {
    for (std::uint32_t i = 0; i < conditional.branches.size(); ++i)
      graph(conditional.branches[i].graph, key, i);
    auto skipped = insertions.skipped.find(key);
    if (skipped == insertions.skipped.end())
      return;
    ControlGraph otherwise;
    otherwise.start = state(otherwise, skipped->second);
    conditional.branches.push_back(Conditional::Branch::otherwise(twins.names().fresh("else"), std::move(otherwise)));
  }

  std::size_t operationsIn(const Block *state) const {
    auto at = level.states.find(state);
    return at == level.states.end() ? 0 : at->second.operations.size();
  }

  // ---- Copies

  /// Those before an operation of a state, in order.
  std::vector<const Transfers *> copiesAt(const std::pair<const Block *, std::size_t> &slot) const {
    std::vector<const Transfers *> result;
    for (const Insertions::Slots *slots : {&insertions.written, &insertions.inState, &insertions.peeked})
      if (auto found = slots->find(slot); found != slots->end() && !found->second.empty())
        result.push_back(&found->second);
    return result;
  }

  std::string containerOf(placement::ArrayId array) const {
    auto found = units.find(array);
    return found == units.end() ? "" : found->second;
  }

  BlockId state(ControlGraph &to, const Transfers &copies) {
    Block block = Block::newState(twins.names().fresh("copies"));
    State &state = *block.state();
    for (const Transfer &copy : copies) {
      std::string host = containerOf(copy.array), device = twins.onDevice(level, host);
      bool up = copy.direction == placement::Direction::HostToDevice;
      if (!up)
        twins.leave(level, host);
      NodeId from = state.add(Node::access(up ? host : device)), target = state.add(Node::access(up ? device : host));
      Memlet memlet =
          Memlet::of(up ? host : device, copy.part.value_or(wholeOf(level.sdfg->find(host)->shape)), dialect);
      if (copy.part)
        memlet.setOtherSubset(copy.part, dialect);
      state.connect(from, std::nullopt, target, std::nullopt, std::move(memlet));
    }
    to.blocks.push_back(std::move(block));
    return static_cast<BlockId>(to.blocks.size() - 1);
  }

  // ---- States

  /// A state becomes a chain: copies, the operations up to the next ones, copies, and so on.
  void split(ControlGraph &to, Block &block, std::vector<BlockId> &chain) {
    const Block *key = &block;
    auto at = level.states.find(key);
    std::vector<std::size_t> cuts; // slots with copies, around transfers, where it is asked for
    std::size_t count = operationsIn(key);
    for (std::size_t slot = 0; slot < count; ++slot)
      if (!copiesAt({key, slot}).empty() || insertions.cuts.contains({key, slot}) ||
          insertions.transfers.contains({key, slot}) || (slot > 0 && insertions.transfers.contains({key, slot - 1})))
        cuts.push_back(slot);
    std::string label = block.label();
    std::vector<Part> parts = partition(at == level.states.end() ? nullptr : &at->second, *block.state(), cuts, label);
    for (const Transfers *copies : copiesAt({key, 0}))
      chain.push_back(state(to, *copies));
    if (parts.size() == 1) {
      to.blocks.push_back(std::move(block));
      chain.push_back(static_cast<BlockId>(to.blocks.size() - 1));
      return;
    }
    State whole = std::move(*block.state());
    std::vector<bool> isTaken(whole.nodes.size());
    auto addPiece = [&](Block piece, const Part &part) {
      piece.what.emplace<State>(take(whole, part, isTaken));
      to.blocks.push_back(std::move(piece));
      chain.push_back(static_cast<BlockId>(to.blocks.size() - 1));
    };
    addPiece(std::move(block), parts.front());
    for (std::size_t i = 1; i < parts.size(); ++i) {
      for (const Transfers *copies : copiesAt({key, cuts[i + cuts.size() - parts.size()]}))
        chain.push_back(state(to, *copies));
      addPiece(Block::newState(twins.names().fresh(label)), parts[i]);
    }
  }

  /// In order of ids. Access nodes at the top are in no list of nodes: they are where edges are.
  struct Part {
    std::vector<NodeId> nodes;
    std::vector<EdgeId> edges;
  };

  /// Each edge in the part of the operation that it belongs to. Parts begin at the cuts, the first at 0.
  std::vector<Part> partition(const Level::StateParts *of, const State &state, std::vector<std::size_t> cuts,
                              const std::string &label) {
    std::erase(cuts, 0);
    std::vector<Part> parts(cuts.size() + 1);
    if (!of || cuts.empty())
      return parts;
    auto partOf = [&](std::size_t operation) {
      return static_cast<std::size_t>(std::upper_bound(cuts.begin(), cuts.end(), operation) - cuts.begin());
    };
    std::vector<std::size_t> partOfNode = nodesByPart(*of, state, partOf, label);
    for (NodeId id = 0; id < state.nodes.size(); ++id)
      if (partOfNode[id] != kNoPart)
        parts[partOfNode[id]].nodes.push_back(id);
    std::map<EdgeId, std::size_t> copies;
    for (std::size_t i = 0; i < of->operations.size(); ++i)
      if (of->operations[i].edge)
        copies.emplace(*of->operations[i].edge, partOf(i));
    std::vector<EdgeId> views;
    for (EdgeId id = 0; id < state.edges.size(); ++id) {
      std::size_t from = partOfNode[state.edges[id].from], to = partOfNode[state.edges[id].to];
      if (auto copy = copies.find(id); copy != copies.end())
        parts[copy->second].edges.push_back(id);
      else if (from == kNoPart && to == kNoPart)
        views.push_back(id);
      else if (from == kNoPart || to == kNoPart || from == to)
        parts[from == kNoPart ? to : from].edges.push_back(id);
    }
    if (views.empty())
      return parts;
    std::map<NodeId, std::vector<EdgeId>> viewsAt;
    for (EdgeId id : views)
      for (NodeId node : {state.edges[id].from, state.edges[id].to})
        viewsAt[node].push_back(id);
    for (Part &part : parts)
      addViews(part, state, viewsAt);
    return parts;
  }

  static constexpr std::size_t kNoPart = static_cast<std::size_t>(-1);

  /// Of each node that is in an operation, with all that is in its scopes, the operation's part.
  template <typename PartOf>
  std::vector<std::size_t> nodesByPart(const Level::StateParts &of, const State &state, const PartOf &partOf,
                                       const std::string &label) {
    std::vector<std::size_t> result(state.nodes.size(), kNoPart);
    Result<Dataflow> now = Dataflow::of(state);
    if (!now) {
      failure = Error{now.error().kind, "state '" + label + "': " + now.error().message};
      return result;
    }
    for (std::size_t i = 0; i < of.operations.size(); ++i)
      for (NodeId id : of.operations[i].nodes) {
        NodeId top = id;
        while (now->scope(top) != kNone) // a map around a tasklet
          top = now->scope(top);
        result[top] = partOf(i);
      }
    for (NodeId id : now->order()) { // entries come before what is in them
      NodeId around = now->scope(id);
      if (around != kNone && result[around] != kNoPart)
        result[id] = result[around];
    }
    return result;
  }

  /// A view's edge goes where the view is used, chains included.
  static void addViews(Part &part, const State &state, const std::map<NodeId, std::vector<EdgeId>> &viewsAt) {
    std::set<EdgeId> added;
    std::vector<EdgeId> pending = part.edges;
    while (!pending.empty()) {
      const DataEdge &edge = state.edges[pending.back()];
      pending.pop_back();
      for (NodeId node : {edge.from, edge.to})
        if (auto found = viewsAt.find(node); found != viewsAt.end())
          for (EdgeId view : found->second)
            if (added.insert(view).second)
              pending.push_back(view);
    }
    part.edges.insert(part.edges.end(), added.begin(), added.end());
    std::sort(part.edges.begin(), part.edges.end());
  }

  /// A state of the given edges and their nodes. Access nodes may be in several states and are copied.
  State take(State &whole, const Part &part, std::vector<bool> &isTaken) {
    State result;
    std::map<NodeId, NodeId> made;
    std::set<NodeId> nodes(part.nodes.begin(), part.nodes.end());
    for (EdgeId id : part.edges)
      nodes.insert({whole.edges[id].from, whole.edges[id].to});
    for (NodeId id : nodes) {
      if (whole.nodes[id].kind == NodeKind::Access) {
        Node copy = Node::access(whole.nodes[id].data);
        copy.json = whole.nodes[id].json;
        made[id] = result.add(std::move(copy));
      } else if (!isTaken[id]) {
        isTaken[id] = true;
        made[id] = result.add(std::move(whole.nodes[id]));
      }
    }
    for (auto [old, now] : made)
      if (Node &node = result.nodes[now]; node.partner != kNone)
        node.partner = made.at(node.partner);
    for (EdgeId id : part.edges) {
      DataEdge edge = whole.edges[id];
      edge.from = made.at(edge.from);
      edge.to = made.at(edge.to);
      result.edges.push_back(std::move(edge));
    }
    result.changed = true;
    return result;
  }

  Level &level;
  const Insertions &insertions;
  Twins &twins;
  Dialect dialect;
  std::map<placement::ArrayId, std::string> units;
  std::optional<Error> failure; ///< The first state that could not be split.
};

} // namespace

Result<void> insertTransfers(Level &level, const Insertions &insertions, Twins &twins, Dialect dialect) {
  return Rebuilder(level, insertions, twins, dialect).run();
}

} // namespace ferry::sdfg
