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
    values.emplace(name, Rational(value));
}

void Sizes::suppose(const std::string &symbol, const Expr &value) {
  if (!values.contains(symbol))
    values.emplace(symbol, Rational(this->value(value)));
}

std::int64_t Sizes::value(const Expr &of) const {
  for (const std::string &symbol : of.freeSymbols())
    values.try_emplace(symbol, Rational(kAssumedSize));
  placement::Result<Rational> found = of.evaluate(values);
  if (!found)
    return kAssumedSize;
  placement::Wide quotient = found->numerator() / found->denominator();
  quotient -= found->numerator() < 0 && quotient * found->denominator() != found->numerator();
  bool fits =
      quotient >= std::numeric_limits<std::int64_t>::min() && quotient <= std::numeric_limits<std::int64_t>::max();
  return fits ? static_cast<std::int64_t>(quotient) : kAssumedSize;
}

std::int64_t Sizes::count(const Expr &of) const { return std::max<std::int64_t>(0, value(of)); }

} // namespace ferry::sdfg
