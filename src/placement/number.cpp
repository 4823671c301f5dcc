// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "placement/number.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

namespace ferry::placement {

namespace {

constexpr Wide kWideMin = static_cast<Wide>(1) << 126 << 1;

Wide magnitude(Wide value) {
  if (value == kWideMin)
    throw Overflow();
  return value < 0 ? -value : value;
}

/// Binary steps on 64 bits where both fit: the common case, and far cheaper than 128-bit division.
Wide greatestCommonDivisor(Wide a, Wide b) {
  a = magnitude(a);
  b = magnitude(b);
  while (b != 0) {
    constexpr Wide kLimit = std::numeric_limits<std::int64_t>::max();
    if (a <= kLimit && b <= kLimit)
      return std::gcd(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b));
    a %= b;
    std::swap(a, b);
  }
  return a;
}

bool parseDigits(std::string_view text, Wide &value, int &digits) {
  for (char c : text) {
    if (c < '0' || c > '9')
      return false;
    value = addChecked(multiplyChecked(value, 10), c - '0');
    ++digits;
  }
  return true;
}

Wide powerOfTen(int exponent) {
  Wide power = 1;
  for (int i = 0; i < exponent; ++i)
    power = multiplyChecked(power, 10);
  return power;
}

/// [sign] digits [. digits] [e exponent]
std::optional<Rational> parseDecimal(std::string_view text) {
  bool negative = !text.empty() && text.front() == '-';
  if (negative)
    text.remove_prefix(1);
  int exponent = 0;
  if (auto at = text.find_first_of("eE"); at != text.npos) {
    std::string_view tail = text.substr(at + 1);
    if (!tail.empty() && tail.front() == '+')
      tail.remove_prefix(1);
    auto [end, error] = std::from_chars(tail.data(), tail.data() + tail.size(), exponent);
    if (error != std::errc() || end != tail.data() + tail.size() || exponent > 40 || exponent < -40)
      return std::nullopt;
    text = text.substr(0, at);
  }
  std::string_view fraction;
  if (auto at = text.find('.'); at != text.npos) {
    fraction = text.substr(at + 1);
    text = text.substr(0, at);
  }
  Wide value = 0;
  int digits = 0, places = 0;
  if (!parseDigits(text, value, digits) || !parseDigits(fraction, value, places) || digits + places == 0)
    return std::nullopt;
  exponent -= places;
  if (negative)
    value = -value;
  return exponent >= 0 ? Rational(multiplyChecked(value, powerOfTen(exponent)), 1)
                       : Rational(value, powerOfTen(-exponent));
}

} // namespace

Wide addChecked(Wide a, Wide b) {
  Wide sum;
  if (__builtin_add_overflow(a, b, &sum))
    throw Overflow();
  return sum;
}

Wide multiplyChecked(Wide a, Wide b) {
  Wide product;
  if (__builtin_mul_overflow(a, b, &product))
    throw Overflow();
  return product;
}

std::string toString(Wide value) {
  if (value == 0)
    return "0";
  std::string text;
  bool negative = value < 0;
  for (; value != 0; value /= 10) {
    int digit = static_cast<int>(value % 10);
    text.insert(text.begin(), static_cast<char>('0' + (digit < 0 ? -digit : digit)));
  }
  return negative ? "-" + text : text;
}

Wide leastCommonMultiple(Wide a, Wide b) { return multiplyChecked(a / greatestCommonDivisor(a, b), b); }

Rational::Rational(Wide numerator, Wide denominator) {
  if (denominator == 0)
    throw Overflow();
  if (denominator == 1) { // the common case
    num = numerator;
    return;
  }
  Wide divisor = greatestCommonDivisor(numerator, denominator);
  num = numerator / divisor;
  den = denominator / divisor;
  if (den < 0) {
    num = -magnitude(num) * (num < 0 ? -1 : 1);
    den = magnitude(den);
  }
}

std::optional<Rational> Rational::fromDouble(double value) {
  if (!std::isfinite(value))
    return std::nullopt;
  std::array<char, 64> buffer;
  auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
  return error == std::errc() ? parse({buffer.data(), static_cast<std::size_t>(end - buffer.data())}) : std::nullopt;
}

std::optional<Rational> Rational::parse(std::string_view text) {
  try {
    auto slash = text.find('/');
    if (slash == text.npos)
      return parseDecimal(text);
    auto above = parseDecimal(text.substr(0, slash)), below = parseDecimal(text.substr(slash + 1));
    if (!above || !below || *below == Rational(0))
      return std::nullopt;
    return *above / *below;
  } catch (const Overflow &) {
    return std::nullopt;
  }
}

Wide Rational::ceiling() const {
  Wide quotient = num / den;
  return num % den > 0 ? quotient + 1 : quotient;
}

std::string Rational::toString() const {
  return den == 1 ? placement::toString(num) : placement::toString(num) + "/" + placement::toString(den);
}

Rational operator+(const Rational &a, const Rational &b) {
  if (a.den == 1 && b.den == 1)
    return Rational(addChecked(a.num, b.num), 1);
  Wide common = leastCommonMultiple(a.den, b.den);
  return Rational(addChecked(multiplyChecked(a.num, common / a.den), multiplyChecked(b.num, common / b.den)), common);
}

Rational operator-(const Rational &a, const Rational &b) { return a + b * Rational(-1); }

Rational operator*(const Rational &a, const Rational &b) {
  Rational left(a.num, b.den), right(b.num, a.den);
  return Rational(multiplyChecked(left.num, right.num), multiplyChecked(left.den, right.den));
}

Rational operator/(const Rational &a, const Rational &b) {
  if (b.num == 0)
    throw Overflow();
  return a * Rational(b.den, b.num);
}

std::strong_ordering operator<=>(const Rational &a, const Rational &b) {
  if (a.den == b.den)
    return a.num <=> b.num;
  Wide common = leastCommonMultiple(a.den, b.den);
  return multiplyChecked(a.num, common / a.den) <=> multiplyChecked(b.num, common / b.den);
}

} // namespace ferry::placement
