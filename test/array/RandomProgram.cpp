// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program is a list of statements, each of which makes a value from values that are there; bodies of SOACs, loops,
// branches and pins are programs of their own over what is in scope. The extents of every array are among the two sizes
// that are arguments, so that inputs of a SOAC fit its grid and inner extents do not vary.

#include "RandomProgram.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"

#include <random>

using namespace mlir;
using namespace ferry::array;

namespace ferry::test {
namespace {

// An array with its extents, as indices into the sizes.
struct Sized {
  Value value;
  SmallVector<int> extents;
};

struct Scope {
  SmallVector<Value> floats, integers;
  SmallVector<Sized> arrays; // of f64
  SmallVector<Sized> indexArrays;
};

class Generator {
public:
  Generator(MLIRContext &context, const RandomOptions &options)
      : options(options), random(options.seed), builder(&context), loc(builder.getUnknownLoc()) {}

  OwningOpRef<ModuleOp> make() {
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    builder.setInsertionPointToEnd(module->getBody());
    Type f64 = builder.getF64Type(), i64 = builder.getI64Type();
    SmallVector<Type> arguments = {i64, i64, f64, arrayType(f64, 1), arrayType(f64, 2), arrayType(i64, 1)};
    auto function = func::FuncOp::create(builder, loc, "main", builder.getFunctionType(arguments, {}));
    Block *entry = function.addEntryBlock();
    builder.setInsertionPointToStart(entry);
    sizes = {entry->getArgument(0), entry->getArgument(1)};
    Scope scope;
    scope.integers = {sizes[0], integer(2)};
    scope.floats = {entry->getArgument(2), real(0.5)};
    scope.arrays = {{entry->getArgument(3), {0}}, {entry->getArgument(4), {0, 1}}};
    scope.indexArrays = {{entry->getArgument(5), {0}}};
    SmallVector<Value> results = options.derivative ? derivative(scope) : program(scope, options.statements, 0);
    func::ReturnOp::create(builder, loc, results);
    function.setType(builder.getFunctionType(arguments, ValueRange(results).getTypes()));
    return module;
  }

private:
  int below(int n) { return static_cast<int>(random() % n); }
  bool chance(int percent) { return below(100) < percent; }
  template <typename T> const T &pick(ArrayRef<T> from) { return from[below(static_cast<int>(from.size()))]; }

  Value integer(int64_t value) { return arith::ConstantIntOp::create(builder, loc, value, 64); }
  Value real(double value) { return arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(value)); }
  Value someFloat(Scope &scope) { return pick<Value>(scope.floats); }
  Value someInteger(Scope &scope) { return pick<Value>(scope.integers); }

  // Statements, then a few of the values made.
  SmallVector<Value> program(Scope &scope, int statements, int depth) {
    for (int i = 0; i < statements; ++i)
      statement(scope, depth);
    SmallVector<Value> results = {scope.floats.back(), scope.integers.back()};
    if (!scope.arrays.empty() && chance(80))
      results.push_back(scope.arrays.back().value);
    if (!scope.arrays.empty() && chance(50))
      results.push_back(pick<Sized>(scope.arrays).value);
    return results;
  }

  // The value and tangent of a program at its float arguments.
  SmallVector<Value> derivative(Scope &scope) {
    SmallVector<Value> primals = {scope.floats[0], scope.arrays[0].value, scope.arrays[1].value};
    SmallVector<Type> types(ValueRange(primals).getTypes());
    auto jvp = JvpOp::create(builder, loc, TypeRange(), primals, primals);
    Block *body = builder.createBlock(&jvp.getBody(), {}, types, SmallVector<Location>(types.size(), loc));
    Scope inner = scope;
    inner.floats = {body->getArgument(0), scope.floats[1]};
    inner.arrays = {{body->getArgument(1), {0}}, {body->getArgument(2), {0, 1}}};
    SmallVector<Value> yields = program(inner, options.statements, 0);
    YieldOp::create(builder, loc, yields);
    SmallVector<Type> results(ValueRange(yields).getTypes());
    llvm::append_range(results, SmallVector<Type>(results));
    builder.setInsertionPoint(jvp);
    auto typed = JvpOp::create(builder, loc, results, primals, primals);
    typed.getBody().takeBody(jvp.getBody());
    jvp.erase();
    builder.setInsertionPointAfter(typed);
    return typed.getResults();
  }

