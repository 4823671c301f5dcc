// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps of maps become maps over grids of more dimensions.
//
// The operations at the top of a map's body are cut into pieces: an inner map whose extents do not vary with the outer
// index is a piece of its own, a grid map over both extents; what lies between (scalar code, loops, reductions, scans)
// is gathered into maps over the outer extents. What a piece makes for a later one, a scalar or a row, becomes an array
// over the outer grid, except what is so cheap that each piece computes it again: index arithmetic and views.
//
//   map i { a = f i; ys = map j { g a j }; s = reduce ys; zs = map j { h s ys[j] }; yield zs }
//
//   as  = map i { f i }                  ss = map i { reduce yss[i] }
//   yss = map i, j { g as[i] j }         zss = map i, j { h ss[i] yss[i, j] }
//
// So no piece allocates what an inner map makes, and both levels run in parallel. A map around a lone reduction stays:
// each of its threads reduces a row. So does what is inside a sequential loop in the body, and inner maps of a small
// constant extent, which one thread does faster than it would read what the other pieces store.
//
// Errors stay: a check that a piece computes is computed at least once for each outer index, never under an inner grid
// that may be empty.

#include "array/Canonicalize.h"
#include "array/Passes.h"
#include "array/Soac.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace ferry::array {

#define GEN_PASS_DEF_DISTRIBUTE
#include "array/Passes.h.inc"

namespace {

// An inner map of fewer points than this stays in its thread.
constexpr int64_t smallExtent = 32;

// Computed again in each piece that uses it.
bool isCheap(Operation *op) {
  if (op->getNumRegions() != 0 || !isPure(op))
    return isa<RowOp, SliceOp>(op) && op->hasAttr("unchecked");
  return op->getDialect()->getNamespace() == "arith" || isa<DimOp, PermuteOp>(op);
}

// What the operation uses of values defined in the region it is in.
llvm::SetVector<Value> usedFrom(Region &body, Operation *op) {
  llvm::SetVector<Value> used, all(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), all);
  for (Value value : all)
    if (!isDefinedOutside(value, body))
      used.insert(value);
  return used;
}

bool isConsumedIn(Value array, Region &body) {
  SmallVector<Value> work = {array};
  while (!work.empty()) {
    Value value = work.pop_back_val();
    for (Operation *user : value.getUsers()) {
      if (llvm::is_contained(consumedOperands(user), value))
        return true;
      if (isa<RowOp, SliceOp, PermuteOp, ReshapeOp>(user))
        work.push_back(user->getResult(0));
    }
  }
  return false;
}

class Distributor {
public:
  explicit Distributor(MapOp map) : map(map), body(map.getBody()), builder(map) {}

  // The maps in place of the given one, which is gone; none if it stays.
  SmallVector<MapOp> run() {
    hoistExtents();
    if (llvm::none_of(body.front(), [&](Operation &op) { return isParallel(op); }))
      return {};
    separateChecks();
    findPieces();
    findStored();
    SmallVector<MapOp> made;
    for (Piece &piece : pieces)
      made.push_back(piece.inner ? emitGrid(piece) : emitOuter(piece));
    replaceResults();
    return made;
  }

private:
  // An inner map, or other operations of the body.
  struct Piece {
    MapOp inner;
    SmallVector<Operation *> operations;
    llvm::SetVector<Value> stored; // made here and used by another piece, or yielded
  };

  //===- Cutting ------------------------------------------------------------------------------------------------===//

  // Extents of rows are extents of the inputs; pure computations from outside values move out.
  void hoistExtents() {
    unsigned gridRank = map.getSizes().size();
    for (DimOp dim : llvm::make_early_inc_range(body.getOps<DimOp>())) {
      auto row = dyn_cast<BlockArgument>(dim.getArray());
      if (!row || row.getOwner() != &body.front())
        continue;
      Value input = map.getInputs()[row.getArgNumber() - gridRank];
      dim.replaceAllUsesWith(builder.createOrFold<DimOp>(dim.getLoc(), input, int64_t(dim.getDimension() + gridRank)));
      dim.erase();
    }
    for (Operation &op : llvm::make_early_inc_range(body.front().without_terminator()))
      if (op.getNumRegions() == 0 && isPure(&op) &&
          llvm::all_of(op.getOperands(), [&](Value v) { return isDefinedOutside(v, body); }))
        op.moveBefore(map);
  }

