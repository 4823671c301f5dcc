// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/model.h"

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

/// \file
/// The control flow of one SDFG as one graph of points, the same for both forms: DaCe 2.0's regions are taken apart,
/// DaCe 1.0.2's state machines are as they are, and loops and their trip counts are found in either by dominance.
///
/// It is made for placement::Graph (placement/graph.h), which takes any control flow, rather than for the tree of
/// placement::Problem, which cannot express what a state machine may do (arms that share a tail, several ways out):
///
///     Result<ControlFlow> flow = ControlFlow::of(sdfg);
///     Result<Frequencies> often = frequencies(*flow, ...);   // positive and conserved, as the engine asks
///     for each point of `flow`: one point for a control, join, entry or exit; one for each operation of a state
///     for each loop of `flow`: one region
///
/// Loops stay as they are, with their conditions in front of their trips: a plan for them with a guard of their own has
/// copies between the guard and the first trip, and others where the guard skips the loop, for which the program has no
/// place. A copy that every trip needs is made in front of the condition.
///
/// Control flow that is not reducible has no loop for its circles (`reducible` is false), and needs no other treatment:
/// its points are in no region of their own.
namespace ferry::sdfg {

using PointId = std::uint32_t;
using FlowEdgeId = std::uint32_t;
using LoopId = std::uint32_t;

enum class FlowKind : std::uint8_t {
  Entry,
  Exit,    ///< The only one; returns lead here too.
  State,   ///< Runs `block`, a state; one edge in or more, one out.
  Control, ///< Chooses among its outgoing edges. `block` is the state before it, or the loop or conditional block.
  Join,    ///< Does nothing.
};

struct FlowPoint {
  FlowKind kind = FlowKind::Join;
  const Block *block = nullptr;
};

/// symbol = value, on an edge. The values of all of an edge's assignments are those before it.
struct Assignment {
  std::string symbol;
  Expr value; ///< Unknown if the text is no expression.
  std::string text;
};

/// What a flow edge is in the program, so that something can be put there.
enum class Site : std::uint8_t {
  Interstate, ///< `edge`, or its part behind the control that chooses it.
  Decision,   ///< Between `block` and the choice among its outgoing edges.
  Start,      ///< Into the first block of the program, or of region `block`, or of branch `branch` of `block`.
  End,        ///< From the end of `block` to the end of what it is in, because no edge leads on (or none is taken).
  LoopEntry,  ///< Into loop region `block`, behind its initialisation.
  LoopBody,   ///< From the condition of loop region `block` into its body.
  LoopUpdate, ///< Behind the body of loop region `block`, with its update.
  LoopAgain,  ///< Back to the first block of inverted loop region `block`.
  LoopExit,   ///< Out of loop region `block` by its condition.
  BranchSkip, ///< Past conditional `block`, because no branch is taken.
  Jump,       ///< From `block`, a return, break or continue, to where it leads.
};

struct FlowEdge {
  PointId from = kNone, to = kNone;
  Site site = Site::Interstate;
  const InterstateEdge *edge = nullptr;
  const Block *block = nullptr;
  std::uint32_t branch = kNone;
  /// What holds where this is taken: that of the others that come first is not repeated. 1 if there is no choice;
  /// unknown if the code is no expression. Of the last resort, where nothing else holds, see `otherwise`.
  Expr condition = 1;
  std::string conditionText;
  bool otherwise = false; ///< Taken if none of the other edges is.
  std::vector<Assignment> assignments;
};

/// `for (variable = begin; ...; variable += step)`, where nothing else assigns to the variable, and what bounds it does
/// not change in the loop.
struct CountedLoop {
  std::string variable;
  std::optional<Expr> begin; ///< Absent if it is not known what the variable is before the loop.
  Expr step;
  /// Trips of one entry; at least, 0, or 1 where the condition comes last. May name scalar containers. Absent without
  /// `begin`.
  std::optional<Expr> trips;
  bool exact = true; ///< False: there are other ways out, and it is at most so many.
};

struct FlowLoop {
  PointId header = kNone;
  LoopId parent = kNone;
  std::vector<PointId> points; ///< Inner loops' included, in order.
  std::vector<FlowEdgeId> entries, backEdges, exits;
  const Block *region = nullptr; ///< The loop region it came from, if from one.
  std::optional<CountedLoop> counted;
  /// The control that decides about the next trip, and its edge that stays; kNone if that is no single one.
  PointId control = kNone;
  FlowEdgeId stays = kNone;
  bool decidesLast = false; ///< The control comes behind the trip, not before it.
};

class ControlFlow {
public:
  /// The error names a block from which the program cannot end, or a jump outside of a loop. The SDFG has to stay where
  /// it is while this is used.
  static placement::Result<ControlFlow> of(const Sdfg &sdfg);

  std::vector<FlowPoint> points;
  std::vector<FlowEdge> edges;
  std::vector<FlowLoop> loops; ///< A loop comes before those inside of it.
  PointId entry = kNone, exit = kNone;
  bool reducible = true;
  const Sdfg *sdfg = nullptr;
  std::vector<const Block *> unreachable; ///< Blocks that no path leads to; they are in no point.

  std::span<const FlowEdgeId> out(PointId point) const {
    return {outEdges.data() + outStart[point], outEdges.data() + outStart[point + 1]};
  }
  std::span<const FlowEdgeId> in(PointId point) const {
    return {inEdges.data() + inStart[point], inEdges.data() + inStart[point + 1]};
  }
  /// Points in reverse postorder: a point comes after all that dominate it.
  const std::vector<PointId> &order() const { return reversePostorder; }
  PointId dominator(PointId point) const { return dominators[point]; }         ///< Immediate; kNone of the entry.
  PointId postDominator(PointId point) const { return postDominators[point]; } ///< Immediate; kNone of the exit.
  bool dominates(PointId a, PointId b) const;
  LoopId loopOf(PointId point) const { return innermost[point]; } ///< Innermost; kNone.
  bool within(PointId point, LoopId loop) const {
    LoopId inner = innermost[point];
    return inner != kNone && loopFirst[loop] <= loopFirst[inner] && loopFirst[inner] <= loopLast[loop];
  }

private:
  friend class FlowBuilder;
  placement::Result<void> analyse();
  void dropUnreachable();
  placement::Result<void> requireEnd() const;
  void connect();
  void sort();
  void findDominators();
  void findLoops();
  std::vector<PointId> membersOf(const FlowLoop &loop, std::vector<bool> &inside) const;
  void numberLoops();
  void findControl(FlowLoop &loop) const;
  std::vector<std::uint32_t> outStart, inStart;
  std::vector<FlowEdgeId> outEdges, inEdges;
  std::vector<PointId> reversePostorder, dominators, postDominators;
  std::vector<std::uint32_t> position;            ///< In reversePostorder.
  std::vector<std::uint32_t> treeFirst, treeLast; ///< A point's interval in a preorder of the dominator tree.
  std::vector<LoopId> innermost;
  std::vector<std::uint32_t> loopFirst, loopLast; ///< A loop's interval in a preorder of the forest of loops.
};

/// Names of symbols and containers that a piece of code may read.
std::set<std::string> namesIn(const Code &code);
/// The same of what an edge's condition and the values of its assignments read.
std::set<std::string> namesIn(const FlowEdge &edge);

} // namespace ferry::sdfg
