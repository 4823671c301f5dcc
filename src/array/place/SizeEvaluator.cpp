// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first question about a function evaluates all of it in the order of its operations, so that an answer depends on
// those before it only, which are known: chains of operations may be longer than the stack.

#include "array/place/SizeEvaluator.h"

#include "array/LoopExtents.h"
#include "array/place/WholeNumbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;

namespace ferry::array {

int64_t elementBytes(Type type) {
  if (auto tensor = dyn_cast<ShapedType>(type))
    type = tensor.getElementType();
  return type.isIntOrFloat() ? std::max<int64_t>(1, type.getIntOrFloatBitWidth() / 8) : 8;
}

void SizeEvaluator::evaluateInOrder(Value value) {
  Region *region = value.getParentRegion();
  if (scalars.contains(value) || shapes.contains(value) || !region)
    return;
  auto function = dyn_cast_or_null<func::FuncOp>(region->getParentOp());
  if (!function && region->getParentOp())
    function = region->getParentOp()->getParentOfType<func::FuncOp>();
  if (function && visited.insert(function).second)
    visit(function.getBody());
}

void SizeEvaluator::visit(Region &region) {
  for (Block &block : region)
    for (Operation &op : block) {
      if (isa<scf::ForOp, scf::WhileOp>(op))
        settleParameters(&op);
      for (Region &inner : op.getRegions())
        visit(inner);
      for (Value result : op.getResults()) {
        scalar(result);
        extents(result);
      }
    }
}

//===- Scalars ----------------------------------------------------------------------------------------------------===//

std::optional<Estimate> SizeEvaluator::scalar(Value value) {
  if (!isWholeNumber(value.getType()))
    return std::nullopt;
  evaluateInOrder(value);
  auto [known, isNew] = scalars.try_emplace(value); // what depends on itself is not known
  if (!isNew)
    return known->second;
  evaluated.push_back(value);
  auto result = compute(value);
  if (!result || !result->exact)
    if (auto assumed = assumption(value))
      result = assumed;
  if (result)
    result->value = wrapped(result->value, value.getType());
  scalars[value] = result;
  return result;
}

std::optional<int64_t> SizeEvaluator::exactScalar(Value value) {
  auto estimate = scalar(value);
  return estimate && estimate->exact ? std::optional(estimate->value) : std::nullopt;
}

// Of an argument of the function, by the names that its sizes have in the program.
Extents SizeEvaluator::assumedExtents(BlockArgument argument) {
  Extents result;
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  for (Attribute name : extentNames(function, argument.getArgNumber())) {
    auto found = inputs->assumptions.find(cast<StringAttr>(name).getValue());
    bool isAssumed = found != inputs->assumptions.end();
    result.push_back({isAssumed ? found->second : Assumed::extent, isAssumed});
  }
  return result;
}

ArrayRef<Attribute> extentNames(func::FuncOp function, unsigned argument) {
  auto names = function.getArgAttrOfType<ArrayAttr>(argument, "array.extents");
  return names ? names.getValue() : ArrayRef<Attribute>();
}

std::optional<Estimate> SizeEvaluator::assumption(Value value) {
  auto name = dyn_cast<NameLoc>(value.getLoc());
  if (!name || inputs->assumptions.empty())
    return std::nullopt;
  auto found = inputs->assumptions.find(name.getName().getValue());
  return found == inputs->assumptions.end() ? std::nullopt : std::optional(Estimate{found->second, true});
}

std::optional<Estimate> SizeEvaluator::compute(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return ofArgument(argument);
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return Estimate{
        constant.getBitWidth() == 1 ? static_cast<int64_t>(constant.getZExtValue()) : constant.getSExtValue(), true};
  return ofOperation(value.getDefiningOp(), value);
}

std::optional<Estimate> SizeEvaluator::ofArgument(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (isa<func::FuncOp>(parent)) {
    unsigned index = argument.getArgNumber();
    if (index < inputs->arguments.size() && inputs->arguments[index].scalar)
      return Estimate{*inputs->arguments[index].scalar, true};
    return std::nullopt;
  }
  if (auto loop = dyn_cast<scf::ForOp>(parent); loop && argument == loop.getInductionVar()) {
    auto lower = scalar(loop.getLowerBound()), upper = scalar(loop.getUpperBound());
    int64_t distance;
    if (!lower || !upper || loop.getUnsignedCmp() || llvm::SubOverflow(upper->value, lower->value, distance))
      return std::nullopt;
    return Estimate{lower->value + std::max<int64_t>(0, distance - 1) / 2,
                    lower->exact && upper->exact && distance == 1};
  }
  return std::nullopt;
}

std::optional<Estimate> SizeEvaluator::ofOperation(Operation *op, Value value) {
  if (auto dim = dyn_cast<DimOp>(op))
    return extents(dim.getArray())[dim.getDimension()];
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    auto index = dim.getConstantIndex();
    return index && isa<RankedTensorType>(dim.getSource().getType()) ? std::optional(extents(dim.getSource())[*index])
                                                                     : std::nullopt;
  }
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    auto condition = exactScalar(select.getCondition());
    if (condition)
      return scalar(*condition ? select.getTrueValue() : select.getFalseValue());
    return std::nullopt;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    unsigned index = cast<OpResult>(value).getResultNumber();
    auto condition = scalar(branch.getCondition());
    auto yielded = [&](Block *arm) { return scalar(arm->getTerminator()->getOperand(index)); };
    auto a = yielded(branch.thenBlock()), b = yielded(branch.elseBlock());
    if (condition && condition->exact)
      return condition->value ? a : b;
    if (!a || !b)
      return std::nullopt;
    if (a->value == b->value)
      return Estimate{a->value, a->exact && b->exact};
    int64_t distance;
    if (value.getType().isInteger(1) || llvm::SubOverflow(b->value, a->value, distance))
      return std::nullopt;
    return Estimate{a->value + distance / 2, false};
  }
  if (auto filter = dyn_cast<FilterOp>(op))
    return Estimate{count(filter.getSize()).value / 2, false};
  if (!isEvaluable(op))
    return std::nullopt;
  bool isExact = true;
  auto result = evaluate(op, [&](unsigned index) -> std::optional<int64_t> {
    auto operand = scalar(op->getOperand(index));
    isExact &= operand && operand->exact;
    return operand ? std::optional(operand->value) : std::nullopt;
  });
  return result ? std::optional(Estimate{*result, isExact}) : std::nullopt;
}

