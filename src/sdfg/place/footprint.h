// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/bounds.h"
#include "sdfg/dataflow.h"
#include "sdfg/place/units.h"

#include <optional>
#include <string>
#include <vector>

/// \file
/// Footprints: which elements of containers the edges at the top of a state read and write. Absent boxes stand for any
/// elements.
namespace ferry::sdfg {

/// A box of no more than the elements of a container that `box` holds, whatever the values of symbols are, and of no
/// extent below zero.
Subset inside(Subset box, const Container &container, const Assumptions &known);

class Footprints {
public:
  using EdgeId = Dataflow::EdgeId;
  /// `variables`: those of the loops around the state.
  Footprints(const Sdfg &sdfg, const State &state, const Dataflow &dataflow, const Units &units,
             const Assumptions &variables)
      : sdfg(sdfg), state(state), dataflow(dataflow), units(units), variables(variables) {}

  /// Whether a copy writes all of its target. The subset of the target is the memlet's own if it names it.
  bool coversTarget(const DataEdge &edge) const;
  /// What the memlet of a copy says of an end of it, an access node, if that stands for its unit and the memlet is
  /// exact; the other end has the other subset.
  std::optional<Subset> partOfCopy(const DataEdge &edge, NodeId access) const;

  /// What enters by an edge, at most. DaCe's own union of subsets may leave out what is read, so it is made anew of
  /// those inside. All of it can be copied whenever the operation runs.
  std::optional<Subset> readPart(EdgeId id) const;
  /// What holds two such boxes of a container, and can be copied too.
  Subset around(const Subset &a, const Subset &b, const Container &source) const;
  /// What leaves by an edge, if all of it is written whatever happens: the only edge that writes it.
  std::optional<Subset> writtenPart(EdgeId id) const;
  /// Whether what leaves by an edge is every element of the container.
  bool writesAll(EdgeId id) const;
  /// Whether what leaves by an edge is combined with what was there.
  bool writesWithOld(EdgeId id) const;

private:
  std::optional<Subset> partOf(const DataEdge &edge, NodeId access) const;
  /// Of the maps around a node, innermost first; absent if there is another scope.
  std::optional<std::vector<Parameter>> parameters(NodeId node) const;
  /// Whether the names in a box mean the same before and behind the scopes around a node as inside of them.
  bool hasMeaningOutside(const Subset &box, NodeId node) const;
  /// What is known of the sizes of a container, of the variables of the loops, and of the maps' parameters.
  Assumptions knownOf(const Container &container, const std::vector<Parameter> &around = {}) const;
  /// The box, so that it can be copied even where the maps around it have no iteration that touches it: no elements
  /// outside of the container, and no extents below zero.
  Subset copiable(Subset box, const std::vector<Parameter> &around, const Container &container) const;
  /// The box that the innermost edge of a write fills whatever happens.
  std::optional<Subset> filled(const DataEdge &inner, const Container &target) const;

  const Sdfg &sdfg;
  const State &state;
  const Dataflow &dataflow;
  const Units &units;
  const Assumptions &variables;
};

} // namespace ferry::sdfg
