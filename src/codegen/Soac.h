// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all SOACs have in common.

#ifndef FERRY_CODEGEN_SOAC_H
#define FERRY_CODEGEN_SOAC_H

#include "array/ArrayDialect.h"

namespace ferry::codegen {

/// The extents of a SOAC's grid.
mlir::OperandRange gridOf(mlir::Operation *soac);

/// The arrays of which a SOAC's body gets elements.
mlir::OperandRange inputsOf(mlir::Operation *soac);

} // namespace ferry::codegen

#endif
