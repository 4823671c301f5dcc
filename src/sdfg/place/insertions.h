// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/place/extract.h"

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace ferry::sdfg {

/// A copy between a container and its twin.
struct Transfer {
  placement::ArrayId array = kNone;
  placement::Direction direction = placement::Direction::HostToDevice;
  std::optional<Subset> part; ///< Absent: all of it.
  friend bool operator==(const Transfer &a, const Transfer &b) { return a.key() == b.key(); }
  friend bool operator<(const Transfer &a, const Transfer &b) { return a.key() < b.key(); }

private:
  std::tuple<placement::ArrayId, placement::Direction, std::string> key() const {
    return {array, direction, part ? toString(*part) : ""};
  }
};
using Transfers = std::vector<Transfer>; ///< Sorted, each once.

/// The copies of a plan as insertions into the blocks of one SDFG as they are written.
struct Insertions {
  using Slots = std::map<std::pair<const Block *, std::size_t>, Transfers>;
  /// By state and slot: before that operation, in this order. What the one before it wrote, on the other side too
  /// (poke, push); the plan's copies; what this one reads from the other side (peek, fetch).
  Slots written, inState, peeked;
  /// Operations that are copies with their source on one side and their target on the other: states of their own, as
  /// copies between twins are.
  std::set<std::pair<const Block *, std::size_t>> transfers;
  /// Before these a state is split, whether there are copies or not.
  std::set<std::pair<const Block *, std::size_t>> cuts;
  std::map<const InterstateEdge *, Transfers> onEdge;
  std::map<const Block *, Transfers> before;  ///< On every way into a loop, or to a jump.
  std::map<const Block *, Transfers> behind;  ///< Before the choice of what comes next.
  std::map<const Block *, Transfers> choice;  ///< Behind that: what the choice reads from the device.
  std::map<const Block *, Transfers> skipped; ///< In the else that a conditional block then needs.
  /// First, or last, in the program (null), in a region, or in a branch of a conditional block.
  std::map<std::pair<const Block *, std::uint32_t>, Transfers> first, last;
};

/// Absent if a copy is wanted where regions have no place: between the trips of an inverted loop, or at the end of a
/// loop that some jump to. States and edges have a place for every copy.
std::optional<Insertions> insertionsOf(const Extracted &extracted, const Level &level, const placement::Plan &plan);

} // namespace ferry::sdfg
