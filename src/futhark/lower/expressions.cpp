// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/lower/evaluator.h"
#include "futhark/lower/locations.h"
#include "futhark/lower/scalars.h"

namespace ferry::futhark::lowering {

namespace {

template <typename... Cases> struct Overload : Cases... {
  using Cases::operator()...;
};

} // namespace

Value Evaluator::evaluate(const typed::Expr &expr, Environment &scope) {
  At at(*this, expr.range);
  if (reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) < lowestFrame)
    unsupported(range, "definitions that use one another so deeply");
  if (findAttribute(expr.attributes, "unsafe"))
    emit.checked = false;
  Value value = evaluateNode(expr, scope);
  bindSizes(expr.existentials, expr.type, value, scope);
  return withSizes(std::move(value), expr.type, scope);
}

mlir::Value Evaluator::evaluateScalar(const typed::Expr &expr, Environment &scope) {
  Value value = evaluate(expr, scope);
  if (!value.isLeaf())
    fail(expr.range, "a number was expected, not a value of type '" + types::toString(expr.type) + "'");
  return value.handle;
}

Value Evaluator::evaluateNode(const typed::Expr &expr, Environment &scope) {
  return std::visit(
      Overload{
          [&](const typed::Literal &node) { return Value::leaf(constant(emit, node.value)); },
          [&](const typed::String &node) { return evaluateString(node); },
          [&](const typed::Var &node) { return evaluateVar(node, scope); },
          [&](const typed::Hole &) {
            emit.require(emit.truth(false), "Reached a hole, `???`.");
            return blank(*concrete(expr.type, scope));
          },
          [&](const typed::Record &node) { return evaluateRecord(node, scope); },
          [&](const typed::Array &node) {
            llvm::SmallVector<Value> elements;
            for (const typed::Expr *element : node.elements)
              elements.push_back(evaluate(*element, scope));
            return arrayOf(elements, expr.type, scope);
          },
          [&](const typed::Range &node) { return evaluateRange(node, scope); },
          [&](const typed::Project &node) { return Value(evaluate(*node.record, scope).parts[node.field]); },
          [&](const typed::Index &node) {
            Value array = evaluate(*node.array, scope);
            return index(array, evaluateParts(node.parts, array, scope));
          },
          [&](const typed::Update &node) {
            Value array = evaluate(*node.array, scope);
            auto parts = evaluateParts(node.parts, array, scope);
            return update(array, parts, evaluate(*node.value, scope));
          },
          [&](const typed::RecordUpdate &node) {
            Value record = evaluate(*node.record, scope);
            return updateRecord(record, node.path, evaluate(*node.value, scope));
          },
          [&](const typed::Apply &node) {
            llvm::SmallVector<Value> arguments;
            for (const typed::Expr *argument : node.arguments)
              arguments.push_back(evaluate(*argument, scope));
            Value function = evaluate(*node.function, scope);
            if (!function.isFunction()) // A hole, where evaluation has failed by now.
              return blank(*concrete(expr.type, scope));
            return apply(function, arguments);
          },
          [&](const typed::Construct &node) { return evaluateConstruct(node, expr, scope); },
          [&](const typed::Binary &node) { return evaluateBinary(node, scope); },
          [&](const typed::Unary &node) { return evaluateUnary(node, scope); },
          [&](const typed::Coerce &node) { return evaluateCoerce(node, expr, scope); },
          [&](const typed::If &node) {
            mlir::Value condition = evaluateScalar(*node.condition, scope);
            return branch(
                condition, [&] { return evaluate(*node.thenBranch, scope); },
                [&] { return evaluate(*node.elseBranch, scope); });
          },
          [&](const typed::Let &node) { return evaluateLet(node, scope); },
          [&](const typed::Lambda &node) {
            Closure closure;
            closure.function = node.function;
            closure.environment = &scope;
            closure.checked = emit.checked;
            return Value::function(std::move(closure));
          },
          [&](const typed::Loop &node) { return evaluateLoop(node, scope); },
          [&](const typed::Assert &node) { return evaluateAssert(node, scope); },
          [&](const typed::Match &node) { return evaluateMatch(node, evaluate(*node.scrutinee, scope), 0, scope); },
      },
      expr.node);
}

