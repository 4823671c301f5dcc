// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atoms: literals, names, everything in brackets, and what may directly follow them.
#include "futhark/syntax/parser.h"

#include <algorithm>

namespace ferry::futhark::syntax {

bool Parser::atAtom() const {
  switch (peek().kind) {
  case TokenKind::Name:
  case TokenKind::Number:
  case TokenKind::Char:
  case TokenKind::String:
  case TokenKind::Constructor:
    return true;
  default:
    return at("(") || at("[") || at("{") || at("true") || at("false") || at("???");
  }
}

Expr *Parser::parseAtom() {
  Nested nested(*this);
  size_t first = position;
  bool takesPostfix = atKind(TokenKind::Name) || at("(") || at("[");
  Expr *primary = parsePrimary();
  return takesPostfix ? parsePostfix(primary, first) : primary;
}

Expr *Parser::parsePrimary() {
  const Token &token = peek();
  switch (token.kind) {
  case TokenKind::Name:
    return parseNamePath();
  case TokenKind::Number:
    take();
    return makeExpr(token.range, token.number, 0);
  case TokenKind::Char:
    take();
    return makeExpr(token.range, CharLiteral{token.codePoint}, 0);
  case TokenKind::String:
    take();
    return makeExpr(token.range, StringLiteral{token.bytes}, 0);
  case TokenKind::Constructor:
    take();
    return makeExpr(token.range, ConstructExpr{{token.range, std::string(token.text)}, {}}, 0);
  default:
    break;
  }
  if (at("("))
    return parseParenthesized();
  if (at("["))
    return parseArray();
  if (at("{"))
    return parseRecord();
  if (at("true") || at("false")) {
    take();
    return makeExpr(token.range, BoolLiteral{token.text == "true"}, 0);
  }
  if (accept("???"))
    return makeExpr(token.range, HoleExpr{}, 0);
  unexpected("an expression");
}

// `m.n.x`, or `m.n.(e)`.
Expr *Parser::parseNamePath() {
  size_t first = position;
  QualifiedName name = parseQualifiedName();
  if (!atJoined(".") || peek(1).spaceBefore || !at("(", 1))
    return makeExpr(rangeFrom(first), NameExpr{std::move(name)}, 0);
  take();
  take();
  Expr *inner = parseExpr();
  expect(")", "after an expression with a module opened");
  return makeExpr(rangeFrom(first), LocalOpenExpr{std::move(name), inner}, inner->depth);
}

Expr *Parser::parsePostfix(Expr *expr, size_t first) {
  for (;;) {
    if (atJoined("[")) {
      take();
      std::vector<IndexPart> parts = parseIndexParts();
      unsigned depth = std::max(expr->depth, depthOf(parts));
      expr = makeExpr(rangeFrom(first), IndexExpr{expr, std::move(parts)}, depth);
    } else if (atJoined(".") && !peek(1).spaceBefore && (atKind(TokenKind::Name, 1) || atKind(TokenKind::Number, 1))) {
      take();
      Name field = parseFieldName();
      unsigned depth = expr->depth;
      expr = makeExpr(rangeFrom(first), ProjectExpr{expr, std::move(field)}, depth);
    } else {
      return expr;
    }
  }
}

std::vector<IndexPart> Parser::parseIndexParts() {
  std::vector<IndexPart> parts;
  if (at("]"))
    unexpected("an index");
  parseList("]", "an index", [&] { parts.push_back(parseIndexPart()); });
  return parts;
}

IndexPart Parser::parseIndexPart() {
  size_t first = position;
  IndexPart part;
  auto atPartEnd = [&] { return at(":") || at(",") || at("]"); };
  if (!at(":"))
    part.index = parseRange();
  if (accept(":")) {
    part.isSlice = true;
    if (!atPartEnd())
      part.end = parseRange();
    if (accept(":") && !atPartEnd())
      part.stride = parseRange();
  }
  part.range = rangeFrom(first);
  return part;
}

Expr *Parser::parseParenthesized() {
  size_t first = position;
  take();
  if (at("."))
    return parseProjectionSection(first);
  size_t infix = infixLength();
  bool isPrefix = at("-") || at("!");
  if (infix != 0 && (at(")", infix) || !isPrefix))
    return parseSection(first);
  TupleExpr node;
  bool isTuple = at(")");
  while (!at(")")) {
    node.elements.push_back(parseExpr());
    if (size_t length = infixLength(); length != 0 && at(")", length) && node.elements.size() == 1) {
      QualifiedName op = parseInfix();
      take();
      Expr *left = node.elements.front();
      return makeExpr(rangeFrom(first), SectionExpr{std::move(op), left, nullptr}, left->depth);
    }
    isTuple |= at(",");
    if (!accept(",") && !at(")"))
      unexpected("',' or ')'");
  }
  take();
  if (isTuple && node.elements.size() == 1)
    fail(tokens[first], "a tuple with one component", "a tuple has no component or at least two");
  unsigned depth = depthOf(node.elements);
  if (isTuple)
    return makeExpr(rangeFrom(first), std::move(node), depth);
  return makeExpr(rangeFrom(first), ParenExpr{node.elements.front()}, depth);
}

// `(op)` and `(op e)`, after the parenthesis.
Expr *Parser::parseSection(size_t first) {
  QualifiedName op = parseInfix();
  if (accept(")"))
    return makeExpr(rangeFrom(first), NameExpr{std::move(op)}, 0);
  Expr *right = parseExpr();
  expect(")", "after an operator section");
  return makeExpr(rangeFrom(first), SectionExpr{std::move(op), nullptr, right}, right->depth);
}

// `(.a[i].b)`, after the parenthesis.
Expr *Parser::parseProjectionSection(size_t first) {
  take();
  ProjectionSectionExpr node{parsePath()};
  expect(")", "after a projection section");
  unsigned depth = depthOf(node.path);
  return makeExpr(rangeFrom(first), std::move(node), depth);
}

Expr *Parser::parseRecord() {
  size_t first = position;
  take();
  RecordExpr node;
  unsigned depth = 0;
  parseList("}", "a record", [&] {
    Name name = parseFieldName();
    Expr *value = accept("=") ? parseExpr() : nullptr;
    depth = std::max(depth, depthOf(value));
    node.fields.push_back({std::move(name), value});
  });
  return makeExpr(rangeFrom(first), std::move(node), depth);
}

Expr *Parser::parseArray() {
  size_t first = position;
  take();
  ArrayExpr node;
  parseList("]", "an array", [&] { node.elements.push_back(parseExpr()); });
  unsigned depth = depthOf(node.elements);
  return makeExpr(rangeFrom(first), std::move(node), depth);
}

} // namespace ferry::futhark::syntax
