// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/container.h"

#include <functional>
#include <optional>
#include <vector>

/// \file
/// Which elements can cross the bus alone, where the rest of a container does not have to.
namespace ferry::sdfg {

/// An expression that the host evaluates; not `certain` if that depends on others.
struct Evaluated {
  Expr expr;
  bool certain = true;
};

/// Of a condition in Python's syntax, what is evaluated whatever its value: all before the first `and` or `or`. Unknown
/// if that is no expression, and where there is an `if`, behind whose first arm the condition comes.
Expr firstOperand(const std::string &condition);

/// The elements of a container that expressions read, each once. Absent if that is not certain, if one of them depends
/// on the value of a container (`isContainer`), or if one may lie outside and may not be read: it has to be read for
/// certain, or be proved to lie inside, sizes being 0 or more.
std::optional<std::vector<Subset>> elementsRead(const Container &container, const std::vector<Evaluated> &evaluated,
                                                const std::function<bool(const std::string &)> &isContainer);

/// Whether DaCe generates code that copies a part to the other side: of two wide dimensions or more the last has to be
/// contiguous, and none to have steps.
bool canCross(const Subset &part, const Container &container);

/// Whether a part can be copied for itself: it is not all of the container, no extent is below zero, sizes being 0 or
/// more, it has no steps, and it can cross.
bool isPart(const Subset &part, const Container &container);

} // namespace ferry::sdfg
