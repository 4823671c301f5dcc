// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run found that no plan can know before: trips of loops, arms taken, lengths. A later plan for the same program
// can go by it.

#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

#include <string>

namespace ferry::array {

/// How often a run came by a site, and the numbers that it found there: 1 at a loop or an arm, an extent's value.
struct Observation {
  int64_t count = 0;
  int64_t sum = 0;
  int64_t least = 0, most = 0;
};

/// By the site's name (siteName).
using Observations = llvm::StringMap<Observation>;

enum class Aspect : uint8_t { entries, trips, then, extent, parameter };

/// Gives the operations of a function at which something can be observed a name, as an attribute: `f.fut:3:5 scf.while
/// #0`. The number tells apart operations of one kind and place, as an inlined function has; it is the order in the
/// function, before anything is folded.
void nameSites(mlir::func::FuncOp function);
void removeSiteNames(mlir::Operation *root);

/// By the site's name: `f.fut:3:5 scf.while #0 trips`; `dimension` is that of an extent of the operation's result
/// number `result`, or of the body's argument of that number. Empty for an operation that has no name.
std::string siteName(mlir::Operation *op, Aspect aspect, unsigned result = 0, unsigned dimension = 0);

} // namespace ferry::array
