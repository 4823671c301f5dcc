// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates typed expressions at compile time, as far as they are about functions and records, and makes operations of
// the array dialect for the rest. Applying a function evaluates its body with its parameters bound, so every use is
// inlined; functions marked `#[noinline]` or `#[cpu_function]` become functions of the module. Where the operations go
// and which location they get is the emitter's state.
//
// A feature of the language that is missing is reported and ends the evaluation by the exception `Stop`.
#pragma once

#include "futhark/lower/emitter.h"
#include "futhark/lower/value.h"
#include "futhark/syntax/diagnostics.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <set>

namespace ferry::futhark::lowering {

/// Thrown after what is wrong was reported.
struct Stop {};

class Evaluator {
public:
  Evaluator(mlir::ModuleOp module, Diagnostics &diagnostics);

  /// Makes the entry's public function.
  void lowerEntry(const typed::Entry &entry);

private:
  // ---- Entry points: entry.cpp ------------------------------------------------------------------------------------
  void bindEntrySizes(const typed::Entry &entry, llvm::MutableArrayRef<Value> arguments, Environment &scope);
  void checkEntrySizes(const typed::EntryParameter &parameter, TypeRef type, const Value &value, Environment &scope);

  // ---- Expressions: expressions.cpp -----------------------------------------------------------------------------
  Value evaluate(const typed::Expr &expr, Environment &scope);
  mlir::Value evaluateScalar(const typed::Expr &expr, Environment &scope);
  Value evaluateNode(const typed::Expr &expr, Environment &scope);
  Value evaluateVar(const typed::Var &var, Environment &scope);
  Value evaluateRecord(const typed::Record &record, Environment &scope);
  Value evaluateConstruct(const typed::Construct &construct, const typed::Expr &expr, Environment &scope);
  Value evaluateBinary(const typed::Binary &node, Environment &scope);
  Value evaluateUnary(const typed::Unary &node, Environment &scope);
  Value evaluateLet(const typed::Let &let, Environment &scope);
  Value evaluateAssert(const typed::Assert &node, Environment &scope);
  Value evaluateCoerce(const typed::Coerce &node, const typed::Expr &expr, Environment &scope);
  Value coerce(Value value, TypeRef type, Environment &scope);
  Value updateRecord(const Value &record, llvm::ArrayRef<unsigned> path, const Value &value);
  mlir::Value equal(const Value &left, const Value &right);

  // ---- Functions: functions.cpp ---------------------------------------------------------------------------------
  Value apply(const Value &function, llvm::ArrayRef<Value> arguments);
  Value applyFunction(const Closure &closure, llvm::ArrayRef<Value> arguments);
  void warnIgnored(const typed::Definition &definition);
  Value evaluateBody(const Closure &closure, llvm::ArrayRef<Value> arguments);
  Value evaluateDefinition(const typed::Definition &definition, const typed::Var &var, Environment &scope);
  /// Null if the function is to be inlined.
  std::optional<Value> callFunction(const Closure &closure, llvm::ArrayRef<Value> arguments);
  std::optional<Value> makeFunction(const typed::Definition &definition, Closure &closure,
                                    llvm::ArrayRef<Value> arguments, mlir::ValueRange operands, size_t leafCount);
  std::string freshSymbol(llvm::StringRef name);

  // ---- Patterns: patterns.cpp -----------------------------------------------------------------------------------
  void bind(const typed::Pattern &pattern, const Value &value, Environment &scope);
  /// Whether a value matches a pattern; null if it always does.
  mlir::Value matches(const typed::Pattern &pattern, const Value &value, Environment &scope);
  /// Binds those of `names` that are sizes in `type` to the sizes of `value`.
  void bindSizes(llvm::ArrayRef<const Binding *> names, TypeRef type, const Value &value, Environment &scope);
  /// Gives what makes the value a user's name, for messages and allocations.
  void name(const Value &value, llvm::StringRef name);

