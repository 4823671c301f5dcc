// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SOACs: the body is evaluated at the points of the grid one after another, in row-major order.

#include "array/interpreter/Machine.h"

using namespace mlir;

namespace ferry::array::detail {
namespace {

// A SOAC's grid, and its inputs, which have at least the grid's extents.
struct Grid {
  Indices extents;
  SmallVector<InterpretedArray> inputs;
};

Grid gridOf(Machine &machine, Operation *op, ValueRange sizes, ValueRange inputs) {
  Grid grid{machine.integers(sizes), {}};
  for (int64_t &extent : grid.extents)
    extent = std::max<int64_t>(extent, 0);
  for (Value input : inputs) {
    InterpretedArray array = machine.touch(op, input);
    if (array.extents().take_front(grid.extents.size()) != ArrayRef(grid.extents))
      machine.fail(op, "the extents of an input are not the grid's");
    grid.inputs.push_back(std::move(array));
  }
  return grid;
}

// What the body yields at a point.
Values evaluateAt(Machine &machine, Region &body, const Grid &grid, ArrayRef<int64_t> point) {
  Values arguments;
  for (int64_t index : point)
    arguments.push_back(Cell::of(index));
  for (const InterpretedArray &input : grid.inputs)
    arguments.push_back(elementAt(input, point));
  return machine.evaluate(body, std::move(arguments));
}

// Result arrays that are made when the first of their elements is known, whose extents the rows of the others share.
class Collector {
public:
  Collector(Machine &machine, Operation *op, ArrayRef<int64_t> extents) : machine(machine), op(op), extents(extents) {}

  void store(size_t result, ArrayRef<int64_t> point, const InterpretedValue &value) {
    if (arrays.size() <= result)
      arrays.push_back(make(result, value));
    if (!storeAt(arrays[result], point, value))
      machine.fail(op, "rows of different shape");
  }

  // The arrays; `row` gives the extents of the rows of a result of which no element was stored.
  Values take(TypeRange types, llvm::function_ref<Indices(unsigned)> row) {
    Values results;
    for (auto [index, type] : llvm::enumerate(types)) {
      Indices all(extents);
      if (index >= arrays.size())
        llvm::append_range(all, row(index));
      results.push_back(index < arrays.size() ? std::move(arrays[index])
                                              : InterpretedArray(all, machine.sideOfNew(type)));
    }
    return results;
  }

private:
  InterpretedArray make(size_t result, const InterpretedValue &value) {
    Indices all(extents);
    if (auto *row = std::get_if<InterpretedArray>(&value))
      llvm::append_range(all, row->extents());
    return InterpretedArray(all, machine.sideOfNew(op->getResult(result + firstResult).getType()));
  }

