// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/peeks.h"

#include "sdfg/bounds.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace ferry::sdfg {

namespace {

class Finder {
public:
  Finder(const Container &container, const std::function<bool(const std::string &)> &isContainer)
      : container(container), isContainer(isContainer) {
    for (const Expr &extent : container.shape)
      for (const std::string &symbol : extent.freeSymbols())
        sizes.set(symbol, {Expr(0), std::nullopt});
  }

  bool visit(const Expr &expr, bool certain) {
    if (expr.isUnknown())
      return false;
    for (const Term &term : expr.terms())
      for (const Factor &factor : term.factors)
        if (!visit(*factor.atom, certain))
          return false;
    return true;
  }

  std::vector<Subset> certainly, perhaps;

private:
  bool visit(const Atom &atom, bool certain) {
    if (atom.op == Op::Symbol)
      return atom.name != container.name;
    // Operands of `and` and `or` are in the order of normal forms here, so any of them may be the second.
    bool always = certain && atom.op != Op::And && atom.op != Op::Or;
    for (const Expr &argument : atom.arguments)
      if (!visit(argument, always && (atom.op != Op::If || &argument == &atom.arguments.front())))
        return false;
    if (atom.op != Op::Subscript || atom.name != container.name)
      return atom.op != Op::Subscript || !atom.name.empty();
    return subscript(atom.arguments, certain);
  }

  bool subscript(const std::vector<Expr> &indices, bool certain) {
    if (indices.size() != container.shape.size())
      return false;
    Subset element;
    element.indices = true;
    bool isInside = true;
    for (std::size_t i = 0; i < indices.size(); ++i) {
      std::set<std::string> names = indices[i].freeSymbols();
      names.merge(indices[i].subscripted());
      if (std::any_of(names.begin(), names.end(), isContainer))
        return false;
      element.dims.push_back({indices[i], indices[i], 1, 1});
      isInside &= provedNonNegative(indices[i], sizes) && provedLessEqual(indices[i] + 1, container.shape[i], sizes);
    }
    std::vector<Subset> &to = certain || isInside ? certainly : perhaps;
    if (std::find(to.begin(), to.end(), element) == to.end())
      to.push_back(std::move(element));
    return true;
  }

  const Container &container;
  const std::function<bool(const std::string &)> &isContainer;
  Assumptions sizes;
};

} // namespace

/// Where a name of Python's syntax begins, as a word of its own; npos if it does not occur.
static std::size_t findWord(std::string_view text, std::string_view word) {
  auto isPart = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)); };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    std::size_t behind = at + word.size();
    if ((at == 0 || !isPart(text[at - 1])) && (behind == text.size() || !isPart(text[behind])))
      return at;
  }
  return std::string_view::npos;
}

Expr firstOperand(const std::string &condition) {
  // Of `X if C else Y` it is C that comes first; the whole expression says what is certain then.
  if (findWord(condition, "if") != std::string::npos)
    return Expr::unknown();
  std::size_t end = std::min({condition.size(), findWord(condition, "and"), findWord(condition, "or")});
  std::string text = condition.substr(0, end);
  // Brackets that are closed behind it.
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(')
      open.push_back(i);
    if (text[i] == ')' && !open.empty())
      open.pop_back();
  }
  for (std::size_t at : open)
    text[at] = ' ';
  std::size_t first = text.find_first_not_of(' ');
  auto expr = Expr::parse(first == std::string::npos ? "" : text.substr(first));
  return expr ? *expr : Expr::unknown();
}

std::optional<std::vector<Subset>> elementsRead(const Container &container, const std::vector<Evaluated> &evaluated,
                                                const std::function<bool(const std::string &)> &isContainer) {
  Finder finder(container, isContainer);
  for (const Evaluated &each : evaluated)
    if (!finder.visit(each.expr, each.certain))
      return std::nullopt;
  for (const Subset &element : finder.perhaps)
    if (std::find(finder.certainly.begin(), finder.certainly.end(), element) == finder.certainly.end())
      return std::nullopt;
  return finder.certainly;
}

bool canCross(const Subset &part, const Container &container) {
  std::vector<std::size_t> wide;
  bool hasSteps = false;
  for (std::size_t i = 0; i < part.dims.size(); ++i) {
    if (!(part.dims[i].begin == part.dims[i].end))
      wide.push_back(i);
    hasSteps |= !(part.dims[i].step == Expr(1));
  }
  return wide.size() < 2 ||
         (!hasSteps && container.strides.size() == part.dims.size() && container.strides[wide.back()] == Expr(1));
}

bool isPart(const Subset &part, const Container &container) {
  if (part.dims.size() != container.shape.size() || !canCross(part, container))
    return false;
  Assumptions sizes = sizesOf(container);
  bool isLess = false;
  for (std::size_t i = 0; i < part.dims.size(); ++i) {
    const SymbolicRange &range = part.dims[i];
    Expr extent = range.end - range.begin + 1;
    if (!(range.step == Expr(1)) || !(range.tile == Expr(1)) || !provedNonNegative(extent, sizes))
      return false;
    isLess |= !provedEqual(extent, container.shape[i], sizes);
  }
  return isLess;
}

} // namespace ferry::sdfg
