// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/literals.h"

#include <algorithm>
#include <cstring>

namespace ferry::runtime {

static constexpr size_t mostDimensions = 64;

namespace {

// Reads one value. Where it stopped is `p`; if it failed, `error` says at which place and why.
class OneValue {
public:
  OneValue(const char *p, const char *end, std::optional<ExpectedValue> expected)
      : p(p), end(end), expected(expected) {}

  std::optional<Value> read() {
    bool ok = *p == 'b'   ? readBinary()
              : *p == '[' ? readArray()
              : *p == '"' ? readText()
              : *p == 'e' ? readEmpty()
                          : readScalar();
    if (!ok || !isExpected())
      return std::nullopt;
    return std::move(value);
  }

  const char *p;
  LiteralError error;

private:
  bool fail(const char *at, std::string message) {
    error = {at, std::move(message)};
    return false;
  }
  std::optional<ElementType> expectedType() const { return expected ? std::optional(expected->type) : std::nullopt; }
  bool isExpected();
  bool readScalar();
  bool readText();
  bool readEmpty();
  bool readDimension(int64_t &n);
  bool readArray();
  bool readElement();
  bool closeRow();
  bool readBinary();
  template <typename T> bool take(T &out, const char *what);

  const char *start = p;
  const char *end;
  std::optional<ExpectedValue> expected;
  Value value;

