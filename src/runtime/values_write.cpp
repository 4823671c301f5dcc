// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

namespace ferry::runtime {

namespace {

template <typename T> T load(const std::byte *p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

template <typename T> void writeInteger(const std::byte *p, std::string &out) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, load<T>(p)).ptr);
}

// Digits as std::to_chars gives them, with a point in the mantissa and no plus or zeros before the exponent: `1.0e-5`.
void writeDigits(std::string_view digits, std::string &out) {
  size_t e = digits.find('e');
  std::string_view mantissa = digits.substr(0, e);
  out += mantissa;
  if (mantissa.find('.') == mantissa.npos)
    out += ".0";
  if (e == digits.npos)
    return;
  out += 'e';
  std::string_view exponent = digits.substr(e + 1);
  if (exponent.front() == '-')
    out += '-';
  out += exponent.substr(std::min(exponent.find_first_not_of("+-0"), exponent.size() - 1));
}

// The fewest digits that read back as the same number.
template <typename T> void writeFinite(T value, std::string &out) {
  char digits[40];
  auto r = std::to_chars(digits, digits + sizeof digits, value);
  writeDigits({digits, static_cast<size_t>(r.ptr - digits)}, out);
}

void writeFiniteHalf(uint16_t bits, std::string &out) {
  double value = doubleFromHalf(bits), shorter = value;
  for (int precision = 1; precision <= 5; ++precision) { // five digits tell all halves apart
    char digits[40];
    auto r = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, precision);
    std::from_chars(digits, r.ptr, shorter);
    if (halfFromDouble(shorter) == bits)
      break;
  }
  writeFinite(shorter, out);
}

void writeFloat(ElementType type, const std::byte *p, std::string &out) {
  double value = type == ElementType::f16   ? doubleFromHalf(load<uint16_t>(p))
                 : type == ElementType::f32 ? static_cast<double>(load<float>(p))
                                            : load<double>(p);
  if (!std::isfinite(value)) {
    if (std::isinf(value) && value < 0)
      out += '-';
    out += spelling(type);
    out += std::isnan(value) ? ".nan" : ".inf";
    return;
  }
  if (type == ElementType::f16)
    writeFiniteHalf(load<uint16_t>(p), out);
  else if (type == ElementType::f32)
    writeFinite(load<float>(p), out);
  else
    writeFinite(value, out);
  out += spelling(type);
}

void writeElement(ElementType type, const std::byte *p, std::string &out) {
  switch (type) {
  case ElementType::i8:
    writeInteger<int8_t>(p, out);
    break;
  case ElementType::i16:
    writeInteger<int16_t>(p, out);
    break;
  case ElementType::i32:
    writeInteger<int32_t>(p, out);
    break;
  case ElementType::i64:
    writeInteger<int64_t>(p, out);
    break;
  case ElementType::u8:
    writeInteger<uint8_t>(p, out);
    break;
  case ElementType::u16:
    writeInteger<uint16_t>(p, out);
    break;
  case ElementType::u32:
    writeInteger<uint32_t>(p, out);
    break;
  case ElementType::u64:
    writeInteger<uint64_t>(p, out);
    break;
  case ElementType::boolean:
    out += p[0] != std::byte(0) ? "true" : "false";
    return;
  default:
    return writeFloat(type, p, out);
  }
  out += spelling(type);
}

// The rows from dimension `depth` on, whose data begins at `p`; moves it behind them. No dimension is 0.
void writeRows(const Value &value, size_t depth, const std::byte *&p, std::string &out) {
  if (depth == value.shape.size()) {
    writeElement(value.type, p, out);
    p += byteSize(value.type);
    return;
  }
  out += '[';
  for (int64_t i = 0; i < value.shape[depth]; ++i) {
    if (i > 0)
      out += ", ";
    writeRows(value, depth + 1, p, out);
  }
  out += ']';
}

} // namespace

void writeText(const Value &value, std::string &out) {
  if (value.elements() == 0) {
    out += "empty(" + typeSpelling(value.type, value.shape) + ")";
    return;
  }
  const std::byte *p = value.data.data();
  writeRows(value, 0, p, out);
}

void writeBinary(const Value &value, std::string &out) {
  out += 'b';
  out += static_cast<char>(2);
  out += static_cast<char>(value.shape.size());
  std::string_view name = spelling(value.type);
  out.append(4 - name.size(), ' ');
  out += name;
  out.append(reinterpret_cast<const char *>(value.shape.data()), value.shape.size() * sizeof(int64_t));
  out.append(reinterpret_cast<const char *>(value.data.data()), value.data.size());
}

} // namespace ferry::runtime