  Machine &machine;
  Operation *op;
  Indices extents;
  std::vector<InterpretedArray> arrays;

public:
  unsigned firstResult = 0; ///< the results before the arrays
};

void runMap(Machine &machine, MapOp op) {
  Grid grid = gridOf(machine, op, op.getSizes(), op.getInputs());
  Collector collector(machine, op, grid.extents);
  forEachPoint(grid.extents, [&](ArrayRef<int64_t> point) {
    for (auto [index, value] : llvm::enumerate(evaluateAt(machine, op.getBody(), grid, point)))
      collector.store(index, point, value);
  });
  machine.setAll(
      op, collector.take(op.getResultTypes(), [&](unsigned i) { return extentsYielded(machine, op.getBody(), i); }));
}

Values combine(Machine &machine, Region &combiner, Values left, Values right) {
  llvm::append_range(left, std::move(right));
  return machine.evaluate(combiner, std::move(left));
}

void runReduce(Machine &machine, ReduceOp op) {
  Grid grid = gridOf(machine, op, op.getSizes(), op.getInputs());
  Values sum = machine.get(op.getNeutral());
  forEachPoint(grid.extents, [&](ArrayRef<int64_t> point) {
    sum = combine(machine, op.getCombiner(), std::move(sum), evaluateAt(machine, op.getBody(), grid, point));
  });
  machine.setAll(op, std::move(sum));
}

void runScan(Machine &machine, ScanOp op) {
  Grid grid = gridOf(machine, op, op.getSize(), op.getInputs());
  Collector collector(machine, op, grid.extents);
  Values sum = machine.get(op.getNeutral());
  forEachPoint(grid.extents, [&](ArrayRef<int64_t> point) {
    sum = combine(machine, op.getCombiner(), std::move(sum), evaluateAt(machine, op.getBody(), grid, point));
    for (auto [index, value] : llvm::enumerate(sum))
      collector.store(index, point, value);
  });
  machine.setAll(op, collector.take(op.getResultTypes(), [&](unsigned i) {
    auto *row = std::get_if<InterpretedArray>(&sum[i]);
    return row ? Indices(row->extents()) : Indices();
  }));
}

void runFilter(Machine &machine, FilterOp op) {
  Grid grid = gridOf(machine, op, op.getSize(), op.getInputs());
  Collector collector(machine, op, grid.extents);
  collector.firstResult = 1;
  int64_t count = 0;
  forEachPoint(grid.extents, [&](ArrayRef<int64_t> point) {
    Values values = evaluateAt(machine, op.getBody(), grid, point);
    if (!std::get<Cell>(values.front()).integer())
      return;
    for (auto [index, value] : llvm::enumerate(llvm::drop_begin(values)))
      collector.store(index, count, value);
    ++count;
  });
  machine.set(op.getCount(), Cell::of(count));
  for (auto [result, value] :
       llvm::zip_equal(op.getResults(), collector.take(op.getResults().getTypes(), [&](unsigned i) {
         return extentsYielded(machine, op.getBody(), i + 1);
       })))
    machine.set(result, std::move(value));
}

// The destinations of a scatter or histogram, written at the indices that the body yields before its values.
template <typename Op, typename Write> void writeInto(Machine &machine, Op op, Write write) {
  Grid grid = gridOf(machine, op, op.getSizes(), op.getInputs());
  std::vector<InterpretedArray> destinations;
  for (Value destination : op.getDestinations())
    destinations.push_back(machine.consume(op, destination));
  size_t rank = op.getRank();
  forEachPoint(grid.extents, [&](ArrayRef<int64_t> point) {
    Values values = evaluateAt(machine, op.getBody(), grid, point);
    Indices indices;
    for (size_t d = 0; d < rank; ++d)
      indices.push_back(std::get<Cell>(values[d]).integer());
    if (llvm::all_of(destinations, [&](const InterpretedArray &array) { return inBounds(array, indices); }))
      write(destinations, indices, Values(llvm::drop_begin(values, rank)));
  });
  machine.setAll(op, Values(destinations.begin(), destinations.end()));
}

void storeRow(Machine &machine, Operation *op, InterpretedArray &array, ArrayRef<int64_t> at,
              const InterpretedValue &value) {
  if (!storeAt(array, at, value))
    machine.fail(op, "a row of another shape");
}

void runScatter(Machine &machine, ScatterOp op) {
  writeInto(machine, op, [&](std::vector<InterpretedArray> &destinations, ArrayRef<int64_t> at, const Values &values) {
    for (auto [destination, value] : llvm::zip_equal(destinations, values))
      storeRow(machine, op, destination, at, value);
  });
}

void runHist(Machine &machine, HistOp op) {
  writeInto(machine, op, [&](std::vector<InterpretedArray> &destinations, ArrayRef<int64_t> at, const Values &values) {
    Values bins;
    for (const InterpretedArray &destination : destinations)
      bins.push_back(elementAt(destination, at));
    Values sums = combine(machine, op.getCombiner(), std::move(bins), values);
    for (auto [destination, sum] : llvm::zip_equal(destinations, sums))
      storeRow(machine, op, destination, at, sum);
  });
}

} // namespace

void addSoacHandlers(Handlers &handlers) {
  handle<MapOp>(handlers, runMap);
  handle<ReduceOp>(handlers, runReduce);
  handle<ScanOp>(handlers, runScan);
  handle<FilterOp>(handlers, runFilter);
  handle<ScatterOp>(handlers, runScatter);
  handle<HistOp>(handlers, runHist);
}

} // namespace ferry::array::detail
