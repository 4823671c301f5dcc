// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fusion of SOACs within a block.
//
// Vertical: a map whose results are inputs of a SOAC over a grid of the same rank (the extents are then equal, since an
// input's extents are its grid's) is evaluated inside the SOAC's body. Where all uses of the map are such inputs it
// goes away; with several of them only if its body is so cheap that computing it again costs less than reading what it
// made. Where the map's results have other uses as well and the consumer is a map too, the two become one map that also
// yields the producer's results.
//
// By index: where a map's results are read at computed indices and its body is as cheap, reads at most one element
// included, each read evaluates the body at its index instead, and the map goes away.
//
// Horizontal: two independent maps, or two independent reductions, over the same grid that share an input become one,
// so that the input is read once.
//
// What is joined runs on one side. Where the host may read the results of both parts, one of them may be better off
// there: it would be made from what is brought over anyway. So a map is not joined with another unless parallel code
// alone reads the results of one of them (vertically), or of both (horizontally; two that cost the same, the host wants
// both or neither). The option one-side says that there is nothing to choose.
//
// The map runs later than it did, which is the same unless what it reads is consumed in between. What fails before
// still fails, though an error may be reported of another index. Blocks keep their operations: nothing crosses an
// array.pin, a loop or a branch.

#include "array/Canonicalize.h"
#include "array/Passes.h"
#include "array/Soac.h"

#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace ferry::array {

#define GEN_PASS_DEF_FUSE
#include "array/Passes.h.inc"

namespace {

bool isInputOf(OpOperand &use, Operation *consumer) {
  unsigned first = sizesOf(consumer).size(), number = use.getOperandNumber();
  return use.getOwner() == consumer && number >= first && number < first + inputsOf(consumer).size();
}

Value elementOfInput(OpOperand &use) {
  Operation *consumer = use.getOwner();
  return bodyOf(consumer).getArgument(use.getOperandNumber()); // sizes and inputs are as many as the arguments
}

// Whether a body may get a row as a value of its own instead of one read from an array. Only if it never becomes an
// array in memory: it is made by an inner map, which will fuse with the inner SOACs that alone read it.
bool rowsVanish(Value yielded, Region &producerBody, Value element) {
  if (!isa<RankedTensorType>(yielded.getType()))
    return true;
  Operation *maker = yielded.getDefiningOp();
  bool isStored = isDefinedOutside(yielded, producerBody) || !maker || isa<RowOp, SliceOp, PermuteOp>(maker);
  return llvm::all_of(element.getUses(), [&](OpOperand &use) {
    Operation *reader = use.getOwner();
    if (isStored)
      return true;
    if (!isSoac(reader) || !isInputOf(use, reader) || reader->getBlock() != element.getParentBlock() ||
        !element.hasOneUse())
      return false;
    auto map = dyn_cast<MapOp>(maker);
    return isa<IotaOp, ReplicateOp>(maker) || (map && map.getSizes().size() == sizesOf(reader).size());
  });
}

bool canTakeIn(MapOp producer, OpOperand &use) {
  Operation *consumer = use.getOwner();
  if (!isSoac(consumer) || !isInputOf(use, consumer) || consumer->getBlock() != producer->getBlock() ||
      sizesOf(consumer).size() != producer.getSizes().size() || !canSinkTo(producer, consumer))
    return false;
  Value yielded = producer.getBody().front().getTerminator()->getOperand(cast<OpResult>(use.get()).getResultNumber());
  return rowsVanish(yielded, producer.getBody(), elementOfInput(use));
}

// Extents of the map's results are its grid's.
void forwardExtents(MapOp map) {
  for (Operation *user : llvm::make_early_inc_range(map->getUsers()))
    if (auto dim = dyn_cast<DimOp>(user))
      if (dim.getDimension() < map.getSizes().size()) {
        dim.replaceAllUsesWith(map.getSizes()[dim.getDimension()]);
        dim.erase();
      }
}

// The consumer's body evaluates the producer's at each point; returns what that yields there.
SmallVector<Value> takeIn(MapOp producer, Operation *consumer) {
  Block &body = bodyOf(consumer).front();
  unsigned gridRank = producer.getSizes().size();
  SmallVector<Value> arguments(body.getArguments().take_front(gridRank));
  for (Value input : producer.getInputs()) {
    inputsOf(consumer).append(input);
    unsigned position = gridRank + inputsOf(consumer).size() - 1;
    Type element = producer.getBody().getArgument(arguments.size()).getType();
    arguments.push_back(body.insertArgument(position, element, input.getLoc()));
  }
  OpBuilder builder(&body, body.begin());
  SmallVector<Value> yields = inlineBody(builder, producer.getBody(), arguments);
  MutableOperandRange inputs = inputsOf(consumer);
  for (unsigned i = inputs.size(); i-- > 0;) {
    Value input = inputs[i].get();
    if (input.getDefiningOp() != producer)
      continue;
    body.getArgument(gridRank + i).replaceAllUsesWith(yields[cast<OpResult>(input).getResultNumber()]);
    body.eraseArgument(gridRank + i);
    inputs.erase(i);
  }
  return yields;
}

// A read of a map's result at computed indices: of the array, or of a row of it that is in bounds. Its own indices come
// last.
struct IndexedRead {
  ElementOp element;
  SmallVector<Value> indices;
};

// The reads that all uses of the map's results are; none if there are other uses.
std::optional<SmallVector<IndexedRead>> indexedReads(MapOp map) {
  SmallVector<IndexedRead> reads;
  for (Operation *user : map->getUsers()) {
    if (auto element = dyn_cast<ElementOp>(user)) {
      reads.push_back({element, SmallVector<Value>(element.getIndices())});
      continue;
    }
    auto row = dyn_cast<RowOp>(user);
    if (!row || !row.getUnchecked())
      return std::nullopt;
    for (Operation *reader : row->getUsers()) {
      auto element = dyn_cast<ElementOp>(reader);
      if (!element)
        return std::nullopt;
      SmallVector<Value> indices(row.getIndices());
      llvm::append_range(indices, element.getIndices());
      reads.push_back({element, indices});
    }
  }
  return reads;
}

bool hostMayWant(MapOp map) { return llvm::any_of(map.getResults(), mayBeReadOnHost); }

class Fuser {
public:
  explicit Fuser(bool oneSide) : oneSide(oneSide) {}
  bool hasFused = false;

