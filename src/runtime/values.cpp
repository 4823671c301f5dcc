// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/values.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace ferry::runtime {

static_assert(std::endian::native == std::endian::little, "values are kept as their binary form has them");

namespace {
struct TypeFacts {
  std::string_view spelling;
  int64_t bytes;
};
} // namespace

static constexpr std::array<TypeFacts, 12> facts = {{{"i8", 1},
                                                     {"i16", 2},
                                                     {"i32", 4},
                                                     {"i64", 8},
                                                     {"u8", 1},
                                                     {"u16", 2},
                                                     {"u32", 4},
                                                     {"u64", 8},
                                                     {"f16", 2},
                                                     {"f32", 4},
                                                     {"f64", 8},
                                                     {"bool", 1}}};

std::string_view spelling(ElementType type) { return facts[static_cast<size_t>(type)].spelling; }

int64_t byteSize(ElementType type) { return facts[static_cast<size_t>(type)].bytes; }

std::optional<ElementType> elementTypeNamed(std::string_view spelling) {
  for (size_t i = 0; i < facts.size(); ++i)
    if (facts[i].spelling == spelling)
      return static_cast<ElementType>(i);
  return std::nullopt;
}

std::string typeSpelling(ElementType type, std::span<const int64_t> shape) {
  std::string text;
  for (int64_t n : shape)
    text += "[" + std::to_string(n) + "]";
  return text.append(spelling(type));
}

std::optional<int64_t> checkedElements(ElementType type, std::span<const int64_t> shape) {
  int64_t elements = 1;
  bool empty = false, tooMany = false;
  for (int64_t n : shape) {
    if (n < 0)
      return std::nullopt;
    empty |= n == 0;
    tooMany |= n > 0 && __builtin_mul_overflow(elements, n, &elements);
  }
  if (empty)
    return 0;
  if (tooMany || elements > std::numeric_limits<int64_t>::max() / byteSize(type))
    return std::nullopt;
  return elements;
}

Value Value::withShape(ElementType type, std::vector<int64_t> shape) {
  Value value;
  value.type = type;
  value.shape = std::move(shape);
  value.data.resize(static_cast<size_t>(value.elements() * byteSize(type)));
  return value;
}

int64_t Value::elements() const { return checkedElements(type, shape).value_or(0); }

uint16_t halfFromDouble(double x) {
  uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  double magnitude = std::fabs(x);
  if (std::isnan(x))
    return sign | 0x7e00;
  if (magnitude >= 65520) // half way from the largest number to the one after it
    return sign | 0x7c00;
  if (magnitude < 0x1p-14) // subnormal; rounding up to the smallest normal number gives its bits
    return sign | static_cast<uint16_t>(std::nearbyint(magnitude * 0x1p24));
  int exponent = std::ilogb(magnitude);
  auto significand = static_cast<uint16_t>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  return sign | static_cast<uint16_t>(((exponent + 14) << 10) + significand);
}

double doubleFromHalf(uint16_t bits) {
  int exponent = (bits >> 10) & 31;
  int fraction = bits & 1023;
  double magnitude;
  if (exponent == 31)
    magnitude = fraction ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    magnitude = fraction * 0x1p-24;
  else
    magnitude = std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

std::string ValueError::text(std::string_view source) const {
  return std::string(source) + ":" + std::to_string(line) + ":" + std::to_string(column) + ": error: " + message;
}

} // namespace ferry::runtime
