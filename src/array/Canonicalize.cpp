// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Canonicalizations of SOACs: what they need not read, need not make, or need not be. Those of single operations on
// arrays are in CanonicalizeViews.cpp.

#include "array/Canonicalize.h"
#include "array/Soac.h"

#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace ferry::array {
namespace {

void eraseInputs(PatternRewriter &rewriter, Operation *soac, const llvm::SmallBitVector &which) {
  unsigned gridRank = sizesOf(soac).size();
  rewriter.modifyOpInPlace(soac, [&] {
    MutableOperandRange inputs = inputsOf(soac);
    Block &body = bodyOf(soac).front();
    for (unsigned i = which.size(); i-- > 0;)
      if (which.test(i)) {
        inputs.erase(i);
        body.eraseArgument(gridRank + i);
      }
  });
}

// Inputs that the body does not use, and inputs that it gets twice.
template <typename Op> struct DropInputs : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    OperandRange inputs = op.getInputs();
    auto elements = bodyOf(op).getArguments().drop_front(sizesOf(op).size());
    llvm::SmallBitVector drop(inputs.size());
    llvm::SmallDenseMap<Value, unsigned> first;
    for (unsigned i = 0; i < inputs.size(); ++i) {
      auto [before, isNew] = first.try_emplace(inputs[i], i);
      if (!isNew)
        rewriter.replaceAllUsesWith(elements[i], elements[before->second]);
    }
    for (unsigned i = 0; i < inputs.size(); ++i)
      if (elements[i].use_empty())
        drop.set(i);
    if (drop.none())
      return failure();
    eraseInputs(rewriter, op, drop);
    return success();
  }
};

// The element that an array made by `maker` has at the point of the grid; null if it must be read.
Value madeElement(OpBuilder &builder, Operation *maker, ValueRange indices) {
  if (auto iota = dyn_cast_or_null<IotaOp>(maker); iota && indices.size() == 1)
    return elementOfIota(builder, iota, indices[0]);
  auto replicate = dyn_cast_or_null<ReplicateOp>(maker);
  if (!replicate || replicate.getSizes().size() > indices.size())
    return {};
  ValueRange rest = indices.drop_front(replicate.getSizes().size());
  Value value = replicate.getValue();
  if (rest.empty())
    return value;
  auto unchecked = builder.getUnitAttr();
  Type element = elementAfter(value.getType(), rest.size());
  if (isa<RankedTensorType>(element))
    return RowOp::create(builder, maker->getLoc(), element, value, rest, unchecked);
  return ElementOp::create(builder, maker->getLoc(), element, value, rest, unchecked);
}

// Inputs made by iota or replicate: the body computes the element instead.
template <typename Op> struct ComputeMadeInputs : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    unsigned gridRank = sizesOf(op).size();
    Block &body = bodyOf(op).front();
    llvm::SmallBitVector made(op.getInputs().size());
    rewriter.setInsertionPointToStart(&body);
    for (auto [i, input] : llvm::enumerate(op.getInputs())) {
      Value element = madeElement(rewriter, input.getDefiningOp(), body.getArguments().take_front(gridRank));
      if (!element)
        continue;
      rewriter.replaceAllUsesWith(body.getArgument(gridRank + i), element);
      made.set(i);
    }
    if (made.none())
      return failure();
    eraseInputs(rewriter, op, made);
    return success();
  }
};

// What the results of a map that need no evaluation are instead: null for the others.
Value withoutMap(PatternRewriter &rewriter, MapOp map, Value yielded, OpResult result) {
  auto isConsumed = [](Value array) {
    return llvm::any_of(array.getUsers(),
                        [&](Operation *user) { return llvm::is_contained(consumedOperands(user), array); });
  };
  if (isDefinedOutside(yielded, map.getBody()))
    return ReplicateOp::create(rewriter, map.getLoc(), result.getType(), map.getSizes(), yielded);
  auto argument = dyn_cast<BlockArgument>(yielded);
  if (!argument || argument.getOwner() != &map.getBody().front())
    return {};
  unsigned gridRank = map.getSizes().size();
  if (argument.getArgNumber() >= gridRank) {
    Value input = map.getInputs()[argument.getArgNumber() - gridRank];
    return isConsumed(result) || input.getType() != result.getType() ? Value() : input;
  }
  if (gridRank != 1)
    return {};
  Value zero = arith::ConstantIntOp::create(rewriter, map.getLoc(), 0, 64);
  Value one = arith::ConstantIntOp::create(rewriter, map.getLoc(), 1, 64);
  return IotaOp::create(rewriter, map.getLoc(), result.getType(), map.getSizes().front(), zero, one);
}