  void fuseIn(Region &region) {
    for (Block &block : region) {
      while (fuseOnce(block))
        ;
      for (Operation &op : block)
        for (Region &inner : op.getRegions())
          fuseIn(inner);
    }
  }

private:
  bool fuseOnce(Block &block) {
    SmallVector<MapOp> maps(block.getOps<MapOp>());
    for (MapOp map : llvm::reverse(maps))
      if (fuseIntoUsers(map) || fuseIntoReads(map) || mergeWithUser(map))
        return true;
    return fuseSiblings(block);
  }

  // All uses are inputs that can take the map in.
  bool fuseIntoUsers(MapOp map) {
    forwardExtents(map);
    if (map->use_empty() || !llvm::all_of(map->getUses(), [&](OpOperand &use) { return canTakeIn(map, use); }))
      return false;
    llvm::SetVector<Operation *> consumers(map->user_begin(), map->user_end());
    if (consumers.size() > 1 && !isCheapMap(map))
      return false;
    for (Operation *consumer : consumers)
      takeIn(map, consumer);
    map.erase();
    hasFused = true;
    return true;
  }

  bool fuseIntoReads(MapOp map) {
    auto reads = isCheapMap(map) ? indexedReads(map) : std::nullopt;
    if (!reads || reads->empty() || llvm::any_of(map.getResultTypes(), [&](Type type) {
          return cast<RankedTensorType>(type).getRank() != static_cast<int64_t>(map.getSizes().size());
        }))
      return false;
    for (IndexedRead &read : *reads) {
      bool isChecked = !read.element.getUnchecked();
      Operation *reader = map->getBlock()->findAncestorOpInBlock(*read.element);
      // Code outside of SOACs keeps its arrays: where they live is a decision of placement.
      if ((isChecked && read.element.getIndices().size() != 1) || !isSoac(reader) || !canSinkTo(map, reader))
        return false;
    }
    for (const IndexedRead &read : *reads)
      evaluateAt(map, read);
    for (Operation *user : llvm::make_early_inc_range(map->getUsers()))
      user->erase();
    map.erase();
    hasFused = true;
    return true;
  }