namespace {

/// So many answers are found twice, at most.
constexpr size_t kMostForgotten = 200'000;

// A sum that has wrapped is no average's.
Estimate average(const Observation &observation) {
  int64_t average = observation.sum / observation.count;
  bool isBetween = observation.least <= average && average <= observation.most;
  return {std::max<int64_t>(0, isBetween ? average : observation.least), observation.least == observation.most};
}

} // namespace

//===- Extents ----------------------------------------------------------------------------------------------------===//

Estimate SizeEvaluator::count(Value value) {
  auto estimate = scalar(value);
  if (!estimate)
    return {Assumed::extent, false};
  return {std::max<int64_t>(0, estimate->value), estimate->exact};
}

Extents SizeEvaluator::extents(Value array) {
  if (!isa<RankedTensorType>(array.getType()))
    return {};
  evaluateInOrder(array);
  auto known = shapes.find(array);
  if (known != shapes.end())
    return known->second;
  settle(array, {}); // a shape that depends on itself is not known
  settle(array, computeExtents(array));
  return shapes.find(array)->second;
}

// What is not known is as an earlier run found it, or assumed.
void SizeEvaluator::settle(Value array, const Extents &computed) {
  Extents all;
  for (int64_t extent : cast<RankedTensorType>(array.getType()).getShape())
    all.push_back(ShapedType::isDynamic(extent) ? Estimate{Assumed::extent, false} : Estimate{extent, true});
  for (auto [into, from] : llvm::zip(all, computed))
    if (!into.exact)
      into = {std::max<int64_t>(0, from.value), from.exact};
  auto argument = dyn_cast<BlockArgument>(array);
  Operation *op = argument ? argument.getOwner()->getParentOp() : array.getDefiningOp();
  Aspect aspect = argument ? Aspect::parameter : Aspect::extent;
  unsigned number = argument ? argument.getArgNumber() : cast<OpResult>(array).getResultNumber();
  for (auto [dimension, extent] : llvm::enumerate(all))
    if (auto found = extent.exact || !hasObservations() ? std::nullopt : observed(op, aspect, number, dimension))
      extent = average(*found);
  if (shapes.try_emplace(array).second)
    evaluated.push_back(array);
  shapes[array] = std::move(all);
}

Extents SizeEvaluator::computeExtents(Value array) {
  if (auto argument = dyn_cast<BlockArgument>(array)) {
    Operation *parent = argument.getOwner()->getParentOp();
    unsigned index = argument.getArgNumber();
    if (isa<func::FuncOp>(parent)) {
      Extents result;
      if (index < inputs->arguments.size() && inputs->arguments[index].shape)
        for (int64_t extent : *inputs->arguments[index].shape)
          result.push_back({extent, true});
      else if (!inputs->assumptions.empty())
        result = assumedExtents(argument);
      return result;
    }
    if (auto loop = dyn_cast<scf::WhileOp>(parent); loop && argument.getOwner() != loop.getBeforeBody())
      return extents(loop.getConditionOp().getArgs()[index]);
    if (!isa<scf::ForOp, scf::WhileOp>(parent))
      return {};
    settleParameters(parent);
    return shapes.find(array)->second;
  }
  Operation *op = array.getDefiningOp();
  unsigned index = cast<OpResult>(array).getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return extents(loop.getYieldedValues()[index]);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return extents(loop.getConditionOp().getArgs()[index]);
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    auto condition = exactScalar(branch.getCondition());
    bool isOther = condition ? *condition == 0 : observedProbability(branch) == placement::Rational(0);
    return extents((isOther ? branch.elseBlock() : branch.thenBlock())->getTerminator()->getOperand(index));
  }
  if (auto placeable = dyn_cast<PlaceableOpInterface>(op)) {
    PlacementFacts facts = placeable.getPlacementFacts();
    if (facts.results[index].kind == ResultFact::updated)
      return extents(op->getOperand(facts.results[index].operand));
    return placeable.getResultExtents(index, *this);
  }
  return {};
}