  // ---- Types and sizes: sizes.cpp -------------------------------------------------------------------------------
  enum class Sizes : uint8_t { Evaluated, Ignored };
  ConcreteRef concrete(TypeRef type, Environment &scope, Sizes sizes = Sizes::Evaluated);
  Prim primOf(const typed::Expr &expr, Environment &scope); ///< Of an expression whose type is one.
  /// Null if the size mentions what is not in scope.
  mlir::Value evaluateSize(const types::Size &size, Environment &scope, bool evaluateExpressions);
  mlir::Value sizeOf(const Value &array);
  llvm::SmallVector<mlir::Value> sizesOf(const Value &array, unsigned count);
  /// The value with the sizes that its type tells filled in.
  Value withSizes(Value value, TypeRef type, Environment &scope);
  bool isInScope(mlir::Value value);
  /// A value of zeros; arrays have the sizes of the type, or none where those are not known.
  Value blank(const ConcreteType &type);
  Value blankArray(const ConcreteType &element, llvm::SmallVector<mlir::Value> sizes);

  // ---- Control flow: control.cpp --------------------------------------------------------------------------------
  /// A block under construction at the present place, until the operation that it belongs to is made.
  struct Body {
    mlir::Operation *holder;
    llvm::SmallVector<mlir::Value> results;

    mlir::Block &block() { return holder->getRegion(0).front(); }
    void moveTo(mlir::Region &region) { region.takeBody(holder->getRegion(0)), holder->erase(); }
    mlir::TypeRange types() { return mlir::ValueRange(results).getTypes(); }
  };
  enum class Inside : uint8_t { Soac, Derivative, Branch };
  using Filler = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange)>;
  /// `filler` gets the block's arguments and gives what the block yields.
  Body build(mlir::TypeRange argumentTypes, Inside inside, Filler filler);
  using Producer = llvm::function_ref<Value()>;
  Value branch(mlir::Value condition, Producer ifTrue, Producer ifFalse);
  mlir::Value shortCircuit(mlir::Value left, bool isAnd, llvm::function_ref<mlir::Value()> right);
  Value evaluateLoop(const typed::Loop &loop, Environment &scope);
  Value countedLoop(const typed::Loop &loop, mlir::Value count, const Value &initial, Environment &scope,
                    llvm::function_ref<void(mlir::Value)> bindIndex);
  void bindLoopParameter(const typed::Loop &loop, const Value &initial, mlir::ValueRange carried, Environment &scope);
  Value whileLoop(const typed::Loop &loop, const Value &initial, Environment &scope);
  Value evaluateMatch(const typed::Match &match, const Value &scrutinee, size_t first, Environment &scope);

  // ---- Arrays: arrays.cpp, indexing.cpp ---------------------------------------------------------------------------
  Value arrayOf(llvm::ArrayRef<Value> elements, TypeRef type, Environment &scope);
  Value evaluateString(const typed::String &string);
  Value evaluateRange(const typed::Range &range, Environment &scope);
  struct RangeOf {
    Prim prim;
    typed::RangeEnd endKind;
    mlir::Value start;
    mlir::Value second; ///< Or null.
    mlir::Value end;
  };
  void checkRange(const RangeOf &range, mlir::Value step, mlir::Value isDown);
  Value iota(mlir::Value count);
  Value replicate(mlir::Value count, const Value &element);
  Value concat(const Value &first, const Value &second);
  Value transpose(const Value &array);
  Value flatten(const Value &array);
  Value unflatten(mlir::Value rows, mlir::Value columns, const Value &array);
  Value copy(const Value &value);

  struct IndexPart { // An index, or a slice of `length` elements.
    bool isSlice = false;
    mlir::Value start;
    mlir::Value length;
    mlir::Value stride;
  };
  IndexPart evaluatePart(const typed::IndexPart &part, mlir::Value size, Environment &scope);
  llvm::SmallVector<IndexPart> evaluateParts(llvm::ArrayRef<typed::IndexPart> parts, const Value &array,
                                             Environment &scope);
  Value index(const Value &array, llvm::ArrayRef<IndexPart> parts);
  Value element(const Value &array, mlir::Value index, bool checked);
  Value update(const Value &array, llvm::ArrayRef<IndexPart> parts, const Value &value);
  mlir::Value indexLeaf(mlir::Value leaf, llvm::ArrayRef<IndexPart> parts);
  mlir::Value updateLeaf(mlir::Value leaf, llvm::ArrayRef<IndexPart> parts, mlir::Value value);