  static void evaluateAt(MapOp map, const IndexedRead &read) {
    ElementOp element = read.element;
    OpBuilder builder(element);
    assertIndex(builder, element, map.getSizes().back());
    SmallVector<Value> arguments = read.indices;
    for (Value input : map.getInputs())
      arguments.push_back(ElementOp::create(builder, element.getLoc(),
                                            elementAfter(input.getType(), read.indices.size()), input, read.indices,
                                            builder.getUnitAttr()));
    Value array = element.getArray();
    if (auto row = array.getDefiningOp<RowOp>())
      array = row.getArray();
    SmallVector<Value> yields = inlineBody(builder, map.getBody(), arguments);
    element.replaceAllUsesWith(yields[cast<OpResult>(array).getResultNumber()]);
    element.erase();
  }

  // The first user is a map that can take this one in, and the others come after it.
  bool mergeWithUser(MapOp map) {
    Operation *first = nullptr;
    for (Operation *user : map->getUsers()) {
      Operation *sibling = map->getBlock()->findAncestorOpInBlock(*user);
      if (!first || sibling->isBeforeInBlock(first))
        first = sibling;
    }
    auto consumer = dyn_cast_or_null<MapOp>(first);
    if (!consumer || !llvm::all_of(map->getUses(), [&](OpOperand &use) {
          return use.getOwner() != consumer
                     ? !consumer->isAncestor(use.getOwner())
                     : canTakeIn(map, use) && !isa<RankedTensorType>(elementOfInput(use).getType());
        }))
      return false;
    if (!oneSide && hostMayWant(map) && hostMayWant(consumer))
      return false;
    SmallVector<Value> results(map.getResults());
    llvm::append_range(results, consumer.getResults());
    SmallVector<Value> yields = takeIn(map, consumer);
    llvm::append_range(yields, consumer.getBody().front().getTerminator()->getOperands());
    replaceBy(results, yields, consumer);
    map.erase();
    hasFused = true;
    return true;
  }

  // One map that yields what two did, in place of `last`, whose body it takes.
  void replaceBy(SmallVector<Value> results, ArrayRef<Value> yields, MapOp last) {
    OpBuilder builder(last);
    MapOp merged = rebuildMap(builder, last, yields);
    for (auto [old, result] : llvm::zip_equal(results, merged.getResults()))
      old.replaceAllUsesWith(result);
    last.erase();
  }

  bool fuseSiblings(Block &block) {
    SmallVector<Operation *> soacs;
    for (Operation &op : block)
      if (isa<MapOp, ReduceOp>(op))
        soacs.push_back(&op);
    for (auto [i, first] : llvm::enumerate(soacs))
      for (Operation *second : ArrayRef(soacs).drop_front(i + 1))
        if (areSiblings(first, second) && joinSiblings(first, second))
          return true;
    return false;
  }

  bool wantOneSide(MapOp first, MapOp second) const {
    bool onHost = hostMayWant(first);
    return oneSide || (onHost == hostMayWant(second) && (!onHost || isCheapMap(first) == isCheapMap(second)));
  }

  bool areSiblings(Operation *first, Operation *second) const {
    if (first->getName() != second->getName() || !llvm::equal(sizesOf(first), sizesOf(second)))
      return false;
    if (auto reduce = dyn_cast<ReduceOp>(first);
        reduce && reduce.getCommutative() != cast<ReduceOp>(second).getCommutative())
      return false;
    if (auto map = dyn_cast<MapOp>(first); map && !wantOneSide(map, cast<MapOp>(second)))
      return false;
    auto inputs = inputsOf(first).getAsOperandRange();
    return llvm::any_of(inputsOf(second).getAsOperandRange(),
                        [&](Value input) { return llvm::is_contained(inputs, input); });
  }

  // Where one of the two can move to the other.
  bool joinSiblings(Operation *first, Operation *second) {
    bool canSink = canSinkTo(first, second) && llvm::all_of(first->getUsers(), [&](Operation *user) {
                     Operation *sibling = first->getBlock()->findAncestorOpInBlock(*user);
                     return sibling && second->isBeforeInBlock(sibling);
                   });
    if (!canSink)
      return false;
    if (auto map = dyn_cast<MapOp>(first))
      joinMaps(map, cast<MapOp>(second));
    else
      joinReductions(cast<ReduceOp>(first), cast<ReduceOp>(second));
    hasFused = true;
    return true;
  }

