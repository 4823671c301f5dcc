// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions. Every parameter lives one level below the one before it, the body's names below them all. When the body
// has been checked the type is closed: a parameter's name in the result becomes the function type's own, and every
// other name from inside becomes an unknown size of the result.
#include "futhark/types/checker.h"

#include <algorithm>

namespace ferry::futhark::types {

namespace {

// The name a parameter has as a whole, or null.
const Binding *wholeName(const typed::Pattern &pattern) {
  const auto *bind = typed::as<typed::BindPattern>(pattern);
  return bind ? bind->binding : nullptr;
}

} // namespace

TypeRef Checker::functionType(const typed::Function &function, TypeRef result,
                              const std::vector<const Binding *> &existentials) {
  TypeRef type = result;
  for (size_t i = function.parameters.size(); i-- > 0;) {
    FunctionType node{nullptr, function.consumes[i], function.parameters[i]->type, {}, type};
    if (i + 1 == function.parameters.size())
      node.existentials = existentials;
    const Binding *name = wholeName(*function.parameters[i]);
    if (name && mentions(type, name)) {
      Binding *own = arena.binding(Binding::Kind::Local, name->name, name->range, node.parameter, boundInTypeLevel);
      Substitution substitution;
      substitution.sizes[name] = variableSize(own);
      node.result = substitute(arena, type, substitution);
      node.parameterName = own;
    }
    type = arena.type(std::move(node));
  }
  return type;
}

namespace {

// Whether a type mentions a name anywhere but in results of functions.
bool mentionsOutsideResults(TypeRef type, const Binding *name) {
  type = withoutUnique(type);
  auto inner = [&](TypeRef part) { return mentionsOutsideResults(part, name); };
  if (const auto *record = as<RecordType>(type))
    return std::any_of(record->fields.begin(), record->fields.end(),
                       [&](const Field &field) { return inner(field.type); });
  if (const auto *sum = as<SumType>(type))
    return std::any_of(sum->constructors.begin(), sum->constructors.end(), [&](const Constructor &constructor) {
      return std::any_of(constructor.payload.begin(), constructor.payload.end(), inner);
    });
  if (const auto *function = as<FunctionType>(type))
    return mentions(function->parameter, name);
  return mentions(type, name);
}

} // namespace

TypeRef Checker::bindDeeper(TypeRef type, const std::vector<const Binding *> &names,
                            std::vector<const Binding *> &here) {
  std::vector<const Binding *> deeper;
  for (const Binding *name : names)
    if (mentions(type, name))
      (mentionsOutsideResults(type, name) ? here : deeper).push_back(name);
  for (const Binding *name : deeper)
    info(name)->level = boundInTypeLevel;
  return deeper.empty() ? type : bindInFunctions(type, deeper);
}

// The type with names that only results of functions in it mention bound in each of these.
TypeRef Checker::bindInFunctions(TypeRef type, const std::vector<const Binding *> &names) {
  type = withoutUnique(type);
  if (const auto *record = as<RecordType>(type)) {
    RecordType copy = *record;
    for (Field &field : copy.fields)
      field.type = bindInFunctions(field.type, names);
    return arena.type(std::move(copy));
  }
  if (const auto *sum = as<SumType>(type)) {
    SumType copy = *sum;
    for (Constructor &constructor : copy.constructors)
      for (TypeRef &payload : constructor.payload)
        payload = bindInFunctions(payload, names);
    return arena.type(std::move(copy));
  }
  const auto *function = as<FunctionType>(type);
  if (!function)
    return type;
  FunctionType copy = *function;
  Substitution own;
  std::vector<const Binding *> renamed;
  for (const Binding *name : names) {
    renamed.push_back(freshUnknown(name->range, name->name));
    info(renamed.back())->level = boundInTypeLevel;
    own.sizes[name] = variableSize(renamed.back());
  }
  copy.result = bindDeeper(substitute(arena, copy.result, own), renamed, copy.existentials);
  return arena.type(std::move(copy));
}

// Sizes of the body's type that only the body knows become unknown sizes of the result.
void Checker::closeResult(typed::Function &function, unsigned outer) {
  std::unordered_set<const Binding *> visible(function.sizeParams.begin(), function.sizeParams.end());
  for (const typed::Pattern *parameter : function.parameters)
    if (const Binding *name = wholeName(*parameter))
      visible.insert(name);
  auto isHidden = [&](const Binding *name) { return levelOf(name) > outer && !visible.count(name); };
  function.resultType = hideNames(function.resultType, isHidden, boundInTypeLevel, function.existentials, {});
  if (!function.parameters.empty() && containsFunction(function.resultType)) {
    std::vector<const Binding *> here;
    function.resultType = bindDeeper(function.resultType, function.existentials, here);
    checkWitnessed(function.body->range, function.resultType, here);
    function.existentials = here;
  }
}

void Checker::checkParameterTypes(const typed::Function &function, unsigned outer) {
  std::unordered_set<const Binding *> visible(function.sizeParams.begin(), function.sizeParams.end());
  for (const typed::Pattern *parameter : function.parameters) {
    forEachSize(parameter->type, [&](const Size &size) {
      forEachName(size, [&](const Binding *name) {
        if (levelOf(name) > outer && !visible.count(name))
          fail(parameter->range,
               "the type '" + toString(parameter->type) + "' of this parameter has a size, '" + name->name +
                   "', that the caller cannot know",
               "take what the size is made from as a parameter of its own, before this one");
      });
    });
    if (const Binding *name = wholeName(*parameter))
      visible.insert(name);
  }
}

// A caller cannot tell the parts of an argument that a pattern takes apart.
void Checker::checkResultNames(const SourceRange &range, const typed::Function &function, TypeRef result,
                               unsigned outer) const {
  std::unordered_set<const Binding *> visible(function.sizeParams.begin(), function.sizeParams.end());
  for (const typed::Pattern *parameter : function.parameters)
    if (const Binding *name = wholeName(*parameter))
      visible.insert(name);
  forEachSize(result, [&](const Size &size) {
    forEachName(size, [&](const Binding *name) {
      if (levelOf(name) > outer && !visible.count(name))
        fail(range, "the result type mentions '" + name->name + "', which is only a part of a parameter",
             "take it as a parameter of its own, or leave the size open as in '[]t'");
    });
  });
}

void Checker::declareSelf(BindingInfo &self, const typed::Function &function, TypeRef declaredResult) {
  if (declaredResult) {
    // Its sizes may differ from call to call; type parameters are those of the definition itself.
    self.scheme.type = functionType(function, declaredResult, function.existentials);
    self.scheme.sizeParams = function.sizeParams;
    return;
  }
  self.scheme.type = functionType(function, freshType(self.range), {});
  self.scheme.sizeParams = function.sizeParams;
}

// The result of a recursive function without a declared result type. If it depends on the sizes of the arguments, these
// are the same in all recursive calls.
void Checker::settleSelf(const BindingInfo &self, const typed::Function &function) {
  bool dependent = std::any_of(function.sizeParams.begin(), function.sizeParams.end(),
                               [&](const Binding *size) { return mentions(function.resultType, size); });
  for (const SelfUse &use : selfUses)
    for (size_t i = 0; dependent && i < use.sizes.size(); ++i)
      if (Unifier attempt = unifier(); !attempt.unifySizes(variableSize(function.sizeParams[i]), use.sizes[i]))
        fail(use.range, "this recursive call is with another size '" + function.sizeParams[i]->name + "'",
             "declare the result type of '" + self.name + "'");
  unify(function.body->range, self.scheme.type, functionType(function, function.resultType, {}), "this function");
}

// A size parameter that is none of a parameter's is what a use of the result makes it.
void Checker::requireUsedSizes(const typed::Function &function, TypeRef result) const {
  for (const Binding *size : function.sizeParams) {
    bool used = mentions(result, size);
    for (const typed::Pattern *parameter : function.parameters)
      used |= mentions(parameter->type, size);
    if (!used)
      fail(size->range, "size parameter '" + size->name + "' is not the size of any parameter",
           "no argument would tell what it is");
  }
  if (function.parameters.empty() && !function.sizeParams.empty() && !function.existentials.empty())
    fail(function.body->range,
         "a value with size parameters, of type '" + toString(result) + "', has a size that is not known",
         "make it a function that takes '()'");
}

Checker::CheckedFunction Checker::checkFunction(const FunctionSyntax &syntax, const Scope &scope, BindingInfo *self) {
  unsigned outer = level++;
  typed::Function &function = arena.functions.emplace_back();
  Scope inner{&scope, {}};
  TypeParameters declared;
  if (syntax.typeParameters)
    declared = declareTypeParameters(*syntax.typeParameters, inner);
  function.typeParams = declared.types;
  function.sizeParams = declared.sizes;
  PatternContext context{&inner, {}};
  context.deeper = 1; // A parameter's type may mention those before it.
  for (const TypeParameterEntry &parameter : declared.all)
    if (parameter.size)
      context.names.insert(parameter.size->name);
  for (const syntax::Pattern *parameter : *syntax.parameters) {
    context.unique = false;
    function.parameters.push_back(checkPattern(*parameter, freshType(parameter->range), context));
    function.consumes.push_back(context.unique);
    ++level;
  }
  TypeRef declaredResult = nullptr;
  if (syntax.resultType)
    declaredResult = elaborate(*syntax.resultType, {&inner, TypeContext::Open::Existential, &function.existentials});
  if (declaredResult) {
    checkResultNames(syntax.resultType->range, function, declaredResult, outer);
    requireUsedSizes(function, declaredResult);
  }
  if (self)
    declareSelf(*self, function, declaredResult);

  ++level;
  function.body = checkExpr(*syntax.body, inner);
  if (declaredResult) {
    // Sizes that are left open are what the body makes them.
    Substitution unknown;
    for (const Binding *size : function.existentials)
      unknown.sizes[size] = freshSize(size->range);
    function.resultType = substitute(arena, declaredResult, unknown);
    unify(syntax.body->range, stripUnique(arena, function.resultType), function.body->type, "the body");
    function.existentials.clear();
  } else {
    function.resultType = function.body->type;
    facts.inferredResults.insert(&function);
  }
  --level;
  if (self && selfUsed && !declaredResult)
    settleSelf(*self, function);
  closeResult(function, outer);
  requireUsedSizes(function, function.resultType);
  checkParameterTypes(function, outer);
  level = outer;
  return {&function, functionType(function, function.resultType, function.existentials)};
}

namespace {

// Calls back for every unbound variable of a type that is deeper than a level, outside in.
class VariableFinder {
public:
  std::vector<TypeVariable *> types;
  std::vector<SizeVariable *> sizes;

