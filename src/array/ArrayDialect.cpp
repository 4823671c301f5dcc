// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "array/ArrayDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ferry::array;

#include "array/ArrayDialect.cpp.inc"
#include "array/ArrayEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "array/ArrayAttributes.cpp.inc"

#define GET_OP_CLASSES
#include "array/ArrayOps.cpp.inc"

void ArrayDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "array/ArrayAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "array/ArrayOps.cpp.inc"
      >();
}

// A function may carry `array.pin = #array.side<…>`: its body runs on that side wherever it is called.
LogicalResult ArrayDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() == "array.pin" && !isa<SideAttr>(attribute.getValue()))
    return op->emitOpError("attribute 'array.pin' must be a side, for example #array.side<host>");
  return success();
}

namespace ferry::array {

std::optional<Side> sideOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto side = tensor ? dyn_cast_or_null<SideAttr>(tensor.getEncoding()) : SideAttr();
  return side ? std::optional(side.getValue()) : std::nullopt;
}

RankedTensorType onSide(Type type, std::optional<Side> side) {
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get(tensor.getShape(), tensor.getElementType(),
                               side ? SideAttr::get(type.getContext(), *side) : Attribute());
}

RankedTensorType arrayType(Type element, int64_t rank) {
  return RankedTensorType::get(SmallVector<int64_t>(rank, ShapedType::kDynamic), element);
}

Type elementAfter(Type array, int64_t leading) {
  auto tensor = cast<RankedTensorType>(array);
  if (leading == tensor.getRank())
    return tensor.getElementType();
  return RankedTensorType::get(tensor.getShape().drop_front(leading), tensor.getElementType(), tensor.getEncoding());
}

Side runningSide(Operation *op) { return op->getParentOfType<LaunchOp>() ? Side::device : Side::host; }

bool isSoac(Operation *op) { return isa<MapOp, ReduceOp, ScanOp, HistOp, ScatterOp, FilterOp>(op); }

bool isInsideSoac(Operation *op) {
  for (op = op->getParentOp(); op; op = op->getParentOp())
    if (isSoac(op))
      return true;
  return false;
}

} // namespace ferry::array

// What must happen although nothing uses a result: ending the program, advancing the clock, counting.
static void addEffect(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Write::get());
}

void AssertOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) { addEffect(effects); }
void TickOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) { addEffect(effects); }
void ObserveOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) { addEffect(effects); }
void ResidentOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) { addEffect(effects); }
