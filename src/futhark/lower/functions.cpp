// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Applications. A body is evaluated anew for every application; what is not to be inlined is, in a function of its own.

#include "futhark/lower/evaluator.h"
#include "futhark/lower/locations.h"

#include <sys/resource.h>

using namespace mlir;

namespace ferry::futhark::lowering {

namespace {

size_t parameterCount(const Closure &closure) {
  if (closure.function)
    return closure.function->parameters.size();
  size_t count = 0;
  for (TypeRef type = closure.intrinsic->scheme.type; auto arrow = types::as<types::FunctionType>(type);
       type = types::withoutUnique(arrow->result))
    ++count;
  return count;
}

// Whether the sizes of a value of the type tell the size.
bool tells(TypeRef type, const Binding *size) {
  if (auto unique = types::as<types::UniqueType>(type))
    return tells(unique->inner, size);
  if (auto array = types::as<types::ArrayType>(type))
    return (array->size.kind == types::Size::Kind::Variable && array->size.variable == size) ||
           tells(array->element, size);
  if (auto record = types::as<types::RecordType>(type))
    return llvm::any_of(record->fields, [&](const types::Field &field) { return tells(field.type, size); });
  return false;
}

ConcreteRef withoutSizes(const ConcreteRef &type) {
  auto each = [](std::vector<ConcreteRef> types) {
    for (ConcreteRef &type : types)
      type = withoutSizes(type);
    return types;
  };
  ConcreteType result = *type;
  if (auto array = std::get_if<ConcreteType::Array>(&result.node))
    *array = {nullptr, withoutSizes(array->element)};
  else if (auto record = std::get_if<ConcreteType::Record>(&result.node))
    record->fields = each(std::move(record->fields));
  else if (auto sum = std::get_if<ConcreteType::Sum>(&result.node))
    for (auto &constructor : sum->constructors)
      constructor = each(std::move(constructor));
  return std::make_shared<const ConcreteType>(std::move(result));
}

} // namespace

void Evaluator::fail(const SourceRange &range, const std::string &problem) {
  diagnostics.error(range, "internal error: " + problem,
                    "this is a mistake in Ferry; please report it with the program");
  throw Stop();
}

void Evaluator::unsupported(const SourceRange &range, const std::string &feature) {
  diagnostics.unsupported(range, feature);
  throw Stop();
}

Value Evaluator::apply(const Value &function, llvm::ArrayRef<Value> arguments) {
  if (arguments.empty())
    return function;
  if (!function.isFunction())
    unsupported(range, "holes as functions that are handed on");
  Closure closure = *function.closure;
  size_t missing = parameterCount(closure) - closure.arguments.size();
  closure.arguments.insert(closure.arguments.end(), arguments.begin(),
                           arguments.begin() + std::min(missing, arguments.size()));
  if (arguments.size() < missing)
    return Value::function(std::move(closure));
  std::vector<Value> all = std::move(closure.arguments);
  closure.arguments.clear();
  Value result = closure.intrinsic ? applyIntrinsic(closure, all) : applyFunction(closure, all);
  return apply(result, arguments.drop_front(missing));
}

Value Evaluator::applyFunction(const Closure &closure, llvm::ArrayRef<Value> arguments) {
  if (const typed::Definition *definition = closure.definition) {
    bool isPinned = findAttribute(definition->attributes, "cpu_function");
    if (isPinned && soacDepth > 0)
      warnIgnored(*definition);
    else if (isPinned || (soacDepth == 0 && findAttribute(definition->attributes, "noinline")))
      if (auto result = callFunction(closure, arguments))
        return *result;
  }
  return evaluateBody(closure, arguments);
}

// Once for each place, however often it is evaluated.
void Evaluator::warnIgnored(const typed::Definition &definition) {
  if (warned.insert({range.file, range.begin}).second)
    diagnostics.warning(range,
                        "`#[cpu_function]` on `" + definition.binding->name +
                            "` is ignored here: it is called inside a parallel operation",
                        "call it outside, or make the operation around it part of the marked function");
}

// Half of the thread's stack is for evaluation, and what it calls has the other half.
Evaluator::Evaluator(ModuleOp module, Diagnostics &diagnostics) : emit(module), diagnostics(diagnostics) {
  constexpr uintptr_t usual = uintptr_t(8) << 20;
  struct rlimit limit = {};
  bool isKnown = getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  uintptr_t room = std::min<uintptr_t>(isKnown ? limit.rlim_cur : usual, usual) / 2;
  lowestFrame = here - std::min(here, room);
}

Value Evaluator::evaluateBody(const Closure &closure, llvm::ArrayRef<Value> arguments) {
  constexpr unsigned mostApplications = 1'000'000;
  if (++applications > mostApplications)
    unsupported(range, "a program that applies functions more than a million times before it runs");
  const typed::Function &function = *closure.function;
  At at(*this, SourceRange());
  if (!closure.definition)
    emit.checked = closure.checked;
  else if (!isBuiltIn(closure.definition->binding->range))
    emit.checked = true;
  Environment &scope = environments.emplace_back(closure.environment);
  for (auto [parameter, argument] : llvm::zip(function.typeParams, closure.typeArguments))
    scope.bind(parameter, argument);
  SmallVector<const Binding *> unknown;
  for (size_t i = 0; i < function.sizeParams.size(); ++i) {
    mlir::Value size = i < closure.sizeArguments.size() ? closure.sizeArguments[i] : mlir::Value();
    if (size)
      scope.bind(function.sizeParams[i], Value::leaf(size));
    else
      unknown.push_back(function.sizeParams[i]);
  }
  for (size_t i = 0; i < arguments.size(); ++i)
    bindSizes(unknown, function.parameters[i]->type, arguments[i], scope);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const typed::Pattern &parameter = *function.parameters[i];
    bind(parameter, withSizes(arguments[i], parameter.type, scope), scope);
  }
  return evaluate(*function.body, scope);
}