  // ---- Array combinators: soacs.cpp ---------------------------------------------------------------------------
  Value zip(llvm::ArrayRef<Value> arrays);
  Value unzip(const Value &array);
  using Mapped = llvm::function_ref<Value(llvm::ArrayRef<Value>)>;
  Value map(llvm::ArrayRef<Value> arrays, Mapped function);
  Value reduce(const Value &op, const Value &neutral, const Value &array, bool commutative);
  Value scan(const Value &op, const Value &neutral, const Value &array);
  Value filter(const Value &predicate, const Value &array);
  Value scatter(unsigned rank, const Value &destination, const Value &indices, const Value &values);
  Value reduceByIndex(unsigned rank, const Value &destination, const Value &op, const Value &neutral,
                      const Value &indices, const Value &values);
  Value jvp(const Value &function, const Value &primal, const Value &tangent);
  Value jmp(const Value &function, const Value &primal, const Value &tangents);
  void fillCombiner(mlir::Region &region, const Value &op, const Value &neutral);

  // ---- Accumulators: accumulators.cpp --------------------------------------------------------------------------
  Value accumulate(const Value &accumulator, mlir::Value position, const Value &value);
  /// `op` is null where writing replaces.
  Value stream(const Value &destination, std::shared_ptr<const Closure> op, const Value &function,
               const Value &elements);

  // ---- Built-in operations: intrinsics.cpp ----------------------------------------------------------------------
  struct Intrinsics;
  Value applyIntrinsic(const Closure &closure, llvm::ArrayRef<Value> arguments);

  // ---- Shared ------------------------------------------------------------------------------------------------------
  /// The checker let something through, or lowering is wrong.
  [[noreturn]] void fail(const SourceRange &range, const std::string &problem);
  [[noreturn]] void unsupported(const SourceRange &range, const std::string &feature);
  /// The leaves; reports a function among them.
  llvm::SmallVector<mlir::Value> leavesOf(const Value &value);
  /// The shape of `shape` with other leaves and no sizes but those in scope.
  Value rebuild(const Value &shape, mlir::ValueRange leaves);

  /// Sets the location, and whether checks are made, for the time that it lives.
  class At {
  public:
    At(Evaluator &evaluator, const SourceRange &range);
    ~At();

  private:
    Evaluator &evaluator;
    mlir::Location location;
    SourceRange range;
    bool checked;
  };

  /// Puts the construction of another function in between.
  class FunctionScope {
  public:
    explicit FunctionScope(Evaluator &evaluator);
    mlir::func::FuncOp begin(llvm::StringRef symbol, mlir::Location location, mlir::TypeRange parameters);
    /// Returns `results`, and goes on where the construction was.
    void end(mlir::ValueRange results);

  private:
    Evaluator &evaluator;
    mlir::OpBuilder::InsertPoint place;
    mlir::Location location;
    unsigned soacDepth;
    mlir::Operation *constantsEnd;
    llvm::DenseMap<const typed::Definition *, Value> constants;
    mlir::func::FuncOp function;
  };

  Emitter emit;
  Diagnostics &diagnostics;
  SourceRange range;      ///< Of the expression under evaluation; of its use if it is in the prelude.
  unsigned soacDepth = 0; ///< Bodies of combinators around the code under construction.
  /// Of the function under construction: constants are evaluated once, at its beginning, before this operation.
  mlir::Operation *constantsEnd = nullptr;
  llvm::DenseMap<const typed::Definition *, Value> constants;
  std::deque<Environment> environments;
  unsigned symbols = 0;
  unsigned applications = 0;
  uintptr_t lowestFrame; ///< Below it on the stack nothing is evaluated any more.
  std::set<std::pair<const SourceFile *, uint32_t>> warned;
};

} // namespace ferry::futhark::lowering