  void joinMaps(MapOp first, MapOp second) {
    SmallVector<Value> results(first.getResults());
    llvm::append_range(results, second.getResults());
    SmallVector<Value> yields = takeIn(first, second);
    llvm::append_range(yields, second.getBody().front().getTerminator()->getOperands());
    replaceBy(results, yields, second);
    first.erase();
  }

  // The operator of both: each part of the first, then each of the second.
  void joinReductions(ReduceOp first, ReduceOp second) {
    OpBuilder builder(second);
    SmallVector<Value> neutral(first.getNeutral()), inputs(first.getInputs());
    llvm::append_range(neutral, second.getNeutral());
    llvm::append_range(inputs, second.getInputs());
    SmallVector<Type> types = llvm::map_to_vector(neutral, [](Value v) { return v.getType(); });
    auto joined = ReduceOp::create(builder, first.getLoc(), types, second.getSizes(), inputs, neutral,
                                   second.getCommutativeAttr());
    joinBodies(first, second, joined);
    joinCombiners(first, second, joined);
    SmallVector<Value> results(first.getResults());
    llvm::append_range(results, second.getResults());
    for (auto [old, result] : llvm::zip_equal(results, joined.getResults()))
      old.replaceAllUsesWith(result);
    second.erase();
    first.erase();
  }

  static void joinBodies(ReduceOp first, ReduceOp second, ReduceOp joined) {
    OpBuilder builder(joined.getContext());
    Block *body = builder.createBlock(&joined.getBody());
    unsigned gridRank = joined.getSizes().size();
    auto addArguments = [&](ArrayRef<BlockArgument> arguments) {
      SmallVector<Value> added;
      for (BlockArgument argument : arguments)
        added.push_back(body->addArgument(argument.getType(), argument.getLoc()));
      return added;
    };
    SmallVector<Value> ofFirst = addArguments(first.getBody().getArguments()), yields;
    SmallVector<Value> ofSecond(ArrayRef(ofFirst).take_front(gridRank));
    llvm::append_range(ofSecond, addArguments(second.getBody().getArguments().drop_front(gridRank)));
    llvm::append_range(yields, inlineBody(builder, first.getBody(), ofFirst));
    llvm::append_range(yields, inlineBody(builder, second.getBody(), ofSecond));
    YieldOp::create(builder, joined.getLoc(), yields);
  }

  static void joinCombiners(ReduceOp first, ReduceOp second, ReduceOp joined) {
    OpBuilder builder(joined.getContext());
    Block *body = builder.createBlock(&joined.getCombiner());
    SmallVector<Value> ofFirst(2 * first.getNumResults()), ofSecond(2 * second.getNumResults()), yields;
    // Accumulated values of both, then new values of both.
    for (unsigned half : {0, 1})
      for (auto [reduce, arguments] : {std::pair(first, &ofFirst), std::pair(second, &ofSecond)})
        for (unsigned part = 0; part < reduce.getNumResults(); ++part) {
          unsigned position = half * reduce.getNumResults() + part;
          BlockArgument old = reduce.getCombiner().getArgument(position);
          (*arguments)[position] = body->addArgument(old.getType(), old.getLoc());
        }
    llvm::append_range(yields, inlineBody(builder, first.getCombiner(), ofFirst));
    llvm::append_range(yields, inlineBody(builder, second.getCombiner(), ofSecond));
    YieldOp::create(builder, joined.getLoc(), yields);
  }

  bool oneSide;
};

class Fuse : public impl::FuseBase<Fuse> {
  using FuseBase::FuseBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    addAllPatterns(patterns);
    FrozenRewritePatternSet simplify(std::move(patterns));
    // Each round makes the next one's operations fewer; a round without fusion is the last.
    while (true) {
      (void)applyPatternsGreedily(getOperation(), simplify);
      Fuser fuser(oneSide);
      fuser.fuseIn(getOperation().getBodyRegion());
      if (!fuser.hasFused)
        return;
    }
  }
};

} // namespace
} // namespace ferry::array
