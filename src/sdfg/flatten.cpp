// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each region becomes an empty state that leads in and one that leads out, with its blocks in between:
//
//   loop:         in -init-> guard -condition-> body ... latch -update-> guard -not condition-> out
//   inverted:     in -init-> body ... latch -update-> again -condition-> body, again -not condition-> out
//   conditional:  in -none before it, and condition i-> branch i ... out
//
// A break leads to `out`, a continue to `latch`, a return to a state from which nothing leads on.

#include "sdfg/flatten.h"

#include "sdfg/control_build.h"
#include "sdfg/names.h"

#include <algorithm>

namespace ferry::sdfg {

static bool hasRegions(const Sdfg &sdfg) {
  bool found = false;
  forEachBlock(sdfg.graph, [&](const Block &block) {
    found |= !block.state();
    if (const State *state = block.state())
      for (const Node &node : state->nodes)
        found |= node.nested && hasRegions(*node.nested);
  });
  return found;
}

bool hasRegions(const Program &program) { return hasRegions(program.root); }

namespace {

class Flattener {
public:
  explicit Flattener(Names &names) : names(names) {}

  ControlGraph run(ControlGraph &&old) {
    made.start = state("start");
    graph(std::move(old), *made.start, {});
    dropUnreachable();
    return std::move(made);
  }

private:
  struct Targets {
    BlockId breaks = kNone, continues = kNone;
  };
  struct Ends {
    BlockId in = kNone, out = kNone; ///< No `out` behind a jump.
  };

  BlockId state(const std::string &label) {
    made.blocks.push_back(Block::newState(names.fresh(label)));
    return static_cast<BlockId>(made.blocks.size() - 1);
  }

  void connect(BlockId from, BlockId to, const std::string &condition = "", const std::optional<Code> &code = {}) {
    InterstateEdge edge = InterstateEdge::between(from, to);
    if (!condition.empty())
      edge.setCondition({condition, "Python"});
    std::vector<std::pair<std::string, std::string>> assignments;
    for (const Assignment &each : statements(code))
      assignments.emplace_back(each.symbol, each.text);
    if (!assignments.empty())
      edge.setAssignments(std::move(assignments));
    made.edges.push_back(std::move(edge));
  }

  /// Adds a graph's blocks behind `before`; gives the state at its end.
  BlockId graph(ControlGraph &&old, BlockId before, const Targets &targets) {
    std::vector<Ends> ends;
    std::vector<bool> leadsOn(old.blocks.size());
    std::optional<BlockId> start = old.startBlock();
    for (Block &block : old.blocks)
      ends.push_back(add(std::move(block), targets));
    BlockId end = state("end");
    std::vector<std::string> taken(old.blocks.size()); // the conditions of a block's edges
    std::vector<bool> always(old.blocks.size());
    for (InterstateEdge &edge : old.edges) {
      BlockId from = edge.from;
      if (ends[from].out == kNone)
        continue;
      leadsOn[from] = true;
      always[from] = always[from] || edge.isUnconditional();
      taken[from] += (taken[from].empty() ? "(" : " or (") + edge.condition.text + ")";
      edge.from = ends[from].out;
      edge.to = ends[edge.to].in;
      made.edges.push_back(std::move(edge));
    }
    for (BlockId id = 0; id < old.blocks.size(); ++id) {
      if (ends[id].out == kNone || always[id])
        continue;
      // Where none of its edges can be taken a block ends the graph.
      connect(ends[id].out, end, leadsOn[id] ? "not (" + taken[id] + ")" : "");
    }
    connect(before, start ? ends[*start].in : end);
    return end;
  }

