// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's expression grammar as far as SymPy and DaCe use it, by recursive descent of bounded depth.

#include "sdfg/symbolic.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace ferry::sdfg {

namespace {

struct Stop {
  std::size_t at;
  std::string what;
};

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool startsName(char c) { return c == '_' || std::isalpha(static_cast<unsigned char>(c)); }
bool inName(char c) { return startsName(c) || isDigit(c); }

/// Suffixes of DaCe 2.0's typed numbers: `2i16`.
constexpr std::array suffixes = {"i8",  "i16", "i32",  "i64",    "u8",   "u16", "u32",
                                 "u64", "f16", "bf16", "e4m3fn", "e5m2", "f32", "f64"};

class Parser {
public:
  explicit Parser(std::string_view text) : text(text) {}

  Expr whole() {
    Expr result = expression();
    space();
    if (at < text.size())
      fail("an operator is expected");
    return result;
  }

private:
  [[noreturn]] void fail(std::string what) const { throw Stop{at, std::move(what)}; }

  /// Counts how deep the descent is.
  struct Level {
    explicit Level(Parser &parser) : parser(parser) {
      if (++parser.depth > kMostParseDepth)
        parser.fail("nested deeper than " + std::to_string(kMostParseDepth) + " levels");
    }
    ~Level() { --parser.depth; }
    Parser &parser;
  };

  void space() {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
  }
  char peek(std::size_t ahead = 0) const { return at + ahead < text.size() ? text[at + ahead] : '\0'; }

  /// An operator that is no beginning of a longer one.
  bool take(std::string_view sign) {
    space();
    if (text.substr(at, sign.size()) != sign)
      return false;
    char next = peek(sign.size());
    bool longer = (sign == "*" && next == '*') || (sign == "/" && next == '/') ||
                  (sign == "<" && (next == '<' || next == '=')) || (sign == ">" && (next == '>' || next == '=')) ||
                  (sign == "=" && next == '=');
    if (longer)
      return false;
    at += sign.size();
    return true;
  }
  void expect(std::string_view sign) {
    if (!take(sign))
      fail("'" + std::string(sign) + "' is expected");
  }
  bool takeWord(std::string_view word) {
    space();
    if (text.substr(at, word.size()) != word || inName(peek(word.size())))
      return false;
    at += word.size();
    return true;
  }

  Expr expression() {
    Level level(*this);
    Expr then = disjunction();
    if (!takeWord("if"))
      return then;
    Expr condition = disjunction();
    if (!takeWord("else"))
      fail("'else' is expected");
    return select(condition, then, expression());
  }

  Expr disjunction() {
    std::vector<Expr> of = {conjunction()};
    while (takeWord("or"))
      of.push_back(conjunction());
    return of.size() == 1 ? of[0] : logicalOr(std::move(of));
  }

  Expr conjunction() {
    std::vector<Expr> of = {negation()};
    while (takeWord("and"))
      of.push_back(negation());
    return of.size() == 1 ? of[0] : logicalAnd(std::move(of));
  }

  Expr negation() {
    Level level(*this);
    return takeWord("not") ? logicalNot(negation()) : comparison();
  }

  using Relation = Expr (*)(const Expr &, const Expr &);

  /// The relation that is next, or null.
  Relation relation() {
    static constexpr Relation differs = [](const Expr &a, const Expr &b) { return logicalNot(equal(a, b)); };
    static constexpr Relation above = [](const Expr &a, const Expr &b) { return less(b, a); };
    static constexpr Relation atLeast = [](const Expr &a, const Expr &b) { return lessEqual(b, a); };
    static constexpr std::pair<const char *, Relation> relations[] = {
        {"==", equal}, {"!=", differs}, {"<=", lessEqual}, {">=", atLeast}, {"<", less}, {">", above}};
    for (auto [spelling, meaning] : relations)
      if (take(spelling))
        return meaning;
    return nullptr;
  }

  /// Python's `is`, `is not` or `in`, as a call's name; empty if none of them is next.
  std::string relationInWords() {
    if (takeWord("is"))
      return takeWord("not") ? "IsNot" : "Is";
    return takeWord("in") ? "In" : "";
  }

  Expr comparison() {
    Expr left = bits(0);
    std::vector<Expr> all;
    while (true) {
      Relation meaning = relation();
      std::string word = meaning ? "" : relationInWords();
      if (!meaning && word.empty())
        break;
      Expr right = bits(0);
      all.push_back(meaning ? meaning(left, right) : Expr::atom(Op::Call, word, {left, right}));
      left = right;
    }
    return all.empty() ? left : all.size() == 1 ? all[0] : logicalAnd(std::move(all));
  }

  /// `|`, `^`, `&` and shifts, from the loosest.
  Expr bits(int rank) {
    static constexpr std::array<std::array<std::pair<const char *, const char *>, 2>, 4> ranks = {{
        {{{"|", "bitwise_or"}, {nullptr, nullptr}}},
        {{{"^", "bitwise_xor"}, {nullptr, nullptr}}},
        {{{"&", "bitwise_and"}, {nullptr, nullptr}}},
        {{{"<<", "left_shift"}, {">>", "right_shift"}}},
    }};
    if (rank == 4)
      return sum();
    Expr left = bits(rank + 1);
    for (bool more = true; more;) {
      more = false;
      for (auto [sign, name] : ranks[static_cast<std::size_t>(rank)])
        if (sign && take(sign)) {
          left = call(name, {left, bits(rank + 1)});
          more = true;
        }
    }
    return left;
  }

  Expr sum() {
    Expr left = product();
    while (true) {
      if (take("+"))
        left = left + product();
      else if (take("-"))
        left = left - product();
      else
        return left;
    }
  }

