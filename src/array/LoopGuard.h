// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// for (i from a to b) …   becomes   if (a < b) { for (i from a to b) … }
//
// so that there is a place before the loop that is reached only if the loop is entered.

#pragma once

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace ferry::array {

/// Whether the loop runs at least once wherever it is reached: it is guarded, or has bounds that are known.
bool isSurelyEntered(mlir::scf::ForOp loop);

/// Puts a guard around the loop if it needs one, and marks it as entered (`array.entered`).
void guardLoop(mlir::scf::ForOp loop);

} // namespace ferry::array
