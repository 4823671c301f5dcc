// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/model.h"

#include <functional>
#include <set>
#include <string>

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
/// Whether an identifier is in anything of an SDFG but the blocks for which `isInside` holds and the edges at them; of
/// other edges, what they set does not count.
bool namedOutside(const Sdfg &sdfg, const std::string &name, const std::function<bool(const Block &)> &isInside);

} // namespace ferry::sdfg
