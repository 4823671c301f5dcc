// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The array dialect: second-order array combinators (SOACs) on tensors that have a side.

#ifndef FERRY_ARRAY_DIALECT_TD
#define FERRY_ARRAY_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Array_Dialect : Dialect {
  let name = "array";
  let cppNamespace = "::ferry::array";
  let summary = "Array programs whose arrays live in host memory, device memory or both";
  let description = [{
    An array is a tensor with dynamic extents (`tensor<?x?xf32>`), a value that never changes. Its *side* is its type's encoding: `#array.side<host>`,
    `#array.side<device>`, or none while it is unplaced. Host code is everything outside `array.launch`; what is inside one runs on the device.
    `array.transfer` alone changes the side. An operation that consumes an operand (`array.update`, `array.scatter`, `array.hist`,
    `array.insert_slice`) may reuse its memory: the operand is not used afterwards.

    Sizes and indices are `i64`. Integers are signless; `i1` is bool. Operations that can fail check at run time and name their location,
    unless they carry `unchecked`.
  }];
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let hasOperationAttrVerify = 1;
  let hasCanonicalizer = 1;
}

def Array_Side : I32EnumAttr<"Side", "the memory an array lives in, or the processor an operation runs on",
                             [I32EnumAttrCase<"host", 0>, I32EnumAttrCase<"device", 1>]> {
  let cppNamespace = "::ferry::array";
  let genSpecializedAttr = 0;
}

def Array_SideAttr : EnumAttr<Array_Dialect, Array_Side, "side"> {
  let assemblyFormat = "`<` $value `>`";
}

#endif
