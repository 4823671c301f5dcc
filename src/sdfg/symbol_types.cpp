// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The type of an expression is the join of the types of its operands: its text is read from left to right, and what is
// in brackets behind a name, an index, does not count. Whatever is not understood makes the type unknown.

#include "sdfg/symbol_types.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

namespace ferry::sdfg {

namespace {

/// Symbols that are made of symbols that are made of symbols, and so on, are followed this far.
constexpr int kRounds = 8;

constexpr std::string_view kInteger = "int64", kFloat = "float64", kUnknown = "?";

bool isInteger(std::string_view type) { return type.starts_with("int") || type.starts_with("uint") || type == "bool"; }

/// Nothing has the empty type, which joins with any; what is not certain has kUnknown, which joins with none.
std::string join(const std::string &a, const std::string &b) {
  if (a.empty() || a == b)
    return b;
  if (b.empty())
    return a;
  if (isInteger(a) && isInteger(b))
    return std::string(kInteger);
  bool isFloat = (a == kFloat || isInteger(a)) && (b == kFloat || isInteger(b));
  return std::string(isFloat ? kFloat : kUnknown);
}

class Inference {
public:
  Inference(const Sdfg &sdfg, const ControlFlow &flow) : sdfg(sdfg), types(sdfg.symbolTypes()) {
    for (const FlowEdge &edge : flow.edges)
      for (const Assignment &each : edge.assignments)
        if (!sdfg.hasSymbol(each.symbol))
          values[each.symbol].insert(each.text);
  }

  SymbolTypes run() {
    bool changed = true;
    for (int round = 0; changed && round < kRounds; ++round) {
      changed = false;
      for (const auto &[symbol, texts] : values)
        if (std::string type = typeOf(symbol, texts), &now = types[symbol]; type != now) {
          now = std::move(type);
          changed = true;
        }
    }
    SymbolTypes result;
    for (const auto &[symbol, type] : types)
      if (type.empty() || type == kUnknown)
        result.unknown.insert(symbol);
      else
        result.known.emplace(symbol, type);
    return result;
  }

private:
  std::string typeOf(const std::string &symbol, const std::set<std::string> &texts) const {
    std::string type;
    for (const std::string &text : texts)
      type = join(type, typeOfText(symbol, text));
    return type;
  }

  std::string typeOfText(const std::string &symbol, std::string_view text) const {
    std::string type;
    int depth = 0; // of indices
    bool divides = false;
    for (std::size_t at = 0; at < text.size();) {
      std::size_t begin = at;
      if (isOfWord(text[at])) {
        at = static_cast<std::size_t>(std::find_if_not(text.begin() + begin, text.end(), isOfWord) - text.begin());
        if (depth == 0)
          type = join(type, typeOfWord(symbol, text.substr(begin, at - begin)));
        continue;
      }
      char c = text[at++];
      depth += c == '[' ? 1 : c == ']' ? -1 : 0;
      if (c == '/' && at < text.size() && text[at] == '/')
        ++at; // rounds down: of integers an integer
      else if (c == '/')
        divides |= depth == 0;
      else if (std::string_view(" +-*%()[],<>=!").find(c) == std::string_view::npos)
        return std::string(kUnknown);
    }
    // What DaCe makes of a quotient of integers is a number with a fraction in one place and none in another.
    return std::string(divides && type != kFloat ? kUnknown : std::string_view(type));
  }

  static bool isOfWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

  /// Of a number, or of a name: a symbol's, a container's, a function's whose value has the type of its operands.
  std::string typeOfWord(const std::string &symbol, std::string_view word) const {
    static const std::set<std::string_view> neutral = {"and", "or",  "not", "Min",       "min",     "Max",
                                                       "max", "abs", "Abs", "int_floor", "int_ceil"};
    if (word == symbol || neutral.contains(word))
      return "";
    if (std::isdigit(static_cast<unsigned char>(word.front())) || word.front() == '.') {
      bool isWhole = std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c); });
      bool isNumber = word.find_first_not_of("0123456789.e") == std::string_view::npos;
      return std::string(isWhole ? kInteger : isNumber ? kFloat : kUnknown);
    }
    if (word == "True" || word == "False")
      return "bool";
    if (auto found = types.find(std::string(word)); found != types.end())
      return found->second;
    const Container *container = sdfg.find(word);
    return container && !container->elementType().empty() ? container->elementType() : std::string(kUnknown);
  }

  const Sdfg &sdfg;
  std::map<std::string, std::string> types;
  std::map<std::string, std::set<std::string>> values; ///< By symbol that is not declared: what is assigned to it.
};

} // namespace

SymbolTypes symbolTypesOf(const Sdfg &sdfg, const ControlFlow &flow) { return Inference(sdfg, flow).run(); }

} // namespace ferry::sdfg