  void statement(Scope &scope, int depth) {
    bool canNest = depth < options.depth;
    switch (below(canNest ? 17 : 6)) {
    case 0:
    case 1:
      return floatStatement(scope);
    case 2:
      return integerStatement(scope);
    case 3:
      return elementStatement(scope);
    case 4:
      return rowStatement(scope);
    case 5:
      return checkStatement(scope);
    case 6:
    case 7:
    case 8:
      return mapStatement(scope, depth);
    case 9:
      return reduceStatement(scope, depth);
    case 10:
      return scanStatement(scope, depth);
    case 11:
      return histStatement(scope, depth);
    case 12:
      return scatterStatement(scope);
    case 13:
      return makeStatement(scope);
    case 14:
      return chance(70) ? loopStatement(scope, depth) : whileStatement(scope);
    case 15:
      return branchStatement(scope, depth);
    default:
      return options.pins && chance(50) ? pinStatement(scope, depth) : filterStatement(scope, depth);
    }
  }

  //===- Scalars
  //----------------------------------------------------------------------------------------------------===//

  void floatStatement(Scope &scope) {
    Value a = someFloat(scope), b = someFloat(scope);
    switch (below(options.derivative ? 4 : 6)) {
    case 0:
      return scope.floats.push_back(arith::AddFOp::create(builder, loc, a, b));
    case 1:
      // Products stay small, so that rounding does as well.
      return scope.floats.push_back(math::SinOp::create(builder, loc, arith::MulFOp::create(builder, loc, a, b)));
    case 2:
      return scope.floats.push_back(math::TanhOp::create(builder, loc, a));
    case 3:
      return scope.floats.push_back(arith::SubFOp::create(builder, loc, a, b));
    case 4:
      return scope.floats.push_back(arith::MaximumFOp::create(builder, loc, a, b));
    default:
      Value less = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, a, b);
      return scope.floats.push_back(arith::SelectOp::create(builder, loc, less, b, a));
    }
  }

  void integerStatement(Scope &scope) {
    Value a = someInteger(scope), b = someInteger(scope);
    switch (below(4)) {
    case 0:
      return scope.integers.push_back(arith::AddIOp::create(builder, loc, a, b));
    case 1:
      return scope.integers.push_back(arith::XOrIOp::create(builder, loc, a, integer(below(8))));
    case 2:
      return scope.integers.push_back(arith::MinSIOp::create(builder, loc, a, b));
    default:
      return scope.integers.push_back(arith::MulIOp::create(builder, loc, a, integer(below(4))));
    }
  }

  // An index that is in bounds unless the extent is 0 or failures are wanted.
  Value index(Scope &scope, int extent) {
    Value any = someInteger(scope);
    if (options.failures && chance(2))
      return any;
    Value least = arith::MaxSIOp::create(builder, loc, sizes[extent], integer(1));
    return arith::RemUIOp::create(builder, loc, any, least);
  }

  // Reads nothing where an extent may be 0, unless failures are wanted.
  bool mayIndex() { return options.failures; }

  void elementStatement(Scope &scope) {
    if (scope.arrays.empty() || !mayIndex())
      return floatStatement(scope);
    const Sized array = pick<Sized>(scope.arrays);
    SmallVector<Value> indices;
    for (int extent : array.extents)
      indices.push_back(index(scope, extent));
    scope.floats.push_back(ElementOp::create(builder, loc, array.value, indices));
  }

  void rowStatement(Scope &scope) {
    SmallVector<Sized> matrices;
    llvm::copy_if(scope.arrays, std::back_inserter(matrices), [](const Sized &a) { return a.extents.size() == 2; });
    if (matrices.empty())
      return floatStatement(scope);
    const Sized matrix = pick<Sized>(matrices);
    if (chance(30))
      return scope.arrays.push_back(reshaped(matrix));
    if (chance(50) || !mayIndex()) {
      Value turned = PermuteOp::create(builder, loc, matrix.value.getType(), matrix.value, ArrayRef<int64_t>{1, 0});
      scope.arrays.push_back({turned, {matrix.extents[1], matrix.extents[0]}});
      return;
    }
    Value row = RowOp::create(builder, loc, arrayType(builder.getF64Type(), 1), matrix.value,
                              index(scope, matrix.extents[0]), UnitAttr());
    scope.arrays.push_back({row, {matrix.extents[1]}});
  }