// Results of a map that are unused, constant along the grid, an input, or the index.
struct DropMapResults : OpRewritePattern<MapOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MapOp map, PatternRewriter &rewriter) const override {
    Operation *yield = map.getBody().front().getTerminator();
    SmallVector<Value> kept;
    SmallVector<OpResult> keptResults;
    for (auto [yielded, result] : llvm::zip_equal(yield->getOperands(), map->getResults())) {
      if (result.use_empty())
        continue;
      if (Value instead = withoutMap(rewriter, map, yielded, result)) {
        rewriter.replaceAllUsesWith(result, instead);
        continue;
      }
      kept.push_back(yielded);
      keptResults.push_back(result);
    }
    if (kept.size() == map.getNumResults())
      return failure();
    SmallVector<Type> types = llvm::map_to_vector(keptResults, [](OpResult r) { return r.getType(); });
    auto smaller = MapOp::create(rewriter, map.getLoc(), types, map.getSizes(), map.getInputs());
    smaller->setDiscardableAttrs(map->getDiscardableAttrDictionary());
    rewriter.inlineRegionBefore(map.getBody(), smaller.getBody(), smaller.getBody().end());
    Operation *end = smaller.getBody().front().getTerminator();
    rewriter.modifyOpInPlace(end, [&] { end->setOperands(kept); });
    for (auto [result, replacement] : llvm::zip_equal(keptResults, smaller.getResults()))
      rewriter.replaceAllUsesWith(result, replacement);
    rewriter.eraseOp(map);
    return success();
  }
};

// Which values of an operator are needed to compute those that are used.
llvm::SmallBitVector neededParts(Region &combiner, llvm::SmallBitVector needed) {
  Block &block = combiner.front();
  unsigned parts = needed.size();
  SmallVector<Value> work;
  llvm::SmallPtrSet<Value, 16> seen;
  auto need = [&](Value value) {
    if (seen.insert(value).second)
      work.push_back(value);
  };
  for (unsigned part : needed.set_bits())
    need(block.getTerminator()->getOperand(part));
  for (Operation &op : block)
    if (!isMemoryEffectFree(&op) && !op.hasTrait<OpTrait::IsTerminator>())
      op.walk([&](Operation *inner) { llvm::for_each(inner->getOperands(), need); });
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == &block) {
      unsigned part = argument.getArgNumber() % parts;
      if (!needed.test(part)) {
        needed.set(part);
        need(block.getTerminator()->getOperand(part));
      }
    } else if (Operation *op = value.getDefiningOp(); op && combiner.isAncestor(op->getParentRegion())) {
      op->walk([&](Operation *inner) { llvm::for_each(inner->getOperands(), need); });
    }
  }
  return needed;
}

// Results of a reduction or scan that are unused and that no used one depends on.
template <typename Op> struct DropCombinedResults : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    unsigned parts = op->getNumResults();
    llvm::SmallBitVector needed(parts);
    for (OpResult result : op->getResults())
      if (!result.use_empty())
        needed.set(result.getResultNumber());
    if (needed.none() || needed.all())
      return failure();
    needed = neededParts(op.getCombiner(), needed);
    if (needed.all())
      return failure();
    rewrite(op, needed, rewriter);
    return success();
  }

