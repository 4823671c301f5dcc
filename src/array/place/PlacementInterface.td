// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef FERRY_ARRAY_PLACEMENT_INTERFACE_TD
#define FERRY_ARRAY_PLACEMENT_INTERFACE_TD

include "mlir/IR/OpBase.td"

def PlaceableOpInterface : OpInterface<"PlaceableOpInterface"> {
  let cppNamespace = "::ferry::array";
  let description = [{
    An operation on arrays that placement may put on either side. Operations attach it from outside (PlacementModels.cpp), so that dialects that never heard of sides
    are placed too. What has no array operand or result and no side effect needs no interface: it is scalar work. An operation on arrays without the interface stays on
    the host.
  }];
  let methods = [
    InterfaceMethod<"How it uses its operands, what its results are, and what it may be part of.",
                    "::ferry::array::PlacementFacts", "getPlacementFacts", (ins)>,
    InterfaceMethod<"What one execution does, for the sizes at hand.",
                    "::ferry::array::PlacementWork", "getPlacementWork", (ins "::ferry::array::SizeEvaluator &":$sizes)>,
    InterfaceMethod<"Extents of a result; an empty list where they are not known.",
                    "::ferry::array::Extents", "getResultExtents",
                    (ins "unsigned":$result, "::ferry::array::SizeEvaluator &":$sizes), "", [{ return {}; }]>,
    InterfaceMethod<[{ Makes the operation at the builder's place for one side, with operands that are on that side already. The default is a clone whose array types,
                       those inside its regions included, are on that side. }],
                    "::mlir::Operation *", "placeOn", (ins "::mlir::OpBuilder &":$builder, "::mlir::IRMapping &":$mapping, "::ferry::array::Side":$side), "",
                    [{ return ::ferry::array::cloneOnSide(builder, $_op, mapping, side); }]>];
}

#endif
