// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The common case, decimal digits without underscores, is one pass over the characters that also computes an integer's
// value. Everything else goes through copies and the standard library.

#include "runtime/literals.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace ferry::runtime {

static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool isBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool isWord(char c) { return isDigit(c) || isLetter(c) || c == '_' || c == '.'; }

static int digitValue(char c) {
  if (isDigit(c))
    return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

static bool isFloat(ElementType type) { return type >= ElementType::f16 && type <= ElementType::f64; }
static bool isSigned(ElementType type) { return type <= ElementType::i64; }

void skipBlanks(const char *&p, const char *end) {
  for (;;) {
    while (p != end && isBlank(*p))
      ++p;
    if (end - p < 2 || p[0] != '-' || p[1] != '-')
      return;
    const void *newLine = std::memchr(p, '\n', static_cast<size_t>(end - p));
    p = newLine ? static_cast<const char *>(newLine) : end;
  }
}

namespace {

// A number as written, before it has a type.
struct Number {
  const char *start;               // with its sign
  const char *digits;              // without sign and base prefix
  const char *digitsEnd = nullptr; // before the suffix
  bool negative = false;
  bool underscores = false;
  bool isFraction = false; // has a point or an exponent
  bool tooLarge = false;   // for `magnitude`
  int base = 10;
  uint64_t magnitude = 0; // unless isFraction
  double special = 0;     // infinity or NaN; else 0
};

bool fail(LiteralError &error, const char *at, std::string message) {
  error = {at, std::move(message)};
  return false;
}

// The word at `p`, for messages: not more than a line can hold, printable.
std::string quoted(const char *p, const char *end) {
  std::string text = "'";
  const char *q = p;
  for (; q != end && q - p < 40 && (isWord(*q) || (q == p && *q == '-')); ++q)
    text += *q;
  if (q == p) {
    if (*p >= ' ' && *p <= '~')
      return text + *p + "'";
    char code[16];
    std::snprintf(code, sizeof code, "byte 0x%02x", static_cast<unsigned char>(*p));
    return code;
  }
  return text + (q != end && isWord(*q) ? "...'" : "'");
}

std::string quotedNumber(const Number &n, const char *p) {
  return "'" + std::string(n.start, std::min<size_t>(static_cast<size_t>(p - n.start), 60)) + "'";
}

// Digits of the base, with underscores between them; false if there are none.
bool scanDigits(const char *&p, const char *end, Number &n) {
  const char *start = p;
  for (; p != end; ++p) {
    if (*p == '_') {
      if (p == start)
        return false;
      n.underscores = true;
      continue;
    }
    int digit = digitValue(*p);
    if (digit >= n.base)
      break;
    uint64_t base = static_cast<uint64_t>(n.base);
    if (n.magnitude > (std::numeric_limits<uint64_t>::max() - static_cast<uint64_t>(digit)) / base)
      n.tooLarge = true;
    n.magnitude = n.magnitude * base + static_cast<uint64_t>(digit);
  }
  return p != start;
}

void skipDigits(const char *&p, const char *end, Number &n) {
  for (; p != end && (digitValue(*p) < n.base || *p == '_'); ++p)
    n.underscores |= *p == '_';
}

// `e-5`, or `p3` of a hexadecimal number.
bool scanExponent(const char *&p, const char *end, Number &n) {
  n.isFraction = true;
  ++p;
  if (p != end && (*p == '-' || *p == '+'))
    ++p;
  const char *first = p;
  while (p != end && (isDigit(*p) || *p == '_')) {
    n.underscores |= *p == '_';
    ++p;
  }
  return p != first && isDigit(*first);
}

bool scanNumber(const char *&p, const char *end, Number &n, LiteralError &error) {
  if (end - p >= 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X' || p[1] == 'b' || p[1] == 'B')) {
    n.base = (p[1] | 0x20) == 'x' ? 16 : 2;
    p += 2;
    n.digits = p;
  }
  if (!scanDigits(p, end, n))
    return fail(error, n.start, "a number without digits: " + quoted(n.start, end));
  if (n.base != 2) {
    if (p != end && *p == '.') {
      n.isFraction = true;
      ++p;
      skipDigits(p, end, n);
    }
    char mark = n.base == 16 ? 'p' : 'e';
    if (p != end && (*p | 0x20) == mark) {
      if (!scanExponent(p, end, n))
        return fail(error, n.start, "an exponent without digits: " + quoted(n.start, end));
    } else if (n.base == 16 && n.isFraction) {
      return fail(error, n.start, "a hexadecimal fraction needs an exponent, as in 0x1.8p0");
    }
  }
  n.digitsEnd = p;
  return true;
}

// The type named at `p`, if one is; moves behind it.
std::optional<ElementType> scanSuffix(const char *&p, const char *end) {
  const char *q = p;
  while (q != end && q - p < 4 && (isLetter(*q) || isDigit(*q)))
    ++q;
  std::optional<ElementType> type = elementTypeNamed({p, static_cast<size_t>(q - p)});
  if (type)
    p = q;
  return type;
}

// `f32.nan`, `f64.inf`; `p` is at the f.
bool scanSpecial(const char *&p, const char *end, Number &n, std::optional<ElementType> &suffix) {
  const char *q = p;
  suffix = scanSuffix(q, end);
  if (!suffix || !isFloat(*suffix) || end - q < 4 || *q != '.')
    return false;
  std::string_view name(q + 1, 3);
  if (name == "nan")
    n.special = std::numeric_limits<double>::quiet_NaN();
  else if (name == "inf")
    n.special = std::numeric_limits<double>::infinity();
  else
    return false;
  p = q + 4;
  return true;
}

template <typename T> void store(T value, std::byte *out) { std::memcpy(out, &value, sizeof value); }

template <typename T> T parseFloat(const Number &n) {
  std::string copy;
  const char *first = n.digits, *last = n.digitsEnd;
  if (n.underscores) {
    for (const char *p = first; p != last; ++p)
      if (*p != '_')
        copy += *p;
    first = copy.data();
    last = first + copy.size();
  }
  T value = 0;
  auto format = n.base == 16 ? std::chars_format::hex : std::chars_format::general;
  if (std::from_chars(first, last, value, format).ec == std::errc::result_out_of_range) {
    // It says neither how; the older function gives infinity, 0 or what is near 0.
    std::string whole = (n.base == 16 ? "0x" : "") + std::string(first, last);
    if constexpr (sizeof(T) == sizeof(float))
      value = std::strtof(whole.c_str(), nullptr);
    else
      value = std::strtod(whole.c_str(), nullptr);
  }
  return value;
}

template <typename T> T floatValue(const Number &n) {
  constexpr uint64_t exactInDouble = uint64_t(1) << 53;
  T value;
  if (n.special != 0)
    value = static_cast<T>(n.special);
  else if (!n.isFraction && !n.tooLarge && (n.base != 10 || n.magnitude <= exactInDouble))
    value = static_cast<T>(n.magnitude);
  else
    value = parseFloat<T>(n);
  return n.negative ? -value : value;
}

void storeFloat(const Number &n, ElementType type, std::byte *out) {
  if (type == ElementType::f32)
    return store(floatValue<float>(n), out);
  double value = floatValue<double>(n);
  if (type == ElementType::f64)
    store(value, out);
  else
    store(halfFromDouble(value), out);
}

// Whether the integer fits, and its bits. A number in base 2 or 16 may set any bit of the type.
// A number in another base or with a suffix may also be a signed number's bits.
bool storeInteger(const Number &n, ElementType type, bool hasSuffix, std::byte *out) {
  int bits = static_cast<int>(byteSize(type)) * 8;
  uint64_t all = ~uint64_t(0) >> (64 - bits);
  uint64_t most = all;
  if (isSigned(type) && n.base == 10 && n.negative)
    most = (all >> 1) + 1;
  else if (isSigned(type) && n.base == 10 && !hasSuffix)
    most = all >> 1;
  if (n.tooLarge || n.magnitude > most)
    return false;
  uint64_t value = n.negative ? -n.magnitude : n.magnitude;
  std::memcpy(out, &value, static_cast<size_t>(bits / 8));
  return true;
}

bool readBool(const char *&p, const char *end, std::optional<ElementType> &type, std::byte *out) {
  std::string_view rest(p, static_cast<size_t>(end - p));
  bool isTrue = rest.starts_with("true"), isFalse = rest.starts_with("false");
  if ((!isTrue && !isFalse) || (type && *type != ElementType::boolean))
    return false;
  p += isTrue ? 4 : 5;
  *out = static_cast<std::byte>(isTrue);
  type = ElementType::boolean;
  return true;
}

} // namespace

bool readLiteral(const char *&p, const char *end, std::optional<ElementType> &type, std::byte *out,
                 LiteralError &error) {
  Number n;
  n.start = p;
  if (p == end)
    return fail(error, p, "the input ends where a value should be");
  if (*p == '-') {
    n.negative = true;
    ++p;
  }
  n.digits = p;
  std::optional<ElementType> suffix;
  if (p != end && isDigit(*p)) {
    if (!scanNumber(p, end, n, error))
      return false;
    if (p != end && isLetter(*p)) {
      suffix = scanSuffix(p, end);
      if (!suffix || *suffix == ElementType::boolean)
        return fail(error, n.start, "no number: " + quoted(n.start, end));
    }
  } else if (!n.negative && readBool(p, end, type, out)) {
    if (p != end && isWord(*p))
      return fail(error, n.start, "no value: " + quoted(n.start, end));
    return true;
  } else if (p == end || *p != 'f' || !scanSpecial(p, end, n, suffix)) {
    std::string wanted = type ? "expected a value of type " + std::string(spelling(*type)) + ", found " : "no value: ";
    return fail(error, n.start, wanted + quoted(n.start, end));
  }
  if (p != end && isWord(*p))
    return fail(error, n.start, "no number: " + quoted(n.start, end));

  bool needsFloat = n.isFraction || n.special != 0;
  ElementType is = suffix ? *suffix : type ? *type : needsFloat ? ElementType::f64 : ElementType::i32;
  if (type && *type != is)
    return fail(error, n.start,
                "expected a value of type " + std::string(spelling(*type)) + ", found " + quotedNumber(n, p));
  if (is == ElementType::boolean || (needsFloat && !isFloat(is)))
    return fail(error, n.start, quotedNumber(n, p) + " is no " + std::string(spelling(is)));
  type = is;
  if (isFloat(is)) {
    storeFloat(n, is, out);
    return true;
  }
  if (!storeInteger(n, is, suffix.has_value(), out))
    return fail(error, n.start, quotedNumber(n, p) + " is out of the range of " + std::string(spelling(is)));
  return true;
}

// The byte that the escape behind a backslash at `p` stands for.
static bool readEscape(const char *&p, const char *end, char &out, LiteralError &error) {
  static constexpr std::string_view names = "ntr\\\"'0abfv";
  static constexpr std::string_view bytes("\n\t\r\\\"'\0\a\b\f\v", 11);
  const char *start = p - 1;
  if (p != end && *p == 'x' && end - p >= 3 && digitValue(p[1]) < 16 && digitValue(p[2]) < 16) {
    out = static_cast<char>(digitValue(p[1]) * 16 + digitValue(p[2]));
    p += 3;
    return true;
  }
  size_t which = p == end ? names.npos : names.find(*p);
  if (which == names.npos)
    return fail(error, start, "no escape of a string");
  out = bytes[which];
  ++p;
  return true;
}

bool readString(const char *&p, const char *end, std::vector<std::byte, ValueAllocator<std::byte>> &out,
                LiteralError &error) {
  const char *start = p++;
  for (;;) {
    if (p == end || *p == '\n')
      return fail(error, start, "a string without its closing quote");
    char c = *p++;
    if (c == '"')
      return true;
    if (c == '\\' && !readEscape(p, end, c, error))
      return false;
    out.push_back(static_cast<std::byte>(c));
  }
}

} // namespace ferry::runtime
