// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/syntax/lexer.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ferry::futhark::syntax {

namespace {

constexpr std::array<std::string_view, 24> keywords = {
    "true", "false", "if",   "then",    "else",   "def",  "let",   "loop",   "in",    "val",    "for",   "do",
    "with", "local", "open", "include", "import", "type", "entry", "module", "while", "assert", "match", "case"};

constexpr std::array<std::string_view, 17> punctuation = {"???", "...", "..<", "..>", "..", ".", ":>", ":", ",",
                                                          "(",   ")",   "[",   "]",   "{",  "}", "\\", "`"};

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isHexDigit(char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool isNameStart(char c) { return isLetter(c) || c == '_'; }
bool isNamePart(char c) { return isNameStart(c) || isDigit(c) || c == '\''; }
bool isOperatorStart(char c) { return c != '\0' && std::string_view("+-*/%=!><|&^").find(c) != std::string_view::npos; }
bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

class Lexer {
public:
  explicit Lexer(const SourceFile &file) : file(file), text(file.text()) {}

  std::vector<Token> run();

private:
  char at(size_t offset = 0) const { return position + offset < text.size() ? text[position + offset] : '\0'; }
  bool startsWith(std::string_view prefix) const { return text.substr(position).substr(0, prefix.size()) == prefix; }
  SourceRange rangeFrom(size_t begin) const {
    return {&file, static_cast<uint32_t>(begin), static_cast<uint32_t>(position)};
  }
  [[noreturn]] void fail(size_t begin, std::string message, std::string hint = {}) const {
    SourceRange range = rangeFrom(begin);
    range.end = std::max(range.end, range.begin + 1);
    throw SyntaxError{range, std::move(message), std::move(hint)};
  }

  bool skipSpace();
  Token next(bool spaceBefore, const std::vector<Token> &before);
  void lexName(Token &token);
  void lexOperator(Token &token);
  bool lexPunctuation(Token &token);
  void lexHash(Token &token);
  void lexTick(Token &token);
  void lexNumber(Token &token);
  void lexFieldNumber(Token &token);
  void lexString(Token &token);
  std::string digits(bool (*accepted)(char));
  uint32_t character(size_t begin);
  uint32_t characterCode(size_t begin, uint32_t base);
  uint32_t escape(size_t begin);
  bool isCharLiteral() const;

  const SourceFile &file;
  std::string_view text;
  size_t position = 0;
};

bool Lexer::skipSpace() {
  size_t begin = position;
  while (position < text.size()) {
    if (isSpace(at())) {
      ++position;
    } else if (startsWith("--")) {
      while (position < text.size() && at() != '\n')
        ++position;
    } else {
      break;
    }
  }
  return position != begin || begin == 0;
}

// Digits and underscores; the underscores are dropped.
std::string Lexer::digits(bool (*accepted)(char)) {
  std::string result;
  for (; accepted(at()) || at() == '_'; ++position)
    if (at() != '_')
      result += at();
  return result;
}

void Lexer::lexNumber(Token &token) {
  size_t begin = position;
  NumberLiteral &number = token.number;
  auto isPrefix = [&](char lower) { return at() == '0' && (at(1) == lower || at(1) == lower - 'a' + 'A'); };
  if (isPrefix('x') && isHexDigit(at(2))) {
    position += 2;
    number.base = 16;
    number.digits = digits(isHexDigit);
    bool hasFraction = at() == '.' && isHexDigit(at(1));
    if (hasFraction) {
      ++position;
      number.digits += "." + digits(isHexDigit);
    }
    size_t exponent = at(1) == '+' || at(1) == '-' ? 2 : 1;
    if ((at() == 'p' || at() == 'P') && isDigit(at(exponent))) {
      number.isFloat = true;
      number.digits += "p" + (exponent == 2 ? std::string(1, at(1)) : std::string());
      position += exponent;
      number.digits += digits(isDigit);
    } else if (hasFraction) {
      fail(begin, "hexadecimal float without an exponent", "write the binary exponent too, for example 0x1.8p0");
    }
  } else if (isPrefix('b') && (at(2) == '0' || at(2) == '1')) {
    position += 2;
    number.base = 2;
    number.digits = digits([](char c) { return c == '0' || c == '1'; });
  } else {
    number.digits = digits(isDigit);
    if (at() == '.' && isDigit(at(1))) {
      ++position;
      number.isFloat = true;
      number.digits += (number.digits.empty() ? "0." : ".") + digits(isDigit);
    }
    size_t exponent = at(1) == '+' || at(1) == '-' ? 2 : 1;
    if ((at() == 'e' || at() == 'E') && isDigit(at(exponent))) {
      number.isFloat = true;
      number.digits += "e" + (exponent == 2 ? std::string(1, at(1)) : std::string());
      position += exponent;
      number.digits += digits(isDigit);
    }
  }
  size_t suffixBegin = position;
  while (isNamePart(at()))
    ++position;
  number.suffix = text.substr(suffixBegin, position - suffixBegin);
  const std::string &suffix = number.suffix;
  bool floatSuffix = suffix == "f16" || suffix == "f32" || suffix == "f64";
  bool intSuffix = suffix == "i8" || suffix == "i16" || suffix == "i32" || suffix == "i64" || suffix == "u8" ||
                   suffix == "u16" || suffix == "u32" || suffix == "u64";
  if (!suffix.empty() && !floatSuffix && !intSuffix)
    fail(begin, "malformed number '" + std::string(text.substr(begin, position - begin)) + "'",
         "a number may end in one of i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64");
  if (intSuffix && number.isFloat)
    fail(begin, "a number with a fraction or an exponent cannot have the integer type " + suffix);
  number.isFloat |= floatSuffix;
  token.kind = TokenKind::Number;
}

// The digits after a dot in `t.0.1`, which are no float.
void Lexer::lexFieldNumber(Token &token) {
  token.number.digits = digits(isDigit);
  token.kind = TokenKind::Number;
}

static bool isSurrogate(uint32_t codePoint) { return codePoint >= 0xD800 && codePoint < 0xE000; }

// The digits of an escape sequence in base 10 or 16.
uint32_t Lexer::characterCode(size_t begin, uint32_t base) {
  uint32_t value = 0;
  for (; base == 16 ? isHexDigit(at()) : isDigit(at()); ++position) {
    value = value * base + static_cast<uint32_t>(std::stoi(std::string(1, at()), nullptr, 16));
    if (value > 0x10FFFF)
      fail(begin, "character code beyond the last Unicode code point");
  }
  if (isSurrogate(value))
    fail(begin, "character code of a surrogate, which is no character", "none is from \\xD800 to \\xDFFF");
  return value;
}

uint32_t Lexer::escape(size_t begin) {
  static constexpr std::string_view letters = "abfnrtv\\\"'0", values = "\a\b\f\n\r\t\v\\\"'";
  if (isDigit(at()))
    return characterCode(begin, 10);
  if (at() == 'x' && isHexDigit(at(1))) {
    ++position;
    return characterCode(begin, 16);
  }
  size_t index = letters.find(at());
  if (position >= text.size() || index >= values.size())
    fail(position > 0 ? position - 1 : 0, "unknown escape sequence",
         "known are \\a \\b \\f \\n \\r \\t \\v \\\\ \\\" \\' and codes such as \\65 and \\x41");
  ++position;
  return static_cast<uint32_t>(values[index]);
}

// One character of a string or character literal, a UTF-8 sequence or an escape sequence.
uint32_t Lexer::character(size_t begin) {
  if (at() == '\\') {
    ++position;
    return escape(begin);
  }
  auto lead = static_cast<unsigned char>(at());
  unsigned length = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
  if (length == 0 || lead > 0xF4 || position + length > text.size())
    fail(position, "text that is not UTF-8");
  uint32_t value = length == 1 ? lead : lead & (0xFFU >> (length + 1));
  for (unsigned i = 1; i < length; ++i) {
    auto byte = static_cast<unsigned char>(at(i));
    if ((byte & 0xC0) != 0x80)
      fail(position, "text that is not UTF-8");
    value = value << 6 | (byte & 0x3F);
  }
  bool isTooLong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  if (isTooLong || isSurrogate(value) || value > 0x10FFFF)
    fail(position, "text that is not UTF-8");
  position += length;
  return value;
}

void appendUtf8(std::string &bytes, uint32_t codePoint) {
  auto put = [&](uint32_t byte) { bytes += static_cast<char>(byte); };
  if (codePoint < 0x80) {
    put(codePoint);
  } else if (codePoint < 0x800) {
    put(0xC0 | codePoint >> 6);
    put(0x80 | (codePoint & 0x3F));
  } else if (codePoint < 0x10000) {
    put(0xE0 | codePoint >> 12);
    put(0x80 | (codePoint >> 6 & 0x3F));
    put(0x80 | (codePoint & 0x3F));
  } else {
    put(0xF0 | codePoint >> 18);
    put(0x80 | (codePoint >> 12 & 0x3F));
    put(0x80 | (codePoint >> 6 & 0x3F));
    put(0x80 | (codePoint & 0x3F));
  }
}

void Lexer::lexString(Token &token) {
  size_t begin = position++;
  while (at() != '"') {
    if (position >= text.size() || at() == '\n')
      fail(begin, "string without an end", "a string ends with \" on the line where it begins");
    appendUtf8(token.bytes, character(begin));
  }
  ++position;
  token.kind = TokenKind::String;
}

// Whether the tick here begins a character and not a type parameter such as 'a.
bool Lexer::isCharLiteral() const {
  if (at(1) == '\\')
    return true;
  size_t next = position + 2;
  while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0) == 0x80)
    ++next;
  return at(1) != '\0' && at(1) != '\n' && at(1) != '\'' && next < text.size() && text[next] == '\'';
}

