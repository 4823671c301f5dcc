// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef FERRY_ARRAY_PASSES_TD
#define FERRY_ARRAY_PASSES_TD

include "mlir/Pass/PassBase.td"

def InlinePins : Pass<"array-inline-pins", "::mlir::ModuleOp"> {
  let summary = "inlines calls; the body of a function pinned to a side becomes an array.pin";
  let statistics = [Statistic<"calls", "num-calls", "Number of calls inlined">];
}

#endif