// As at first, if what a trip hands to the next has the same extents as what it began with. That is supposed; if it
// does not hold, what followed from it is forgotten. When too much has been, since each such loop is gone through twice
// and loops in loops doubly so, it is no longer tried.
void SizeEvaluator::settleParameters(Operation *loop) {
  if (!visited.insert(loop).second)
    return;
  auto [parameters, initials, yielded] = *carriedValues(loop);
  for (auto [parameter, initial] : llvm::zip(parameters, initials))
    if (isa<RankedTensorType>(parameter.getType())) {
      shapes[parameter] = extents(initial);
      evaluated.push_back(parameter);
    }
  size_t known = evaluated.size();
  bool isTried = forgotten < kMostForgotten, holds = true;
  for (Region &region : isTried ? loop->getRegions() : MutableArrayRef<Region>())
    visit(region);
  SmallVector<Extents> found;
  for (auto [initial, next] : llvm::zip(initials, yielded)) {
    Extents all = extents(initial), later = isTried ? extents(next) : Extents(all.size(), Estimate());
    for (auto [now, then] : llvm::zip(all, later)) {
      if (isTried && now.value == then.value && now.exact == then.exact)
        continue;
      holds = false;
      now = {std::max(now.value, then.exact ? then.value : Assumed::extent), false};
    }
    found.push_back(std::move(all));
  }
  if (!holds)
    forget(known, loop);
  for (auto [parameter, extents] : llvm::zip(parameters, found))
    if (isa<RankedTensorType>(parameter.getType()))
      settle(parameter, extents);
}

void SizeEvaluator::forget(size_t known, Operation *loop) {
  forgotten += evaluated.size() - known;
  for (; evaluated.size() > known; evaluated.pop_back()) {
    scalars.erase(evaluated.back());
    shapes.erase(evaluated.back());
  }
  loop->walk([&](Operation *inner) {
    if (inner != loop)
      visited.erase(inner);
  });
}

static constexpr int64_t kMostBytes = int64_t{1} << 44;

int64_t SizeEvaluator::elements(Value value) {
  int64_t product = 1;
  for (Estimate extent : extents(value))
    product = saturatingProduct(product, extent.value);
  return std::min(product, kMostBytes);
}

int64_t SizeEvaluator::bytes(Value value) {
  return std::min(elements(value) * elementBytes(value.getType()), kMostBytes);
}

Estimate SizeEvaluator::trips(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return {Assumed::trips, false};
  auto lower = scalar(loop.getLowerBound()), upper = scalar(loop.getUpperBound()), step = scalar(loop.getStep());
  if (!lower || !upper || !step || step->value <= 0 || loop.getUnsignedCmp())
    return {Assumed::trips, false};
  int64_t distance;
  if (llvm::SubOverflow(upper->value, lower->value, distance))
    return {Assumed::trips, false};
  return {std::max<int64_t>(1, llvm::divideCeilSigned(distance, step->value)),
          lower->exact && upper->exact && step->exact};
}

SizeEvaluator &SizeEvaluator::withoutGuesses() {
  if (!certain)
    certain = std::make_unique<SizeEvaluator>(PlacementInputs{inputs->arguments, {}, {}});
  return *certain;
}

//===- What an earlier run found ----------------------------------------------------------------------------------===//

std::optional<Observation> SizeEvaluator::observed(Operation *op, Aspect aspect, unsigned result,
                                                   unsigned dimension) const {
  auto found = inputs->observed.find(siteName(op, aspect, result, dimension));
  return found == inputs->observed.end() || found->second.count <= 0 ? std::nullopt : std::optional(found->second);
}

std::optional<placement::Rational> SizeEvaluator::observedTrips(Operation *loop) const {
  auto entries = observed(loop, Aspect::entries), trips = observed(loop, Aspect::trips);
  if (!entries || !trips || trips->count < entries->count)
    return std::nullopt;
  return placement::Rational(trips->count, entries->count);
}

std::optional<placement::Rational> SizeEvaluator::observedProbability(Operation *branch) const {
  auto entries = observed(branch, Aspect::entries), then = observed(branch, Aspect::then);
  if (!entries || (then && then->count > entries->count))
    return std::nullopt;
  return placement::Rational(then ? then->count : 0, entries->count);
}

} // namespace ferry::array