void Lexer::lexTick(Token &token) {
  size_t begin = position;
  if (isCharLiteral()) {
    ++position;
    token.codePoint = character(begin);
    if (at() != '\'')
      fail(begin, "character literal without an end");
    ++position;
    token.kind = TokenKind::Char;
    return;
  }
  ++position;
  if (at() == '~' || at() == '^')
    ++position;
  token.kind = TokenKind::Punctuation;
}

void Lexer::lexHash(Token &token) {
  size_t begin = position++;
  if (at() == '[') {
    ++position;
    token.kind = TokenKind::Punctuation;
    return;
  }
  if (!isNameStart(at()))
    fail(begin, "'#' without a name", "a constructor is written #name, an attribute #[name]");
  while (isNamePart(at()))
    ++position;
  token.kind = TokenKind::Constructor;
}

void Lexer::lexName(Token &token) {
  size_t begin = position;
  while (isNamePart(at()))
    ++position;
  std::string_view word = text.substr(begin, position - begin);
  bool reserved = std::find(keywords.begin(), keywords.end(), word) != keywords.end();
  token.kind = reserved ? TokenKind::Keyword : TokenKind::Name;
}

void Lexer::lexOperator(Token &token) {
  while (isOperatorStart(at()) || (at() == '.' && at(1) != '.'))
    ++position;
  token.kind = TokenKind::Operator;
}

