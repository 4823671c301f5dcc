// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The canonicalization patterns of the dialect, and what passes share with them.

#pragma once

#include "array/ArrayDialect.h"

#include "mlir/IR/PatternMatch.h"

namespace ferry::array {

/// Patterns that rewrite SOACs.
void addSoacPatterns(mlir::RewritePatternSet &patterns);

/// Those of them that drop results which nothing uses, and inputs.
void addDroppingPatterns(mlir::RewritePatternSet &patterns);

/// Patterns that rewrite views, elements, updates, extents and checks.
void addViewPatterns(mlir::RewritePatternSet &patterns);

/// Patterns that rewrite assertions.
void addCheckPatterns(mlir::RewritePatternSet &patterns);

/// All of these.
void addAllPatterns(mlir::RewritePatternSet &patterns);

/// An assertion before the access that fails as it would, for an array of one dimension of the given length; nothing if
/// the access is unchecked.
void assertIndex(mlir::OpBuilder &builder, ElementOp access, mlir::Value length);

/// start + index * step of an iota, at the builder's place.
mlir::Value elementOfIota(mlir::OpBuilder &builder, IotaOp iota, mlir::Value index);

} // namespace ferry::array