  bool isParallel(Operation &op) {
    auto inner = dyn_cast<MapOp>(op);
    if (!inner || inner.getNumResults() == 0)
      return false;
    for (Value size : inner.getSizes()) {
      auto constant = getConstantIntValue(size);
      if (!isDefinedOutside(size, body) || (constant && *constant < smallExtent))
        return false;
    }
    return llvm::none_of(inner.getResults(), [&](Value result) { return isConsumedIn(result, body); });
  }

  // A checked row becomes a check and a view, so that the view is not stored.
  void separateChecks() {
    for (RowOp row : llvm::make_early_inc_range(body.getOps<RowOp>())) {
      if (row.getUnchecked() || row.getIndices().size() != 1)
        continue;
      OpBuilder here(row);
      SmallVector<Value> values = {row.getIndices().front()};
      std::string message = "Index [{0}] out of bounds for array of shape ";
      for (int64_t d = 0; d < cast<RankedTensorType>(row.getArray().getType()).getRank(); ++d) {
        message += "[{" + std::to_string(d + 1) + "}]";
        values.push_back(here.createOrFold<DimOp>(row.getLoc(), row.getArray(), d));
      }
      // As unsigned numbers, negative indices are too large as well.
      Value inside = arith::CmpIOp::create(here, row.getLoc(), arith::CmpIPredicate::ult, values[0], values[1]);
      AssertOp::create(here, row.getLoc(), inside, here.getStringAttr(message + "."), values);
      row.setUnchecked(true);
    }
  }

  // Puts each operation that is not cheap into the first piece after those that it depends on.
  void findPieces() {
    for (Operation &op : body.front().without_terminator()) {
      if (isCheap(&op))
        continue;
      if (isParallel(op)) {
        pieceOf[&op] = pieces.size();
        pieces.push_back({cast<MapOp>(op), {}, {}});
      } else {
        unsigned piece = outerPieceAfter(lastPieceOf(&op));
        pieceOf[&op] = piece;
        pieces[piece].operations.push_back(&op);
      }
    }
  }

  // The last of the pieces whose values an operation uses, through cheap ones; -1 if none.
  int lastPieceOf(Operation *op) {
    int last = -1;
    for (Value value : usedFrom(body, op))
      last = std::max(last, lastPieceOf(value));
    return last;
  }

  int lastPieceOf(Value value) {
    Operation *maker = value.getDefiningOp();
    if (!maker || isDefinedOutside(value, body))
      return -1;
    auto known = pieceOf.find(maker);
    return known != pieceOf.end() ? static_cast<int>(known->second) : lastPieceOf(maker);
  }

  unsigned outerPieceAfter(int piece) {
    for (unsigned candidate = std::max(piece, 0); candidate < pieces.size(); ++candidate)
      if (!pieces[candidate].inner)
        return candidate;
    pieces.emplace_back();
    return pieces.size() - 1;
  }

  // Marks what a use in `user` needs from other pieces.
  void need(Value value, int user) {
    Operation *maker = value.getDefiningOp();
    if (!maker || isDefinedOutside(value, body))
      return;
    auto piece = pieceOf.find(maker);
    if (piece == pieceOf.end()) {
      for (Value operand : usedFrom(body, maker))
        need(operand, user);
    } else if (static_cast<int>(piece->second) != user) {
      pieces[piece->second].stored.insert(value);
    }
  }

