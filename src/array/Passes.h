// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes on the array dialect. Each is described in Passes.td.

#pragma once

#include "array/ArrayDialect.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace ferry::array {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "array/Passes.h.inc"

} // namespace ferry::array