Value Evaluator::evaluateVar(const typed::Var &var, Environment &scope) {
  const Binding &name = *var.binding;
  if (name.kind == Binding::Kind::Definition)
    return evaluateDefinition(*name.definition, var, scope);
  Value value;
  if (name.kind == Binding::Kind::Intrinsic) {
    Closure closure;
    closure.intrinsic = &name;
    value = Value::function(std::move(closure));
  } else if (const Value *found = scope.find(&name)) {
    value = *found;
  } else {
    unsupported(range, "the size `" + name.name + "` where no value tells it");
  }
  if (!value.isFunction() || (var.typeArguments.empty() && var.sizeArguments.empty()))
    return value;
  Closure closure = *value.closure;
  closure.typeArguments.clear();
  for (TypeRef argument : var.typeArguments)
    closure.typeArguments.push_back(concrete(argument, scope));
  closure.sizeArguments.clear();
  for (const types::Size &argument : var.sizeArguments)
    closure.sizeArguments.push_back(evaluateSize(argument, scope, true));
  return Value::function(std::move(closure));
}

Value Evaluator::evaluateRecord(const typed::Record &record, Environment &scope) {
  if (record.fields.empty())
    return Value::record({Value::leaf(emit.truth(false))});
  std::vector<Value> fields(record.fields.size());
  for (unsigned field : record.evaluationOrder)
    fields[field] = evaluate(*record.fields[field], scope);
  return Value::record(std::move(fields));
}

// A sum is a tag, then the payloads of every constructor, those of the others blank.
Value Evaluator::evaluateConstruct(const typed::Construct &construct, const typed::Expr &expr, Environment &scope) {
  llvm::SmallVector<Value> payload;
  for (const typed::Expr *part : construct.payload)
    payload.push_back(evaluate(*part, scope));
  ConcreteRef type = concrete(expr.type, scope);
  std::vector<Value> parts = {Value::leaf(emit.integer(Prim::U8, construct.constructor))};
  unsigned number = 0;
  for (const auto &constructor : std::get<ConcreteType::Sum>(type->node).constructors) {
    bool isChosen = number++ == construct.constructor;
    for (size_t i = 0; i < constructor.size(); ++i)
      parts.push_back(isChosen ? payload[i] : blank(*constructor[i]));
  }
  return Value::record(std::move(parts));
}

Value Evaluator::evaluateBinary(const typed::Binary &node, Environment &scope) {
  using typed::BinaryOp;
  Value left = evaluate(*node.left, scope);
  if (node.op == BinaryOp::LogicalAnd || node.op == BinaryOp::LogicalOr)
    return Value::leaf(
        shortCircuit(left.handle, node.op == BinaryOp::LogicalAnd, [&] { return evaluateScalar(*node.right, scope); }));
  Value right = evaluate(*node.right, scope);
  ConcreteRef type = concrete(node.left->type, scope, Sizes::Ignored);
  if (const Prim *prim = std::get_if<Prim>(&type->node))
    return Value::leaf(binary(emit, node.op, *prim, left.handle, right.handle));
  mlir::Value same = equal(left, right);
  return Value::leaf(node.op == BinaryOp::Equal ? same : emit.negation(same));
}

Value Evaluator::evaluateUnary(const typed::Unary &node, Environment &scope) {
  mlir::Value operand = evaluateScalar(*node.operand, scope);
  Prim prim = primOf(*node.operand, scope);
  bool isNegate = node.op == typed::UnaryOp::Negate;
  return Value::leaf(isNegate ? negate(emit, prim, operand) : complement(emit, prim, operand));
}

Value Evaluator::evaluateLet(const typed::Let &let, Environment &scope) {
  for (const typed::Statement &statement : let.statements) {
    if (statement.pattern) {
      Value value = evaluate(*statement.value, scope);
      bindSizes(statement.sizes, statement.pattern->type, value, scope);
      bind(*statement.pattern, value, scope);
      continue;
    }
    Closure closure;
    closure.function = statement.function;
    closure.environment = &scope;
    closure.checked = emit.checked;
    scope.bind(statement.name, Value::function(std::move(closure)));
  }
  return evaluate(*let.body, scope);
}

