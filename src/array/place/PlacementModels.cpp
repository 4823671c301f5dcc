// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The array dialect's operations, as placement sees them.

#include "array/place/PlacementModels.h"

#include "array/place/BodyWork.h"
#include "array/place/WholeNumbers.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace ferry::array {

PlacementWork elementwiseWork(int64_t elements, int64_t bytesRead, int64_t bytesWritten, int64_t operationsEach) {
  PlacementWork work;
  work.elements = elements;
  work.bytesRead = bytesRead;
  work.bytesWritten = bytesWritten;
  work.operations = saturatingProduct(elements, operationsEach);
  work.alone = saturatingProduct(elements, std::max<int64_t>(1, operationsEach));
  return work;
}

PlacementWork throughputWork(Operation *op, const PlacementFacts &facts, SizeEvaluator &sizes) {
  int64_t read = 0, written = 0, elements = 0;
  for (auto [operand, use] : llvm::zip(op->getOperands(), facts.uses))
    if (isa<TensorType>(operand.getType()) && (use == Use::content || use == Use::readUpdate))
      read = saturatingSum(read, sizes.bytes(operand));
  for (Value result : op->getResults())
    if (isa<TensorType>(result.getType())) {
      written = saturatingSum(written, sizes.bytes(result));
      elements = std::max(elements, sizes.elements(result));
    }
  return elementwiseWork(elements, read, written, 1);
}

PlacementWork scalarWork(int64_t operations) {
  PlacementWork work;
  work.sequential = work.alone = operations;
  return work;
}

Extents extentsOf(ValueRange sizes, SizeEvaluator &evaluator) {
  return llvm::map_to_vector<4>(sizes, [&](Value size) { return evaluator.count(size); });
}

