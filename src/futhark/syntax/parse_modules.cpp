// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/syntax/parser.h"

#include <algorithm>

namespace ferry::futhark::syntax {

template <typename Node> ModuleExpr *Parser::makeModule(size_t first, Node node, unsigned childDepth) {
  ModuleExpr &module = tree.modules.emplace_back();
  module.range = rangeFrom(first);
  module.depth = childDepth + 1;
  module.node = std::move(node);
  limitDepth(module.range, module.depth);
  return &module;
}

template <typename Node> ModuleTypeExpr *Parser::makeModuleType(size_t first, Node node, unsigned childDepth) {
  ModuleTypeExpr &type = tree.moduleTypes.emplace_back();
  type.range = rangeFrom(first);
  type.depth = childDepth + 1;
  type.node = std::move(node);
  limitDepth(type.range, type.depth);
  return &type;
}

ModuleExpr *Parser::parseModule() {
  Nested nested(*this);
  size_t first = position;
  if (at("\\"))
    return parseModuleLambda();
  ModuleExpr *module = parseModuleApplication();
  while (accept(":")) {
    ModuleTypeExpr *type = parseModuleType();
    module = makeModule(first, ModuleAscription{module, type}, std::max(module->depth, type->depth));
  }
  return module;
}

ModuleExpr *Parser::parseModuleLambda() {
  size_t first = position;
  take();
  ModuleLambda node{parseModuleParameters(), nullptr, nullptr};
  if (node.parameters.empty())
    unexpected("a module parameter after '\\'");
  if (accept(":"))
    node.resultType = parseModuleTypeWith();
  expect("->", "before the body of a parametric module");
  node.body = parseModule();
  unsigned depth = node.body->depth;
  return makeModule(first, std::move(node), depth);
}

bool Parser::atModuleAtom() const { return atKind(TokenKind::Name) || at("(") || at("{") || at("import"); }

ModuleExpr *Parser::parseModuleApplication() {
  size_t first = position;
  ModuleExpr *module = parseModuleAtom();
  // A declaration may follow, and `import` begins one.
  while (atModuleAtom() && !at("import")) {
    ModuleExpr *argument = parseModuleAtom();
    module = makeModule(first, ModuleApplication{module, argument}, std::max(module->depth, argument->depth));
  }
  return module;
}

ModuleExpr *Parser::parseModuleAtom() {
  Nested nested(*this);
  size_t first = position;
  if (atKind(TokenKind::Name)) {
    QualifiedName name = parseQualifiedName();
    return makeModule(first, ModuleName{std::move(name)}, 0);
  }
  if (at("import")) {
    std::string path = parseImportPath();
    return makeModule(first, ModuleImport{std::move(path)}, 0);
  }
  if (accept("{")) {
    ModuleStructure node{parseDeclarations("}")};
    take();
    // Declarations do not count their depth: the parser's own nesting has bounded it.
    return makeModule(first, std::move(node), 0);
  }
  if (accept("(")) {
    ModuleExpr *module = parseModule();
    expect(")", "after a module");
    return module;
  }
  unexpected("a module");
}

ModuleTypeExpr *Parser::parseModuleType() {
  Nested nested(*this);
  size_t first = position;
  std::optional<Name> parameterName;
  ModuleTypeExpr *left;
  if (at("(") && atKind(TokenKind::Name, 1) && at(":", 2)) {
    take();
    parameterName = parseName("the name of a module parameter");
    take();
    left = parseModuleType();
    expect(")", "after a module parameter");
    if (!at("->"))
      unexpected("'->' after a module parameter");
  } else {
    left = parseModuleTypeWith();
  }
  if (!accept("->"))
    return left;
  ModuleTypeExpr *result = parseModuleType();
  unsigned depth = std::max(left->depth, result->depth);
  return makeModuleType(first, ModuleTypeArrow{std::move(parameterName), left, result}, depth);
}

ModuleTypeExpr *Parser::parseModuleTypeWith() {
  size_t first = position;
  ModuleTypeExpr *type = parseModuleTypeAtom();
  while (accept("with")) {
    ModuleTypeWith node{type, parseQualifiedName(), parseTypeParameters(), nullptr};
    expect("=", "in 'with type = definition'");
    node.definition = at("?") ? parseType() : parseTypeTerm();
    unsigned depth = std::max(type->depth, node.definition->depth);
    type = makeModuleType(first, std::move(node), depth);
  }
  return type;
}

ModuleTypeExpr *Parser::parseModuleTypeAtom() {
  Nested nested(*this);
  size_t first = position;
  if (atKind(TokenKind::Name)) {
    QualifiedName name = parseQualifiedName();
    return makeModuleType(first, ModuleTypeName{std::move(name)}, 0);
  }
  if (at("{"))
    return parseSpecs();
  if (accept("(")) {
    ModuleTypeExpr *type = parseModuleType();
    expect(")", "after a module type");
    return type;
  }
  unexpected("a module type");
}

ModuleTypeExpr *Parser::parseSpecs() {
  size_t first = position;
  take();
  ModuleTypeSpecs node;
  while (!at("}"))
    node.specs.push_back(parseSpec());
  take();
  return makeModuleType(first, std::move(node), 0);
}

ValueSpec Parser::parseValueSpec() {
  take();
  ValueSpec spec{};
  if (atParenthesizedOperator()) {
    spec.name = parseParenthesizedOperator();
  } else if (atKind(TokenKind::Operator)) {
    const Token &token = take();
    spec.name = {token.range, std::string(token.text)};
    checkDefinable(spec.name);
  } else {
    spec.name = parseName("the name of a value");
  }
  spec.typeParameters = parseTypeParameters();
  expect(":", "before the type of a value");
  spec.type = parseType();
  return spec;
}

Spec *Parser::parseSpec() {
  Nested nested(*this);
  size_t first = position;
  Spec spec;
  spec.attributes = parseAttributes();
  if (at("val")) {
    spec.node = parseValueSpec();
  } else if (accept("type")) {
    TypeSpec type{};
    type.lifting = parseLifting();
    type.name = parseName("the name of a type");
    type.typeParameters = parseTypeParameters();
    if (accept("="))
      type.definition = parseType();
    spec.node = std::move(type);
  } else if (accept("module")) {
    Name name = parseName("the name of a module");
    expect(":", "after the name of a module");
    ModuleTypeExpr *type = parseModuleType();
    spec.node = ModuleSpec{std::move(name), type};
  } else if (accept("include")) {
    spec.node = IncludeSpec{parseModuleType()};
  } else {
    unexpected("a specification: val, type, module or include");
  }
  spec.range = rangeFrom(first);
  return &tree.specs.emplace_back(std::move(spec));
}

} // namespace ferry::futhark::syntax