Value Evaluator::evaluateAssert(const typed::Assert &node, Environment &scope) {
  mlir::Value condition = evaluateScalar(*node.condition, scope);
  emit.check(condition, "Assertion is false: " + std::string(node.condition->range.text()));
  return evaluate(*node.body, scope);
}

Value Evaluator::evaluateCoerce(const typed::Coerce &node, const typed::Expr &expr, Environment &scope) {
  return coerce(evaluate(*node.inner, scope), expr.type, scope);
}

// The value with the sizes of the type, which those of arrays outside of sums are compared with.
Value Evaluator::coerce(Value value, TypeRef type, Environment &scope) {
  type = types::withoutUnique(type);
  if (auto record = types::as<types::RecordType>(type))
    for (size_t i = 0; i < record->fields.size(); ++i)
      value.parts[i] = coerce(std::move(value.parts[i]), record->fields[i].type, scope);
  if (!types::is<types::ArrayType>(type))
    return value;
  llvm::SmallVector<mlir::Value> found, expected;
  Value *level = &value;
  TypeRef element = type;
  for (auto array = types::as<types::ArrayType>(element); array && level->isArray();
       array = types::as<types::ArrayType>(element)) {
    found.push_back(sizeOf(*level));
    expected.push_back(evaluateSize(array->size, scope, true));
    if (expected.back())
      level->handle = expected.back();
    level = &level->parts.front();
    element = types::withoutUnique(array->element);
  }
  mlir::Value holds = emit.truth(true);
  std::string shape;
  for (size_t i = 0; i < found.size(); ++i) {
    shape += "[{" + std::to_string(i) + "}]";
    if (expected[i] && expected[i] != found[i])
      holds =
          emit.fold<mlir::arith::AndIOp>(holds, emit.compare(mlir::arith::CmpIPredicate::eq, found[i], expected[i]));
  }
  emit.check(holds, "Value of shape " + shape + " cannot match shape of type `" + types::toString(type) + "`.", found);
  *level = coerce(std::move(*level), element, scope);
  return value;
}

Value Evaluator::updateRecord(const Value &record, llvm::ArrayRef<unsigned> path, const Value &value) {
  if (path.empty())
    return value;
  Value result = record;
  result.parts[path.front()] = updateRecord(record.parts[path.front()], path.drop_front(), value);
  return result;
}

// Whether all leaves are equal, arrays by a reduction over all their elements.
mlir::Value Evaluator::equal(const Value &left, const Value &right) {
  using namespace mlir;
  auto compare = [&](mlir::Value a, mlir::Value b) {
    return isa<FloatType>(a.getType()) ? emit.compare(arith::CmpFPredicate::OEQ, a, b)
                                       : emit.compare(arith::CmpIPredicate::eq, a, b);
  };
  mlir::Value result = emit.truth(true);
  for (auto [a, b] : llvm::zip_equal(leavesOf(left), leavesOf(right))) {
    mlir::Value same;
    if (auto type = dyn_cast<RankedTensorType>(a.getType())) {
      SmallVector<mlir::Value> sizes;
      for (int64_t i = 0; i < type.getRank(); ++i)
        sizes.push_back(emit.dim(a, i));
      SmallVector<Type> arguments(sizes.size(), emit.builder.getI64Type());
      arguments.append(2, type.getElementType());
      Type truth = emit.builder.getI1Type();
      Body body = build(arguments, Inside::Soac, [&](ValueRange point) {
        return SmallVector<mlir::Value>{compare(point[sizes.size()], point[sizes.size() + 1])};
      });
      Body both = build({truth, truth}, Inside::Soac, [&](ValueRange point) {
        return SmallVector<mlir::Value>{emit.fold<arith::AndIOp>(point[0], point[1])};
      });
      auto reduce = emit.create<array::ReduceOp>(TypeRange(truth), sizes, ValueRange{a, b},
                                                 ValueRange{emit.truth(true)}, emit.builder.getUnitAttr());
      body.moveTo(reduce.getBody());
      both.moveTo(reduce.getCombiner());
      same = reduce.getResult(0);
    } else {
      same = compare(a, b);
    }
    result = emit.fold<arith::AndIOp>(result, same);
  }
  return result;
}

} // namespace ferry::futhark::lowering
