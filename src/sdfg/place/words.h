// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/model.h"

#include <functional>
#include <set>
#include <string>

/// \file
/// Names by their spelling: every word of the texts in an element, whatever it means there. What is not among them is
/// not used.
namespace ferry::sdfg {

/// Of the strings in a JSON value.
void addWords(const Json &json, std::set<std::string> &to);
/// Of a state's nodes and memlets, nested graphs included.
std::set<std::string> wordsIn(const State &state);
/// Of all nested graphs too, containers and edges.
void addWords(const Sdfg &sdfg, std::set<std::string> &to);
/// Whether a name is a word of anything in an SDFG but the blocks for which `isInside` holds and the edges at them; of
/// other edges, what they set does not count.
bool namedOutside(const Sdfg &sdfg, const std::string &name, const std::function<bool(const Block &)> &isInside);

} // namespace ferry::sdfg
