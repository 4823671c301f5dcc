// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expression forms that begin with a keyword, a backslash or an attribute. Their last part extends as far to the right
// as it can.
#include "futhark/syntax/parser.h"

#include <algorithm>

namespace ferry::futhark::syntax {

bool Parser::atForm() const {
  return at("if") || at("let") || at("loop") || at("match") || at("\\") || at("assert") || at("#[");
}

Expr *Parser::parseForm() {
  if (at("if"))
    return parseIf();
  if (at("let"))
    return parseLet();
  if (at("loop"))
    return parseLoop();
  if (at("match"))
    return parseMatch();
  if (at("\\"))
    return parseLambda();
  if (at("assert"))
    return parseAssert();
  Attributes attributes = parseAttributes();
  Expr *expr = parseExpr();
  expr->attributes.insert(expr->attributes.begin(), attributes.begin(), attributes.end());
  return expr;
}

Expr *Parser::parseIf() {
  size_t first = position;
  take();
  IfExpr node{};
  node.condition = parseExpr();
  expect("then", "after the condition of 'if'");
  node.thenBranch = parseExpr();
  expect("else", "after the first branch of 'if'");
  node.elseBranch = parseExpr();
  unsigned depth = std::max({node.condition->depth, node.thenBranch->depth, node.elseBranch->depth});
  return makeExpr(rangeFrom(first), node, depth);
}

Expr *Parser::parseAssert() {
  size_t first = position;
  take();
  AssertExpr node{};
  node.condition = parseAtom();
  node.body = parseExpr();
  return makeExpr(rangeFrom(first), node, std::max(node.condition->depth, node.body->depth));
}

Expr *Parser::parseLambda() {
  size_t first = position;
  take();
  LambdaExpr node{parseParameters(), nullptr, nullptr};
  if (node.parameters.empty())
    unexpected("a parameter after '\\'");
  if (accept(":"))
    node.resultType = parseTypeTerm();
  expect("->", "before the body of a lambda");
  node.body = parseExpr();
  unsigned depth = std::max({depthOf(node.parameters), depthOf(node.resultType), node.body->depth});
  return makeExpr(rangeFrom(first), std::move(node), depth);
}

Expr *Parser::parseMatch() {
  size_t first = position;
  take();
  MatchExpr node{parseExpr(), {}};
  unsigned depth = node.scrutinee->depth;
  if (!at("case"))
    unexpected("'case'");
  while (at("case")) {
    size_t begin = position;
    take();
    Pattern *pattern = parsePattern(true);
    expect("->", "after the pattern of a 'case'");
    Expr *body = parseExpr();
    depth = std::max({depth, pattern->depth, body->depth});
    node.cases.push_back({rangeFrom(begin), pattern, body});
  }
  return makeExpr(rangeFrom(first), std::move(node), depth);
}

Expr *Parser::parseLoop() {
  size_t first = position;
  take();
  LoopExpr node{};
  while (at("[")) {
    take();
    node.sizes.push_back(parseName("the name of a size"));
    expect("]", "after the name of a size");
  }
  node.pattern = parsePattern();
  unsigned depth = node.pattern->depth;
  if (accept("=")) {
    node.initial = parseExpr();
    depth = std::max(depth, node.initial->depth);
  }
  if (accept("while")) {
    LoopExpr::While form{parseExpr()};
    depth = std::max(depth, form.condition->depth);
    node.form = form;
  } else if (accept("for")) {
    if (atKind(TokenKind::Name) && at("<", 1)) {
      LoopExpr::Counted form{parseName("the loop's index"), nullptr};
      take();
      form.bound = parseExpr();
      depth = std::max(depth, form.bound->depth);
      node.form = std::move(form);
    } else {
      LoopExpr::Over form{parsePattern(), nullptr};
      expect("in", "after the pattern of a 'for'; a counted loop is written 'for i < n'");
      form.array = parseExpr();
      depth = std::max({depth, form.element->depth, form.array->depth});
      node.form = form;
    }
  } else {
    unexpected("'for' or 'while'");
  }
  expect("do", "before the body of a loop");
  node.body = parseExpr();
  depth = std::max(depth, node.body->depth);
  return makeExpr(rangeFrom(first), std::move(node), depth);
}

Expr *Parser::parseLet() {
  size_t first = position;
  LetExpr node;
  unsigned depth = 0;
  while (at("let")) {
    node.statements.push_back(parseLetStatement());
    if (accept("in"))
      continue;
    if (!at("let"))
      unexpected("'in' or another 'let'");
  }
  for (const LetStatement &statement : node.statements) {
    if (const auto *value = std::get_if<LetStatement::Value>(&statement.node))
      depth = std::max({depth, value->pattern->depth, value->value->depth});
    else if (const auto *function = std::get_if<LetStatement::Function>(&statement.node))
      depth = std::max({depth, depthOf(function->parameters), depthOf(function->resultType), function->body->depth});
    else if (const auto *update = std::get_if<LetStatement::Update>(&statement.node))
      depth = std::max({depth, depthOf(update->path), update->value->depth});
  }
  node.body = parseExpr();
  depth = std::max(depth, node.body->depth);
  return makeExpr(rangeFrom(first), std::move(node), depth);
}

LetStatement Parser::parseLetStatement() {
  size_t first = position;
  take();
  LetStatement statement;
  bool isName = atKind(TokenKind::Name) && peek().text != "_";
  if (isName && (atJoined("[", 1) || atJoined(".", 1))) {
    statement.node = parseLetUpdate();
  } else if (isName && !at("=", 1) && !at(":", 1)) {
    statement.node = parseLetFunction(parseName("a name"));
  } else if (atParenthesizedOperator() && !at("=", 3) && !at(":", 3)) {
    statement.node = parseLetFunction(parseParenthesizedOperator());
  } else {
    LetStatement::Value value{};
    while (accept("[")) {
      value.sizes.push_back(parseName("the name of a size"));
      expect("]", "after the name of a size");
    }
    value.pattern = parsePattern();
    expect("=", "after the pattern of a 'let'");
    value.value = parseExpr();
    statement.node = std::move(value);
  }
  statement.range = rangeFrom(first);
  return statement;
}

LetStatement::Function Parser::parseLetFunction(Name name) {
  LetStatement::Function function{std::move(name), parseTypeParameters(), parseParameters(), nullptr, nullptr};
  if (accept(":"))
    function.resultType = parseType();
  expect("=", "after the parameters of a function");
  function.body = parseExpr();
  return function;
}

LetStatement::Update Parser::parseLetUpdate() {
  LetStatement::Update update{parseName("a name"), {}, nullptr};
  parsePathTail(update.path);
  expect("=", "after what a 'let' updates");
  update.value = parseExpr();
  return update;
}

} // namespace ferry::futhark::syntax
