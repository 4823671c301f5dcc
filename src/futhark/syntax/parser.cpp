// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tokens, names, attributes and the entry point of the parser.
#include "futhark/syntax/parser.h"
#include "futhark/syntax/spelling.h"

#include <algorithm>

namespace ferry::futhark::syntax {

const Token &Parser::peek(size_t ahead) const { return tokens[std::min(position + ahead, tokens.size() - 1)]; }

const Token &Parser::take() {
  const Token &token = peek();
  if (position + 1 < tokens.size())
    ++position;
  return token;
}

bool Parser::at(std::string_view text, size_t ahead) const {
  const Token &token = peek(ahead);
  return (token.kind == TokenKind::Keyword || token.kind == TokenKind::Operator ||
          token.kind == TokenKind::Punctuation) &&
         token.text == text;
}

bool Parser::accept(std::string_view text) {
  if (!at(text))
    return false;
  take();
  return true;
}

void Parser::fail(const Token &token, std::string message, std::string hint) const {
  throw SyntaxError{token.range, std::move(message), std::move(hint)};
}

namespace {

std::string describe(const Token &token) {
  switch (token.kind) {
  case TokenKind::End:
    return "end of the file";
  case TokenKind::Keyword:
    return "keyword '" + std::string(token.text) + "'";
  case TokenKind::Constructor:
    return "constructor '#" + std::string(token.text) + "'";
  case TokenKind::String:
    return "string";
  default:
    return "'" + std::string(token.text) + "'";
  }
}

} // namespace

void Parser::unexpected(std::string_view wanted) const {
  fail(peek(), "unexpected " + describe(peek()), "expected " + std::string(wanted));
}

const Token &Parser::expect(std::string_view text, std::string_view where) {
  if (!at(text))
    unexpected("'" + std::string(text) + "' " + std::string(where));
  return take();
}

SourceRange Parser::rangeFrom(size_t first) const {
  const Token &begin = tokens[std::min(first, tokens.size() - 1)];
  return rangeFrom(begin.range);
}

SourceRange Parser::rangeFrom(const SourceRange &first) const {
  SourceRange last = position > 0 ? tokens[position - 1].range : first;
  return {first.file, first.begin, std::max(first.end, last.end)};
}

Parser::Nested::Nested(Parser &parser) : parser(parser) {
  if (parser.nesting >= maximumDepth)
    parser.fail(parser.peek(), "nested too deeply", "name inner parts with 'let' or 'def'");
  ++parser.nesting;
}

void Parser::limitDepth(const SourceRange &range, unsigned depth) const {
  if (depth > maximumDepth)
    throw SyntaxError{range, "nested too deeply", "name inner parts with 'let' or 'def'"};
}

Name Parser::parseName(std::string_view what) {
  if (!atKind(TokenKind::Name))
    unexpected(what);
  const Token &token = take();
  return {token.range, std::string(token.text)};
}

Name Parser::parseFieldName() {
  if (atKind(TokenKind::Number) && !peek().number.isFloat && peek().number.base == 10 && peek().number.suffix.empty()) {
    const Token &token = take();
    std::string digits = token.number.digits;
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
    return {token.range, digits};
  }
  return parseName("a field name");
}

QualifiedName Parser::parseQualifiedName(bool allowOperator) {
  size_t first = position;
  QualifiedName result;
  if (allowOperator && atKind(TokenKind::Operator)) {
    result.name = take().text;
  } else {
    result.name = parseName("a name").text;
    while (atJoined(".") && !peek(1).spaceBefore &&
           (atKind(TokenKind::Name, 1) || (allowOperator && atKind(TokenKind::Operator, 1)))) {
      take();
      result.qualifiers.push_back(std::move(result.name));
      bool last = atKind(TokenKind::Operator);
      result.name = take().text;
      if (last)
        break;
    }
  }
  result.range = rangeFrom(first);
  return result;
}

bool Parser::atParenthesizedOperator() const { return at("(") && atKind(TokenKind::Operator, 1) && at(")", 2); }

Name Parser::parseParenthesizedOperator() {
  size_t first = position;
  take();
  Name name{{}, std::string(take().text)};
  take();
  name.range = rangeFrom(first);
  checkDefinable(name);
  return name;
}

void Parser::checkDefinable(const Name &op) const {
  if (op.text == "&&" || op.text == "||")
    throw SyntaxError{op.range, "the operator '" + op.text + "' may not be redefined",
                      "it evaluates its right operand only if needed, which no definition can; choose another name"};
  if (op.text == "=" || op.text == "->" || op.text == "!")
    throw SyntaxError{op.range, "'" + op.text + "' is reserved and cannot be defined", {}};
}

bool Parser::atTypeParameter() const {
  return at("'") || at("'~") || at("'^") || (at("[") && atKind(TokenKind::Name, 1) && at("]", 2));
}

std::vector<TypeParameter> Parser::parseTypeParameters() {
  std::vector<TypeParameter> result;
  while (atTypeParameter()) {
    size_t first = position;
    TypeParameter parameter;
    std::string_view opening = take().text;
    parameter.isSize = opening == "[";
    if (opening == "'~")
      parameter.lifting = Lifting::SizeLifted;
    if (opening == "'^")
      parameter.lifting = Lifting::FullyLifted;
    parameter.name = parseName("the name of a type parameter").text;
    if (parameter.isSize)
      expect("]", "after a size parameter");
    parameter.range = rangeFrom(first);
    result.push_back(std::move(parameter));
  }
  return result;
}

// Those of Futhark's language reference, and `cpu_function`.
constexpr std::string_view knownAttributes[] = {
    "blank",   "break",      "cpu_function",     "flattening",       "inline", "noinline", "opaque", "param",
    "scratch", "sequential", "sequential_inner", "sequential_outer", "trace",  "unroll",   "unsafe", "warn"};

// Any other attribute is somebody else's and says nothing here, unless it is one of these with a slip in it.
void Parser::warnOfSlip(const Attribute &attribute) {
  auto isNear = [&](std::string_view known) {
    return attribute.name.size() <= known.size() + 2 && known.size() <= attribute.name.size() + 2 &&
           editDistance(attribute.name, known) <= 2;
  };
  if (attribute.name.size() < 4 || std::ranges::find(knownAttributes, attribute.name) != std::end(knownAttributes))
    return;
  const auto *known = std::ranges::find_if(knownAttributes, isNear);
  if (known != std::end(knownAttributes) && warned.insert(attribute.range.begin).second)
    diagnostics.warning(attribute.range, "there is no attribute '" + attribute.name + "', so it says nothing",
                        "did you mean '" + std::string(*known) + "'?");
}

Attributes Parser::parseAttributes() {
  Attributes result;
  while (accept("#[")) {
    result.push_back(parseAttribute());
    expect("]", "after an attribute");
    warnOfSlip(result.back());
  }
  return result;
}

Attribute Parser::parseAttribute() {
  Nested nested(*this);
  size_t first = position;
  Attribute attribute;
  if (atKind(TokenKind::Name) || atKind(TokenKind::Keyword) ||
      (atKind(TokenKind::Number) && !peek().number.isFloat && peek().number.base == 10))
    attribute.name = take().text;
  else
    unexpected("the name of an attribute");
  if (accept("(")) {
    attribute.compound = true;
    parseList(")", "an attribute", [&] { attribute.arguments.push_back(parseAttribute()); });
  }
  attribute.range = rangeFrom(first);
  return attribute;
}

void Parser::parseProgram() {
  while (!atKind(TokenKind::End))
    program.declarations.push_back(parseDeclaration());
}

std::unique_ptr<Program> parse(const SourceFile &file, Diagnostics &diagnostics, const ParseOptions &options) {
  auto program = std::make_unique<Program>();
  program->file = &file;
  try {
    Parser(*program, tokenize(file), options, diagnostics).parseProgram();
  } catch (const SyntaxError &error) {
    diagnostics.error(error.range, error.message, error.hint);
  }
  return program;
}

} // namespace ferry::futhark::syntax