  Expr product() {
    Expr left = signedFactor();
    while (true) {
      if (take("*"))
        left = left * signedFactor();
      else if (take("//"))
        left = floorDivide(left, signedFactor());
      else if (take("/"))
        left = left / signedFactor();
      else if (take("%"))
        left = modulo(left, signedFactor());
      else
        return left;
    }
  }

  Expr signedFactor() {
    Level level(*this);
    if (take("-"))
      return -signedFactor();
    if (take("+"))
      return signedFactor();
    if (take("~"))
      return call("bitwise_invert", {signedFactor()});
    Expr base = trailers();
    return take("**") ? power(base, signedFactor()) : base;
  }

  /// A name with what follows it, or anything else in one piece.
  Expr trailers() {
    space();
    if (!startsName(peek()))
      return more(primary());
    std::string name = word();
    if (name == "True" || name == "False")
      return name == "True" ? 1 : 0;
    if (name == "None" || name == "NoneSymbol")
      return Expr::atom(Op::Literal, "None", {});
    for (const char *keyword : {"and", "or", "not", "if", "else", "is", "in", "lambda", "for"})
      if (name == keyword)
        fail("an operand is expected");
    while (peek() == '.' && startsName(peek(1))) {
      ++at;
      name += '.' + word();
    }
    if (take("(")) {
      if (name == "symbol")
        return more(typedSymbol());
      std::vector<Expr> arguments = list(")");
      return more(call(name, std::move(arguments)));
    }
    if (take("["))
      return more(Expr::atom(Op::Subscript, name, list("]")));
    return Expr::symbol(name);
  }

  /// Subscripts and members of what is no name.
  Expr more(Expr base) {
    while (true) {
      if (take("[")) {
        std::vector<Expr> arguments = list("]");
        arguments.insert(arguments.begin(), base);
        base = Expr::atom(Op::Subscript, "", std::move(arguments));
      } else if (peek() == '.' && startsName(peek(1))) {
        ++at;
        base = Expr::atom(Op::Call, "Attr", {base, Expr::atom(Op::Literal, word(), {})});
      } else {
        return base;
      }
    }
  }

  std::string word() {
    std::size_t begin = at;
    while (inName(peek()))
      ++at;
    return std::string(text.substr(begin, at - begin));
  }

  std::vector<Expr> list(std::string_view end) {
    std::vector<Expr> result;
    if (take(end))
      return result;
    do {
      if (take(end)) // a comma before the end
        return result;
      result.push_back(expression());
    } while (take(","));
    expect(end);
    return result;
  }

  /// Behind `symbol(`: a symbol with its type and assumptions, which say nothing here.
  Expr typedSymbol() {
    space();
    if (peek() != '$')
      fail("a symbol is expected");
    Expr result = primary();
    while (take(",")) {
      space();
      if (!startsName(peek()))
        fail("a property of the symbol is expected");
      word();
      expect("=");
      expression();
    }
    expect(")");
    return result;
  }

  Expr primary() {
    space();
    if (take("(")) {
      std::vector<Expr> inside = list(")");
      return inside.size() == 1 ? inside[0] : Expr::atom(Op::Call, "tuple", std::move(inside));
    }
    if (peek() == '$' && startsName(peek(1))) {
      ++at;
      return Expr::symbol(word());
    }
    if (take("$?") || take("?"))
      return Expr::unknown();
    if (peek() == '\'' || peek() == '"')
      return string();
    if (isDigit(peek()) || (peek() == '.' && isDigit(peek(1))))
      return number();
    fail(at == text.size() ? "the expression ends early" : "an operand is expected");
  }

  Expr string() {
    std::size_t begin = at;
    char quote = text[at++];
    while (at < text.size() && text[at] != quote)
      at += text[at] == '\\' ? 2 : 1;
    if (at >= text.size()) {
      at = begin;
      fail("a string has no end");
    }
    ++at;
    return Expr::atom(Op::Literal, std::string(text.substr(begin, at - begin)), {});
  }

  Expr number() {
    std::size_t begin = at;
    while (isDigit(peek()))
      ++at;
    bool whole = true;
    if (peek() == '.') {
      whole = false;
      ++at;
      while (isDigit(peek()))
        ++at;
    }
    if ((peek() == 'e' || peek() == 'E') &&
        (isDigit(peek(1)) || ((peek(1) == '-' || peek(1) == '+') && isDigit(peek(2))))) {
      whole = false;
      at += 2;
      while (isDigit(peek()))
        ++at;
    }
    std::string digits(text.substr(begin, at - begin));
    if (startsName(peek())) {
      std::string suffix = word();
      bool typed = std::find(suffixes.begin(), suffixes.end(), suffix) != suffixes.end();
      if (!typed && suffix != "j")
        fail("a number ends in '" + suffix + "'");
      if (!typed || !whole || suffix.find_first_of("fe") != std::string::npos)
        return Expr::atom(Op::Literal, digits + suffix, {});
    }
    std::optional<Rational> value = Rational::parse(digits);
    if (whole && value)
      return Expr(*value);
    return whole ? Expr::unknown() : Expr::atom(Op::Literal, digits, {});
  }

  std::string_view text;
  std::size_t at = 0;
  unsigned depth = 0;
};

} // namespace

placement::Result<Expr> Expr::parse(std::string_view text) {
  try {
    return Parser(text).whole();
  } catch (const Stop &stop) {
    return placement::Error{placement::ErrorKind::Malformed,
                            "column " + std::to_string(stop.at + 1) + ": " + stop.what};
  }
}

} // namespace ferry::sdfg