  VariableFinder(unsigned level) : level(level) {}
  void visit(TypeRef type) {
    type = resolve(type);
    if (const auto *inferred = as<InferredType>(type)) {
      if (inferred->variable->level > level)
        add(types, inferred->variable);
      for (const Field &field : inferred->variable->fields)
        visit(field.type);
    } else if (const auto *array = as<ArrayType>(type)) {
      visitSize(array->size);
      visit(array->element);
    } else if (const auto *record = as<RecordType>(type)) {
      for (const Field &field : record->fields)
        visit(field.type);
    } else if (const auto *sum = as<SumType>(type)) {
      for (const Constructor &constructor : sum->constructors)
        for (TypeRef payload : constructor.payload)
          visit(payload);
    } else if (const auto *function = as<FunctionType>(type)) {
      visit(function->parameter);
      visit(function->result);
    } else if (const auto *abstract = as<AbstractRef>(type)) {
      for (const Size &size : abstract->sizeArguments)
        visitSize(size);
      for (TypeRef argument : abstract->typeArguments)
        visit(argument);
    } else if (const auto *unique = as<UniqueType>(type)) {
      visit(unique->inner);
    }
  }

private:
  template <typename Variable> static void add(std::vector<Variable *> &list, Variable *variable) {
    if (std::find(list.begin(), list.end(), variable) == list.end())
      list.push_back(variable);
  }
  void visitSize(const Size &size) {
    forEachInferred(size, [&](SizeVariable *variable) {
      if (variable->level > level)
        add(sizes, variable);
    });
  }

