// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Canonicalizations of single operations on arrays. A checked access stays a check: where the array that it indexes
// goes away, an array.assert with the same message takes its place.

#include "array/Canonicalize.h"
#include "array/Soac.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace ferry::array {

Value elementOfIota(OpBuilder &builder, IotaOp iota, Value index) {
  Location loc = iota.getLoc();
  auto type = cast<IntegerType>(iota.getStart().getType());
  if (type.getWidth() < 64)
    index = builder.createOrFold<arith::TruncIOp>(loc, type, index);
  Value offset = builder.createOrFold<arith::MulIOp>(loc, index, iota.getStep());
  return builder.createOrFold<arith::AddIOp>(loc, iota.getStart(), offset);
}

namespace {

bool isConstant(Value value, int64_t constant) { return getConstantIntValue(value) == constant; }

// An element of an array of which all elements are known.
struct ElementOfMade : OpRewritePattern<ElementOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ElementOp op, PatternRewriter &rewriter) const override {
    Operation *maker = op.getArray().getDefiningOp();
    if (auto iota = dyn_cast_or_null<IotaOp>(maker)) {
      // The extent of an iota is not negative, its size may be.
      Value length = op.getUnchecked() ? Value() : DimOp::create(rewriter, op.getLoc(), iota, int64_t(0));
      assertIndex(rewriter, op, length);
      rewriter.replaceOp(op, elementOfIota(rewriter, iota, op.getIndices().front()));
      return success();
    }
    auto replicate = dyn_cast_or_null<ReplicateOp>(maker);
    if (!replicate || replicate.getSizes().size() > op.getIndices().size() ||
        (op.getIndices().size() != 1 && !op.getUnchecked()))
      return failure();
    if (ValueRange rest = op.getIndices().drop_front(replicate.getSizes().size()); !rest.empty()) {
      rewriter.replaceOpWithNewOp<ElementOp>(op, op.getType(), replicate.getValue(), rest, op.getUncheckedAttr());
      return success();
    }
    assertIndex(rewriter, op, replicate.getSizes().front());
    rewriter.replaceOp(op, replicate.getValue());
    return success();
  }
};

// Equal rows of equal elements.
struct ReplicateOfReplicate : OpRewritePattern<ReplicateOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReplicateOp op, PatternRewriter &rewriter) const override {
    auto row = op.getValue().getDefiningOp<ReplicateOp>();
    if (!row)
      return failure();
    SmallVector<Value> sizes(op.getSizes());
    llvm::append_range(sizes, row.getSizes());
    rewriter.replaceOpWithNewOp<ReplicateOp>(op, op.getType(), sizes, row.getValue());
    return success();
  }
};

// An element or row of a row, indexed from the array at once.
template <typename Op> struct IndexOfRow : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    auto row = op.getArray().template getDefiningOp<RowOp>();
    // The row's own check stays where it is, so that the error is the same.
    if (!row || !row.getUnchecked() || !op.getUnchecked())
      return failure();
    SmallVector<Value> indices(row.getIndices());
    llvm::append_range(indices, op.getIndices());
    rewriter.replaceOpWithNewOp<Op>(op, op.getType(), row.getArray(), indices, op.getUncheckedAttr());
    return success();
  }
};

// An element of a transposed array, indexed from the array. A checked one says which shape it misses.
struct ElementOfPermute : OpRewritePattern<ElementOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ElementOp op, PatternRewriter &rewriter) const override {
    auto permute = op.getArray().getDefiningOp<PermuteOp>();
    if (!permute || !op.getUnchecked())
      return failure();
    SmallVector<Value> indices(op.getIndices());
    for (auto [d, from] : llvm::enumerate(permute.getPermutation()))
      indices[from] = op.getIndices()[d];
    rewriter.replaceOpWithNewOp<ElementOp>(op, op.getType(), permute.getArray(), indices, op.getUncheckedAttr());
    return success();
  }
};