  void findStored() {
    for (auto [op, piece] : pieceOf)
      for (Value value : usedFrom(body, op))
        need(value, piece);
    for (Value yielded : body.front().getTerminator()->getOperands()) {
      Operation *maker = yielded.getDefiningOp();
      bool isMade = maker && pieceOf.contains(maker);
      unsigned piece = isMade ? pieceOf[maker] : outerPieceAfter(maker ? lastPieceOf(yielded) : -1);
      if (!isMade)
        need(yielded, piece);
      pieces[piece].stored.insert(yielded);
    }
  }

  //===- Emitting -----------------------------------------------------------------------------------------------===//

  static RankedTensorType gridType(Type element, int64_t gridRank) {
    auto row = dyn_cast<RankedTensorType>(element);
    return row ? arrayType(row.getElementType(), gridRank + row.getRank()) : arrayType(element, gridRank);
  }

  // The array over the outer grid that holds a value of the body; null if there is none.
  Value gridArray(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == &body.front()) {
      unsigned gridRank = map.getSizes().size();
      return argument.getArgNumber() < gridRank ? Value() : map.getInputs()[argument.getArgNumber() - gridRank];
    }
    return arrays.lookup(value);
  }

  // A value of the body inside a piece, at the builder's place.
  Value resolve(Value value, IRMapping &known, ValueRange indices) {
    if (isDefinedOutside(value, body))
      return value;
    if (Value found = known.lookupOrNull(value))
      return found;
    Value result;
    if (Value array = gridArray(value)) {
      result = read(array, indices, value.getLoc());
    } else {
      Operation *maker = value.getDefiningOp();
      for (Value operand : usedFrom(body, maker))
        resolve(operand, known, indices);
      result = builder.clone(*maker, known)->getResult(cast<OpResult>(value).getResultNumber());
    }
    known.map(value, result);
    return result;
  }

  // The element or row at indices that are in bounds.
  Value read(Value array, ValueRange indices, Location loc) {
    Type type = elementAfter(array.getType(), indices.size());
    if (isa<RankedTensorType>(type))
      return RowOp::create(builder, loc, type, array, indices, builder.getUnitAttr());
    return ElementOp::create(builder, loc, type, array, indices, builder.getUnitAttr());
  }

  void resolveUses(Operation *op, IRMapping &known, ValueRange indices) {
    for (Value value : usedFrom(body, op))
      resolve(value, known, indices);
  }

  // An array that is a result of the whole keeps its name.
  Location locationOf(MapOp inner) {
    bool isResult = llvm::any_of(body.front().getTerminator()->getOperands(),
                                 [&](Value yielded) { return yielded.getDefiningOp() == inner; });
    return isResult ? map.getLoc() : inner.getLoc();
  }

  // The body of a grid map: index arguments for the outer grid, then the inner one.
  MapOp emitGrid(Piece &piece) {
    MapOp inner = piece.inner;
    unsigned outerRank = map.getSizes().size(), innerRank = inner.getSizes().size();
    SmallVector<Value> sizes(map.getSizes()), inputs;
    llvm::append_range(sizes, inner.getSizes());
    for (Value input : inner.getInputs())
      if (!isDefinedOutside(input, body))
        if (Value array = gridArray(input))
          inputs.push_back(array);
    SmallVector<Type> types =
        llvm::map_to_vector(inner.getResultTypes(), [&](Type row) -> Type { return gridType(row, outerRank); });
    auto grid = MapOp::create(builder, locationOf(inner), types, sizes, inputs);
    grid->setDiscardableAttrs(inner->getDiscardableAttrDictionary());

    OpBuilder::InsertionGuard guard(builder);
    Block *block = builder.createBlock(&grid.getBody());
    for (unsigned d = 0; d < outerRank + innerRank; ++d)
      block->addArgument(builder.getI64Type(), inner.getLoc());
    SmallVector<Value> indices(block->getArguments()), arguments(ArrayRef(indices).drop_front(outerRank));
    ArrayRef<Value> outer = ArrayRef(indices).take_front(outerRank), at = ArrayRef(indices).drop_front(outerRank);
    IRMapping known;
    known.map(body.getArguments().take_front(outerRank), outer);
    for (auto [input, argument] :
         llvm::zip_equal(inner.getInputs(), inner.getBody().getArguments().drop_front(innerRank))) {
      if (!isDefinedOutside(input, body) && gridArray(input))
        arguments.push_back(block->addArgument(argument.getType(), argument.getLoc()));
      else
        arguments.push_back(read(resolve(input, known, outer), at, argument.getLoc()));
    }
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(inner.getBody(), captured);
    for (Value value : captured)
      resolve(value, known, outer);
    known.map(inner.getBody().getArguments(), arguments);
    for (Operation &op : inner.getBody().front())
      builder.clone(op, known);
    for (auto [result, array] : llvm::zip_equal(inner.getResults(), grid.getResults()))
      arrays[result] = array;
    return grid;
  }

  // A map over the outer grid that yields what others need of the piece.
  MapOp emitOuter(Piece &piece) {
    SmallVector<Type> types;
    for (Value value : piece.stored)
      types.push_back(gridType(value.getType(), map.getSizes().size()));
    auto outer = MapOp::create(builder, map.getLoc(), types, map.getSizes(), ValueRange());
    OpBuilder::InsertionGuard guard(builder);
    Block *block = builder.createBlock(&outer.getBody());
    for (unsigned d = 0; d < map.getSizes().size(); ++d)
      block->addArgument(builder.getI64Type(), map.getLoc());
    IRMapping known;
    known.map(body.getArguments().take_front(block->getNumArguments()), block->getArguments());
    addInputs(piece, outer, block, known);
    for (Operation *op : piece.operations) {
      resolveUses(op, known, block->getArguments().take_front(map.getSizes().size()));
      builder.clone(*op, known);
    }
    SmallVector<Value> yields;
    for (Value value : piece.stored)
      yields.push_back(resolve(value, known, block->getArguments().take_front(map.getSizes().size())));
    YieldOp::create(builder, map.getLoc(), yields);
    for (auto [value, array] : llvm::zip_equal(piece.stored, outer.getResults()))
      arrays[value] = array;
    return outer;
  }

  // The arrays over the outer grid that the piece reads are inputs of its map.
  void addInputs(Piece &piece, MapOp outer, Block *block, IRMapping &known) {
    llvm::SetVector<Value> wanted;
    std::function<void(Value)> want = [&](Value value) {
      if (isDefinedOutside(value, body) || known.contains(value) || wanted.contains(value))
        return;
      if (gridArray(value)) {
        wanted.insert(value);
      } else if (Operation *maker = value.getDefiningOp(); maker && !pieceOf.contains(maker)) {
        llvm::for_each(usedFrom(body, maker), want);
      }
    };
    for (Operation *op : piece.operations)
      llvm::for_each(usedFrom(body, op), want);
    llvm::for_each(piece.stored, want);
    for (Value value : wanted) {
      outer.getInputsMutable().append(gridArray(value));
      known.map(value, block->addArgument(value.getType(), value.getLoc()));
    }
  }

  void replaceResults() {
    for (auto [result, yielded] : llvm::zip_equal(map.getResults(), body.front().getTerminator()->getOperands()))
      result.replaceAllUsesWith(arrays.lookup(yielded));
    map.erase();
  }

  MapOp map;
  Region &body;
  OpBuilder builder;
  SmallVector<Piece> pieces;
  llvm::MapVector<Operation *, unsigned> pieceOf;
  llvm::DenseMap<Value, Value> arrays; // over the outer grid, of values of the body
};

class Distribute : public impl::DistributeBase<Distribute> {
  void runOnOperation() override {
    SmallVector<MapOp> work;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto map = dyn_cast<MapOp>(op))
        work.push_back(map);
      return isSoac(op) ? WalkResult::skip() : WalkResult::advance();
    });
    // The maps made may be distributed once more, over the grids that are now at the top of their bodies.
    while (!work.empty()) {
      llvm::append_range(work, Distributor(work.pop_back_val()).run());
    }
    RewritePatternSet patterns(&getContext());
    addAllPatterns(patterns);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};

} // namespace
} // namespace ferry::array
