// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions from the loosest level to application: ascription, ranges, infix operators by precedence climbing, prefix
// operators, application. `with` takes part in the climbing as if it were an operator.
#include "futhark/syntax/parser.h"

#include <algorithm>
#include <array>

namespace ferry::futhark::syntax {

namespace {

constexpr int backquotePrecedence = 1;
constexpr int updatePrecedence = 2;
constexpr int pipePrecedence = 3;

struct BuiltInPrecedence {
  std::string_view prefix;
  int precedence;
};
// Longer prefixes first where one begins another.
constexpr std::array<BuiltInPrecedence, 25> builtIns = {{
    {"|>", pipePrecedence},
    {"<|", 4},
    {"||", 5},
    {"&&", 6},
    {"<=", 7},
    {">=", 7},
    {"==", 7},
    {"!=", 7},
    {"<<", 9},
    {">>", 9},
    {"<", 7},
    {">", 7},
    {"!", 7},
    {"=", 7},
    {"&", 8},
    {"^", 8},
    {"|", 8},
    {"+", 10},
    {"-", 10},
    {"**", 12},
    {"//", 11},
    {"%%", 11},
    {"*", 11},
    {"/", 11},
    {"%", 11},
}};

} // namespace

int precedence(const QualifiedName &op) {
  for (const BuiltInPrecedence &builtIn : builtIns)
    if (op.name.starts_with(builtIn.prefix))
      return builtIn.precedence;
  return backquotePrecedence;
}

bool isRightAssociative(const QualifiedName &op) { return op.name.starts_with("<|"); }

unsigned depthOf(const std::vector<Expr *> &exprs) {
  unsigned depth = 0;
  for (const Expr *expr : exprs)
    depth = std::max(depth, depthOf(expr));
  return depth;
}

unsigned depthOf(const std::vector<IndexPart> &parts) {
  unsigned depth = 0;
  for (const IndexPart &part : parts)
    depth = std::max({depth, depthOf(part.index), depthOf(part.end), depthOf(part.stride)});
  return depth;
}

unsigned depthOf(const std::vector<LetStatement::Step> &path) {
  unsigned depth = 0;
  for (const LetStatement::Step &step : path)
    if (const auto *parts = std::get_if<std::vector<IndexPart>>(&step))
      depth = std::max(depth, depthOf(*parts));
  return depth;
}

Expr *Parser::parseExpr() {
  Nested nested(*this);
  size_t first = position;
  Expr *expr = parseRange();
  while (at(":") || at(":>")) {
    bool coerce = take().text == ":>";
    TypeExpr *type = parseType();
    unsigned depth = std::max(expr->depth, type->depth);
    expr = coerce ? makeExpr(rangeFrom(first), CoerceExpr{expr, type}, depth)
                  : makeExpr(rangeFrom(first), AscribeExpr{expr, type}, depth);
  }
  return expr;
}

Expr *Parser::parseRange() {
  size_t first = position;
  Expr *start = parseBinary(0);
  auto atEnd = [&] { return at("...") || at("..<") || at("..>"); };
  if (!at("..") && !atEnd())
    return start;
  RangeExpr node{start, nullptr, RangeEnd::Inclusive, nullptr};
  if (accept(".."))
    node.second = parseBinary(0);
  if (!atEnd())
    unexpected("'...', '..<' or '..>' in a range");
  std::string_view mark = take().text;
  node.endKind = mark == "..." ? RangeEnd::Inclusive : mark == "..<" ? RangeEnd::UpTo : RangeEnd::DownTo;
  node.end = parseBinary(0);
  return makeExpr(rangeFrom(first), node, std::max({start->depth, depthOf(node.second), node.end->depth}));
}

size_t Parser::infixLength() const {
  if (atKind(TokenKind::Operator))
    return at("=") || at("->") ? 0 : 1;
  size_t length = at("`") ? 1 : 0;
  if (!atKind(TokenKind::Name, length))
    return 0;
  ++length;
  while (atJoined(".", length) && !peek(length + 1).spaceBefore) {
    if (atKind(TokenKind::Operator, length + 1) && !at("`"))
      return length + 2;
    if (!atKind(TokenKind::Name, length + 1))
      return 0;
    length += 2;
  }
  return at("`") && at("`", length) ? length + 1 : 0;
}

QualifiedName Parser::parseInfix() {
  if (!accept("`"))
    return parseQualifiedName(true);
  QualifiedName name = parseQualifiedName();
  expect("`", "after an infix name");
  return name;
}

Expr *Parser::parseBinary(int minimum) {
  Nested nested(*this);
  size_t first = position;
  Expr *left = parseUnary();
  for (;;) {
    if (at("with") && minimum <= updatePrecedence) {
      left = parseUpdates(left, first);
      continue;
    }
    // In `(x +)` the operator belongs to the section.
    size_t length = infixLength();
    if (length == 0 || at(")", length))
      return left;
    size_t begin = position;
    QualifiedName op = parseInfix();
    int level = precedence(op);
    if (level < minimum) {
      position = begin;
      return left;
    }
    Expr *right = parseBinary(isRightAssociative(op) ? level : level + 1);
    unsigned depth = std::max(left->depth, right->depth);
    left = makeExpr(rangeFrom(first), BinaryExpr{std::move(op), left, right}, depth);
  }
}

Expr *Parser::parseUpdates(Expr *target, size_t first) {
  take();
  UpdateExpr node{target, parsePath(), nullptr};
  expect("=", "after what 'with' updates");
  node.value = parseBinary(updatePrecedence + 1);
  unsigned depth = std::max({target->depth, depthOf(node.path), node.value->depth});
  return makeExpr(rangeFrom(first), std::move(node), depth);
}

std::vector<LetStatement::Step> Parser::parsePath() {
  std::vector<LetStatement::Step> path;
  if (!at("["))
    path.emplace_back(parseFieldName());
  parsePathTail(path);
  if (path.empty())
    unexpected("an index or a field");
  return path;
}

void Parser::parsePathTail(std::vector<LetStatement::Step> &path) {
  for (;;) {
    if (accept("["))
      path.emplace_back(parseIndexParts());
    else if (accept("."))
      path.emplace_back(parseFieldName());
    else
      return;
  }
}

Expr *Parser::parseUnary() {
  Nested nested(*this);
  size_t first = position;
  if (atForm())
    return parseForm();
  if (!at("-") && !at("!"))
    return parseApplication();
  UnaryOp op = take().text == "-" ? UnaryOp::Negate : UnaryOp::Not;
  Expr *operand = parseUnary();
  return makeExpr(rangeFrom(first), UnaryExpr{op, operand}, operand->depth);
}

Expr *Parser::parseApplication() {
  size_t first = position;
  if (atKind(TokenKind::Constructor))
    return parseConstruct();
  Expr *function = parseAtom();
  ApplyExpr node{function, {}};
  while (atAtom() && infixLength() == 0)
    node.arguments.push_back(parseAtom());
  if (at("\\")) // A lambda that extends to the end needs no parentheses.
    node.arguments.push_back(parseLambda());
  if (node.arguments.empty())
    return function;
  unsigned depth = std::max(function->depth, depthOf(node.arguments));
  return makeExpr(rangeFrom(first), std::move(node), depth);
}

Expr *Parser::parseConstruct() {
  size_t first = position;
  const Token &token = take();
  ConstructExpr node{{token.range, std::string(token.text)}, {}};
  while (atAtom() && infixLength() == 0)
    node.payload.push_back(parseAtom());
  unsigned depth = depthOf(node.payload);
  return makeExpr(rangeFrom(first), std::move(node), depth);
}

} // namespace ferry::futhark::syntax