struct PermuteOfPermute : OpRewritePattern<PermuteOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PermuteOp op, PatternRewriter &rewriter) const override {
    if (llvm::equal(op.getPermutation(), llvm::seq<int64_t>(0, op.getPermutation().size()))) {
      if (op.getType() != op.getArray().getType())
        return failure();
      rewriter.replaceOp(op, op.getArray());
      return success();
    }
    auto inner = op.getArray().getDefiningOp<PermuteOp>();
    if (!inner)
      return failure();
    SmallVector<int64_t> both;
    for (int64_t dimension : op.getPermutation())
      both.push_back(inner.getPermutation()[dimension]);
    rewriter.replaceOpWithNewOp<PermuteOp>(op, op.getType(), inner.getArray(), both);
    return success();
  }
};

// A slice that is the whole array.
struct WholeSlice : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SliceOp op, PatternRewriter &rewriter) const override {
    if (op.getType() != op.getArray().getType())
      return failure();
    for (auto [d, length] : llvm::enumerate(op.getLengths())) {
      auto dim = length.getDefiningOp<DimOp>();
      bool isWhole = isConstant(op.getStarts()[d], 0) && isConstant(op.getStrides()[d], 1) && dim &&
                     dim.getArray() == op.getArray() && dim.getDimension() == d;
      if (!isWhole)
        return failure();
    }
    rewriter.replaceOp(op, op.getArray());
    return success();
  }
};

struct ReshapeOfReshape : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ReshapeOp op, PatternRewriter &rewriter) const override {
    bool isSame = op.getType() == op.getArray().getType();
    for (auto [d, size] : llvm::enumerate(op.getSizes())) {
      auto dim = size.getDefiningOp<DimOp>();
      isSame = isSame && dim && dim.getArray() == op.getArray() && dim.getDimension() == d;
    }
    if (isSame) {
      rewriter.replaceOp(op, op.getArray());
      return success();
    }
    auto inner = op.getArray().getDefiningOp<ReshapeOp>();
    if (!inner)
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.getArrayMutable().assign(inner.getArray()); });
    return success();
  }
};

// An extent that the operation which made the array has as an operand, or shares with one.
struct DimOfMade : OpRewritePattern<DimOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DimOp op, PatternRewriter &rewriter) const override {
    Value array = op.getArray();
    int64_t d = op.getDimension();
    auto follow = [&](Value other, int64_t dimension) {
      rewriter.replaceOpWithNewOp<DimOp>(op, other, dimension);
      return success();
    };
    Operation *maker = array.getDefiningOp();
    if (auto soac = dyn_cast_or_null<HistOp>(maker))
      return follow(soac.getDestinations()[cast<OpResult>(array).getResultNumber()], d);
    if (auto soac = dyn_cast_or_null<ScatterOp>(maker))
      return follow(soac.getDestinations()[cast<OpResult>(array).getResultNumber()], d);
    auto is = [&](Value extent) {
      rewriter.replaceOp(op, extent);
      return success();
    };
    if (auto soac = dyn_cast_or_null<FilterOp>(maker); soac && d == 0)
      return is(soac.getSize());
    if (auto replicate = dyn_cast_or_null<ReplicateOp>(maker)) {
      int64_t outer = replicate.getSizes().size();
      if (d >= outer)
        return follow(replicate.getValue(), d - outer);
      return is(replicate.getSizes()[d]);
    }
    if (auto permute = dyn_cast_or_null<PermuteOp>(maker))
      return follow(permute.getArray(), permute.getPermutation()[d]);
    if (auto row = dyn_cast_or_null<RowOp>(maker))
      return follow(row.getArray(), d + row.getIndices().size());
    if (auto copy = dyn_cast_or_null<CopyOp>(maker))
      return follow(copy.getArray(), d);
    if (auto transfer = dyn_cast_or_null<TransferOp>(maker))
      return follow(transfer.getArray(), d);
    if (auto poke = dyn_cast_or_null<PokeOp>(maker))
      return follow(poke.getArray(), d);
    if (auto concat = dyn_cast_or_null<ConcatOp>(maker); concat && d > 0)
      return follow(concat.getArrays().front(), d);
    if (auto literal = dyn_cast_or_null<LiteralOp>(maker)) {
      if (d > 0)
        return follow(literal.getElements().front(), d - 1);
      rewriter.replaceOpWithNewOp<arith::ConstantIntOp>(op, literal.getElements().size(), 64);
      return success();
    }
    if (auto iota = dyn_cast_or_null<IotaOp>(maker)) {
      Value zero = arith::ConstantIntOp::create(rewriter, op.getLoc(), 0, 64);
      rewriter.replaceOpWithNewOp<arith::MaxSIOp>(op, iota.getSize(), zero);
      return success();
    }
    return failure();
  }
};

