// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations of linalg, tensor and arith, as placement sees them. scf and func are the program's structure, which
// placement itself walks.

#include "array/place/PlacementModels.h"

#include "array/place/BodyWork.h"
#include "array/place/WholeNumbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace ferry::array {
namespace {

template <typename Structured>
struct LinalgModel : PlaceableOpInterface::ExternalModel<LinalgModel<Structured>, Structured> {
  PlacementFacts getPlacementFacts(Operation *op) const {
    PlacementFacts facts = plainFacts(op);
    auto linalgOp = cast<linalg::LinalgOp>(op);
    for (OpOperand &init : linalgOp.getDpsInitsMutable())
      if (!linalgOp.payloadUsesValueFromOperand(&init))
        facts.uses[init.getOperandNumber()] = Use::nothing;
    return facts;
  }

  PlacementWork getPlacementWork(Operation *op, SizeEvaluator &sizes) const {
    auto linalgOp = cast<linalg::LinalgOp>(op);
    SmallVector<int64_t> ranges(linalgOp.getNumLoops(), 1);
    for (OpOperand &operand : op->getOpOperands()) {
      Extents extents = isa<TensorType>(operand.get().getType()) ? sizes.extents(operand.get()) : Extents();
      for (auto [position, expression] : llvm::enumerate(linalgOp.getMatchingIndexingMap(&operand).getResults()))
        if (auto dimension = dyn_cast<AffineDimExpr>(expression); dimension && position < extents.size())
          ranges[dimension.getPosition()] = extents[position].value;
    }
    int64_t points = 1;
    for (int64_t range : ranges)
      points = saturatingProduct(points, range);
    PlacementWork work = throughputWork(op, getPlacementFacts(op), sizes);
    int64_t each = std::max<int64_t>(1, bodyWork(op->getRegion(0), sizes).operations);
    work.elements = points;
    work.operations = saturatingProduct(points, each);
    work.alone = saturatingProduct(points, saturatingSum(each, op->getNumOperands()));
    return work;
  }

  Extents getResultExtents(Operation *op, unsigned result, SizeEvaluator &sizes) const {
    return sizes.extents(cast<linalg::LinalgOp>(op).getDpsInits()[result]);
  }
};

Extents mixedExtents(ArrayRef<OpFoldResult> mixed, SizeEvaluator &sizes) {
  return llvm::map_to_vector<4>(mixed, [&](OpFoldResult size) {
    if (auto constant = getConstantIntValue(size))
      return Estimate{*constant, true};
    return sizes.count(cast<Value>(size));
  });
}

template <typename TensorOp> struct TensorModel : PlaceableOpInterface::ExternalModel<TensorModel<TensorOp>, TensorOp> {
  PlacementFacts getPlacementFacts(Operation *op) const {
    PlacementFacts facts = plainFacts(op);
    TypeSwitch<Operation *>(op)
        .Case([&](tensor::EmptyOp) {
          facts.allocation = facts.bothSides = true;
          facts.uses.assign(op->getNumOperands(), Use::launcher);
        })
        .Case([&](tensor::ExtractOp) { facts.scalar = true; })
        .Case([&](tensor::InsertOp) {
          facts.uses[1] = Use::update;
          facts.results[0] = {ResultFact::updated, 1};
          facts.scalar = true;
        })
        .Case([&](tensor::InsertSliceOp) {
          std::fill(facts.uses.begin() + 2, facts.uses.end(), Use::launcher);
          facts.uses[1] = Use::update;
          facts.results[0] = {ResultFact::updated, 1};
        })
        .template Case<tensor::ExtractSliceOp, tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp>(
            [&](auto) {
              facts.uses.assign(op->getNumOperands(), Use::launcher);
              facts.uses[0] = Use::nothing;
              facts.results[0] = {ResultFact::view, 0};
            })
        .Case([&](tensor::GenerateOp) { facts.uses.assign(op->getNumOperands(), Use::launcher); })
        .Case([&](arith::ConstantOp) { facts.bothSides = true; });
    return facts;
  }

  PlacementWork getPlacementWork(Operation *op, SizeEvaluator &sizes) const {
    PlacementFacts facts = getPlacementFacts(op);
    if (facts.allocation || facts.results[0].kind == ResultFact::view)
      return facts.allocation ? elementwiseWork(0, 0, 0, 0) : scalarWork(0);
    if (facts.scalar)
      return scalarWork(1);
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
      int64_t bytes = sizes.bytes(insert.getSource());
      return elementwiseWork(sizes.elements(insert.getSource()), bytes, bytes, 1);
    }
    PlacementWork work = throughputWork(op, facts, sizes);
    if (auto generate = dyn_cast<tensor::GenerateOp>(op))
      work.operations =
          saturatingProduct(work.elements, std::max<int64_t>(1, bodyWork(generate.getBody(), sizes).operations));
    return work;
  }

