// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/dataflow.h"

#include <map>
#include <string>
#include <string_view>

namespace ferry::sdfg {

/// Which containers of an SDFG share memory. A view is part of what it views, a chain of views included; what a
/// reference may refer to is one unit with it. Refers to the SDFG.
class Units {
public:
  explicit Units(const Sdfg &sdfg);

  /// The container that stands for the unit of one, itself if it is the only one. Members of structures ("A.data")
  /// belong to the structure. The SDFG must have had the container when this was made.
  const std::string &of(std::string_view container) const;
  bool has(std::string_view container) const { return parents.contains(container.substr(0, container.find('.'))); }
  /// Streams, structures, container arrays, references and what they may refer to, and views of what is not known: they
  /// stay on the host, for this reason. Empty for what may be on either side.
  std::string hostOnly(std::string_view unit) const;
  /// The state in which all access nodes of a container are; none if there are several, or no such node.
  const State *onlyStateOf(std::string_view container) const {
    auto found = states.find(container);
    return found == states.end() ? nullptr : found->second;
  }
  /// In a state, the edge by which an access node of a view is connected to what it views (dace.sdfg.utils
  /// get_view_edge); kNone if there is none that is certain.
  static Dataflow::EdgeId viewEdge(const Sdfg &sdfg, const State &state, const Dataflow &dataflow, NodeId node);

private:
  void join(std::string_view a, std::string_view b);
  const std::string &root(std::string_view name) const;

  std::map<std::string, std::string, std::less<>> parents;
  std::map<std::string, std::string, std::less<>> reasons;  ///< By unit.
  std::map<std::string, const State *, std::less<>> states; ///< By container.
};

} // namespace ferry::sdfg
