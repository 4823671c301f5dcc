// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "futhark/syntax/source.h"

#include "mlir/IR/Location.h"

namespace ferry::futhark::lowering {

/// Whether code was not written by the user: the prelude's, or made by the compiler.
bool isBuiltIn(const SourceRange &range);

/// The beginning of a range that has a file.
mlir::Location locationOf(mlir::MLIRContext *context, const SourceRange &range);

} // namespace ferry::futhark::lowering