Value Evaluator::evaluateDefinition(const typed::Definition &definition, const typed::Var &var, Environment &scope) {
  if (definition.recursive)
    unsupported(range, "recursive functions");
  Closure closure;
  closure.function = &definition.function;
  closure.definition = &definition;
  for (TypeRef argument : var.typeArguments)
    closure.typeArguments.push_back(concrete(argument, scope));
  for (const types::Size &argument : var.sizeArguments)
    closure.sizeArguments.push_back(evaluateSize(argument, scope, true));
  if (!definition.function.parameters.empty())
    return Value::function(std::move(closure));
  if (!closure.typeArguments.empty() || !closure.sizeArguments.empty() || !constantsEnd)
    return evaluateBody(closure, {});
  if (auto known = constants.find(&definition); known != constants.end())
    return known->second;
  OpBuilder::InsertionGuard guard(emit.builder);
  emit.builder.setInsertionPoint(constantsEnd);
  unsigned depth = std::exchange(soacDepth, 0);
  Value value = evaluateBody(closure, {});
  soacDepth = depth;
  name(value, definition.binding->name);
  constants[&definition] = value;
  return value;
}

std::string Evaluator::freshSymbol(llvm::StringRef name) {
  std::string symbol = name.str();
  while (emit.module.lookupSymbol(symbol))
    symbol = name.str() + "_" + std::to_string(++symbols);
  return symbol;
}

std::optional<Value> Evaluator::callFunction(const Closure &closure, llvm::ArrayRef<Value> arguments) {
  const typed::Function &function = *closure.function;
  const typed::Definition &definition = *closure.definition;
  SmallVector<mlir::Value> operands;
  for (const Value &argument : arguments)
    if (!appendLeaves(argument, operands))
      return std::nullopt;
  size_t leafCount = operands.size();
  // Sizes that the arguments do not tell are passed.
  Closure inner = closure;
  for (ConcreteRef &type : inner.typeArguments)
    type = withoutSizes(type);
  for (auto [parameter, size] : llvm::zip(function.sizeParams, inner.sizeArguments)) {
    bool isTold = llvm::any_of(function.parameters,
                               [&, name = parameter](typed::Pattern *pattern) { return tells(pattern->type, name); });
    if (size && !isTold)
      operands.push_back(size);
    else
      size = nullptr;
  }
  return makeFunction(definition, inner, arguments, operands, leafCount);
}

std::optional<Value> Evaluator::makeFunction(const typed::Definition &definition, Closure &closure,
                                             llvm::ArrayRef<Value> arguments, ValueRange operands, size_t leafCount) {
  Location location = locationOf(emit.builder.getContext(), definition.binding->range);
  FunctionScope outer(*this);
  func::FuncOp callee = outer.begin(freshSymbol(definition.binding->name), location, operands.getTypes());
  callee.setPrivate();
  if (findAttribute(definition.attributes, "cpu_function"))
    callee->setAttr("array.pin", array::SideAttr::get(callee.getContext(), array::Side::host));
  ValueRange parameters = callee.getArguments();
  ValueRange leaves = parameters.take_front(leafCount), sizes = parameters.drop_front(leafCount);
  SmallVector<Value> values;
  for (const Value &argument : arguments)
    values.push_back(withLeaves(argument, leaves, [](mlir::Value) { return false; }));
  for (mlir::Value &size : closure.sizeArguments)
    if (size) {
      size = sizes.front();
      sizes = sizes.drop_front();
    }
  Value result = evaluateBody(closure, values);
  SmallVector<mlir::Value> results;
  bool isFirstOrder = appendLeaves(result, results);
  outer.end(results);
  if (!isFirstOrder) {
    callee.erase();
    return std::nullopt;
  }
  // `outer` has put the place and location back.
  auto call = emit.create<func::CallOp>(callee, operands);
  ValueRange returned = call.getResults();
  return withLeaves(result, returned, [](mlir::Value) { return false; });
}

//===- Functions under construction -------------------------------------------------------------------------------===//

Evaluator::FunctionScope::FunctionScope(Evaluator &evaluator)
    : evaluator(evaluator), place(evaluator.emit.builder.saveInsertionPoint()), location(evaluator.emit.location),
      soacDepth(std::exchange(evaluator.soacDepth, 0)), constantsEnd(evaluator.constantsEnd),
      constants(std::move(evaluator.constants)) {}

func::FuncOp Evaluator::FunctionScope::begin(llvm::StringRef symbol, Location location, TypeRange parameters) {
  OpBuilder &builder = evaluator.emit.builder;
  builder.setInsertionPointToEnd(evaluator.emit.module.getBody());
  function = func::FuncOp::create(builder, location, symbol, builder.getFunctionType(parameters, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  evaluator.emit.location = location;
  evaluator.constantsEnd = evaluator.emit.truth(true).getDefiningOp();
  return function;
}

void Evaluator::FunctionScope::end(ValueRange results) {
  evaluator.emit.create<func::ReturnOp>(results);
  function.setType(evaluator.emit.builder.getFunctionType(function.getArgumentTypes(), results.getTypes()));
  evaluator.constantsEnd->erase();
  evaluator.emit.location = location;
  evaluator.soacDepth = soacDepth;
  evaluator.constantsEnd = constantsEnd;
  evaluator.constants = std::move(constants);
  evaluator.emit.builder.restoreInsertionPoint(place);
}

} // namespace ferry::futhark::lowering
