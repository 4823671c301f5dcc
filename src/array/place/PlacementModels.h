// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the models of the several dialects have in common.

#pragma once

#include "array/place/SizeEvaluator.h"

namespace ferry::array {

/// Work of moving bytes and computing elements, each element alike.
PlacementWork elementwiseWork(int64_t elements, int64_t bytesRead, int64_t bytesWritten, int64_t operationsEach);

/// Reading all array operands whose content is used and writing all array results.
PlacementWork throughputWork(mlir::Operation *op, const PlacementFacts &facts, SizeEvaluator &sizes);

/// Work of one thread.
PlacementWork scalarWork(int64_t operations);

/// Extents that are operands.
Extents extentsOf(mlir::ValueRange sizes, SizeEvaluator &evaluator);

void registerArrayModels(mlir::DialectRegistry &registry);
void registerUpstreamModels(mlir::DialectRegistry &registry);

} // namespace ferry::array
