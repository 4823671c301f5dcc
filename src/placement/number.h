// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ferry::placement {

/// Times and prices are integers, in picoseconds.
using Time = std::int64_t;

#if defined(__SIZEOF_INT128__)
__extension__ typedef __int128 Wide;
#else
#error "ferry::placement needs a compiler with 128-bit integers"
#endif

/// An operation on numbers left the range of its type. Thrown by the functions below and nowhere let out of the
/// engine's entry points, which turn it into an Error that names the object being computed.
struct Overflow : std::runtime_error {
  Overflow() : std::runtime_error("number out of range") {}
};

Wide addChecked(Wide a, Wide b);
Wide multiplyChecked(Wide a, Wide b);

/// Decimal form of a 128-bit integer.
std::string toString(Wide value);

/// An exact fraction in lowest terms with a positive denominator. Every operation is exact or throws Overflow.
class Rational {
public:
  constexpr Rational() = default;
  constexpr Rational(std::int64_t value) : num(value) {}
  constexpr Rational(int value) : num(value) {}
  /// numerator / denominator; the denominator must not be 0 (Overflow).
  Rational(Wide numerator, Wide denominator);

  /// The shortest decimal fraction that reads back as `value`: 0.1 is exactly 1/10. Empty for infinities and NaN.
  static std::optional<Rational> fromDouble(double value);
  /// "3", "-0.25", "1e-3" or "2/3"; empty if `text` is none of these or out of range.
  static std::optional<Rational> parse(std::string_view text);

  Wide numerator() const { return num; }
  Wide denominator() const { return den; }
  bool isInteger() const { return den == 1; }
  double toDouble() const { return static_cast<double>(num) / static_cast<double>(den); }
  /// The smallest integer that is not below this number.
  Wide ceiling() const;
  /// "3" or "2/3".
  std::string toString() const;

  friend Rational operator+(const Rational &a, const Rational &b);
  friend Rational operator-(const Rational &a, const Rational &b);
  friend Rational operator*(const Rational &a, const Rational &b);
  friend Rational operator/(const Rational &a, const Rational &b);
  Rational &operator+=(const Rational &other) { return *this = *this + other; }
  Rational &operator-=(const Rational &other) { return *this = *this - other; }
  Rational &operator*=(const Rational &other) { return *this = *this * other; }
  friend bool operator==(const Rational &a, const Rational &b) = default;
  friend std::strong_ordering operator<=>(const Rational &a, const Rational &b);

private:
  Wide num = 0;
  Wide den = 1;
};

/// Least common multiple of two positive numbers.
Wide leastCommonMultiple(Wide a, Wide b);

} // namespace ferry::placement