  // Of an array that is being read: the rows that are open, outermost first.
  struct Row {
    const char *start;
    int64_t length = 0;
  };
  std::vector<Row> rows;
  std::vector<int64_t> lengths; // of rows at each depth, -1 where none has ended
  size_t rank = 0;              // 0 until the first element or empty row is met
  std::optional<ElementType> type;
  size_t used = 0; // bytes of value.data
};

// `i32`, `[][]f64`.
std::string typeOfRank(ElementType type, int64_t rank) {
  std::string text;
  for (int64_t i = 0; i < rank; ++i)
    text += "[]";
  return text.append(spelling(type));
}

bool OneValue::isExpected() {
  if (!expected || (value.type == expected->type && value.rank() == expected->rank))
    return true;
  return fail(start, "expected a value of type " + typeOfRank(expected->type, expected->rank) + ", found one of type " +
                         typeOfRank(value.type, value.rank()));
}

bool OneValue::readScalar() {
  if (expected && expected->rank > 0)
    return fail(start, "expected a value of type " + typeOfRank(expected->type, expected->rank) + ", found no array");
  type = expectedType();
  std::byte bytes[8];
  if (!readLiteral(p, end, type, bytes, error))
    return false;
  if (p != end && (*p == ',' || *p == ']'))
    return fail(p, std::string("'") + *p + "' outside of an array");
  value.type = *type;
  value.data.assign(bytes, bytes + byteSize(*type));
  return true;
}

bool OneValue::readText() {
  value.type = ElementType::u8;
  if (!readString(p, end, value.data, error))
    return false;
  value.shape = {static_cast<int64_t>(value.data.size())};
  return true;
}

bool OneValue::readDimension(int64_t &n) {
  const char *digits = ++p;
  skipBlanks(p, end);
  std::optional<ElementType> i64 = ElementType::i64;
  std::byte bytes[8];
  if (!readLiteral(p, end, i64, bytes, error))
    return false;
  std::memcpy(&n, bytes, sizeof n);
  if (n < 0)
    return fail(digits, "a negative dimension");
  skipBlanks(p, end);
  if (p == end || *p != ']')
    return fail(p, "expected ']' after a dimension");
  ++p;
  return true;
}

// `empty([0][2]i32)`
bool OneValue::readEmpty() {
  static constexpr std::string_view word = "empty";
  if (!std::string_view(p, static_cast<size_t>(end - p)).starts_with(word))
    return readScalar();
  p += word.size();
  skipBlanks(p, end);
  if (p == end || *p != '(')
    return fail(p, "expected '(' after 'empty'");
  ++p;
  for (skipBlanks(p, end); p != end && *p == '['; skipBlanks(p, end)) {
    int64_t n;
    if (value.shape.size() == mostDimensions)
      return fail(p, "an array of more than " + std::to_string(mostDimensions) + " dimensions");
    if (!readDimension(n))
      return false;
    value.shape.push_back(n);
  }
  const char *name = p;
  while (p != end && ((*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9')))
    ++p;
  std::optional<ElementType> named = elementTypeNamed({name, static_cast<size_t>(p - name)});
  if (!named)
    return fail(name, "expected the element type of an empty array");
  skipBlanks(p, end);
  if (p == end || *p != ')')
    return fail(p, "expected ')' after the type of an empty array");
  ++p;
  value.type = *named;
  if (std::find(value.shape.begin(), value.shape.end(), 0) == value.shape.end())
    return fail(start, "an empty array must have a dimension of length 0");
  return true;
}

// One number of the innermost rows.
bool OneValue::readElement() {
  if (rank == 0)
    rank = rows.size();
  else if (rows.size() != rank)
    return fail(p, "a number among rows");
  constexpr size_t largest = 8;
  if (value.data.size() - used < largest)
    value.data.resize(std::max<size_t>(64, value.data.size() * 2));
  if (!readLiteral(p, end, type, value.data.data() + used, error))
    return false;
  used += static_cast<size_t>(byteSize(*type));
  ++rows.back().length;
  return true;
}

bool OneValue::closeRow() {
  Row row = rows.back();
  size_t depth = rows.size() - 1;
  if (row.length == 0 && rank == 0)
    rank = rows.size();
  int64_t &length = lengths[depth];
  if (length >= 0 && length != row.length)
    return fail(row.start,
                "a row of length " + std::to_string(row.length) + " among rows of length " + std::to_string(length));
  length = row.length;
  rows.pop_back();
  if (!rows.empty())
    ++rows.back().length;
  return true;
}

bool OneValue::readArray() {
  type = expectedType();
  for (;;) {
    skipBlanks(p, end);
    if (p == end)
      return fail(rows.empty() ? start : rows.back().start, "an array without its closing ']'");
    if (*p == '[') {
      if (rank != 0 && rows.size() == rank)
        return fail(p, "a row among numbers");
      if (rows.size() == mostDimensions)
        return fail(p, "an array of more than " + std::to_string(mostDimensions) + " dimensions");
      rows.push_back({p++});
      if (lengths.size() < rows.size())
        lengths.push_back(-1);
      continue;
    }
    if (*p == ']') { // of an empty row, or after a trailing comma
      ++p;
      if (!closeRow())
        return false;
    } else if (!readElement()) {
      return false;
    }
    // What is open got an element; a comma leads on to the next, a bracket ends the row.
    for (;;) {
      if (rows.empty()) {
        if (!type)
          return fail(start, "an empty array without a type; write it as in empty([0]i32)");
        value.type = *type;
        value.shape.assign(lengths.begin(), lengths.end());
        value.data.resize(used);
        return true;
      }
      skipBlanks(p, end);
      if (p == end)
        return fail(rows.back().start, "an array without its closing ']'");
      if (*p == ',') {
        ++p;
        break;
      }
      if (*p != ']')
        return fail(p, "expected ',' or ']' in an array");
      ++p;
      if (!closeRow())
        return false;
    }
  }
}

template <typename T> bool OneValue::take(T &out, const char *what) {
  if (static_cast<size_t>(end - p) < sizeof out)
    return fail(start, std::string("a binary value that ends in its ") + what);
  std::memcpy(&out, p, sizeof out);
  p += sizeof out;
  return true;
}

bool OneValue::readBinary() {
  constexpr uint8_t formatVersion = 2;
  ++p;
  uint8_t version = 0, dimensions = 0;
  char name[4];
  if (!take(version, "version"))
    return false;
  if (version != formatVersion)
    return fail(start, "a binary value of version " + std::to_string(version) + ", where 2 is known");
  if (!take(dimensions, "rank") || !take(name, "type"))
    return false;
  std::string_view spelled(name, sizeof name);
  std::optional<ElementType> named =
      elementTypeNamed(spelled.substr(std::min(spelled.find_first_not_of(' '), spelled.size())));
  if (!named)
    return fail(start, "a binary value of unknown type");
  value.type = *named;
  for (int i = 0; i < dimensions; ++i) {
    int64_t n;
    if (!take(n, "shape"))
      return false;
    value.shape.push_back(n);
  }
  std::optional<int64_t> elements = checkedElements(value.type, value.shape);
  if (!elements)
    return fail(start, "a binary value with an impossible shape");
  auto bytes = static_cast<uint64_t>(*elements * byteSize(value.type));
  auto there = static_cast<uint64_t>(end - p);
  if (bytes > there)
    return fail(start, "a binary value of type " + typeSpelling(value.type, value.shape) + " that lacks " +
                           std::to_string(bytes - there) + " of its " + std::to_string(bytes) + " bytes");
  const auto *data = reinterpret_cast<const std::byte *>(p);
  if (value.type == ElementType::boolean)
    for (uint64_t i = 0; i < bytes; ++i)
      if (data[i] > std::byte(1))
        return fail(p + i, "a binary bool that is neither 0 nor 1");
  value.data.resize(bytes);
  if (bytes > 0)
    std::memcpy(value.data.data(), data, bytes);
  p += bytes;
  return true;
}

} // namespace

// Where a place in the input is, counting from 1.
static ValueError located(std::string_view input, LiteralError error) {
  std::string_view before = input.substr(0, static_cast<size_t>(error.at - input.data()));
  size_t newLine = before.rfind('\n');
  ValueError located;
  located.message = std::move(error.message);
  located.line = 1 + std::count(before.begin(), before.end(), '\n');
  located.column = static_cast<int64_t>(before.size() - (newLine == before.npos ? 0 : newLine + 1)) + 1;
  return located;
}

ValueError ValueReader::here(std::string message) const {
  return located(input, {input.data() + position, std::move(message)});
}

bool ValueReader::atEnd() {
  const char *p = input.data() + position, *end = input.data() + input.size();
  skipBlanks(p, end);
  position = static_cast<size_t>(p - input.data());
  return p == end;
}

std::optional<Value> ValueReader::next(std::optional<ExpectedValue> expected) {
  if (atEnd()) {
    std::string missing =
        expected ? ", where one of type " + typeOfRank(expected->type, expected->rank) + " should be" : "";
    failure = here("no more values" + missing);
    return std::nullopt;
  }
  OneValue one(input.data() + position, input.data() + input.size(), expected);
  std::optional<Value> value = one.read();
  if (value)
    position = static_cast<size_t>(one.p - input.data());
  else
    failure = located(input, std::move(one.error));
  return value;
}

std::optional<std::vector<Value>> readValues(std::string_view input, ValueError &error) {
  ValueReader reader(input);
  std::vector<Value> values;
  while (!reader.atEnd()) {
    std::optional<Value> value = reader.next();
    if (!value) {
      error = reader.error();
      return std::nullopt;
    }
    values.push_back(std::move(*value));
  }
  return values;
}

} // namespace ferry::runtime
