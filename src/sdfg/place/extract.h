// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/control.h"
#include "sdfg/place/odds.h"
#include "sdfg/place/operations.h"

#include "placement/solve.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

/// \file
/// A DaCe program as a placement problem. Every operation of a state at a host level is one of the problem's, every
/// unit of containers an array; conditions, extents of maps and values of symbols are the host's reads. A nested SDFG
/// whose control flow is the host's is part of the same problem, with its containers standing for those they are
/// connected to.
namespace ferry::sdfg {

/// Where in a state an edge of the problem is: before operation `slot`, of `operations.size()` behind the last one.
struct InState {
  const Block *block = nullptr;
  std::size_t slot = 0;
};

/// One SDFG at a host level: the root, or one nested in it.
struct Level {
  Sdfg *sdfg = nullptr;
  Level *outer = nullptr;
  const Block *outerBlock = nullptr; ///< Of a nested level: the state and the node in it.
  NodeId outerNode = kNone;
  std::unique_ptr<Units> units;
  std::unique_ptr<ControlFlow> flow;
  std::unique_ptr<LoopSizes> sizes;
  struct StateParts {
    Dataflow dataflow;
    std::vector<Operation> operations;
    std::vector<placement::PointId> points; ///< Of the operations; of a nested level's node kNone.
    /// Of copies whose target's side is a choice of its own (crossing.h): the target's point; else kNone.
    std::vector<placement::PointId> targets;
    /// The point by whose side an operation uses a unit.
    placement::PointId pointOf(std::size_t operation, const Use &use) const {
      return use.writes && targets[operation] != kNone ? targets[operation] : points[operation];
    }
  };
  std::map<const Block *, StateParts> states;
  /// By unit: the array of the problem.
  std::map<std::string, placement::ArrayId, std::less<>> arrays;
  /// Arrays of the level outside and what they are here (Extracted::origins).
  std::map<placement::ArrayId, placement::ArrayId> parts;
  /// By flow edge: the problem's edges that it became. Behind a state the first is the one behind its last operation.
  std::vector<std::vector<placement::EdgeId>> edges;
  std::map<placement::EdgeId, InState> stateEdges;
  /// What controls read of a container that can cross the bus alone, and the block behind which it does.
  struct Peek {
    const Block *block = nullptr;
    std::vector<Subset> elements;
  };
  std::map<std::pair<placement::PointId, placement::ArrayId>, Peek> peeks;
  std::vector<placement::RegionId> regions; ///< By loop that may be one kernel; kNone. Empty: none may.
};

/// The price of a copy that cannot be written.
inline constexpr placement::Time kForbidden = placement::Time{1} << 52;

struct Extracted {
  placement::Graph graph;
  std::vector<std::unique_ptr<Level>> levels; ///< The root first.
  /// By array: the level that owns it, and the container's name there.
  std::vector<std::pair<Level *, std::string>> owners; ///< No level for what a copy carries from side to side.
  /// By array: itself, or the array that it is in a nested level to which only a part of that is handed. Such a level
  /// cannot copy it; a plan that does pays kForbidden for it.
  std::vector<placement::ArrayId> origins;
  std::map<placement::ArrayId, const Node *> partOf; ///< The nested SDFGs of those.
  std::map<placement::ArrayId, Subset> deviceBoxes;  ///< What copies to the device are of; else all (device_boxes.h).
  std::vector<std::string> notes;                    ///< Pins that cannot be followed, and why.
  std::set<std::string> guessed;                     ///< Symbols priced as kAssumedSize, for want of a value.
  MapSet onHost;                                     ///< Maps that stay on the host.
};

struct ExtractOptions {
  placement::Machine machine;
  std::map<std::string, std::int64_t, std::less<>> assume;
  /// By name of an operation: a map's label without its range, a tasklet's or library node's; "A -> B" of a copy.
  std::map<std::string, placement::Side, std::less<>> pins;
  std::vector<std::string> hostMaps; ///< Names as of hostMaps().
  Rarity rarity = Rarity::Fine;
  /// Nested SDFGs that stay on the host as they are.
  std::set<const Node *> whole;
};

/// The program is not changed, and has to stay where it is while the result is used. Errors: a host map that is none,
/// by its name; a state whose edges are no dataflow, control flow that cannot be understood, and prices out of range,
/// by that of the element.
placement::Result<Extracted> extract(Program &program, const ExtractOptions &options);

} // namespace ferry::sdfg
