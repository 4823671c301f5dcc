// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/model.h"

/// \file
/// Internal: the two steps behind reading a program. A program that readProgram() hands out has passed them.
namespace ferry::sdfg {

/// An element as a message names it, and where its JSON object is in the file.
struct Place {
  std::string name;
  std::optional<std::size_t> position;
};

/// A malformed element: where it is, from the outside in, and what is wrong. Thrown by the reader and the checks; the
/// entry points of file.h turn it into an error.
struct Malformed {
  std::vector<Place> where;
  std::string what;
};

/// Builds an SDFG from its JSON object. Throws Malformed.
void readSdfg(Sdfg &to, Json json);

/// Every name that is used is defined: containers of access nodes and memlets, symbols of subsets, conditions and
/// assignments, connectors of edges. Scopes are closed. Throws Malformed.
void requireWellFormed(const Program &program);

} // namespace ferry::sdfg
