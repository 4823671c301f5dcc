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
}

def Place : Pass<"array-place", "::mlir::ModuleOp"> {
  let summary = "decides for every array and operation where it lives and runs, and rewrites the module accordingly";
  let description = [{
    Expects rotated loops (array-rotate). The plan is the cheapest under the machine's prices for the sizes at hand: those of the arguments, where given; else every extent is
    taken for 1000, a loop of unknown length for 100 trips, an unknown condition for even, and a filter for keeping half.

    In the result every array has a side in its type, `array.transfer` stands where the plan copies, and device work is in `array.launch` regions. A launch that is one
    operation's or one piece of scalar work's carries `array.work = [bytes read, bytes written, operations, sequential operations]` for its price; what is inside a kernel that
    holds a whole loop or branch advances the clock by `array.tick`, as host work does, if `ticks` is set. A module that has sides already stays as it is.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect", "::ferry::array::ArrayDialect"];
  let options = [
    Option<"machine", "machine", "std::string", "\"sim\"", "Machine profile: pcie4, h200, integrated or sim">,
    Option<"plan", "plan", "std::string", "\"auto\"", "auto, all-host, all-device, arrays-on-device, soacs-on-device, or a file of pins">,
    ListOption<"pins", "pin", "std::string", "NAME=host or NAME=device, for a let-bound name or a function">,
    ListOption<"arguments", "args", "std::string", "Of each argument its shape (10x20) or value (5), or ? if unknown">,
    ListOption<"assumptions", "assume", "std::string", "NAME=VALUE, for a scalar with a name">,
    Option<"ticks", "ticks", "bool", "false", "Advance the virtual clock by host work and by work inside kernels">,
    Option<"report", "report", "bool", "false", "Print what each plan copies, and what a run of it will count, to the standard error">];
}


#endif