// The extents of a loop-carried array that every iteration keeps, seen from inside and after the loop.
struct DimOfCarried : OpRewritePattern<DimOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(DimOp op, PatternRewriter &rewriter) const override {
    auto [loop, position] = carriedBy(op.getArray());
    if (!loop || !keepsExtents(loop.getYieldedValues()[position], loop.getRegionIterArg(position)))
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.getArrayMutable().assign(loop.getInitArgs()[position]); });
    return success();
  }

private:
  static std::pair<scf::ForOp, unsigned> carriedBy(Value array) {
    if (auto loop = array.getDefiningOp<scf::ForOp>())
      return {loop, cast<OpResult>(array).getResultNumber()};
    auto argument = dyn_cast<BlockArgument>(array);
    auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
    return {loop, loop ? argument.getArgNumber() - 1 : 0};
  }

  // Whether `array` is `from`, updated in place any number of times.
  static bool keepsExtents(Value array, Value from) {
    while (array != from) {
      Operation *maker = array.getDefiningOp();
      if (!maker)
        return false;
      if (isa<UpdateOp, InsertSliceOp, CopyOp, PokeOp>(maker)) {
        array = maker->getOperand(0);
      } else if (isa<ScatterOp, HistOp>(maker)) {
        array = consumedOperands(maker)[cast<OpResult>(array).getResultNumber()];
      } else if (auto loop = dyn_cast<scf::ForOp>(maker)) {
        unsigned position = cast<OpResult>(array).getResultNumber();
        if (!keepsExtents(loop.getYieldedValues()[position], loop.getRegionIterArg(position)))
          return false;
        array = loop.getInitArgs()[position];
      } else if (auto branch = dyn_cast<scf::IfOp>(maker)) {
        unsigned position = cast<OpResult>(array).getResultNumber();
        return keepsExtents(branch.thenYield().getOperand(position), from) &&
               keepsExtents(branch.elseYield().getOperand(position), from);
      } else {
        return false;
      }
    }
    return true;
  }
};

// A pin around nothing but values of outside.
struct EmptyPin : OpRewritePattern<PinOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PinOp op, PatternRewriter &rewriter) const override {
    Block &body = op.getBody().front();
    if (!body.without_terminator().empty())
      return failure();
    rewriter.replaceOp(op, body.getTerminator()->getOperands());
    return success();
  }
};

struct ScalarOfRank0 : OpRewritePattern<ToScalarOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ToScalarOp op, PatternRewriter &rewriter) const override {
    auto from = op.getArray().getDefiningOp<FromScalarOp>();
    if (!from)
      return failure();
    rewriter.replaceOp(op, from.getValue());
    return success();
  }
};

} // namespace

void addViewPatterns(RewritePatternSet &patterns) {
  patterns.add<ElementOfMade, ReplicateOfReplicate, IndexOfRow<ElementOp>, IndexOfRow<RowOp>, ElementOfPermute,
               PermuteOfPermute, WholeSlice, ReshapeOfReshape, DimOfMade, DimOfCarried, EmptyPin, ScalarOfRank0>(
      patterns.getContext());
}

} // namespace ferry::array

void ferry::array::ArrayDialect::getCanonicalizationPatterns(RewritePatternSet &patterns) const {
  addAllPatterns(patterns);
}
