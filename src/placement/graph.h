// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/access.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// \file
/// A placement problem as a control-flow graph, the form the engine decides on. A problem's tree is lowered to it
/// (lower.h); callers with control flow of their own (state machines) fill it in directly.
///
/// Frequencies are how often a point or an edge is passed in all runs. They are positive and conserved: at every point
/// but entry and exits, what comes in, what goes out and the point's own frequency are equal.
///
/// A region is a set of points that can become one kernel: a natural loop, or a branch from its control to its join.
/// Regions nest, and all edges into one lead to the same point. Paths that only leave are better kept outside.
namespace ferry::placement {

using PointId = std::uint32_t;
using EdgeId = std::uint32_t;
using RegionId = std::uint32_t;

enum class PointKind : std::uint8_t {
  Entry,     ///< The one start. Arguments are valid at home.
  Exit,      ///< An end of the program. Results have to be valid at home.
  Join,      ///< Does nothing.
  Operation, ///< Runs on a side of its choice; one edge in, one out.
  Control,   ///< Chooses the edge to go on by; runs where its region does.
};

struct Point {
  PointKind kind = PointKind::Join;
  RegionId region = kNone; ///< The innermost one around it; kNone: in none.
  Rational frequency = 1;
  std::vector<Read> reads;
  std::vector<Write> writes; ///< Operations only.
  Cost cost;
  bool both = false;     ///< As Operation::both, `allocate` included: an allocation has no cost and a launch of 0.
  bool fusible = false;  ///< As Operation::fusible.
  bool noKernel = false; ///< As Operation::noKernel.
  std::optional<Side> pin;
  std::string name;
  Tag tag = 0;
  std::uint32_t call = kNone; ///< Index of the inlined call it came from in Graph::calls.
};

/// What an edge is in the tree it was lowered from, so that its copies can be put there.
enum class Place : std::uint8_t {
  Edge,      ///< The graph was not made from a tree.
  Before,    ///< In the straight line before statement `tag`.
  EndOfBody, ///< After the last statement of the program, of arm `arm` of branch `tag`, or of the body of loop `tag`.
  BeforeControl, ///< Before the control of loop `tag`, where its `continue`s have joined.
  LoopEntry,     ///< Once before the first trip of loop `tag`, behind its guard: the landing pad.
  OnEntry,       ///< As LoopEntry, for the renamed values: a copy here is of the parameter's initial value only.
  BackEdge,      ///< Between trips of loop `tag`, after its control said to go on.
  OnBack,        ///< As BackEdge, of the values that the next trip's parameters get.
  LoopExit,      ///< After the last trip of loop `tag`.
  OnExit,        ///< As LoopExit, of the loop's results.
  GuardSkip,     ///< Where the guard of loop `tag` skips it.
  OnSkip,        ///< As GuardSkip, of the loop's results.
  ArmStart,      ///< First in arm `arm` of branch `tag`.
  OnArmEnd,      ///< As EndOfBody of arm `arm` of branch `tag`, of the branch's results.
  Leave,         ///< On the way out by the return, break or continue `tag`.
  CallEntry,     ///< On the way into the callee of call `tag`.
  CallExit,      ///< On the way out of the callee of call `tag`.
};

struct Position {
  Place place = Place::Edge;
  Tag tag = 0;                ///< Of the statement; 0: the program's body, or an untagged statement.
  std::uint8_t arm = 0;       ///< 0: the first arm, 1: the other.
  std::uint32_t call = kNone; ///< As Point::call.
  friend bool operator==(const Position &, const Position &) = default;
};

const char *toString(Place place);

struct Edge {
  PointId from = kNone, to = kNone;
  Rational frequency = 1;
  /// Arrays that are no destination keep their names. No destination is named twice.
  std::vector<Rename> renames;
  Position position;
  std::string name = {}; ///< Of what was not made from a tree, for explanations: "between 'a' and 'b'".
};

struct Region {
  RegionId parent = kNone;
  std::optional<Side>
      pin; ///< Host: no kernel of its own, nor part of one. Device: inside a kernel, its own or one around it.
  bool parallel = false; ///< As Loop::parallel.
  std::string name;
  Tag tag = 0;
  std::uint32_t call = kNone;
  std::optional<Time> launch = {}; ///< Of its kernel; absent: the machine's.
};

/// An inlined call: the statement and the call it is itself inside of.
struct CallSite {
  Tag tag = 0;
  std::uint32_t outer = kNone;
};

struct Graph {
  std::vector<Array> arrays; ///< None of them an alias.
  std::vector<Point> points;
  std::vector<Edge> edges;
  std::vector<Region> regions; ///< A parent comes before its children.
  std::vector<CallSite> calls;
};

} // namespace ferry::placement
