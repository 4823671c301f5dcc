// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes that place a module: rotate its loops, decide where everything lives and runs, check the result. Each is
// described in PlacePasses.td.

#pragma once

#include "array/ArrayDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace ferry::array {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "array/place/PlacePasses.h.inc"

} // namespace ferry::array