private:
  // The operation with `needed` parts only, made in place of `op` with op's regions.
  static void rewrite(Op op, const llvm::SmallBitVector &needed, PatternRewriter &rewriter) {
    auto pick = [&](auto range) {
      SmallVector<Value> picked;
      for (unsigned part : needed.set_bits())
        picked.push_back(range[part]);
      return picked;
    };
    for (Region *region : {&op.getBody(), &op.getCombiner()}) {
      Operation *end = region->front().getTerminator();
      rewriter.modifyOpInPlace(end, [&] { end->setOperands(pick(SmallVector<Value>(end->getOperands()))); });
    }
    SmallVector<Value> kept = pick(op->getResults());
    SmallVector<Type> types = llvm::map_to_vector(kept, [](Value v) { return v.getType(); });
    auto smaller = create(op, types, pick(op.getNeutral()), rewriter);
    rewriter.inlineRegionBefore(op.getBody(), smaller.getBody(), smaller.getBody().end());
    rewriter.inlineRegionBefore(op.getCombiner(), smaller.getCombiner(), smaller.getCombiner().end());
    Block &combiner = smaller.getCombiner().front();
    for (unsigned part = 2 * needed.size(); part-- > 0;)
      if (!needed.test(part % needed.size())) {
        // An operation without a use may still name the argument; it is as dead as the part.
        Value argument = combiner.getArgument(part);
        rewriter.replaceAllUsesWith(argument, op.getNeutral()[part % needed.size()]);
        combiner.eraseArgument(part);
      }
    for (auto [result, replacement] : llvm::zip_equal(kept, smaller->getResults()))
      rewriter.replaceAllUsesWith(result, replacement);
    rewriter.eraseOp(op);
  }

  static ReduceOp create(ReduceOp op, TypeRange types, ValueRange neutral, PatternRewriter &rewriter) {
    return ReduceOp::create(rewriter, op.getLoc(), types, op.getSizes(), op.getInputs(), neutral,
                            op.getCommutativeAttr());
  }
  static ScanOp create(ScanOp op, TypeRange types, ValueRange neutral, PatternRewriter &rewriter) {
    return ScanOp::create(rewriter, op.getLoc(), types, op.getSize(), op.getInputs(), neutral);
  }
};

// Kept values of a filter that nobody uses.
struct DropFilterResults : OpRewritePattern<FilterOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(FilterOp op, PatternRewriter &rewriter) const override {
    Operation *yield = op.getBody().front().getTerminator();
    SmallVector<Value> yields = {yield->getOperand(0)}, kept;
    for (auto [result, yielded] : llvm::zip_equal(op.getResults(), yield->getOperands().drop_front()))
      if (!result.use_empty()) {
        kept.push_back(result);
        yields.push_back(yielded);
      }
    if (kept.size() == op.getResults().size())
      return failure();
    SmallVector<Type> types = llvm::map_to_vector(kept, [](Value v) { return v.getType(); });
    auto smaller = FilterOp::create(rewriter, op.getLoc(), rewriter.getI64Type(), types, op.getSize(), op.getInputs());
    smaller->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.inlineRegionBefore(op.getBody(), smaller.getBody(), smaller.getBody().end());
    Operation *end = smaller.getBody().front().getTerminator();
    rewriter.modifyOpInPlace(end, [&] { end->setOperands(yields); });
    rewriter.replaceAllUsesWith(op.getCount(), smaller.getCount());
    for (auto [result, replacement] : llvm::zip_equal(kept, smaller.getResults()))
      rewriter.replaceAllUsesWith(result, replacement);
    rewriter.eraseOp(op);
    return success();
  }
};

template <template <typename> class Pattern> void addForEachSoac(RewritePatternSet &patterns) {
  patterns
      .add<Pattern<MapOp>, Pattern<ReduceOp>, Pattern<ScanOp>, Pattern<HistOp>, Pattern<ScatterOp>, Pattern<FilterOp>>(
          patterns.getContext());
}

} // namespace

void addSoacPatterns(RewritePatternSet &patterns) {
  addDroppingPatterns(patterns);
  addForEachSoac<ComputeMadeInputs>(patterns);
}

void addDroppingPatterns(RewritePatternSet &patterns) {
  addForEachSoac<DropInputs>(patterns);
  patterns.add<DropMapResults, DropCombinedResults<ReduceOp>, DropCombinedResults<ScanOp>, DropFilterResults>(
      patterns.getContext());
}

} // namespace ferry::array
