// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/syntax/parser.h"

namespace ferry::futhark::syntax {

std::vector<Declaration *> Parser::parseDeclarations(std::string_view close) {
  std::vector<Declaration *> result;
  while (!at(close)) {
    if (atKind(TokenKind::End))
      unexpected("a declaration or '" + std::string(close) + "'");
    result.push_back(parseDeclaration());
  }
  return result;
}

Declaration *Parser::parseDeclaration() {
  Nested nested(*this);
  size_t first = position;
  Attributes attributes = parseAttributes();
  if (accept("local")) {
    Declaration *inner = parseDeclaration();
    inner->isLocal = true;
    inner->attributes.insert(inner->attributes.begin(), attributes.begin(), attributes.end());
    return inner;
  }
  Declaration declaration;
  if (at("def") || at("let") || at("entry"))
    declaration.node = parseValueDeclaration();
  else if (at("type"))
    declaration.node = parseTypeDeclaration();
  else if (at("module") && at("type", 1))
    declaration.node = parseModuleTypeDeclaration();
  else if (at("module"))
    declaration.node = parseModuleDeclaration();
  else if (accept("open"))
    declaration.node = OpenDeclaration{parseModule()};
  else if (at("import"))
    declaration.node = ImportDeclaration{parseImportPath()};
  else if (at("val") && options.allowIntrinsics)
    declaration.node = IntrinsicDeclaration{parseValueSpec()};
  else
    unexpected("a declaration: def, entry, type, module, open, import or local");
  declaration.range = rangeFrom(first);
  declaration.attributes = std::move(attributes);
  return &tree.declarationNodes.emplace_back(std::move(declaration));
}

// `def p op q = e`, after the keyword: whether it is one.
bool Parser::parseInfixDefinition(ValueDeclaration &declaration) {
  size_t begin = position;
  if (!atPatternAtom() || atParenthesizedOperator())
    return false;
  bool nameThenOperator = atKind(TokenKind::Name) && (infixLength() == 0) &&
                          ((atKind(TokenKind::Operator, 1) && !at("=", 1)) || at("`", 1));
  if (atKind(TokenKind::Name) && !nameThenOperator)
    return false;
  Pattern *left = parsePatternAtom();
  if (!atKind(TokenKind::Operator) && !at("`")) {
    position = begin;
    return false;
  }
  bool backquoted = at("`");
  size_t opPosition = position;
  QualifiedName op = parseInfix();
  declaration.name = {rangeFrom(opPosition), op.name};
  if (!backquoted)
    checkDefinable(declaration.name);
  Pattern *right = parsePatternAtom();
  declaration.parameters = {left, right};
  return true;
}

ValueDeclaration Parser::parseValueDeclaration() {
  ValueDeclaration declaration{};
  declaration.isEntry = take().text == "entry";
  if (!parseInfixDefinition(declaration)) {
    declaration.name = atParenthesizedOperator() ? parseParenthesizedOperator() : parseName("the name of a definition");
    declaration.typeParameters = parseTypeParameters();
    declaration.parameters = parseParameters();
  }
  if (declaration.name.text == "_")
    throw SyntaxError{declaration.name.range, "a definition cannot be named '_'", {}};
  if (accept(":"))
    declaration.resultType = parseType();
  expect("=", "before the body of a definition");
  declaration.body = parseExpr();
  return declaration;
}

Lifting Parser::parseLifting() {
  if (atJoined("~")) {
    take();
    return Lifting::SizeLifted;
  }
  if (atJoined("^")) {
    take();
    return Lifting::FullyLifted;
  }
  return Lifting::Unlifted;
}

TypeDeclaration Parser::parseTypeDeclaration() {
  take();
  TypeDeclaration declaration{};
  declaration.lifting = parseLifting();
  declaration.name = parseName("the name of a type");
  declaration.typeParameters = parseTypeParameters();
  expect("=", "before the definition of a type");
  declaration.definition = parseType();
  return declaration;
}

std::vector<ModuleParameter> Parser::parseModuleParameters() {
  std::vector<ModuleParameter> parameters;
  while (accept("(")) {
    Name name = parseName("the name of a module parameter");
    expect(":", "after the name of a module parameter");
    ModuleTypeExpr *type = parseModuleType();
    expect(")", "after a module parameter");
    parameters.push_back({std::move(name), type});
  }
  return parameters;
}

ModuleDeclaration Parser::parseModuleDeclaration() {
  take();
  ModuleDeclaration declaration{};
  declaration.name = parseName("the name of a module");
  declaration.parameters = parseModuleParameters();
  if (accept(":"))
    declaration.type = parseModuleType();
  expect("=", "before the definition of a module");
  declaration.body = parseModule();
  return declaration;
}

ModuleTypeDeclaration Parser::parseModuleTypeDeclaration() {
  take();
  take();
  ModuleTypeDeclaration declaration{};
  declaration.name = parseName("the name of a module type");
  expect("=", "before the definition of a module type");
  declaration.type = parseModuleType();
  return declaration;
}

std::string Parser::parseImportPath() {
  take();
  if (!atKind(TokenKind::String))
    unexpected("the path of a file in quotes");
  return take().bytes;
}

} // namespace ferry::futhark::syntax