namespace {

//===- SOACs ------------------------------------------------------------------------------------------------------===//

struct Grid {
  OperandRange sizes, inputs;
  OperandRange destinations, neutral; // empty ranges where there are none
};

Grid gridOf(Operation *op) {
  OperandRange none(op->operand_begin(), op->operand_begin());
  return TypeSwitch<Operation *, Grid>(op)
      .Case([&](MapOp map) { return Grid{map.getSizes(), map.getInputs(), none, none}; })
      .Case([&](ReduceOp reduce) { return Grid{reduce.getSizes(), reduce.getInputs(), none, reduce.getNeutral()}; })
      .Case([&](HistOp hist) {
        return Grid{hist.getSizes(), hist.getInputs(), hist.getDestinations(), hist.getNeutral()};
      })
      .Case([&](ScatterOp scatter) {
        return Grid{scatter.getSizes(), scatter.getInputs(), scatter.getDestinations(), none};
      })
      .Case([&](ScanOp scan) { return Grid{scan.getODSOperands(0), scan.getInputs(), none, scan.getNeutral()}; })
      .Default([&](Operation *other) {
        auto filter = cast<FilterOp>(other);
        return Grid{filter.getODSOperands(0), filter.getInputs(), none, none};
      });
}

// Bytes that the scalars and rows yielded from one point take.
int64_t yieldedBytes(Region &body, unsigned skip, SizeEvaluator &sizes) {
  int64_t total = 0;
  for (Value value : body.front().getTerminator()->getOperands().drop_front(skip))
    total = saturatingSum(total, sizes.bytes(value));
  return total;
}

// Bytes that one point reads of each input: its element or row.
int64_t inputBytes(Grid grid, SizeEvaluator &sizes) {
  int64_t total = 0;
  for (Value input : grid.inputs)
    total = saturatingSum(total, sizes.bytes(input));
  return total;
}

template <typename SoacOp> struct SoacModel : PlaceableOpInterface::ExternalModel<SoacModel<SoacOp>, SoacOp> {
  PlacementFacts getPlacementFacts(Operation *op) const {
    PlacementFacts facts = plainFacts(op);
    Grid grid = gridOf(op);
    auto mark = [&](OperandRange range, Use use) {
      for (unsigned i = 0; i < range.size(); ++i)
        facts.uses[range.getBeginOperandIndex() + i] = use;
    };
    mark(grid.sizes, Use::launcher);
    if (grid.destinations.empty())
      return facts;
    mark(grid.destinations, isa<HistOp>(op) ? Use::readUpdate : Use::update);
    for (unsigned i = 0; i < grid.destinations.size(); ++i)
      facts.results[i] = {ResultFact::updated, grid.destinations.getBeginOperandIndex() + i};
    return facts;
  }

  PlacementWork getPlacementWork(Operation *op, SizeEvaluator &sizes) const {
    Grid grid = gridOf(op);
    int64_t points = 1;
    for (Value size : grid.sizes)
      points = saturatingProduct(points, sizes.count(size).value);
    BodyWork body = bodyWork(op->getRegion(0), sizes);
    BodyWork combine = op->getNumRegions() > 1 ? bodyWork(op->getRegion(1), sizes) : BodyWork();
    int64_t each = saturatingSum(body.operations, saturatingProduct(isa<ScanOp>(op) ? 2 : 1, combine.operations));
    int64_t read = saturatingSum(inputBytes(grid, sizes), saturatingProduct(points, body.loadedBytes));
    unsigned indices = isa<FilterOp>(op)    ? 1
                       : isa<HistOp>(op)    ? cast<HistOp>(op).getRank()
                       : isa<ScatterOp>(op) ? cast<ScatterOp>(op).getRank()
                                            : 0;
    int64_t stored = saturatingProduct(points, yieldedBytes(op->getRegion(0), indices, sizes));
    int64_t written = isa<ReduceOp>(op) ? yieldedBytes(op->getRegion(0), 0, sizes) : stored;
    if (isa<HistOp>(op))
      read = saturatingSum(read, stored);
    PlacementWork work = elementwiseWork(points, read, points ? written : 0, each);
    int64_t alone = saturatingSum(each, saturatingSum(grid.inputs.size(), std::max<int64_t>(1, op->getNumResults())));
    work.alone = saturatingProduct(points, alone);
    return work;
  }

  Extents getResultExtents(Operation *op, unsigned result, SizeEvaluator &sizes) const {
    Grid grid = gridOf(op);
    if (auto reduce = dyn_cast<ReduceOp>(op))
      return sizes.extents(reduce.getNeutral()[result]);
    Extents extents = extentsOf(grid.sizes, sizes);
    Region &body = op->getRegion(0);
    // A filter's first result is its count and its body's first yield the condition: what follows agrees, too.
    Value element = body.front().getTerminator()->getOperand(result);
    if (isa<TensorType>(element.getType()))
      llvm::append_range(extents, sizes.extents(element));
    return extents;
  }
};

//===- Creation, copies -------------------------------------------------------------------------------------------===//

template <typename CreateOp>
struct CreationModel : PlaceableOpInterface::ExternalModel<CreationModel<CreateOp>, CreateOp> {
  PlacementFacts getPlacementFacts(Operation *op) const {
    PlacementFacts facts = plainFacts(op);
    auto launcher = [&](OperandRange sizes) {
      for (unsigned i = 0; i < sizes.size(); ++i)
        facts.uses[sizes.getBeginOperandIndex() + i] = Use::launcher;
    };
    facts.bothSides = isa<IotaOp, ReplicateOp, AllocOp>(op);
    facts.allocation = isa<AllocOp>(op);
    if (auto iota = dyn_cast<IotaOp>(op))
      launcher(iota.getODSOperands(0));
    else if (auto replicate = dyn_cast<ReplicateOp>(op))
      launcher(replicate.getSizes());
    else if (auto alloc = dyn_cast<AllocOp>(op))
      launcher(alloc.getSizes());
    return facts;
  }

  PlacementWork getPlacementWork(Operation *op, SizeEvaluator &sizes) const {
    if (isa<AllocOp>(op))
      return elementwiseWork(0, 0, 0, 0);
    return throughputWork(op, getPlacementFacts(op), sizes);
  }

