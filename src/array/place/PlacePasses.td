// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef FERRY_ARRAY_PLACE_PASSES_TD
#define FERRY_ARRAY_PLACE_PASSES_TD

include "mlir/Pass/PassBase.td"

def Rotate : Pass<"array-rotate", "::mlir::ModuleOp"> {
  let summary = "host-level loops over arrays become do-while loops behind a guard";
  let description = [{
    The block before a rotated loop runs only if the loop has a trip, so that a copy there costs nothing where the loop is skipped. An `scf.for` stays one, under an
    `scf.if` unless its bounds are constants; it is marked `array.entered`. An `scf.while` gets a copy of its condition as the guard; its `do` region is then empty and
    runs between trips only, which is where placement puts a copy of a loop-carried array.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let statistics = [Statistic<"guards", "num-guards", "Number of guards made">];
}

def CheckPlaced : Pass<"array-check-placed", "::mlir::ModuleOp"> {
  let summary = "refuses a module in which an array has no side";
}

#endif
