// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types, sizes and size expressions as text for messages.
#include "futhark/types/arena.h"
#include "futhark/types/operators.h"

namespace ferry::futhark::types {

namespace {

// Contexts that need parentheses around some types, from the loosest.
enum class Context : uint8_t { Whole, Parameter, Element, Argument };

// Messages do not print types without end.
constexpr unsigned maximumPrintDepth = 12;

std::string print(TypeRef type, Context context, unsigned depth);

std::string parenthesize(bool needed, const std::string &text) { return needed ? "(" + text + ")" : text; }

std::string printRecord(const RecordType &record, unsigned depth) {
  bool tuple = isTuple(record);
  std::string result = tuple ? "(" : "{";
  for (size_t i = 0; i < record.fields.size(); ++i) {
    if (i)
      result += ", ";
    if (!tuple)
      result += record.fields[i].name + ": ";
    result += print(record.fields[i].type, Context::Whole, depth);
  }
  return result + (tuple ? ")" : "}");
}

std::string printSum(const SumType &sum, unsigned depth) {
  std::string result;
  for (const Constructor &constructor : sum.constructors) {
    result += (result.empty() ? "#" : " | #") + constructor.name;
    for (TypeRef payload : constructor.payload)
      result += " " + print(payload, Context::Argument, depth);
  }
  return result;
}

std::string printFunction(const FunctionType &function, unsigned depth) {
  std::string result;
  std::string parameter =
      (function.consumes ? "*" : "") +
      print(function.parameter, function.parameterName ? Context::Whole : Context::Parameter, depth);
  result += function.parameterName ? "(" + function.parameterName->name + ": " + parameter + ")" : parameter;
  result += " -> ";
  if (!function.existentials.empty()) {
    result += "?";
    for (const Binding *size : function.existentials)
      result += "[" + size->name + "]";
    result += ".";
  }
  return result + print(function.result, Context::Whole, depth);
}

std::string printAbstract(const AbstractRef &abstract, unsigned depth) {
  std::string result = abstract.type->name;
  for (const Size &size : abstract.sizeArguments)
    result += " [" + toString(size) + "]";
  for (TypeRef argument : abstract.typeArguments)
    result += " " + print(argument, Context::Argument, depth);
  return result;
}

std::string printInferred(const TypeVariable &variable) {
  if (variable.prims == numericPrims)
    return "number";
  if (variable.prims == floatPrims)
    return "float";
  if (variable.prims == integerPrims)
    return "integer";
  if (!variable.fields.empty()) {
    std::string result = "{";
    for (const Field &field : variable.fields)
      result += field.name + ": _, ";
    return result + "...}";
  }
  if (!variable.constructors.empty()) {
    std::string result;
    for (const Constructor &constructor : variable.constructors)
      result += "#" + constructor.name + " | ";
    return "(" + result + "...)";
  }
  return "t" + std::to_string(variable.id);
}

std::string print(TypeRef type, Context context, unsigned depth) {
  type = resolve(type);
  if (depth == 0)
    return "...";
  --depth;
  if (const Prim *prim = as<Prim>(type))
    return std::string(name(*prim));
  if (const auto *array = as<ArrayType>(type))
    return "[" + toString(array->size) + "]" + print(array->element, Context::Element, depth);
  if (const auto *record = as<RecordType>(type))
    return printRecord(*record, depth);
  if (const auto *sum = as<SumType>(type))
    return parenthesize(context >= Context::Element, printSum(*sum, depth));
  if (const auto *function = as<FunctionType>(type))
    return parenthesize(context >= Context::Parameter, printFunction(*function, depth));
  if (const auto *param = as<ParamType>(type))
    return param->param->name;
  if (const auto *abstract = as<AbstractRef>(type)) {
    bool hasArguments = !abstract->sizeArguments.empty() || !abstract->typeArguments.empty();
    return parenthesize(hasArguments && context == Context::Argument, printAbstract(*abstract, depth));
  }
  if (const auto *unique = as<UniqueType>(type))
    return "*" + print(unique->inner, Context::Element, depth);
  return printInferred(*as<InferredType>(type)->variable);
}

std::string printExpr(const typed::Expr &expr, bool atom, unsigned depth) {
  if (SizeVariable *variable = aliased(expr)) {
    Size size = resolve(inferredSize(variable));
    return size.kind == Size::Kind::Expression ? printExpr(*size.expression, atom, depth) : toString(size);
  }
  if (depth == 0)
    return "...";
  --depth;
  if (const auto *literal = typed::as<typed::Literal>(expr)) {
    if (isFloat(literal->value.prim))
      return std::to_string(literal->value.real);
    return std::to_string(static_cast<int64_t>(literal->value.integer));
  }
  if (const auto *var = typed::as<typed::Var>(expr))
    return var->binding->name;
  if (const auto *binary = typed::as<typed::Binary>(expr)) {
    std::string left = printExpr(*binary->left, true, depth), right = printExpr(*binary->right, true, depth);
    return parenthesize(atom, left + " " + symbolOf(binary->op) + " " + right);
  }
  if (const auto *unary = typed::as<typed::Unary>(expr))
    return (unary->op == typed::UnaryOp::Negate ? "-" : "!") + printExpr(*unary->operand, true, depth);
  if (const auto *apply = typed::as<typed::Apply>(expr)) {
    std::string result = printExpr(*apply->function, true, depth);
    for (const typed::Expr *argument : apply->arguments)
      result += " " + printExpr(*argument, true, depth);
    return parenthesize(atom, result);
  }
  if (const auto *project = typed::as<typed::Project>(expr)) {
    const auto *record = as<RecordType>(resolve(project->record->type));
    std::string field = record ? record->fields[project->field].name : "?";
    return printExpr(*project->record, true, depth) + "." + field;
  }
  std::string_view text = expr.range.text();
  return parenthesize(atom, std::string(text));
}

} // namespace

std::string toString(TypeRef type) { return print(type, Context::Whole, maximumPrintDepth); }

std::string toString(const Size &size) {
  Size resolved = resolve(size);
  switch (resolved.kind) {
  case Size::Kind::Constant:
    return std::to_string(resolved.constant);
  case Size::Kind::Variable:
    return resolved.variable->name;
  case Size::Kind::Expression:
    return printExpr(*resolved.expression, false, maximumPrintDepth);
  case Size::Kind::Inferred:
    return "_";
  }
  return "_";
}

} // namespace ferry::futhark::types
