// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/values.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ferry::runtime {

namespace {

double floatAt(const Value &value, int64_t i) {
  switch (value.type) {
  case ElementType::f16:
    return doubleFromHalf(value.as<uint16_t>()[static_cast<size_t>(i)]);
  case ElementType::f32:
    return value.as<float>()[static_cast<size_t>(i)];
  default:
    return value.as<double>()[static_cast<size_t>(i)];
  }
}

double toleranceFor(const Value &expected) {
  constexpr double share = 0.002;
  double largest = 1;
  for (int64_t i = 0; i < expected.elements(); ++i)
    if (double x = std::fabs(floatAt(expected, i)); std::isfinite(x))
      largest = std::max(largest, x);
  return share * largest;
}

bool isClose(double actual, double expected, double tolerance) {
  if (std::isnan(expected) || std::isnan(actual))
    return std::isnan(expected) && std::isnan(actual);
  return actual == expected || std::fabs(actual - expected) <= tolerance;
}

std::string elementText(const Value &value, int64_t i) {
  auto size = static_cast<size_t>(byteSize(value.type));
  Value element = Value::withShape(value.type, {});
  std::memcpy(element.data.data(), value.data.data() + static_cast<size_t>(i) * size, size);
  std::string text;
  writeText(element, text);
  return text;
}

// `[1, 2]` for the element at offset i.
std::string indexText(const Value &value, int64_t i) {
  std::string text;
  for (size_t k = value.shape.size(); k-- > 0;) {
    text = std::to_string(i % value.shape[k]) + (text.empty() ? "" : ", ") + text;
    i /= value.shape[k];
  }
  return "[" + text + "]";
}

std::string differenceAt(const Value &actual, const Value &expected, int64_t i) {
  std::string where = actual.rank() == 0 ? "" : "at " + indexText(actual, i) + ": ";
  return where + "expected " + elementText(expected, i) + ", got " + elementText(actual, i);
}

} // namespace

std::optional<std::string> difference(const Value &actual, const Value &expected) {
  if (actual.type != expected.type || actual.shape != expected.shape)
    return "expected a value of type " + typeSpelling(expected.type, expected.shape) + ", got one of type " +
           typeSpelling(actual.type, actual.shape);
  bool isFloat = actual.type == ElementType::f16 || actual.type == ElementType::f32 || actual.type == ElementType::f64;
  if (!isFloat) {
    auto [a, e] = std::mismatch(actual.data.begin(), actual.data.end(), expected.data.begin());
    if (a == actual.data.end())
      return std::nullopt;
    return differenceAt(actual, expected, (a - actual.data.begin()) / byteSize(actual.type));
  }
  double tolerance = toleranceFor(expected);
  for (int64_t i = 0; i < actual.elements(); ++i)
    if (!isClose(floatAt(actual, i), floatAt(expected, i), tolerance))
      return differenceAt(actual, expected, i);
  return std::nullopt;
}

} // namespace ferry::runtime
