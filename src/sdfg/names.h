// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/model.h"

#include <map>
#include <set>
#include <string>

namespace ferry::sdfg {

/// Every name in a program: of containers and their members, symbols, constants, connectors, parameters of maps,
/// blocks, and what is assigned on edges, in all nested SDFGs. So a name that is fresh here can be used anywhere.
class Names {
public:
  explicit Names(const Program &program);

  /// `wanted`, or else with the lowest number behind it that makes it new: "A_0". It is taken from then on.
  std::string fresh(const std::string &wanted);
  bool taken(const std::string &name) const { return names.contains(name); }

private:
  void add(const Sdfg &sdfg);
  void add(const ControlGraph &graph);
  void add(const State &state);
  std::set<std::string> names;
  std::map<std::string, unsigned> next; ///< By what was wanted: lower numbers are taken.
};

/// "there are 'a', 'b' and 3 more", for messages about a name that is none of these: the first ten; "there are none".
std::string thereAre(const std::set<std::string> &names);

} // namespace ferry::sdfg
