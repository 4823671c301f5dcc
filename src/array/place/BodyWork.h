// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a body costs to run: the operations and array accesses in it.

#pragma once

#include "array/place/SizeEvaluator.h"

namespace ferry::array {

/// Operations and array accesses of a region's code, once through.
struct BodyWork {
  int64_t operations = 0;
  int64_t loads = 0;       ///< Elements of arrays read.
  int64_t loadedBytes = 0; ///< Their bytes.
  int64_t stores = 0;
};
BodyWork bodyWork(mlir::Region &region, SizeEvaluator &sizes);

} // namespace ferry::array