  Extents getResultExtents(Operation *op, unsigned, SizeEvaluator &sizes) const {
    return TypeSwitch<Operation *, Extents>(op)
        .Case([&](tensor::EmptyOp empty) { return mixedExtents(empty.getMixedSizes(), sizes); })
        .Case([&](tensor::ExtractSliceOp slice) {
          Extents all = mixedExtents(slice.getMixedSizes(), sizes), kept;
          llvm::SmallBitVector dropped = slice.getDroppedDims();
          for (auto [dimension, extent] : llvm::enumerate(all))
            if (!dropped.test(dimension))
              kept.push_back(extent);
          return kept;
        })
        .Case([&](tensor::GenerateOp generate) {
          Extents extents;
          auto dynamic = generate.getDynamicExtents().begin();
          for (int64_t extent : cast<RankedTensorType>(generate.getType()).getShape())
            extents.push_back(ShapedType::isDynamic(extent) ? sizes.count(*dynamic++) : Estimate{extent, true});
          return extents;
        })
        .template Case<tensor::CastOp>([&](auto view) { return sizes.extents(view->getOperand(0)); })
        .Default([](Operation *) { return Extents(); });
  }
};

// Operations of arith and math on whole arrays, element by element.
template <typename ElementwiseOp>
struct ElementwiseModel : PlaceableOpInterface::ExternalModel<ElementwiseModel<ElementwiseOp>, ElementwiseOp> {
  PlacementFacts getPlacementFacts(Operation *op) const { return plainFacts(op); }
  PlacementWork getPlacementWork(Operation *op, SizeEvaluator &sizes) const {
    return throughputWork(op, plainFacts(op), sizes);
  }
  Extents getResultExtents(Operation *op, unsigned, SizeEvaluator &sizes) const {
    return sizes.extents(op->getOperands().back());
  }
};

template <template <typename> typename Model, typename... Ops> void attach(MLIRContext *context) {
  (Ops::template attachInterface<Model<Ops>>(*context), ...);
}

} // namespace

void registerUpstreamModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    attach<LinalgModel, linalg::GenericOp, linalg::FillOp, linalg::MatmulOp, linalg::MatvecOp, linalg::VecmatOp,
           linalg::DotOp, linalg::BatchMatmulOp, linalg::MapOp, linalg::ReduceOp, linalg::TransposeOp,
           linalg::BroadcastOp, linalg::CopyOp, linalg::AddOp, linalg::SubOp, linalg::MulOp, linalg::DivOp,
           linalg::ExpOp, linalg::MaxOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    attach<TensorModel, tensor::EmptyOp, tensor::ExtractOp, tensor::InsertOp, tensor::InsertSliceOp,
           tensor::ExtractSliceOp, tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::GenerateOp,
           tensor::FromElementsOp, tensor::ConcatOp, tensor::PadOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    attach<TensorModel, arith::ConstantOp>(context);
    attach<ElementwiseModel, arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp,
           arith::MaximumFOp, arith::MinimumFOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::SelectOp,
           arith::CmpFOp, arith::CmpIOp>(context);
  });
}

} // namespace ferry::array
