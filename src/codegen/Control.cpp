// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks, branches and loops. An array that a loop carries or a branch yields is left out where Ownership found it to
// be the same array as an outer one; else its block, address and extents are carried, contiguous and with a reference.

#include "codegen/Emitter.h"
#include "codegen/Locations.h"
#include "runtime/entry_point.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace ferry::array;

namespace ferry::codegen {

static RankedTensorType arrayTypeOf(Value value) { return dyn_cast<RankedTensorType>(value.getType()); }

//===- Blocks -----------------------------------------------------------------------------------------------------===//

void Emitter::emitOperations(Block &block) {
  for (Value argument : ownership->releasedAtStart(&block))
    release(buffer(argument));
  for (Operation &op : block.without_terminator()) {
    b.setLoc(op.getLoc());
    emitAwaits(&op);
    emit(op);
    b.setLoc(op.getLoc());
    releaseAfter(&op);
  }
  emitAwaits(block.getTerminator());
}

// `end` uses the terminator's operands, which live until it is done.
void Emitter::emitBody(Block &block, llvm::function_ref<void(Operation *)> end) {
  emitOperations(block);
  Operation *terminator = block.getTerminator();
  b.setLoc(terminator->getLoc());
  end(terminator);
  releaseAfter(terminator);
}

void Emitter::releaseAfter(Operation *op) {
  for (Value owner : ownership->releasedAfter(op))
    release(buffer(owner));
}

static bool isScalarOperation(Operation &op) {
  return isa<arith::ArithDialect, math::MathDialect>(op.getDialect()) && op.getNumRegions() == 0 &&
         llvm::none_of(op.getOperandTypes(), llvm::IsaPred<ShapedType>) &&
         llvm::none_of(op.getResultTypes(), llvm::IsaPred<ShapedType>);
}

void Emitter::emit(Operation &op) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return emitIf(branch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return emitFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return emitWhile(loop);
  if (auto select = dyn_cast<arith::SelectOp>(op); select && arrayTypeOf(select.getResult()))
    return emitSelect(select);
  if (isa<arith::ConstantOp>(op) && !arrayTypeOf(op.getResult(0)))
    return; // made where it is used
  if (emitArray(op) || emitSoac(op) || emitDevice(op))
    return;
  if (auto power = dyn_cast<math::FPowIOp>(op); power && isScalarOperation(op)) {
    // LLVM knows 32-bit exponents only; libm's pow is exact where the exponent is a whole number.
    Value exponent = arith::SIToFPOp::create(b, power.getType(), scalar(power.getRhs()));
    frame->scalars[power.getResult()] = math::PowFOp::create(b, scalar(power.getLhs()), exponent);
    return;
  }
  if (auto call = dyn_cast<func::CallOp>(op); call && module.lookupSymbol<LLVM::LLVMFuncOp>(call.getCallee()))
    return emitLibraryCall(call);
  emitScalarOperation(op);
}

void Emitter::emitLibraryCall(func::CallOp op) {
  auto callee = module.lookupSymbol<LLVM::LLVMFuncOp>(op.getCallee());
  frame->scalars[op.getResult(0)] = LLVM::CallOp::create(b, callee, scalars(op.getOperands())).getResult();
}

void Emitter::emitScalarOperation(Operation &op) {
  if (!isScalarOperation(op)) {
    op.emitOpError("has no code generation");
    hasFailed = true;
    return;
  }
  IRMapping mapping;
  for (Value operand : op.getOperands())
    mapping.map(operand, scalar(operand));
  Operation *clone = b.clone(op, mapping);
  if (auto fast = dyn_cast<arith::ArithFastMathInterface>(clone); fast && isReassociable) {
    auto flags = fast.getFastMathFlagsAttr().getValue() | arith::FastMathFlags::reassoc;
    clone->setAttr(fast.getFastMathAttrName(), arith::FastMathFlagsAttr::get(b.getContext(), flags));
  }
  for (auto [from, to] : llvm::zip(op.getResults(), clone->getResults()))
    frame->scalars[from] = to;
}

//===- Handing over -----------------------------------------------------------------------------------------------===//

// The operand as a contiguous array with a reference for whoever takes it.
Buffer Emitter::takeOver(OpOperand &operand) {
  Buffer array = buffer(operand.get());
  if (array.isContiguous()) {
    if (!ownership->isMoved(operand))
      retain(array);
    return array;
  }
  Buffer copy = allocate(sideFor(operand.getOwner()), nameOf(operand.get().getLoc()), array.element, array.sizes);
  copyElements(copy, array);
  return copy;
}

// What is passed for an operand that becomes `carried`.
void Emitter::handOver(OpOperand &operand, Value carried, Values &out) {
  if (!arrayTypeOf(carried)) {
    out.push_back(scalar(operand.get()));
    return;
  }
  if (!ownership->isFresh(carried))
    return;
  Buffer array = takeOver(operand);
  out.append({array.block, array.data});
  out.append(array.sizes);
}

void Emitter::appendTypes(Value carried, SmallVectorImpl<Type> &types) {
  auto type = arrayTypeOf(carried);
  if (!type) {
    types.push_back(carried.getType());
  } else if (ownership->isFresh(carried)) {
    types.append({pointer, pointer});
    types.append(type.getRank(), i64);
  }
}

// Reads from `values`, at `at`, what was passed for `carried`.
void Emitter::receive(Value carried, ValueRange values, size_t &at) {
  auto type = arrayTypeOf(carried);
  if (!type) {
    frame->scalars[carried] = values[at++];
  } else if (ownership->isFresh(carried)) {
    Buffer array{type.getElementType(), values[at], values[at + 1], {}, {}};
    at += 2;
    for (int64_t d = 0; d < type.getRank(); ++d)
      array.sizes.push_back(values[at++]);
    settleSizes(carried, array);
    frame->buffers[carried] = array;
  } else {
    frame->buffers[carried] = Buffer(buffer(ownership->same(carried)));
  }
}

void Emitter::receiveAll(ValueRange carried, ValueRange values) {
  size_t at = 0;
  for (Value value : carried)
    receive(value, values, at);
}

SmallVector<Type> Emitter::typesOf(ValueRange carried) {
  SmallVector<Type> types;
  for (Value value : carried)
    appendTypes(value, types);
  return types;
}

// The operands of an operation or terminator, from `first` on, as what they become.
Values Emitter::handOverAll(MutableArrayRef<OpOperand> operands, ValueRange carried) {
  Values out;
  for (auto [operand, value] : llvm::zip(operands, carried))
    handOver(operand, value, out);
  return out;
}

//===- Branches and loops -----------------------------------------------------------------------------------------===//

// Writes a block up to its terminator and hands over the terminator's operands from `first` on.
Values Emitter::emitArm(Block &block, unsigned first, ValueRange carried) {
  emitOperations(block);
  Operation *terminator = block.getTerminator();
  b.setLoc(terminator->getLoc());
  Values results = handOverAll(terminator->getOpOperands().drop_front(first), carried);
  releaseAfter(terminator);
  return results;
}

void Emitter::emitIf(scf::IfOp op) {
  bool hasElse = !op.getElseRegion().empty();
  auto branch = scf::IfOp::create(b, typesOf(op.getResults()), scalar(op.getCondition()), true, hasElse);
  auto arm = [&](Region &from, Region &to) {
    OpBuilder::InsertionGuard guard(b);
    to.front().clear();
    b.setInsertionPointToStart(&to.front());
    Values results = emitArm(from.front(), 0, op.getResults());
    scf::YieldOp::create(b, results);
  };
  arm(op.getThenRegion(), branch.getThenRegion());
  if (hasElse)
    arm(op.getElseRegion(), branch.getElseRegion());
  receiveAll(op.getResults(), branch.getResults());
}

void Emitter::emitFor(scf::ForOp op) {
  auto arguments = op.getRegionIterArgs();
  Values inits = handOverAll(op.getInitArgsMutable(), arguments);
  // What stays where it is must be known before the body is written.
  auto loop =
      scf::ForOp::create(b, scalar(op.getLowerBound()), scalar(op.getUpperBound()), scalar(op.getStep()), inits);
  {
    OpBuilder::InsertionGuard guard(b);
    loop.getBody()->clear();
    b.setInsertionPointToStart(loop.getBody());
    frame->scalars[op.getInductionVar()] = loop.getInductionVar();
    receiveAll(ValueRange(arguments), loop.getRegionIterArgs());
    Values yielded = emitArm(*op.getBody(), 0, arguments);
    scf::YieldOp::create(b, yielded);
  }
  receiveAll(op.getResults(), loop.getResults());
}

void Emitter::emitWhile(scf::WhileOp op) {
  Values inits = handOverAll(op.getInitsMutable(), op.getBeforeArguments());
  auto loop = scf::WhileOp::create(b, typesOf(op.getAfterArguments()), inits);
  SmallVector<Type> before = typesOf(op.getBeforeArguments()), after = typesOf(op.getAfterArguments());
  {
    OpBuilder::InsertionGuard guard(b);
    Block *block = b.createBlock(&loop.getBefore(), {}, before, SmallVector<Location>(before.size(), b.getLoc()));
    receiveAll(op.getBeforeArguments(), block->getArguments());
    Values passed = emitArm(*op.getBeforeBody(), 1, op.getAfterArguments());
    scf::ConditionOp::create(b, scalar(op.getConditionOp().getCondition()), passed);
    block = b.createBlock(&loop.getAfter(), {}, after, SmallVector<Location>(after.size(), b.getLoc()));
    receiveAll(op.getAfterArguments(), block->getArguments());
    Values yielded = emitArm(*op.getAfterBody(), 0, op.getBeforeArguments());
    scf::YieldOp::create(b, yielded);
  }
  receiveAll(op.getResults(), loop.getResults());
}

void Emitter::emitSelect(arith::SelectOp op) {
  auto branch = scf::IfOp::create(b, typesOf(op.getResult()), scalar(op.getCondition()), true, true);
  auto arm = [&](OpOperand &operand, OpOperand &other, Region &to) {
    OpBuilder::InsertionGuard guard(b);
    to.front().clear();
    b.setInsertionPointToStart(&to.front());
    Values results;
    handOver(operand, op.getResult(), results);
    if (ownership->isMoved(other)) // to nobody, here
      release(buffer(other.get()));
    scf::YieldOp::create(b, results);
  };
  arm(op.getTrueValueMutable(), op.getFalseValueMutable(), branch.getThenRegion());
  arm(op.getFalseValueMutable(), op.getTrueValueMutable(), branch.getElseRegion());
  receiveAll(op.getResult(), branch.getResults());
}

// Functions without a body are libm's: they take and give scalars and do nothing else.
void Emitter::declareLibrary() {
  for (func::FuncOp function : llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    bool isScalar = llvm::none_of(function.getArgumentTypes(), llvm::IsaPred<ShapedType>) &&
                    llvm::none_of(function.getResultTypes(), llvm::IsaPred<ShapedType>);
    if (!function.isExternal() || !isScalar || function.getNumResults() != 1)
      continue;
    std::string name = function.getName().str();
    Type result = function.getResultTypes().front();
    SmallVector<Type> arguments(function.getArgumentTypes());
    function.erase();
    LLVM::LLVMFuncOp declared = runtimeFunction(name, result, arguments);
    SmallVector<LLVM::ModRefInfo> nothing(6, LLVM::ModRefInfo::NoModRef);
    declared.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(b.getContext(), nothing));
    declared.setWillReturn(true);
  }
}

