// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/bounds.h"
#include "sdfg/json.h"
#include "sdfg/symbolic.h"

#include <string>
#include <vector>

/// \file
/// Sets of elements of a container, as in DaCe's memlets and map ranges (dace/subsets.py).
namespace ferry::sdfg {

/// The elements begin, begin + step, ..., up to `end`, which is included. A `tile` above 1 is that many elements at
/// each.
struct SymbolicRange {
  Expr begin, end;
  Expr step = 1, tile = 1;
  friend bool operator==(const SymbolicRange &, const SymbolicRange &) = default;
};

/// A range a dimension; no dimension is a scalar's only element.
struct Subset {
  std::vector<SymbolicRange> dims;
  bool indices = false; ///< Written as single elements ("Indices").
  friend bool operator==(const Subset &a, const Subset &b) { return a.dims == b.dims; }
};

/// From a `Range` or `Indices` object; the message of an error says what is wrong, not where.
placement::Result<Subset> subsetFromJson(const Json &json);
Json toJson(const Subset &subset, Dialect dialect);
/// "[0:N, i]", as DaCe's users write it: the end is not included.
std::string toString(const Subset &subset);

/// All elements of a container.
Subset wholeOf(const std::vector<Expr> &shape);

/// Number of elements of a range: (end - begin + step) // step, times the tile. For the number of trips of a loop or
/// map it may be below zero, which means none.
Expr elements(const SymbolicRange &range);
Expr elements(const Subset &subset);

/// Whether it is proved that each element of `inner` is one of `outer`.
bool covers(const Subset &outer, const Subset &inner, const Assumptions &assuming = {});
/// Whether it is proved that no element is in both.
bool disjoint(const Subset &a, const Subset &b, const Assumptions &assuming = {});
/// The smallest box that holds both and can be written; of the same number of dimensions. Steps are lost.
Subset hull(const Subset &a, const Subset &b, const Assumptions &assuming = {});

Subset substitute(const Subset &subset, const Substitution &by);
std::set<std::string> freeSymbols(const Subset &subset);

/// A parameter of a map or loop with the values it takes.
struct Parameter {
  std::string name;
  SymbolicRange range;
};

/// A box that holds what `subset` names for all values of the parameters, innermost first; a parameter's range may name
/// those behind it. A dimension that cannot be bounded becomes that of `whole`. Nothing is said about the values for
/// which a range is empty.
Subset boundingBox(const Subset &subset, const std::vector<Parameter> &parameters, const Subset &whole,
                   const Assumptions &assuming = {});

/// Whether the parameters, over all of their values, reach every element of the box that boundingBox gives: each
/// dimension does not vary, or is a window that a parameter of its own moves by one element at a time.
bool fillsBox(const Subset &subset, const std::vector<Parameter> &parameters);

} // namespace ferry::sdfg