  unsigned level;
};

bool isConstrained(const TypeVariable &variable) {
  return variable.prims || variable.equality || !variable.fields.empty() || !variable.constructors.empty();
}

} // namespace

void Checker::generalize(typed::Function &function, TypeRef type, bool overTypes) {
  VariableFinder finder(level);
  finder.visit(type);
  char letter = 'a';
  for (TypeVariable *variable : finder.types) {
    if (variable->level <= level) // Inside of one that is constrained.
      continue;
    if (!overTypes || isConstrained(*variable)) {
      raise(arena.type(InferredType{variable}), level);
      continue;
    }
    std::string name = std::string("t") + (letter <= 'z' ? std::string(1, letter++) : std::to_string(variable->id));
    TypeParam *param = arena.typeParam(name, variable->lifting, variable->range, level + 1);
    variable->bound = arena.type(ParamType{param});
    function.typeParams.push_back(param);
  }
  for (SizeVariable *variable : finder.sizes) {
    if (variable->level <= level)
      continue;
    Binding *size = arena.binding(Binding::Kind::Size, "d" + std::to_string(variable->id), variable->range,
                                  arena.prim(Prim::I64), level + 1);
    variable->isBound = true;
    variable->bound = variableSize(size);
    function.sizeParams.push_back(size);
  }
}

typed::Expr *Checker::checkNode(const syntax::LambdaExpr &node, const syntax::Expr &expr, const Scope &scope) {
  FunctionSyntax syntax{expr.range, {}, nullptr, &node.parameters, node.resultType, node.body};
  CheckedFunction checked = checkFunction(syntax, scope, nullptr);
  raise(checked.type, level);
  for (const typed::Pattern *parameter : checked.function->parameters)
    requireIrrefutable(*parameter);
  return arena.expr(expr.range, checked.type, typed::Lambda{checked.function});
}

} // namespace ferry::futhark::types