//===- Entries ----------------------------------------------------------------------------------------------------===//

LogicalResult Emitter::emitEntry(func::FuncOp function) {
  source = function;
  delayScalars(function);
  ownership = std::make_unique<Ownership>(function);
  extents = std::make_unique<LoopExtents>(function);
  b.setLoc(function.getLoc());
  std::string name = (runtime::entryPrefix + function.getName()).str();
  inFunction(name, true, {pointer, pointer}, [&](ValueRange arguments) {
    frame->context = arguments[0];
    int64_t slot = 0;
    auto next = [&](Type type) -> Value { return LLVM::LoadOp::create(b, type, slotAddress(arguments[1], slot++)); };
    for (Value argument : function.getArguments()) {
      auto type = arrayTypeOf(argument);
      if (!type) {
        frame->scalars[argument] = next(argument.getType());
        continue;
      }
      Buffer array{type.getElementType(), nullPointer(), next(pointer), {}, {}};
      for (int64_t d = 0; d < type.getRank(); ++d)
        array.sizes.push_back(next(i64));
      frame->buffers[argument] = array;
    }
    emitBody(function.getBody().front(), [&](Operation *terminator) {
      for (OpOperand &operand : terminator->getOpOperands()) {
        Values values;
        if (arrayTypeOf(operand.get())) {
          Buffer array = takeOver(operand);
          values.append({array.block, array.data});
          values.append(array.sizes);
        } else {
          values.push_back(scalar(operand.get()));
        }
        for (Value value : values)
          LLVM::StoreOp::create(b, value, slotAddress(arguments[1], slot++));
      }
    });
  });
  return failure(hasFailed);
}

} // namespace ferry::codegen
