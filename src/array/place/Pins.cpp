// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What placement does to a function before it looks at it: a pin region's operations move out of it and remember their
// pin in an attribute, `array.pinned = {side, name}`; branches that are decided go.

#include "array/Canonicalize.h"
#include "array/place/Program.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

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

void expandSelections(func::FuncOp function) {
  SmallVector<arith::SelectOp> selections;
  function.walk([&](arith::SelectOp select) {
    if (isa<TensorType>(select.getType()) && select.getCondition().getType().isInteger(1) && !isInsideSoac(select))
      selections.push_back(select);
  });
  for (arith::SelectOp select : selections) {
    OpBuilder builder(select);
    auto branch = scf::IfOp::create(builder, select.getLoc(), select.getType(), select.getCondition(), true);
    branch->setDiscardableAttrs(select->getDiscardableAttrDictionary());
    for (auto [block, value] : {std::pair(branch.thenBlock(), select.getTrueValue()),
                                std::pair(branch.elseBlock(), select.getFalseValue())}) {
      block->clear();
      builder.setInsertionPointToEnd(block);
      scf::YieldOp::create(builder, select.getLoc(), value);
    }
    select.replaceAllUsesWith(branch.getResult(0));
    select.erase();
  }
}

// Moves a block's operations in front of the operation around it, whose pin they keep.
static void inherit(Operation *around, Block &block) {
  Attribute mark = around->getAttr(kMark);
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    if (mark && !op.hasAttr(kMark))
      op.setAttr(kMark, mark);
    op.moveBefore(around);
  }
}

void assertPlanned(OpBuilder &builder, Location location, Value holds) {
  AssertOp::create(builder, location, holds, "placed for arguments with which this code does not run", ValueRange());
}

// The operations of the arm take the branch's place.
static void take(scf::IfOp branch, bool first) {
  OpBuilder builder(branch);
  Location location = branch.getLoc();
  if (!getConstantIntValue(branch.getCondition())) {
    Value holds = branch.getCondition();
    if (!first) {
      Value one = arith::ConstantIntOp::create(builder, location, 1, 1);
      holds = arith::XOrIOp::create(builder, location, holds, one);
    }
    assertPlanned(builder, location, holds);
  }
  if (Block *arm = first ? branch.thenBlock() : branch.elseBlock()) {
    inherit(branch, *arm);
    branch.replaceAllUsesWith(arm->getTerminator()->getOperands());
  }
  branch.erase();
}

// A loop's only trip takes its place.
static void take(scf::ForOp loop) {
  if (!getConstantIntValue(loop.getUpperBound()) || !getConstantIntValue(loop.getLowerBound())) {
    OpBuilder builder(loop);
    Location location = loop.getLoc();
    Value length = arith::SubIOp::create(builder, location, loop.getUpperBound(), loop.getLowerBound());
    Value holds = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::sle, length, loop.getStep());
    assertPlanned(builder, location, holds);
  }
  SmallVector<Value> values{loop.getLowerBound()};
  llvm::append_range(values, loop.getInitArgs());
  Block *body = loop.getBody();
  for (auto [argument, value] : llvm::zip(body->getArguments(), values))
    argument.replaceAllUsesWith(value);
  inherit(loop, *body);
  loop.replaceAllUsesWith(body->getTerminator()->getOperands());
  loop.erase();
}

void dropDead(func::FuncOp function) {
  RewritePatternSet patterns(function.getContext());
  addDroppingPatterns(patterns);
  GreedyRewriteConfig config;
  config.enableFolding(false).setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  (void)applyPatternsGreedily(function, std::move(patterns), config);
}

void foldKnownStructure(func::FuncOp function, const PlacementInputs &inputs) {
  auto isStructural = [&](Operation *op) {
    for (Operation *parent = op->getParentOp(); parent != function; parent = parent->getParentOp())
      if (!isStructure(parent))
        return false;
    return isStructure(op);
  };
  // One at a time: what is known of values that are gone would be taken for that of new ones.
  bool changed = false;
  for (bool again = true; again; changed |= again) {
    SizeEvaluator sizes(PlacementInputs{inputs.arguments, {}, {}});
    again = function
                .walk([&](Operation *op) {
                  if (!isa<scf::IfOp, scf::ForOp>(op) || !isStructural(op))
                    return WalkResult::advance();
                  if (auto branch = dyn_cast<scf::IfOp>(op)) {
                    auto condition = sizes.exactScalar(branch.getCondition());
                    if (!condition)
                      return WalkResult::advance();
                    take(branch, *condition != 0);
                    return WalkResult::interrupt();
                  }
                  auto loop = cast<scf::ForOp>(op);
                  auto lower = sizes.exactScalar(loop.getLowerBound()), upper = sizes.exactScalar(loop.getUpperBound());
                  Estimate trips = sizes.trips(loop);
                  if (!lower || !upper || *lower >= *upper || !trips.exact || trips.value != 1)
                    return WalkResult::advance();
                  take(loop);
                  return WalkResult::interrupt();
                })
                .wasInterrupted();
  }
  if (changed)
    dropDead(function);
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
