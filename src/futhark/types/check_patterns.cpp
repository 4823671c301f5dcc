// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/types/checker.h"

#include <algorithm>

namespace ferry::futhark::types {

typed::Pattern *Checker::makePattern(const syntax::Pattern &pattern, TypeRef type) {
  typed::Pattern &result = arena.patterns.emplace_back();
  result.range = pattern.range;
  result.attributes = pattern.attributes;
  result.type = type;
  result.node = typed::WildcardPattern{};
  return &result;
}

const Binding *Checker::bindName(const std::string &name, const SourceRange &range, TypeRef type,
                                 PatternContext &context) {
  if (!context.names.insert(name).second)
    fail(range, "the name '" + name + "' is bound twice in one pattern");
  Binding *binding = arena.binding(Binding::Kind::Local, name, range, type, level + context.deeper);
  context.scope->names.values[name] = {binding, {}, {}, {}};
  return binding;
}

void Checker::checkRecordPattern(const syntax::Pattern &pattern, typed::Pattern &result,
                                 const std::vector<std::pair<std::string, const syntax::Pattern *>> &fields,
                                 PatternContext &context) {
  RecordType record;
  for (const auto &[name, inner] : fields)
    record.fields.push_back({name, freshType(inner ? inner->range : pattern.range)});
  std::sort(record.fields.begin(), record.fields.end(),
            [](const Field &left, const Field &right) { return fieldLess(left.name, right.name); });
  for (size_t i = 1; i < record.fields.size(); ++i)
    if (record.fields[i - 1].name == record.fields[i].name)
      fail(pattern.range, "field '" + record.fields[i].name + "' is matched twice in this pattern");
  TypeRef type = arena.type(record);
  unify(pattern.range, result.type, type, "this pattern");
  typed::RecordPattern node;
  node.fields.resize(fields.size());
  for (const auto &[name, inner] : fields) {
    auto position = std::find_if(record.fields.begin(), record.fields.end(),
                                 [&](const Field &field) { return field.name == name; });
    TypeRef fieldType = position->type;
    typed::Pattern *&slot = node.fields[static_cast<size_t>(position - record.fields.begin())];
    if (inner) {
      slot = checkPattern(*inner, fieldType, context);
    } else {
      slot = makePattern(pattern, fieldType);
      slot->node = typed::BindPattern{bindName(name, pattern.range, fieldType, context)};
    }
  }
  result.node = std::move(node);
}

void Checker::noteUnique(const typed::Pattern &pattern, TypeRef annotation) {
  annotation = resolve(annotation);
  if (const auto *name = typed::as<typed::BindPattern>(pattern)) {
    (containsUnique(annotation) ? facts.uniqueNames : facts.observedNames).insert(name->binding);
  } else if (const auto *record = typed::as<typed::RecordPattern>(pattern)) {
    const auto *type = as<RecordType>(withoutUnique(annotation));
    for (size_t i = 0; type && i < record->fields.size() && i < type->fields.size(); ++i)
      noteUnique(*record->fields[i], is<UniqueType>(annotation) ? annotation : type->fields[i].type);
  }
}

void Checker::checkConstructorPattern(const syntax::Pattern &pattern, const syntax::ConstructorPattern &constructor,
                                      typed::Pattern &result, PatternContext &context) {
  std::vector<TypeRef> types;
  for (const syntax::Pattern *payload : constructor.payload)
    types.push_back(freshType(payload->range));
  Unifier attempt = unifier();
  if (!attempt.requireConstructor(result.type, constructor.name.text, types))
    fail(pattern.range, "this pattern does not match values of type '" + toString(result.type) + "'", attempt.reason());
  typed::ConstructorPattern node{0, {}};
  for (size_t i = 0; i < types.size(); ++i)
    node.payload.push_back(checkPattern(*constructor.payload[i], types[i], context));
  result.node = std::move(node);
  pendingConstructors.push_back({nullptr, &result, constructor.name.text});
}

void Checker::checkLiteralPattern(const syntax::Pattern &pattern, const syntax::LiteralPattern &literal,
                                  typed::Pattern &result) {
  typed::Constant constant{Prim::Bool, 0, 0};
  if (const auto *boolean = std::get_if<syntax::BoolLiteral>(&literal.value)) {
    unify(pattern.range, result.type, arena.prim(Prim::Bool), "this pattern");
    constant.integer = boolean->value;
  } else {
    syntax::NumberLiteral number;
    if (const auto *character = std::get_if<syntax::CharLiteral>(&literal.value))
      number.digits = std::to_string(character->codePoint);
    else
      number = std::get<syntax::NumberLiteral>(literal.value);
    PrimSet prims = number.isFloat ? floatPrims : numericPrims;
    if (!number.suffix.empty())
      prims = primBit(*primNamed(number.suffix));
    TypeRef type = freshType(pattern.range);
    unifier().requirePrims(type, prims);
    unify(pattern.range, result.type, type, "this pattern");
    pendingLiterals.push_back({nullptr, &result, number, number.negative});
  }
  result.node = typed::ConstantPattern{constant};
}

typed::Pattern *Checker::checkPattern(const syntax::Pattern &pattern, TypeRef expected, PatternContext &context) {
  if (const auto *ascribed = syntax::as<syntax::AscribedPattern>(pattern)) {
    TypeRef annotation = elaborate(*ascribed->type, {context.scope});
    context.unique |= containsUnique(annotation);
    TypeRef type = stripUnique(arena, annotation);
    unify(pattern.range, type, expected, "what this pattern matches");
    typed::Pattern *inner = checkPattern(*ascribed->inner, type, context);
    noteUnique(*inner, annotation);
    inner->attributes.insert(inner->attributes.end(), pattern.attributes.begin(), pattern.attributes.end());
    return inner;
  }
  typed::Pattern *result = makePattern(pattern, expected);
  if (const auto *name = syntax::as<syntax::NamePattern>(pattern)) {
    result->node = typed::BindPattern{bindName(name->name, pattern.range, expected, context)};
  } else if (const auto *tuple = syntax::as<syntax::TuplePattern>(pattern)) {
    std::vector<std::pair<std::string, const syntax::Pattern *>> fields;
    for (size_t i = 0; i < tuple->elements.size(); ++i)
      fields.emplace_back(std::to_string(i), tuple->elements[i]);
    checkRecordPattern(pattern, *result, fields, context);
  } else if (const auto *record = syntax::as<syntax::RecordPattern>(pattern)) {
    std::vector<std::pair<std::string, const syntax::Pattern *>> fields;
    for (const auto &field : record->fields)
      fields.emplace_back(field.name.text, field.pattern);
    checkRecordPattern(pattern, *result, fields, context);
  } else if (const auto *constructor = syntax::as<syntax::ConstructorPattern>(pattern)) {
    checkConstructorPattern(pattern, *constructor, *result, context);
  } else if (const auto *literal = syntax::as<syntax::LiteralPattern>(pattern)) {
    if (!context.refutable)
      fail(pattern.range, "this pattern may fail to match, which is not allowed here",
           "use 'match' and say what to do otherwise");
    checkLiteralPattern(pattern, *literal, *result);
  }
  return result;
}

// Judged when types are known: a sum with one constructor cannot fail to match.
void Checker::requireIrrefutable(const typed::Pattern &pattern) { pendingIrrefutable.push_back(&pattern); }

void Checker::checkIrrefutable(const typed::Pattern &pattern) const {
  if (const auto *record = typed::as<typed::RecordPattern>(pattern)) {
    for (const typed::Pattern *field : record->fields)
      checkIrrefutable(*field);
  } else if (const auto *constructor = typed::as<typed::ConstructorPattern>(pattern)) {
    const auto *sum = as<SumType>(resolve(pattern.type));
    if (sum && sum->constructors.size() > 1)
      fail(pattern.range, "this pattern may fail to match, which is not allowed here",
           "use 'match' and say what to do otherwise");
    for (const typed::Pattern *payload : constructor->payload)
      checkIrrefutable(*payload);
  }
}

} // namespace ferry::futhark::types
