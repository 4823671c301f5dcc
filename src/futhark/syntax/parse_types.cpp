// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/syntax/parser.h"

#include <algorithm>

namespace ferry::futhark::syntax {

template <typename Node> TypeExpr *Parser::makeType(size_t first, Node node, std::initializer_list<unsigned> depths) {
  TypeExpr &type = tree.types.emplace_back();
  type.range = rangeFrom(first);
  type.depth = 1 + (depths.size() ? std::max(depths) : 0);
  type.node = std::move(node);
  limitDepth(type.range, type.depth);
  return &type;
}

TypeExpr *Parser::parseType() {
  Nested nested(*this);
  size_t first = position;
  if (at("?"))
    return parseExistentialType();
  std::optional<Name> parameterName;
  TypeExpr *left;
  if (at("(") && atKind(TokenKind::Name, 1) && at(":", 2)) {
    take();
    parameterName = parseName("the name of a parameter");
    take();
    left = parseType();
    expect(")", "after a named parameter");
    if (!at("->"))
      unexpected("'->' after a named parameter");
  } else {
    left = parseTypeTerm();
  }
  if (!accept("->"))
    return left;
  TypeExpr *result = parseType();
  return makeType(first, FunctionTypeExpr{std::move(parameterName), left, result}, {left->depth, result->depth});
}

TypeExpr *Parser::parseExistentialType() {
  size_t first = position;
  take();
  ExistentialTypeExpr node;
  do {
    expect("[", "after '?'");
    node.sizes.push_back(parseName("the name of a size"));
    expect("]", "after the name of a size");
  } while (at("["));
  expect(".", "after the sizes of '?[n].t'");
  node.inner = parseType();
  unsigned depth = node.inner->depth;
  return makeType(first, std::move(node), {depth});
}

TypeExpr *Parser::parseTypeTerm() {
  Nested nested(*this);
  size_t first = position;
  if (accept("*")) {
    TypeExpr *inner = parseTypeTerm();
    return makeType(first, UniqueTypeExpr{inner}, {inner->depth});
  }
  if (atKind(TokenKind::Constructor))
    return parseSumType();
  return parseTypeApplication();
}

TypeExpr *Parser::parseSumType() {
  size_t first = position;
  SumTypeExpr node;
  unsigned depth = 0;
  do {
    if (!atKind(TokenKind::Constructor))
      unexpected("a constructor after '|'");
    const Token &token = take();
    SumTypeExpr::Constructor constructor{{token.range, std::string(token.text)}, {}};
    while (atTypeAtom()) {
      constructor.payload.push_back(parseTypeAtom());
      depth = std::max(depth, constructor.payload.back()->depth);
    }
    node.constructors.push_back(std::move(constructor));
  } while (accept("|"));
  return makeType(first, std::move(node), {depth});
}

bool Parser::atTypeAtom() const { return atKind(TokenKind::Name) || at("(") || at("[") || at("{"); }

TypeExpr *Parser::parseTypeApplication() {
  size_t first = position;
  if (!atKind(TokenKind::Name))
    return parseTypeAtom();
  TypeApplication node;
  node.name = parseQualifiedName();
  unsigned depth = 0;
  while (atTypeAtom()) {
    TypeApplication::Argument argument;
    size_t begin = position;
    if (accept("[")) {
      argument.isSize = true;
      if (!at("]"))
        argument.size = parseExpr();
      expect("]", "after a size argument");
    } else {
      argument.type = parseTypeAtom();
    }
    argument.range = rangeFrom(begin);
    depth = std::max({depth, depthOf(argument.size), depthOf(argument.type)});
    node.arguments.push_back(argument);
  }
  if (node.arguments.empty())
    return makeType(first, NamedType{std::move(node.name)}, {});
  return makeType(first, std::move(node), {depth});
}

TypeExpr *Parser::parseTypeAtom() {
  Nested nested(*this);
  size_t first = position;
  if (atKind(TokenKind::Name)) {
    QualifiedName name = parseQualifiedName();
    return makeType(first, NamedType{std::move(name)}, {});
  }
  if (at("("))
    return parseParenthesizedType();
  if (at("["))
    return parseArrayType();
  if (at("{"))
    return parseRecordType();
  unexpected("a type");
}

TypeExpr *Parser::parseParenthesizedType() {
  size_t first = position;
  take();
  TupleTypeExpr node;
  unsigned depth = 0;
  bool isTuple = at(")");
  parseList(")", "a tuple type", [&] {
    node.elements.push_back(parseType());
    depth = std::max(depth, node.elements.back()->depth);
    isTuple |= at(",");
  });
  if (!isTuple)
    return node.elements.front();
  if (node.elements.size() == 1)
    fail(tokens[first], "a tuple type with one component", "a tuple has no component or at least two");
  return makeType(first, std::move(node), {depth});
}

TypeExpr *Parser::parseArrayType() {
  size_t first = position;
  take();
  Expr *size = at("]") ? nullptr : parseExpr();
  expect("]", "after an array's size");
  TypeExpr *element = parseTypeTerm();
  return makeType(first, ArrayTypeExpr{size, element}, {depthOf(size), element->depth});
}

TypeExpr *Parser::parseRecordType() {
  size_t first = position;
  take();
  RecordTypeExpr node;
  unsigned depth = 0;
  parseList("}", "a record type", [&] {
    Name name = parseFieldName();
    expect(":", "after a field's name");
    TypeExpr *type = parseType();
    depth = std::max(depth, type->depth);
    node.fields.push_back({std::move(name), type});
  });
  return makeType(first, std::move(node), {depth});
}

} // namespace ferry::futhark::syntax