  Extents getResultExtents(Operation *op, unsigned, SizeEvaluator &sizes) const {
    return TypeSwitch<Operation *, Extents>(op)
        .Case([&](IotaOp iota) { return extentsOf(iota.getSize(), sizes); })
        .Case([&](AllocOp alloc) { return extentsOf(alloc.getSizes(), sizes); })
        .Case([&](ReplicateOp replicate) {
          Extents extents = extentsOf(replicate.getSizes(), sizes);
          if (isa<TensorType>(replicate.getValue().getType()))
            llvm::append_range(extents, sizes.extents(replicate.getValue()));
          return extents;
        })
        .Case([&](LiteralOp literal) {
          Extents extents = {{static_cast<int64_t>(literal.getElements().size()), true}};
          if (isa<TensorType>(literal.getElements().front().getType()))
            llvm::append_range(extents, sizes.extents(literal.getElements().front()));
          return extents;
        })
        .Case([&](ConcatOp concat) {
          Extents extents = sizes.extents(concat.getArrays().front());
          for (Value array : concat.getArrays().drop_front()) {
            Estimate more = sizes.extents(array).front();
            extents.front() = {saturatingSum(extents.front().value, more.value), extents.front().exact && more.exact};
          }
          return extents;
        })
        .Default([&](Operation *copy) { return sizes.extents(copy->getOperand(0)); });
  }
};

//===- Contiguity
//---------------------------------------------------------------------------------------------------===//

// Whether an array is certainly a row-major block, so that a reshape of it is a view.
bool isContiguousArray(Value array, llvm::SmallDenseSet<Value> &visited) {
  if (!visited.insert(array).second)
    return true; // what flows around a loop is as contiguous as what flows into it
  auto all = [&](std::initializer_list<Value> values) {
    return llvm::all_of(values, [&](Value value) { return isContiguousArray(value, visited); });
  };
  if (auto argument = dyn_cast<BlockArgument>(array)) {
    Operation *parent = argument.getOwner()->getParentOp();
    unsigned index = argument.getArgNumber();
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      return all({loop.getInitArgs()[index - 1], loop.getYieldedValues()[index - 1]});
    if (auto loop = dyn_cast<scf::WhileOp>(parent); loop && argument.getOwner() == loop.getBeforeBody())
      return all({loop.getInits()[index], loop.getYieldOp()->getOperand(index)});
    if (auto loop = dyn_cast<scf::WhileOp>(parent))
      return all({loop.getConditionOp().getArgs()[index]});
    return isa<FunctionOpInterface>(parent);
  }
  Operation *op = array.getDefiningOp();
  unsigned index = cast<OpResult>(array).getResultNumber();
  return TypeSwitch<Operation *, bool>(op)
      .Case<RowOp, ReshapeOp>([&](auto view) { return all({view.getArray()}); })
      .Case([&](SliceOp slice) {
        return cast<RankedTensorType>(slice.getType()).getRank() == 1 &&
               getConstantIntValue(slice.getStrides().front()) == 1 && all({slice.getArray()});
      })
      .Case([&](PermuteOp) { return false; })
      .Case([&](UpdateOp update) { return all({update.getArray()}); })
      .Case([&](InsertSliceOp insert) { return all({insert.getArray()}); })
      .Case([&](ScatterOp scatter) { return all({scatter.getDestinations()[index]}); })
      .Case([&](HistOp hist) { return all({hist.getDestinations()[index]}); })
      .Case([&](scf::IfOp branch) {
        return all({branch.thenYield().getOperand(index), branch.elseYield().getOperand(index)});
      })
      .Case([&](scf::ForOp loop) { return all({loop.getInitArgs()[index], loop.getYieldedValues()[index]}); })
      .Case([&](scf::WhileOp loop) { return all({loop.getConditionOp().getArgs()[index]}); })
      .Case([&](PinOp pin) { return all({pin.getBody().front().getTerminator()->getOperand(index)}); })
      .Default([](Operation *other) { return isa<PlaceableOpInterface>(other); });
}

bool isContiguousArray(Value array) {
  llvm::SmallDenseSet<Value> visited;
  return isContiguousArray(array, visited);
}

//===- Views ------------------------------------------------------------------------------------------------------===//

template <typename ViewOp> struct ViewModel : PlaceableOpInterface::ExternalModel<ViewModel<ViewOp>, ViewOp> {
  PlacementFacts getPlacementFacts(Operation *op) const {
    PlacementFacts facts = plainFacts(op);
    facts.uses.assign(op->getNumOperands(), Use::launcher);
    facts.uses[0] = Use::content;
    if (isa<ReshapeOp>(op) && !isContiguousArray(op->getOperand(0)))
      return facts; // a copy
    facts.uses[0] = Use::nothing;
    facts.results[0] = {ResultFact::view, 0};
    facts.contiguous = isContiguousArray(op->getResult(0));
    return facts;
  }

  PlacementWork getPlacementWork(Operation *op, SizeEvaluator &sizes) const {
    PlacementFacts facts = getPlacementFacts(op);
    return facts.results[0].kind == ResultFact::view ? scalarWork(0) : throughputWork(op, facts, sizes);
  }

  Extents getResultExtents(Operation *op, unsigned, SizeEvaluator &sizes) const {
    Extents from = sizes.extents(op->getOperand(0));
    return TypeSwitch<Operation *, Extents>(op)
        .Case([&](RowOp row) { return Extents(ArrayRef(from).drop_front(row.getIndices().size())); })
        .Case([&](SliceOp slice) { return extentsOf(slice.getLengths(), sizes); })
        .Case([&](ReshapeOp reshape) { return extentsOf(reshape.getSizes(), sizes); })
        .Default([&](Operation *other) {
          return llvm::map_to_vector<4>(cast<PermuteOp>(other).getPermutation(), [&](int64_t d) { return from[d]; });
        });
  }
};

//===- Elements and updates ---------------------------------------------------------------------------------------===//

template <typename ReadOp> struct ElementModel : PlaceableOpInterface::ExternalModel<ElementModel<ReadOp>, ReadOp> {
  PlacementFacts getPlacementFacts(Operation *op) const {
    PlacementFacts facts = plainFacts(op);
    facts.scalar = true;
    facts.element = isa<ElementOp>(op);
    return facts;
  }
  PlacementWork getPlacementWork(Operation *, SizeEvaluator &) const { return scalarWork(1); }
};

template <typename WriteOp> struct UpdateModel : PlaceableOpInterface::ExternalModel<UpdateModel<WriteOp>, WriteOp> {
  PlacementFacts getPlacementFacts(Operation *op) const {
    PlacementFacts facts = plainFacts(op);
    facts.uses[0] = Use::update;
    facts.results[0] = {ResultFact::updated, 0};
    if (auto update = dyn_cast<UpdateOp>(op))
      facts.scalar = facts.elementUpdate = !isa<TensorType>(update.getValue().getType());
    return facts;
  }

  PlacementWork getPlacementWork(Operation *op, SizeEvaluator &sizes) const {
    Value value = isa<UpdateOp>(op) ? cast<UpdateOp>(op).getValue() : cast<InsertSliceOp>(op).getValue();
    if (!isa<TensorType>(value.getType()))
      return scalarWork(1);
    int64_t bytes = sizes.bytes(value);
    return elementwiseWork(sizes.elements(value), bytes, bytes, 1);
  }
};

} // namespace

void registerArrayModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, ArrayDialect *) {
    MapOp::attachInterface<SoacModel<MapOp>>(*context);
    ReduceOp::attachInterface<SoacModel<ReduceOp>>(*context);
    ScanOp::attachInterface<SoacModel<ScanOp>>(*context);
    HistOp::attachInterface<SoacModel<HistOp>>(*context);
    ScatterOp::attachInterface<SoacModel<ScatterOp>>(*context);
    FilterOp::attachInterface<SoacModel<FilterOp>>(*context);
    IotaOp::attachInterface<CreationModel<IotaOp>>(*context);
    ReplicateOp::attachInterface<CreationModel<ReplicateOp>>(*context);
    LiteralOp::attachInterface<CreationModel<LiteralOp>>(*context);
    AllocOp::attachInterface<CreationModel<AllocOp>>(*context);
    ConcatOp::attachInterface<CreationModel<ConcatOp>>(*context);
    CopyOp::attachInterface<CreationModel<CopyOp>>(*context);
    RowOp::attachInterface<ViewModel<RowOp>>(*context);
    SliceOp::attachInterface<ViewModel<SliceOp>>(*context);
    PermuteOp::attachInterface<ViewModel<PermuteOp>>(*context);
    ReshapeOp::attachInterface<ViewModel<ReshapeOp>>(*context);
    ElementOp::attachInterface<ElementModel<ElementOp>>(*context);
    ToScalarOp::attachInterface<ElementModel<ToScalarOp>>(*context);
    FromScalarOp::attachInterface<CreationModel<FromScalarOp>>(*context);
    UpdateOp::attachInterface<UpdateModel<UpdateOp>>(*context);
    InsertSliceOp::attachInterface<UpdateModel<InsertSliceOp>>(*context);
  });
}

void registerPlacementModels(DialectRegistry &registry) {
  registerArrayModels(registry);
  registerUpstreamModels(registry);
}

} // namespace ferry::array
