// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What locations say to users: a place in the source, and the name of the variable that an operation makes.

#pragma once

#include "mlir/IR/Location.h"

#include <string>

namespace ferry::codegen {

struct Place {
  std::string file; ///< empty if unknown
  int32_t line = 0, column = 0;
};

/// The first place that the location mentions.
Place placeOf(mlir::Location location);

/// The name that the location carries, or nothing.
std::string nameOf(mlir::Location location);

} // namespace ferry::codegen
