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

Sizes::Sizes(const std::map<std::string, std::int64_t, std::less<>> &given) : top(std::make_shared<Frame>()) {
  for (const auto &[name, value] : given)
    top->own.emplace(name, Rational(value));
  assumed = std::make_shared<const Values>(top->own);
}

const Rational *Sizes::find(const std::string &symbol) const {
  for (const Frame *frame = top.get(); frame; frame = frame->around.get())
    if (auto found = frame->own.find(symbol); found != frame->own.end())
      return &found->second;
  return nullptr;
}

void Sizes::set(const std::string &symbol, const Expr &value) {
  Rational number(this->value(value));
  if (top.use_count() > 1)
    top = std::make_shared<Frame>(Frame{{}, top});
  top->own.insert_or_assign(symbol, number);
}

void Sizes::suppose(const std::string &symbol, const Expr &value) {
  if (!find(symbol))
    set(symbol, value);
}

void Sizes::supposeInside(const std::string &variable, const Expr &value) {
  if (!assumed->contains(variable))
    set(variable, value);
}

Sizes Sizes::inside(const Node &nested) const {
  Sizes result;
  result.assumed = assumed;
  result.unknown = unknown;
  result.top->own = *assumed;
  for (const auto &[symbol, outside] : nested.symbolMapping)
    if (isKnown(outside) || !assumed->contains(symbol))
      result.top->own.insert_or_assign(symbol, Rational(value(outside)));
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
  return !expr.isUnknown() &&
         std::all_of(symbols.begin(), symbols.end(), [&](const std::string &symbol) { return find(symbol); });
}

std::int64_t Sizes::value(const Expr &of) const {
  Values known;
  for (const std::string &symbol : of.freeSymbols()) {
    const Rational *value = find(symbol);
    known.emplace(symbol, value ? *value : Rational(kAssumedSize));
    if (!value)
      unknown->insert(symbol);
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
