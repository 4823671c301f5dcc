// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef FERRY_ARRAY_PASSES_TD
#define FERRY_ARRAY_PASSES_TD

include "mlir/Pass/PassBase.td"

def InlinePins : Pass<"array-inline-pins", "::mlir::ModuleOp"> {
  let summary = "inlines calls; the body of a function pinned to a side becomes an array.pin";
}

def Fuse : Pass<"array-fuse", "::mlir::ModuleOp"> {
  let summary = "fuses SOACs with what makes their inputs, and with each other over a shared input";
  let description = [{
    Results and errors stay; what an array's only readers are computed from is not computed twice unless that is cheaper than storing it. Results that
    nobody uses and inputs made by iota or replicate go away on the way.
  }];
  let options = [Option<"oneSide", "one-side", "bool", "false",
                        "Join maps also where the host may want one of them: all runs on one side">];
}

def Differentiate : Pass<"array-differentiate", "::mlir::ModuleOp"> {
  let summary = "replaces array.jvp by code for values and tangents, in forward mode";
  let description = [{ Functions that a derivative calls are inlined before; those of the C library are known by name. }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect"];
}

def Distribute : Pass<"array-distribute", "::mlir::ModuleOp"> {
  let summary = "turns maps of maps into sequences of maps over grids of more dimensions";
  let description = [{
    Only where the inner extents do not vary with the outer index. Reductions and scans stay sequential in a thread of the outer grid, as does all code in
    loops of the body.
  }];
}

def DropCopies : Pass<"array-drop-copies", "::mlir::ModuleOp"> {
  let summary = "drops copies of arrays that nothing consumes, or that nobody needs any more";
  let description = [{
    A copy goes if array-copy-consumed would not have to make another one instead, and if the caller does not get memory twice. Copies of views stay.
  }];
}

def Hoist : Pass<"array-hoist", "::mlir::ModuleOp"> {
  let summary = "evaluates SOACs that do not vary with a loop before it";
  let description = [{
    Behind a guard, so that nothing is evaluated for a loop without a round; only what cannot fail, and what no round consumes.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def CopyConsumed : Pass<"array-copy-consumed", "::mlir::ModuleOp"> {
  let summary = "copies arrays that are consumed while something still needs them";
  let description = [{
    Afterwards every operation that consumes an operand may write into its memory. A copy goes to where a loop takes the array in, if what needs it is outside of the
    loop, else before the operation. Pins are dissolved first.
  }];
}

class Check<string name> : Pass<"array-check-" # name, "::mlir::ModuleOp">;

def CheckInlined : Check<"inlined"> {
  let summary = "fails if a call of a function with a body is left";
}

def CheckDifferentiated : Check<"differentiated"> {
  let summary = "fails if a derivative is left";
}

def CheckPlaced : Check<"placed"> {
  let summary = "fails if a pin is left, or an array of host code has no side";
}

def CheckLowered : Check<"lowered"> {
  let summary = "fails if an array operation or a tensor is left";
}

#endif
