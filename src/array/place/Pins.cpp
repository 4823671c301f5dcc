// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pin region's operations move out of it and remember their pin in an attribute, `array.pinned = {side, name}`.

#include "array/place/Program.h"

using namespace mlir;

namespace ferry::array {

namespace {

constexpr llvm::StringLiteral kMark = "array.pinned";

void dissolve(PinOp pin) {
  Block &body = pin.getBody().front();
  OpBuilder builder(pin);
  bool ignored = isInsideSoac(pin) || pin->getParentOfType<LaunchOp>();
  if (ignored)
    pin.emitWarning() << "'" << pin.getName() << "' is marked for the " << stringifySide(pin.getSide())
                      << ", but runs inside a parallel operation; the mark is ignored here";
  auto mark = builder.getDictionaryAttr({builder.getNamedAttr("name", pin.getNameAttr()),
                                         builder.getNamedAttr("side", pin.getSideAttr()),
                                         builder.getNamedAttr("location", LocationAttr(pin.getLoc()))});
  SmallVector<Value> results(body.getTerminator()->getOperands());
  body.getTerminator()->erase();
  for (Operation &op : llvm::make_early_inc_range(body)) {
    if (!ignored && !op.hasAttr(kMark))
      op.setAttr(kMark, mark);
    op.moveBefore(pin);
  }
  pin.replaceAllUsesWith(results);
  pin.erase();
}

} // namespace

void turnPinsIntoMarks(func::FuncOp function) {
  SmallVector<PinOp> pins;
  function.walk<WalkOrder::PostOrder>([&](PinOp pin) { pins.push_back(pin); });
  llvm::for_each(pins, dissolve);
}

void inheritPin(Operation *from, Operation *to) {
  if (Attribute mark = from->getAttr(kMark); mark && !to->hasAttr(kMark))
    to->setAttr(kMark, mark);
}

void removePinMarks(Operation *root) {
  root->walk([](Operation *op) { op->removeAttr(kMark); });
}

std::optional<Pin> Program::pin(Operation *op) const {
  for (; op && op != function; op = op->getParentOp())
    if (auto mark = op->getAttrOfType<DictionaryAttr>(kMark))
      return Pin{mark.getAs<SideAttr>("side").getValue(), mark.getAs<StringAttr>("name").str(),
                 Location(cast<LocationAttr>(mark.get("location")))};
  return std::nullopt;
}

} // namespace ferry::array