bool Lexer::lexPunctuation(Token &token) {
  for (std::string_view mark : punctuation)
    if (startsWith(mark)) {
      position += mark.size();
      token.kind = TokenKind::Punctuation;
      return true;
    }
  if (at() != '?' && at() != '~')
    return false;
  ++position;
  token.kind = TokenKind::Punctuation;
  return true;
}

bool endsOperand(const Token &token) {
  return token.kind == TokenKind::Name || token.kind == TokenKind::Number || token.text == ")" || token.text == "]" ||
         token.text == "}";
}

Token Lexer::next(bool spaceBefore, const std::vector<Token> &before) {
  Token token;
  token.spaceBefore = spaceBefore;
  size_t begin = position;
  char c = at();
  const Token *last = before.empty() ? nullptr : &before.back();
  bool afterDot = last && last->text == "." && !spaceBefore;
  // `.5`, but not the `.0` of `t.0` or of `(.0)`.
  bool dotFloat = c == '.' && isDigit(at(1)) && last && (spaceBefore || !endsOperand(*last)) && last->text != "(";
  if (position >= text.size())
    token.kind = TokenKind::End;
  else if (isNameStart(c))
    lexName(token);
  else if (isDigit(c) && afterDot)
    lexFieldNumber(token);
  else if (isDigit(c) || dotFloat)
    lexNumber(token);
  else if (isOperatorStart(c))
    lexOperator(token);
  else if (c == '#')
    lexHash(token);
  else if (c == '\'')
    lexTick(token);
  else if (c == '"')
    lexString(token);
  else if (!lexPunctuation(token))
    fail(begin, "character that means nothing here", "outside comments and strings only ASCII characters are used");
  token.range = rangeFrom(begin);
  token.text = text.substr(begin, position - begin);
  if (token.kind == TokenKind::Constructor)
    token.text.remove_prefix(1);
  return token;
}

std::vector<Token> Lexer::run() {
  std::vector<Token> tokens;
  do {
    bool spaceBefore = skipSpace();
    tokens.push_back(next(spaceBefore, tokens));
  } while (tokens.back().kind != TokenKind::End);
  return tokens;
}

} // namespace

std::vector<Token> tokenize(const SourceFile &file) { return Lexer(file).run(); }

} // namespace ferry::futhark::syntax