  Ends add(Block &&block, const Targets &targets) {
    if (block.state()) {
      if (!labels.insert(block.label()).second) // unique in its region only, so far
        block.json.set("label", names.fresh(block.label()));
      made.blocks.push_back(std::move(block));
      BlockId id = static_cast<BlockId>(made.blocks.size() - 1);
      return {id, id};
    }
    std::string label = block.label();
    if (const Jump *jump = block.jump()) {
      BlockId here = state(label);
      if (*jump == Jump::Break)
        connect(here, targets.breaks);
      if (*jump == Jump::Continue)
        connect(here, targets.continues);
      return {here, kNone};
    }
    Ends ends{state(label), state(label + "_end")};
    if (Conditional *conditional = block.conditional()) {
      branches(std::move(*conditional), ends, targets);
    } else if (Region &region = *block.region(); region.loop) {
      loop(std::move(region), label, ends);
    } else {
      connect(graph(std::move(region.graph), ends.in, targets), ends.out);
    }
    return ends;
  }

  void branches(Conditional &&conditional, const Ends &ends, const Targets &targets) {
    std::string before; // that one of the conditions so far holds
    bool hasElse = false;
    for (Conditional::Branch &branch : conditional.branches) {
      std::string none = before.empty() ? "" : "not (" + before + ")";
      std::string condition = none;
      if (branch.condition) {
        std::string own = "(" + branch.condition->text + ")";
        condition = none.empty() ? own : none + " and " + own; // reads nothing that those before guard
        before += (before.empty() ? "" : " or ") + own;
      } else {
        hasElse = true;
      }
      BlockId first = state("branch");
      connect(ends.in, first, condition);
      connect(graph(std::move(branch.graph), first, targets), ends.out);
    }
    if (!hasElse)
      connect(ends.in, ends.out, before.empty() ? "" : "not (" + before + ")");
  }

  void loop(Region &&region, const std::string &label, const Ends &ends) {
    const Loop loop = *region.loop;
    BlockId decides = state(label + "_guard"), body = state(label + "_body"), latch = state(label + "_latch");
    std::string condition = loop.condition->text, opposite = "not (" + condition + ")";
    bool early = !loop.inverted || loop.updateBeforeCondition;
    connect(ends.in, loop.inverted ? body : decides, "", loop.init);
    connect(decides, body, condition, early ? std::nullopt : loop.update);
    connect(decides, ends.out, opposite);
    connect(latch, decides, "", early ? loop.update : std::nullopt);
    connect(graph(std::move(region.graph), body, {ends.out, latch}), latch);
  }

  /// What stands behind jumps on every path. DaCe expects none of it in a state machine.
  void dropUnreachable() {
    std::vector<BlockId> now(made.blocks.size(), kNone);
    std::vector<std::vector<BlockId>> next(made.blocks.size());
    for (const InterstateEdge &edge : made.edges)
      next[edge.from].push_back(edge.to);
    std::vector<BlockId> pending = {*made.start};
    now[*made.start] = 0;
    while (!pending.empty()) {
      BlockId id = pending.back();
      pending.pop_back();
      for (BlockId each : next[id])
        if (now[each] == kNone) {
          now[each] = 0;
          pending.push_back(each);
        }
    }
    std::vector<Block> kept;
    for (BlockId id = 0; id < made.blocks.size(); ++id)
      if (now[id] != kNone) {
        now[id] = static_cast<BlockId>(kept.size());
        kept.push_back(std::move(made.blocks[id]));
      }
    made.blocks = std::move(kept);
    made.start = now[*made.start];
    std::erase_if(made.edges, [&](const InterstateEdge &edge) { return now[edge.from] == kNone; });
    for (InterstateEdge &edge : made.edges) {
      edge.from = now[edge.from];
      edge.to = now[edge.to];
    }
  }

  Names &names;
  ControlGraph made;
  std::set<std::string> labels; ///< Of states that keep theirs.
};

void flatten(Sdfg &sdfg, Names &names) {
  bool isFlat = std::all_of(sdfg.graph.blocks.begin(), sdfg.graph.blocks.end(),
                            [](const Block &block) { return block.state() != nullptr; });
  if (!isFlat)
    sdfg.graph = Flattener(names).run(std::move(sdfg.graph));
  forEachBlock(sdfg.graph, [&](Block &block) {
    for (Node &node : block.state()->nodes)
      if (node.nested)
        flatten(*node.nested, names);
  });
}

} // namespace

void flatten(Program &program) {
  Names names(program);
  flatten(program.root, names);
}

} // namespace ferry::sdfg
