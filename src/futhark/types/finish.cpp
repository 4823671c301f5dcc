// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of a definition: variables that nothing determined get their defaults, and every node made since its
// beginning gets types without variables. What was looked up by name before types were known gets its index.
#include "futhark/types/checker.h"

#include <algorithm>
#include <bit>

namespace ferry::futhark::types {

Checker::Mark Checker::mark() const {
  return {arena.expressions.size(), arena.patterns.size(),      arena.functions.size(),
          arena.bindings.size(),    arena.typeVariables.size(), arena.sizeVariables.size()};
}

// Numbers become i32 or, where i32 is not possible, f64, and else what is possible.
void Checker::defaultVariables(const Mark &since) {
  for (size_t i = since.typeVariables; i < arena.typeVariables.size(); ++i) {
    TypeVariable &variable = arena.typeVariables[i];
    if (variable.bound || !variable.prims)
      continue;
    Prim choice = static_cast<Prim>(std::countr_zero(variable.prims));
    for (Prim preferred : {Prim::F64, Prim::I32})
      if (variable.prims & primBit(preferred))
        choice = preferred;
    variable.bound = arena.prim(choice);
  }
}

TypeRef Checker::finalType(TypeRef type) {
  type = resolve(type);
  if (is<Prim>(type) || is<ParamType>(type))
    return type;
  if (auto found = finalTypes.find(type); found != finalTypes.end())
    return found->second;
  TypeRef result = type;
  if (const auto *inferred = as<InferredType>(type)) {
    TypeVariable &variable = *inferred->variable;
    if (!variable.fields.empty() || !variable.constructors.empty())
      fail(variable.range, "the type of this is ambiguous; it is only known to be like '" + toString(type) + "'",
           "annotate it with its type");
    if (variable.equality)
      fail(variable.range, "the type of this is ambiguous; it is only known that '==' or '!=' compares it",
           "annotate it with its type");
    variable.bound = arena.unit();
    return variable.bound;
  }
  if (const auto *array = as<ArrayType>(type)) {
    result = arena.array(finalSize(array->size), finalType(array->element));
  } else if (const auto *record = as<RecordType>(type)) {
    RecordType copy = *record;
    for (Field &field : copy.fields)
      field.type = finalType(field.type);
    result = arena.type(std::move(copy));
  } else if (const auto *sum = as<SumType>(type)) {
    SumType copy = *sum;
    for (Constructor &constructor : copy.constructors)
      for (TypeRef &payload : constructor.payload)
        payload = finalType(payload);
    result = arena.type(std::move(copy));
  } else if (const auto *function = as<FunctionType>(type)) {
    FunctionType copy = *function;
    copy.parameter = finalType(copy.parameter);
    copy.result = finalType(copy.result);
    result = arena.type(std::move(copy));
  } else if (const auto *abstract = as<AbstractRef>(type)) {
    AbstractRef copy = *abstract;
    for (TypeRef &argument : copy.typeArguments)
      argument = finalType(argument);
    for (Size &size : copy.sizeArguments)
      size = finalSize(size);
    result = arena.type(std::move(copy));
  } else if (const auto *unique = as<UniqueType>(type)) {
    result = arena.type(UniqueType{finalType(unique->inner)});
  }
  finalTypes[type] = result;
  finalTypes[result] = result;
  return result;
}

TypeRef Checker::representedType(TypeRef type) {
  type = finalType(type);
  if (auto found = representedTypes.find(type); found != representedTypes.end())
    return found->second;
  TypeRef result = type;
  // A representation may be made of other abstract types.
  for (unsigned rounds = 0; rounds < 64; ++rounds) {
    Substitution substitution;
    forEachAbstract(result, [&](const AbstractType *abstract) {
      if (abstract->representation)
        substitution.representations[abstract] = abstract->representation;
    });
    if (substitution.empty())
      break;
    result = substitute(arena, result, substitution);
  }
  representedTypes[type] = result;
  representedTypes[result] = result;
  return result;
}

Size Checker::finalSize(const Size &size) {
  Size resolved = resolve(size);
  if (resolved.kind == Size::Kind::Inferred)
    fail(resolved.inferred->range, "the size of an array here is ambiguous",
         "annotate it with a type that says its size");
  if (resolved.kind == Size::Kind::Expression)
    finalAliases(*const_cast<typed::Expr *>(resolved.expression)); // NOLINT: nodes of the arena.
  return resolved;
}

// Puts what inferred sizes became into size expressions.
void Checker::finalAliases(typed::Expr &expr) {
  if (SizeVariable *variable = aliased(expr)) {
    typed::Expr *value = exprOfSize(arena, finalSize(inferredSize(variable)));
    auto node = value->node;
    expr.node = std::move(node);
    return;
  }
  std::vector<typed::Expr *> operands;
  if (sizeOperands(expr, operands))
    for (typed::Expr *operand : operands)
      finalAliases(*operand);
}

void Checker::finalExpr(typed::Expr &expr) {
  finalAliases(expr);
  expr.type = representedType(expr.type);
  if (auto *var = std::get_if<typed::Var>(&expr.node)) {
    for (TypeRef &argument : var->typeArguments)
      argument = representedType(argument);
    for (Size &argument : var->sizeArguments)
      argument = finalSize(argument);
  }
}

void Checker::finalFields() {
  for (const PendingField &pending : pendingFields) {
    auto *project = std::get_if<typed::Project>(&pending.expr->node);
    auto *update = std::get_if<typed::RecordUpdate>(&pending.expr->node);
    TypeRef type = finalType(project ? project->record->type : update->record->type);
    const auto *record = as<RecordType>(type);
    if (!record)
      fail(pending.expr->range, "'" + toString(type) + "' has no field '" + pending.field + "'");
    auto found = std::find_if(record->fields.begin(), record->fields.end(),
                              [&](const Field &field) { return field.name == pending.field; });
    auto index = static_cast<unsigned>(found - record->fields.begin());
    if (project)
      project->field = index;
    else
      update->path = {index};
  }
  pendingFields.clear();
}

void Checker::finalConstructors() {
  for (const PendingConstructor &pending : pendingConstructors) {
    TypeRef type = finalType(pending.expr ? pending.expr->type : pending.pattern->type);
    const auto *sum = as<SumType>(type);
    if (!sum)
      fail(pending.expr ? pending.expr->range : pending.pattern->range,
           "'" + toString(type) + "' has no constructor '#" + pending.name + "'");
    auto found = std::find_if(sum->constructors.begin(), sum->constructors.end(),
                              [&](const Constructor &constructor) { return constructor.name == pending.name; });
    auto index = static_cast<unsigned>(found - sum->constructors.begin());
    if (pending.expr)
      std::get<typed::Construct>(pending.expr->node).constructor = index;
    else
      std::get<typed::ConstructorPattern>(pending.pattern->node).constructor = index;
  }
  pendingConstructors.clear();
}

void Checker::finish(const Mark &since) {
  finalTypes.clear();
  representedTypes.clear();
  finalFields();
  finalConstructors();
  finalLiterals();
  for (size_t i = since.expressions; i < arena.expressions.size(); ++i)
    finalExpr(arena.expressions[i]);
  for (size_t i = since.patterns; i < arena.patterns.size(); ++i)
    arena.patterns[i].type = representedType(arena.patterns[i].type);
  for (size_t i = since.functions; i < arena.functions.size(); ++i)
    if (arena.functions[i].resultType)
      arena.functions[i].resultType = representedType(arena.functions[i].resultType);
  for (size_t i = since.bindings; i < arena.bindings.size(); ++i)
    if (Binding &binding = arena.bindings[i]; binding.scheme.type)
      binding.scheme.type = binding.kind == Binding::Kind::Definition ? finalType(binding.scheme.type)
                                                                      : representedType(binding.scheme.type);
  for (const typed::Pattern *pattern : pendingIrrefutable)
    checkIrrefutable(*pattern);
  pendingIrrefutable.clear();
  for (const typed::Expr *match : pendingMatches)
    if (std::optional<std::string> missing = missingCase(std::get<typed::Match>(match->node)))
      fail(match->range, "this 'match' has no case for " + *missing, "add a case for it, or one for '_'");
  pendingMatches.clear();
}

} // namespace ferry::futhark::types
