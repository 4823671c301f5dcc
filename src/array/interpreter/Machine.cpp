// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running operations one after another. A consumed array whose last use that is leaves the environment, so that a chain
// of in-place updates does not copy the array each time.

#include "array/interpreter/Machine.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace ferry::array {

InterpretedArray::InterpretedArray(ArrayRef<int64_t> extents, std::optional<Side> side, Cell fill)
    : side(side), shape(extents.begin(), extents.end()),
      storage(std::make_shared<std::vector<Cell>>(detail::countOf(extents), fill)) {}

std::vector<Cell> &InterpretedArray::changeCells() {
  if (storage.use_count() > 1)
    storage = std::make_shared<std::vector<Cell>>(*storage);
  return *storage;
}

namespace detail {

Cell narrow(Cell cell, Type type) {
  if (type.isF32())
    return Cell::of(static_cast<double>(static_cast<float>(cell.real())));
  if (type.isF16()) {
    llvm::APFloat value(cell.real());
    bool inexact = false;
    value.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    return Cell::of(value.convertToDouble());
  }
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.getWidth() >= 64)
    return cell;
  if (integer.getWidth() == 1)
    return {cell.bits & 1};
  return Cell::of(llvm::SignExtend64(cell.bits, integer.getWidth()));
}

int64_t countOf(ArrayRef<int64_t> extents) {
  int64_t count = 1;
  for (int64_t extent : extents)
    count *= extent;
  return count;
}

void forEachPoint(ArrayRef<int64_t> extents, llvm::function_ref<void(ArrayRef<int64_t>)> point) {
  Indices indices(extents.size(), 0);
  for (int64_t left = countOf(extents); left > 0; --left) {
    point(indices);
    for (size_t d = extents.size(); d-- > 0;) {
      if (++indices[d] < extents[d])
        break;
      indices[d] = 0;
    }
  }
}

bool inBounds(const InterpretedArray &array, ArrayRef<int64_t> indices) {
  for (auto [index, extent] : llvm::zip(indices, array.extents()))
    if (index < 0 || index >= extent)
      return false;
  return true;
}

static int64_t offsetOf(const InterpretedArray &array, ArrayRef<int64_t> indices) {
  int64_t offset = 0;
  for (auto [index, extent] : llvm::zip(indices, array.extents()))
    offset = offset * extent + index;
  return offset * countOf(array.extents().drop_front(indices.size()));
}

InterpretedValue elementAt(const InterpretedArray &array, ArrayRef<int64_t> indices) {
  int64_t offset = offsetOf(array, indices);
  if (static_cast<int64_t>(indices.size()) == array.rank())
    return array.cells()[offset];
  InterpretedArray row(array.extents().drop_front(indices.size()), array.side);
  std::vector<Cell> &cells = row.changeCells();
  std::copy_n(array.cells().begin() + offset, cells.size(), cells.begin());
  return row;
}

bool storeAt(InterpretedArray &array, ArrayRef<int64_t> indices, const InterpretedValue &value) {
  int64_t offset = offsetOf(array, indices);
  if (auto *cell = std::get_if<Cell>(&value)) {
    array.changeCells()[offset] = *cell;
    return true;
  }
  auto &row = std::get<InterpretedArray>(value);
  if (row.extents() != array.extents().drop_front(indices.size()))
    return false;
  std::copy(row.cells().begin(), row.cells().end(), array.changeCells().begin() + offset);
  return true;
}

static const Handlers &handlers() {
  static const Handlers table = [] {
    Handlers handlers;
    addScalarHandlers(handlers);
    addMathHandlers(handlers);
    addControlHandlers(handlers);
    addArrayHandlers(handlers);
    addSoacHandlers(handlers);
    addPlacementHandlers(handlers);
    addDerivativeHandlers(handlers);
    addTensorHandlers(handlers);
    return handlers;
  }();
  return table;
}

Machine::Machine(const InterpreterOptions &options) : stepsLeft(options.steps) {}

void Machine::fail(Operation *op, const Twine &message, InterpreterError::Kind kind) const {
  throw Stop{{kind, op->getLoc(), message.str()}};
}

void Machine::run(Operation *op) {
  if (--stepsLeft < 0)
    fail(op, "too many steps", InterpreterError::steps);
  auto handler = handlers().find(op->getName().getTypeID());
  if (handler == handlers().end())
    fail(op, "the interpreter does not know '" + op->getName().getStringRef() + "'", InterpreterError::unsupported);
  handler->second(*this, op);
}

