// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches and loops that depend on the trips of loops around them: counted by going through those trips.

#pragma once

#include "array/place/SizeEvaluator.h"
#include "placement/number.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <optional>

namespace ferry::array {

/// How often the branch takes its first arm, of the times that a run comes by; nothing if that depends on more than
/// arguments, shapes and the trips of scf.for loops, or if there are too many trips to count.
std::optional<placement::Rational> countedProbability(mlir::scf::IfOp branch, SizeEvaluator &sizes);

/// Trips of an entered loop on the average, likewise.
std::optional<placement::Rational> countedTrips(mlir::scf::ForOp loop, SizeEvaluator &sizes);

} // namespace ferry::array
