// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/place/sizes.h"

#include <algorithm>
#include <limits>

namespace ferry::sdfg {

std::int64_t saturatingSum(std::int64_t a, std::int64_t b) {
  std::int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

std::int64_t saturatingProduct(std::int64_t a, std::int64_t b) {
  std::int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::int64_t>::max() : product;
}

Sizes::Sizes(const std::map<std::string, std::int64_t, std::less<>> &assumed) {
  for (const auto &[name, value] : assumed)
    this->assumed.emplace(name, Rational(value));
  values = this->assumed;
}

void Sizes::set(const std::string &symbol, const Expr &value) {
  values.insert_or_assign(symbol, Rational(this->value(value)));
}

void Sizes::suppose(const std::string &symbol, const Expr &value) {
  if (!values.contains(symbol))
    set(symbol, value);
}

void Sizes::supposeInside(const std::string &variable, const Expr &value) {
  if (!assumed.contains(variable))
    set(variable, value);
}

Sizes Sizes::inside(const Node &nested) const {
  Sizes result;
  result.assumed = result.values = assumed;
  for (const auto &[symbol, outside] : nested.symbolMapping)
    if (isKnown(outside) || !assumed.contains(symbol))
      result.values.insert_or_assign(symbol, Rational(value(outside)));
  return result;
}

Sizes Sizes::inside(const Scope &scope) const {
  Sizes result = *this;
  for (std::size_t i = 0; i < scope.params.size(); ++i) {
    const SymbolicRange &range = scope.range.dims[i];
    result.set(scope.params[i], floorDivide(range.begin + range.end, 2));
  }
  return result;
}

bool Sizes::isKnown(const Expr &expr) const {
  std::set<std::string> symbols = expr.freeSymbols();
  return !expr.isUnknown() && std::all_of(symbols.begin(), symbols.end(),
                                          [&](const std::string &symbol) { return values.contains(symbol); });
}

std::int64_t Sizes::value(const Expr &of) const {
  Values known;
  for (const std::string &symbol : of.freeSymbols()) {
    auto value = values.find(symbol);
    known.emplace(symbol, value == values.end() ? Rational(kAssumedSize) : value->second);
  }
  placement::Result<Rational> found = of.evaluate(known);
  if (!found)
    return kAssumedSize;
  placement::Wide quotient = found->numerator() / found->denominator();
  quotient -= found->numerator() < 0 && quotient * found->denominator() != found->numerator();
  constexpr placement::Wide kLeast = std::numeric_limits<std::int64_t>::min(),
                            kMost = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::clamp(quotient, kLeast, kMost));
}

std::int64_t Sizes::count(const Expr &of) const { return std::max<std::int64_t>(0, value(of)); }

} // namespace ferry::sdfg