Values Machine::evaluate(Region &region, Values arguments, Operation **terminator) {
  Block &block = region.front();
  for (auto [argument, value] : llvm::zip_equal(block.getArguments(), arguments))
    set(argument, std::move(value));
  for (Operation &op : block.without_terminator())
    run(&op);
  Operation *end = block.getTerminator();
  if (terminator)
    *terminator = end;
  Values results;
  for (Value operand : end->getOperands())
    results.push_back(give(end, operand));
  return results;
}

Values Machine::call(func::FuncOp function, Values arguments) {
  if (!function.getBody().hasOneBlock())
    fail(function, "the interpreter runs functions of one block only", InterpreterError::unsupported);
  if (++depth > 1000)
    fail(function, "calls nest too deeply", InterpreterError::steps);
  llvm::DenseMap<Value, InterpretedValue> caller;
  std::swap(caller, environment);
  Values results = evaluate(function.getBody(), std::move(arguments));
  std::swap(caller, environment);
  --depth;
  return results;
}

InterpretedValue Machine::get(Value value) const { return environment.at(value); }

Values Machine::get(ValueRange values) const {
  return llvm::map_to_vector<4>(values, [&](Value value) { return get(value); });
}

Indices Machine::integers(ValueRange values) const {
  return llvm::map_to_vector<4>(values, [&](Value value) { return integer(value); });
}

// Whether nothing uses the value, which the same block defines, after `op`.
static bool isLastUse(Operation *op, Value value) {
  Block *block = op->getBlock();
  if (value.getParentBlock() != block || llvm::count(op->getOperands(), value) != 1)
    return false;
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    Operation *sibling = block->findAncestorOpInBlock(*user);
    return user == op || sibling->isBeforeInBlock(op);
  });
}

InterpretedValue Machine::give(Operation *op, Value value) {
  auto [known, isNew] = lastUses.try_emplace({op, value}, false);
  if (isNew)
    known->second = isLastUse(op, value);
  return known->second ? std::move(environment.at(value)) : get(value);
}

void Machine::checkSide(Operation *op, const InterpretedArray &array) const {
  if (array.side && *array.side != here)
    fail(op,
         "'" + op->getName().getStringRef() + "' runs on the " + stringifySide(here) + ", but the array is on the " +
             stringifySide(*array.side),
         InterpreterError::violation);
}

InterpretedArray Machine::touch(Operation *op, Value value) {
  InterpretedArray result = array(value);
  checkSide(op, result);
  return result;
}

InterpretedArray Machine::consume(Operation *op, Value value) {
  auto result = std::get<InterpretedArray>(give(op, value));
  checkSide(op, result);
  return result;
}

void Machine::set(Value value, InterpretedValue result) { environment.insert_or_assign(value, std::move(result)); }

void Machine::setAll(Operation *op, Values results) {
  for (auto [result, value] : llvm::zip_equal(op->getResults(), results))
    set(result, std::move(value));
}

// An array made inside a launch is on the device, whether or not its type says so.
std::optional<Side> Machine::sideOfNew(Type type) const {
  if (here == Side::device)
    return Side::device;
  return sideOf(type);
}

Handler elementwise(ScalarFunction function) {
  return [function = std::move(function)](Machine &machine, Operation *op) {
    Type type = op->getResult(0).getType();
    SmallVector<Cell> operands;
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor) {
      for (Value operand : op->getOperands())
        operands.push_back(machine.cell(operand));
      machine.set(op->getResult(0), machine.fit(function(machine, op, operands), type));
      return;
    }
    SmallVector<InterpretedArray> arrays;
    for (Value operand : op->getOperands())
      arrays.push_back(machine.touch(op, operand));
    InterpretedArray result(arrays.front().extents(), machine.sideOfNew(type));
    std::vector<Cell> &cells = result.changeCells();
    for (size_t i = 0; i < cells.size(); ++i) {
      operands.clear();
      for (const InterpretedArray &array : arrays)
        operands.push_back(array.cells().at(i));
      cells[i] = machine.fit(function(machine, op, operands), tensor.getElementType());
    }
    machine.set(op->getResult(0), std::move(result));
  };
}

} // namespace detail

InterpreterOutcome interpret(func::FuncOp function, ArrayRef<InterpretedValue> arguments,
                             const InterpreterOptions &options) {
  try {
    detail::Machine machine(options);
    detail::Values results = machine.call(function, detail::Values(arguments.begin(), arguments.end()));
    return std::vector<InterpretedValue>(results.begin(), results.end());
  } catch (const detail::Stop &stop) {
    return stop.error;
  }
}

} // namespace ferry::array
