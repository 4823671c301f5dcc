// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The canonicalization patterns of the dialect, and what passes share with them.

#ifndef FERRY_ARRAY_CANONICALIZE_H
#define FERRY_ARRAY_CANONICALIZE_H

#include "array/ArrayDialect.h"

#include "mlir/IR/PatternMatch.h"

namespace ferry::array {

/// Patterns that rewrite SOACs.
void addSoacPatterns(mlir::RewritePatternSet &patterns);

/// Patterns that rewrite views, elements, updates, extents and checks.
void addViewPatterns(mlir::RewritePatternSet &patterns);

/// start + index * step of an iota, at the builder's place.
mlir::Value elementOfIota(mlir::OpBuilder &builder, IotaOp iota, mlir::Value index);

} // namespace ferry::array

#endif
