// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/syntax/parser.h"

#include <algorithm>

namespace ferry::futhark::syntax {

template <typename Node> Pattern *Parser::makePattern(size_t first, Node node, unsigned childDepth) {
  Pattern &pattern = tree.patterns.emplace_back();
  pattern.range = rangeFrom(first);
  pattern.depth = childDepth + 1;
  pattern.node = std::move(node);
  limitDepth(pattern.range, pattern.depth);
  return &pattern;
}

Pattern *Parser::parsePattern(bool termTypeOnly) {
  Nested nested(*this);
  size_t first = position;
  Attributes attributes = parseAttributes();
  Pattern *pattern = parseInnerPattern();
  if (accept(":")) {
    TypeExpr *type = termTypeOnly ? parseTypeTerm() : parseType();
    pattern = makePattern(first, AscribedPattern{pattern, type}, std::max(pattern->depth, type->depth));
  }
  pattern->attributes.insert(pattern->attributes.begin(), attributes.begin(), attributes.end());
  return pattern;
}

Pattern *Parser::parseInnerPattern() {
  if (!atKind(TokenKind::Constructor))
    return parsePatternAtom();
  size_t first = position;
  const Token &token = take();
  ConstructorPattern node{{token.range, std::string(token.text)}, {}};
  while (atPatternAtom())
    node.payload.push_back(parsePatternAtom());
  unsigned depth = depthOf(node.payload);
  return makePattern(first, std::move(node), depth);
}

bool Parser::atPatternAtom() const {
  return atKind(TokenKind::Name) || atKind(TokenKind::Number) || atKind(TokenKind::Char) ||
         atKind(TokenKind::Constructor) || at("(") || at("{") || at("true") || at("false") || at("#[") ||
         (at("-") && atKind(TokenKind::Number, 1));
}

Pattern *Parser::parsePatternAtom() {
  Nested nested(*this);
  size_t first = position;
  const Token &token = peek();
  switch (token.kind) {
  case TokenKind::Name:
    take();
    if (token.text == "_")
      return makePattern(first, WildcardPattern{}, 0);
    return makePattern(first, NamePattern{std::string(token.text)}, 0);
  case TokenKind::Number:
    take();
    return makePattern(first, LiteralPattern{token.number}, 0);
  case TokenKind::Char:
    take();
    return makePattern(first, LiteralPattern{CharLiteral{token.codePoint}}, 0);
  case TokenKind::Constructor:
    take();
    return makePattern(first, ConstructorPattern{{token.range, std::string(token.text)}, {}}, 0);
  default:
    break;
  }
  if (at("true") || at("false"))
    return makePattern(first, LiteralPattern{BoolLiteral{take().text == "true"}}, 0);
  if (at("-") && atKind(TokenKind::Number, 1)) {
    take();
    NumberLiteral number = take().number;
    number.negative = true;
    return makePattern(first, LiteralPattern{std::move(number)}, 0);
  }
  if (at("("))
    return parseParenthesizedPattern();
  if (at("{"))
    return parseRecordPattern();
  if (at("#[")) {
    Attributes attributes = parseAttributes();
    Pattern *pattern = parsePatternAtom();
    pattern->attributes.insert(pattern->attributes.begin(), attributes.begin(), attributes.end());
    return pattern;
  }
  unexpected("a pattern");
}

Pattern *Parser::parseParenthesizedPattern() {
  size_t first = position;
  if (atParenthesizedOperator()) {
    Name name = parseParenthesizedOperator();
    return makePattern(first, NamePattern{std::move(name.text)}, 0);
  }
  take();
  TuplePattern node;
  bool isTuple = at(")");
  parseList(")", "a pattern", [&] {
    node.elements.push_back(parsePattern());
    isTuple |= at(",");
  });
  if (!isTuple)
    return node.elements.front();
  if (node.elements.size() == 1)
    fail(tokens[first], "a tuple pattern with one component", "a tuple has no component or at least two");
  unsigned depth = depthOf(node.elements);
  return makePattern(first, std::move(node), depth);
}

Pattern *Parser::parseRecordPattern() {
  size_t first = position;
  take();
  RecordPattern node;
  unsigned depth = 0;
  parseList("}", "a record pattern", [&] {
    Name name = parseFieldName();
    Pattern *pattern = accept("=") ? parsePattern() : nullptr;
    depth = std::max(depth, depthOf(pattern));
    node.fields.push_back({std::move(name), pattern});
  });
  return makePattern(first, std::move(node), depth);
}

std::vector<Pattern *> Parser::parseParameters() {
  std::vector<Pattern *> parameters;
  while (atPatternAtom()) {
    if (parameters.size() == maximumDepth) // The type of a function has them one inside the other.
      fail(peek(), "a function of more than " + std::to_string(maximumDepth) + " parameters",
           "records hold many values");
    parameters.push_back(parsePatternAtom());
  }
  return parameters;
}

unsigned depthOf(const std::vector<Pattern *> &patterns) {
  unsigned depth = 0;
  for (const Pattern *pattern : patterns)
    depth = std::max(depth, depthOf(pattern));
  return depth;
}

} // namespace ferry::futhark::syntax
