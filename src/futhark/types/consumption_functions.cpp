// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions: what their application consumes, what they capture, and whether their results are unique.
#include "futhark/types/consumption_walker.h"

#include "futhark/types/substitute.h"

#include <algorithm>
#include <utility>

namespace ferry::futhark::types {

namespace {

// Whether there are arrays in a value, as far as its type says: what an abstract type is made of is nobody's business.
bool hasArrays(TypeRef type) {
  type = withoutUnique(type);
  if (const auto *record = as<RecordType>(type))
    return std::any_of(record->fields.begin(), record->fields.end(),
                       [](const Field &field) { return hasArrays(field.type); });
  return !is<AbstractRef>(type) && hasMemory(type);
}

} // namespace

Aliases ConsumptionWalker::node(const typed::Lambda &lambda, const typed::Expr &expr) {
  TypeRef type = expr.type;
  return Aliases{function(*lambda.function, type), {}};
}

Aliases ConsumptionWalker::node(const typed::Apply &apply, const typed::Expr &expr) {
  std::vector<Aliases> arguments;
  for (const typed::Expr *argument : apply.arguments) {
    size_t before = consumed.size();
    arguments.push_back(walk(*argument));
    if (consumed.size() > before && containsFunction(argument->type))
      failConsumption(argument->range, "this argument contains a function and consumes something",
                      "the function could be called twice; copy what is consumed first");
  }
  Roots sources = walk(*apply.function).all();
  TypeRef type = apply.function->type;
  if (const auto *var = typed::as<typed::Var>(*apply.function))
    if (auto found = functionTypes.find(var->binding); found != functionTypes.end()) {
      type = found->second;
      sources.erase(var->binding);
    }
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto *node = as<FunctionType>(withoutUnique(type));
    if (!node)
      break;
    type = node->result;
    if (!node->consumes) {
      sources.merge(arguments[i].all());
      continue;
    }
    const typed::Expr &argument = *apply.arguments[i];
    if (const Binding *shared = sharedByParts(arguments[i]))
      failConsumption(argument.range,
                      "this argument is consumed, but its parts share memory, through '" + shared->name + "'",
                      "copy one of them");
    Roots names = arguments[i].all();
    for (size_t j = 0; j < arguments.size(); ++j)
      for (const Binding *name : j == i ? Roots{} : arguments[j].all())
        if (names.count(name))
          failConsumption(argument.range,
                          "this argument is consumed, but shares memory with another argument, through " +
                              quoted(*name),
                          "copy one of them");
    consume(arguments[i], argument.range, "this application");
  }
  // A result marked unique shares nothing; any other may share the memory of every argument, and its parts each
  // other's.
  if (is<UniqueType>(resolve(type)))
    return spread(expr.type, {});
  if (!is<FunctionType>(withoutUnique(type)) && hasMemory(expr.type))
    sources.insert(freshRoot(*apply.function, expr.range));
  Aliases result = spread(expr.type, sources);
  const auto *record = as<RecordType>(withoutUnique(type));
  for (size_t i = 0; record && i < record->fields.size() && i < result.fields.size(); ++i)
    if (is<UniqueType>(resolve(record->fields[i].type)))
      result.fields[i] = spread(record->fields[i].type, {});
  return result;
}

// Stands for the memory of what a function returned, which has no name yet.
const Binding *ConsumptionWalker::freshRoot(const typed::Expr &function, const SourceRange &range) {
  const auto *var = typed::as<typed::Var>(function);
  std::string name = var ? "the result of " + var->binding->name : "the result of an application";
  const Binding *root = arena.binding(Binding::Kind::Local, std::move(name), range, nullptr, boundInTypeLevel);
  consumable.insert(root);
  return root;
}

void ConsumptionWalker::checkUniqueParts(TypeRef type, const Aliases &aliases, const Aliases &whole,
                                         const SourceRange &range) {
  type = resolve(type);
  if (is<UniqueType>(type)) {
    for (const Binding *name : aliases.all())
      if (!consumable.count(name))
        failConsumption(range,
                        "the result is declared with '*', but shares memory with " + quoted(*name) +
                            ", which may not be consumed",
                        "return a copy, or mark the parameter with '*'");
    if (const Binding *shared = sharedByParts(whole); shared && aliases.all().count(shared))
      failConsumption(range,
                      "a part of the result declared with '*' shares memory with another part, through '" +
                          shared->name + "'",
                      "copy one of them");
    return;
  }
  if (const auto *record = as<RecordType>(type))
    for (size_t i = 0; i < record->fields.size() && i < aliases.fields.size(); ++i)
      checkUniqueParts(record->fields[i].type, aliases.fields[i], whole, range);
}

void ConsumptionWalker::checkResult(const typed::Function &function, const Aliases &aliases) {
  checkUniqueParts(function.resultType, aliases, aliases, function.body->range);
  if (facts.inApplication || function.parameters.empty())
    return;
  for (const Binding *name : aliases.all())
    if (name->kind == Binding::Kind::Definition && name->definition && hasArrays(name->scheme.type))
      failConsumption(function.body->range,
                      "the function's result shares memory with " + quoted(*name) + ", a constant",
                      "return a copy, as in 'copy " + name->name + "'");
}

// The function type with the result's parts marked unique that share no memory with anything visible outside.
TypeRef ConsumptionWalker::withResult(TypeRef type, size_t parameters, const Aliases &aliases, const Roots &visible) {
  if (parameters == 0)
    return markUnique(arena, type, aliases, visible);
  FunctionType copy = *as<FunctionType>(withoutUnique(type));
  copy.result = withResult(copy.result, parameters - 1, aliases, visible);
  return arena.type(std::move(copy));
}

Roots ConsumptionWalker::function(typed::Function &function, TypeRef &type) {
  Roots outerConsumable = std::exchange(consumable, {});
  auto outerConsumed = consumed;
  Roots own;
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    std::vector<const Binding *> names;
    collectNames(*function.parameters[i], names);
    bind(*function.parameters[i], spread(function.parameters[i]->type, {}), function.consumes[i]);
    if (function.consumes[i])
      continue;
    for (const Binding *name : names)
      own.insert(ownRoots[name].begin(), ownRoots[name].end());
  }
  auto usedBefore = std::exchange(used, {});
  Aliases result = walk(*function.body);
  checkResult(function, result);
  auto bodyUsed = std::exchange(used, std::move(usedBefore));
  if (facts.inferredResults.count(&function) && !function.parameters.empty()) {
    Roots visible = own;
    for (const Binding *name : result.all())
      if (!consumable.count(name))
        visible.insert(name);
    type = withResult(type, function.parameters.size(), result, visible);
    function.resultType = markUnique(arena, function.resultType, result, visible);
  }
  Roots captured;
  for (const auto &[name, where] : bodyUsed) {
    if (consumable.count(name) || own.count(name) || name->kind == Binding::Kind::Definition)
      continue;
    captured.insert(name);
    used.insert({name, where});
  }
  consumable = std::move(outerConsumable);
  consumed = std::move(outerConsumed);
  return captured;
}

} // namespace ferry::futhark::types