  // Flattened, then with the extents the other way round.
  Sized reshaped(const Sized &matrix) {
    Type f64 = builder.getF64Type();
    Value rows = sizes[matrix.extents[0]], columns = sizes[matrix.extents[1]];
    Value flat = ReshapeOp::create(builder, loc, arrayType(f64, 1), matrix.value,
                                   ValueRange{arith::MulIOp::create(builder, loc, rows, columns)});
    return {ReshapeOp::create(builder, loc, arrayType(f64, 2), flat, ValueRange{columns, rows}),
            {matrix.extents[1], matrix.extents[0]}};
  }

  void checkStatement(Scope &scope) {
    if (!options.failures)
      return integerStatement(scope);
    Value limit = integer(chance(10) ? 3 : 1000000);
    Value fine = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, someInteger(scope), limit);
    AssertOp::create(builder, loc, fine, builder.getStringAttr("a number is too large"), ValueRange());
  }

  //===- Arrays
  //-----------------------------------------------------------------------------------------------------===//

  SmallVector<int> someGrid() { return chance(30) ? SmallVector<int>{0, 1} : SmallVector<int>{below(2)}; }

  SmallVector<Value> sizesOfGrid(ArrayRef<int> grid) {
    return llvm::map_to_vector(grid, [&](int extent) { return sizes[extent]; });
  }

  // Inputs whose leading extents are the grid's.
  SmallVector<Sized> someInputs(ArrayRef<Sized> arrays, ArrayRef<int> grid) {
    SmallVector<Sized> inputs;
    for (const Sized &array : arrays)
      if (array.extents.size() >= grid.size() && ArrayRef(array.extents).take_front(grid.size()) == grid && chance(60))
        inputs.push_back(array);
    return inputs;
  }

  // A body block over a grid; what it gets is added to a copy of the scope.
  Scope enterBody(Region &region, const Scope &scope, ArrayRef<int> grid, ArrayRef<Sized> inputs,
                  ArrayRef<Sized> indexInputs) {
    Block *block = builder.createBlock(&region);
    Scope inner = scope;
    for (size_t d = 0; d < grid.size(); ++d)
      inner.integers.push_back(block->addArgument(builder.getI64Type(), loc));
    for (const Sized &input : inputs) {
      Value argument = block->addArgument(elementAfter(input.value.getType(), grid.size()), loc);
      if (input.extents.size() == grid.size())
        inner.floats.push_back(argument);
      else
        inner.arrays.push_back({argument, SmallVector<int>(ArrayRef(input.extents).drop_front(grid.size()))});
    }
    for (const Sized &input : indexInputs)
      inner.integers.push_back(block->addArgument(elementAfter(input.value.getType(), grid.size()), loc));
    return inner;
  }

  static SmallVector<Value> valuesOf(ArrayRef<Sized> inputs, ArrayRef<Sized> more) {
    SmallVector<Value> values = llvm::map_to_vector(inputs, [](const Sized &input) { return input.value; });
    llvm::append_range(values, llvm::map_range(more, [](const Sized &input) { return input.value; }));
    return values;
  }

  // A map is made with the results that its body turns out to have.
  void mapStatement(Scope &scope, int depth) {
    SmallVector<int> grid = someGrid();
    SmallVector<Sized> inputs = someInputs(scope.arrays, grid), indexInputs = someInputs(scope.indexArrays, grid);
    auto map = MapOp::create(builder, loc, TypeRange(), sizesOfGrid(grid), valuesOf(inputs, indexInputs));
    Scope inner = enterBody(map.getBody(), scope, grid, inputs, indexInputs);
    size_t arraysBefore = inner.arrays.size();
    for (int i = 0, count = 1 + below(4); i < count; ++i)
      statement(inner, depth + 1);
    SmallVector<Value> yields = {inner.floats.back()};
    SmallVector<SmallVector<int>> extents = {grid};
    if (inner.arrays.size() > arraysBefore && grid.size() + inner.arrays.back().extents.size() <= 2) {
      yields.push_back(inner.arrays.back().value);
      extents.push_back(grid);
      llvm::append_range(extents.back(), inner.arrays.back().extents);
    }
    if (chance(40))
      yields.push_back(someFloat(inner));
    extents.resize(yields.size(), grid);
    bool yieldsInteger = grid.size() == 1 && chance(30);
    if (yieldsInteger)
      yields.push_back(inner.integers.back());
    YieldOp::create(builder, loc, yields);
    SmallVector<Type> types;
    for (auto [yielded, shape] : llvm::zip(yields, extents))
      types.push_back(arrayType(builder.getF64Type(), shape.size()));
    if (yieldsInteger)
      types.push_back(arrayType(builder.getI64Type(), 1));
    builder.setInsertionPoint(map);
    auto typed = MapOp::create(builder, loc, types, map.getSizes(), map.getInputs());
    typed.getBody().takeBody(map.getBody());
    map.erase();
    builder.setInsertionPointAfter(typed);
    for (auto [shape, result] : llvm::zip(extents, typed.getResults()))
      scope.arrays.push_back({result, shape});
    if (yieldsInteger)
      scope.indexArrays.push_back({typed.getResults().back(), grid});
  }

  // a + b, or the larger of pairs with where it is.
  void combiner(Region &region, bool isPair) {
    Type f64 = builder.getF64Type(), i64 = builder.getI64Type();
    SmallVector<Type> types = isPair ? SmallVector<Type>{f64, i64, f64, i64} : SmallVector<Type>{f64, f64};
    Block *block = builder.createBlock(&region, {}, types, SmallVector<Location>(types.size(), loc));
    if (!isPair) {
      Value sum = arith::AddFOp::create(builder, loc, block->getArgument(0), block->getArgument(1));
      YieldOp::create(builder, loc, sum);
      return;
    }
    Value more =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, block->getArgument(2), block->getArgument(0));
    Value value = arith::SelectOp::create(builder, loc, more, block->getArgument(2), block->getArgument(0));
    Value place = arith::SelectOp::create(builder, loc, more, block->getArgument(3), block->getArgument(1));
    YieldOp::create(builder, loc, ValueRange{value, place});
  }

  void yieldPoint(Scope &inner, int depth, bool isPair) {
    for (int i = 0, count = below(3); i < count; ++i)
      statement(inner, depth + 1);
    SmallVector<Value> yields = {someFloat(inner)};
    if (isPair)
      yields.push_back(someInteger(inner));
    YieldOp::create(builder, loc, yields);
  }

  void reduceStatement(Scope &scope, int depth) {
    SmallVector<int> grid = someGrid();
    bool isPair = !options.derivative && chance(40);
    SmallVector<Sized> inputs = someInputs(scope.arrays, grid), indexInputs = someInputs(scope.indexArrays, grid);
    SmallVector<Value> neutral = {real(isPair ? -1e9 : 0)};
    if (isPair)
      neutral.push_back(integer(-1));
    auto reduce = ReduceOp::create(builder, loc, ValueRange(neutral).getTypes(), sizesOfGrid(grid),
                                   valuesOf(inputs, indexInputs), neutral, UnitAttr());
    Scope inner = enterBody(reduce.getBody(), scope, grid, inputs, indexInputs);
    yieldPoint(inner, depth, isPair);
    combiner(reduce.getCombiner(), isPair);
    builder.setInsertionPointAfter(reduce);
    // A mean rather than a sum, so that functions of functions do not vary faster than differences can follow.
    scope.floats.push_back(arith::MulFOp::create(builder, loc, reduce.getResult(0), real(1.0 / 32)));
    if (isPair)
      scope.integers.push_back(reduce.getResult(1));
  }

  void scanStatement(Scope &scope, int depth) {
    SmallVector<int> grid = {below(2)};
    bool isPair = !options.derivative && chance(40);
    SmallVector<Sized> inputs = someInputs(scope.arrays, grid), indexInputs = someInputs(scope.indexArrays, grid);
    SmallVector<Value> neutral = {real(isPair ? -1e9 : 0)};
    SmallVector<Type> types = {arrayType(builder.getF64Type(), 1)};
    if (isPair) {
      neutral.push_back(integer(-1));
      types.push_back(arrayType(builder.getI64Type(), 1));
    }
    auto scan = ScanOp::create(builder, loc, types, sizes[grid[0]], valuesOf(inputs, indexInputs), neutral);
    Scope inner = enterBody(scan.getBody(), scope, grid, inputs, indexInputs);
    yieldPoint(inner, depth, isPair);
    combiner(scan.getCombiner(), isPair);
    builder.setInsertionPointAfter(scan);
    scope.arrays.push_back({scan.getResult(0), grid});
    if (isPair)
      scope.indexArrays.push_back({scan.getResult(1), grid});
  }

  // An array to be consumed, or to be yielded: mostly a fresh one, but array-copy-consumed makes a copy where that
  // matters.
  Value fresh(Scope &scope, int extent) {
    for (const Sized &array : scope.arrays)
      if (array.extents == SmallVector<int>{extent} && chance(60))
        return chance(30) ? array.value : CopyOp::create(builder, loc, array.value);
    return ReplicateOp::create(builder, loc, arrayType(builder.getF64Type(), 1), ValueRange{sizes[extent]},
                               someFloat(scope));
  }

  void histStatement(Scope &scope, int depth) {
    SmallVector<int> grid = someGrid();
    int extent = below(2);
    SmallVector<Sized> inputs = someInputs(scope.arrays, grid), indexInputs = someInputs(scope.indexArrays, grid);
    Value to = fresh(scope, extent);
    auto hist = HistOp::create(builder, loc, to.getType(), sizesOfGrid(grid), valuesOf(inputs, indexInputs), to,
                               real(0), builder.getI64IntegerAttr(1));
    Scope inner = enterBody(hist.getBody(), scope, grid, inputs, indexInputs);
    for (int i = 0, count = below(3); i < count; ++i)
      statement(inner, depth + 1);
    YieldOp::create(builder, loc, ValueRange{someInteger(inner), someFloat(inner)});
    combiner(hist.getCombiner(), false);
    builder.setInsertionPointAfter(hist);
    scope.arrays.push_back({hist.getResult(0), {extent}});
  }

  // Each point writes its own element, in reverse.
  void scatterStatement(Scope &scope) {
    SmallVector<int> grid = {below(2)};
    SmallVector<Sized> inputs = someInputs(scope.arrays, grid);
    int extent = below(2);
    Value to = fresh(scope, extent);
    auto scatter = ScatterOp::create(builder, loc, to.getType(), sizesOfGrid(grid), valuesOf(inputs, {}), to,
                                     builder.getI64IntegerAttr(1));
    Scope inner = enterBody(scatter.getBody(), scope, grid, inputs, {});
    Value point = scatter.getBody().getArgument(0);
    Value at =
        arith::SubIOp::create(builder, loc, sizes[extent], arith::AddIOp::create(builder, loc, point, integer(1)));
    floatStatement(inner);
    YieldOp::create(builder, loc, ValueRange{at, inner.floats.back()});
    builder.setInsertionPointAfter(scatter);
    scope.arrays.push_back({scatter.getResult(0), {extent}});
  }

  // The sum of the elements that a filter keeps.
  void filterStatement(Scope &scope, int depth) {
    if (options.derivative)
      return floatStatement(scope);
    SmallVector<int> grid = {below(2)};
    SmallVector<Sized> inputs = someInputs(scope.arrays, grid);
    auto type = arrayType(builder.getF64Type(), 1);
    auto filter =
        FilterOp::create(builder, loc, builder.getI64Type(), TypeRange(type), sizes[grid[0]], valuesOf(inputs, {}));
    Scope inner = enterBody(filter.getBody(), scope, grid, inputs, {});
    statement(inner, depth + 1);
    Value keep = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, inner.floats.back(), real(0));
    YieldOp::create(builder, loc, ValueRange{keep, someFloat(inner)});
    builder.setInsertionPointAfter(filter);
    Value zero = integer(0), one = integer(1);
    Value kept =
        SliceOp::create(builder, loc, type, filter.getResults().front(), zero, filter.getCount(), one, UnitAttr());
    Value start = real(0);
    auto reduce =
        ReduceOp::create(builder, loc, TypeRange(builder.getF64Type()), filter.getCount(), kept, start, UnitAttr());
    Scope point = enterBody(reduce.getBody(), Scope{}, {0}, Sized{kept, {0}}, {});
    YieldOp::create(builder, loc, point.floats.back());
    combiner(reduce.getCombiner(), false);
    builder.setInsertionPointAfter(reduce);
    scope.floats.push_back(reduce.getResult(0));
    scope.integers.push_back(filter.getCount());
  }

  void makeStatement(Scope &scope) {
    int extent = below(2);
    auto type = arrayType(builder.getF64Type(), 1);
    switch (below(7)) {
    case 6:
      return scope.arrays.push_back(repeated(scope, extent));
    case 5:
      return scope.arrays.push_back({turned(scope, extent), {extent}});
    case 3:
      return scope.arrays.push_back({joined(scope, extent), {extent}});
    case 4:
      return scope.arrays.push_back({reversed(scope, extent), {extent}});
    case 0:
      scope.indexArrays.push_back({IotaOp::create(builder, loc, arrayType(builder.getI64Type(), 1), sizes[extent],
                                                  someInteger(scope), integer(1)),
                                   {extent}});
      return;
    case 1:
      scope.arrays.push_back(
          {ReplicateOp::create(builder, loc, type, ValueRange{sizes[extent]}, someFloat(scope)), {extent}});
      return;
    default:
      Value array = fresh(scope, extent);
      if (mayIndex())
        array = UpdateOp::create(builder, loc, array, ValueRange{index(scope, extent)}, someFloat(scope));
      scope.arrays.push_back({array, {extent}});
    }
  }

  //===- Control
  //----------------------------------------------------------------------------------------------------===//

  // The last elements of two arrays in a row.
  Value joined(Scope &scope, int extent) {
    auto type = arrayType(builder.getF64Type(), 1);
    int other = below(2);
    Value both = ConcatOp::create(builder, loc, type, ValueRange{fresh(scope, other), fresh(scope, extent)});
    return SliceOp::create(builder, loc, type, both, sizes[other], sizes[extent], integer(1), UnitAttr());
  }

  // A view of all elements, from the end.
  Value turned(Scope &scope, int extent) {
    Value from = fresh(scope, extent), last = arith::SubIOp::create(builder, loc, sizes[extent], integer(1));
    return SliceOp::create(builder, loc, from.getType(), from, last, sizes[extent], integer(-1), UnitAttr());
  }

  // Equal rows, of equal elements or not.
  Sized repeated(Scope &scope, int extent) {
    int outer = below(2);
    return {ReplicateOp::create(builder, loc, arrayType(builder.getF64Type(), 2), ValueRange{sizes[outer]},
                                fresh(scope, extent)),
            {outer, extent}};
  }

  // An array with all of another written into it from the end.
  Value reversed(Scope &scope, int extent) {
    Value to = fresh(scope, extent), from = fresh(scope, extent);
    Value last = arith::SubIOp::create(builder, loc, sizes[extent], integer(1));
    return InsertSliceOp::create(builder, loc, to, last, sizes[extent], integer(-1), from, UnitAttr());
  }

  // Carries a float and an array, which each round may update.
  void loopStatement(Scope &scope, int depth) {
    int extent = below(2);
    Value zero = integer(0), one = integer(1);
    auto loop = scf::ForOp::create(builder, loc, zero, sizes[below(2)], one,
                                   ValueRange{someFloat(scope), fresh(scope, extent)});
    builder.setInsertionPointToStart(loop.getBody());
    Scope inner = scope;
    inner.integers.push_back(loop.getInductionVar());
    inner.floats.push_back(loop.getRegionIterArg(0));
    Value array = loop.getRegionIterArg(1);
    inner.arrays.push_back({array, {extent}});
    for (int i = 0, count = 1 + below(3); i < count; ++i)
      statement(inner, depth + 1);
    if (mayIndex() && chance(70)) {
      if (chance(50))
        array = CopyOp::create(builder, loc, array);
      array = UpdateOp::create(builder, loc, array, ValueRange{index(inner, extent)}, someFloat(inner));
    }
    scf::YieldOp::create(builder, loc, ValueRange{math::SinOp::create(builder, loc, inner.floats.back()), array});
    builder.setInsertionPointAfter(loop);
    scope.floats.push_back(loop.getResult(0));
    scope.arrays.push_back({loop.getResult(1), {extent}});
  }

  // Repeats a function as often as one of the sizes says.
  void whileStatement(Scope &scope) {
    Value count = sizes[below(2)], start = someFloat(scope), zero = integer(0);
    Type f64 = builder.getF64Type(), i64 = builder.getI64Type();
    auto loop = scf::WhileOp::create(builder, loc, TypeRange{f64, i64}, ValueRange{start, zero});
    Block *before = builder.createBlock(&loop.getBefore(), {}, {f64, i64}, {loc, loc});
    Value more = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, before->getArgument(1), count);
    scf::ConditionOp::create(builder, loc, more, before->getArguments());
    Block *after = builder.createBlock(&loop.getAfter(), {}, {f64, i64}, {loc, loc});
    Value next = math::SinOp::create(builder, loc, arith::AddFOp::create(builder, loc, after->getArgument(0), start));
    Value counted = arith::AddIOp::create(builder, loc, after->getArgument(1), integer(1));
    scf::YieldOp::create(builder, loc, ValueRange{next, counted});
    builder.setInsertionPointAfter(loop);
    scope.floats.push_back(loop.getResult(0));
    scope.integers.push_back(loop.getResult(1));
  }

  void branchStatement(Scope &scope, int depth) {
    Value condition = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, someInteger(scope), integer(3));
    int extent = below(2);
    auto branch = scf::IfOp::create(builder, loc, TypeRange{builder.getF64Type(), arrayType(builder.getF64Type(), 1)},
                                    condition, true, true);
    for (Region *arm : {&branch.getThenRegion(), &branch.getElseRegion()}) {
      builder.setInsertionPointToStart(&arm->front());
      Scope inner = scope;
      for (int i = 0, count = below(3); i < count; ++i)
        statement(inner, depth + 1);
      scf::YieldOp::create(builder, loc, ValueRange{inner.floats.back(), fresh(inner, extent)});
    }
    builder.setInsertionPointAfter(branch);
    scope.floats.push_back(branch.getResult(0));
    scope.arrays.push_back({branch.getResult(1), {extent}});
  }

  void pinStatement(Scope &scope, int depth) {
    auto side = SideAttr::get(builder.getContext(), Side::host);
    auto pin = PinOp::create(builder, loc, TypeRange(builder.getF64Type()), side, builder.getStringAttr("pinned"));
    builder.createBlock(&pin.getBody());
    Scope inner = scope;
    statement(inner, depth + 1);
    YieldOp::create(builder, loc, inner.floats.back());
    builder.setInsertionPointAfter(pin);
    scope.floats.push_back(pin.getResult(0));
  }

  RandomOptions options;
  std::mt19937_64 random;
  OpBuilder builder;
  Location loc;
  SmallVector<Value> sizes;
};

} // namespace

OwningOpRef<ModuleOp> randomProgram(MLIRContext &context, const RandomOptions &options) {
  return Generator(context, options).make();
}

std::vector<InterpretedValue> randomArguments(uint64_t seed) {
  std::mt19937_64 random(seed);
  auto real = [&] { return Cell::of(static_cast<double>(random() % 2001) / 1000 - 1); };
  auto n = static_cast<int64_t>(random() % 5), m = static_cast<int64_t>(random() % 5);
  InterpretedArray xs({n}, std::nullopt), ys({n, m}, std::nullopt), is({n}, std::nullopt);
  for (InterpretedArray *array : {&xs, &ys})
    for (Cell &cell : array->changeCells())
      cell = real();
  for (Cell &cell : is.changeCells())
    cell = Cell::of(static_cast<int64_t>(random() % 7) - 1);
  return {Cell::of(n), Cell::of(m), real(), xs, ys, is};
}

} // namespace ferry::test
