// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/model.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

/// \file
/// Identifiers by their spelling, whatever language a text is in and whatever they mean there. What is not among them
/// is not used.
namespace ferry::sdfg {

/// Of a text: its words of letters, digits and underscores that do not begin with a digit.
void addIdentifiers(const std::string &text, std::set<std::string> &to);
/// Of the strings in a JSON value.
void addIdentifiers(const Json &json, std::set<std::string> &to);
/// Of a node, its nested graph included.
void addIdentifiers(const Node &node, std::set<std::string> &to);
/// Of all nested graphs too, containers and edges.
void addIdentifiers(const Sdfg &sdfg, std::set<std::string> &to);
/// Of a state's nodes and memlets, nested graphs included.
std::set<std::string> identifiersIn(const State &state);

/// Where the identifiers of an SDFG are: in its containers, its blocks, and the edges between them.
class Mentions {
public:
  explicit Mentions(const Sdfg &sdfg);
  /// Whether one is in anything but the blocks for which `isInside` holds and the edges at them; of other edges, what
  /// they set does not count.
  bool outside(const std::string &name, const std::function<bool(BlockId)> &isInside) const;

private:
  /// Both ends are the block, if it is of no edge; of a condition, both are where the edge begins. kNone: a container.
  struct Place {
    BlockId from = kNone, to = kNone;
  };
  void add(const std::set<std::string> &names, Place place);
  std::map<std::string, std::vector<Place>> places;
};

} // namespace ferry::sdfg
