// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recursive descent whose depth is bounded. Errors travel as an exception inside this file.

#include "sdfg/json.h"

#include <algorithm>

namespace ferry::sdfg {

namespace {

struct Stop {
  std::size_t at;
  std::string what;
};

bool isDigit(char c) { return c >= '0' && c <= '9'; }

class Parser {
public:
  explicit Parser(std::string_view text) : text(text) {}

  Json document() {
    space();
    Json json = value(0);
    space();
    if (at < text.size())
      fail("text behind the document's end");
    return json;
  }

private:
  [[noreturn]] void fail(std::string what) const { throw Stop{at, std::move(what)}; }

  char peek() const { return at < text.size() ? text[at] : '\0'; }

  void space() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t'))
      ++at;
  }

  bool take(std::string_view word) {
    if (text.substr(at, word.size()) != word)
      return false;
    at += word.size();
    return true;
  }

  Json value(unsigned depth) {
    if (depth > kMostJsonDepth)
      fail("nested deeper than " + std::to_string(kMostJsonDepth) + " levels");
    switch (peek()) {
    case '{': {
      std::size_t begin = at;
      Json json = object(depth);
      json.setPosition(begin);
      return json;
    }
    case '[':
      return array(depth);
    case '"':
      return Json(string());
    default:
      break;
    }
    if (take("null"))
      return {};
    if (take("true"))
      return true;
    if (take("false"))
      return false;
    for (std::string_view word : {"NaN", "Infinity", "-Infinity"})
      if (take(word))
        return Json::number(std::string(word));
    if (isDigit(peek()) || peek() == '-')
      return number();
    fail(at == text.size() ? "the document ends early" : "no JSON value begins here");
  }

  Json object(unsigned depth) {
    Object members;
    ++at;
    space();
    if (take("}"))
      return members;
    do {
      space();
      if (peek() != '"')
        fail("a member's name in double quotes is expected");
      std::string name = string();
      space();
      if (!take(":"))
        fail("':' is expected");
      space();
      members.push_back({std::move(name), value(depth + 1)});
      space();
    } while (take(","));
    if (!take("}"))
      fail("',' or '}' is expected");
    return members;
  }

  Json array(unsigned depth) {
    Array elements;
    ++at;
    space();
    if (take("]"))
      return elements;
    do {
      space();
      elements.push_back(value(depth + 1));
      space();
    } while (take(","));
    if (!take("]"))
      fail("',' or ']' is expected");
    return elements;
  }

  void digits() {
    if (!isDigit(peek()))
      fail("a digit is expected");
    while (isDigit(peek()))
      ++at;
  }

  Json number() {
    std::size_t begin = at;
    take("-");
    if (!take("0"))
      digits();
    if (take("."))
      digits();
    if (take("e") || take("E")) {
      if (!take("+"))
        take("-");
      digits();
    }
    return Json::number(std::string(text.substr(begin, at - begin)));
  }

  std::string string() {
    std::string out;
    ++at;
    while (true) {
      if (at == text.size())
        fail("a string has no end");
      unsigned char c = static_cast<unsigned char>(text[at]);
      if (c == '"') {
        ++at;
        return out;
      }
      if (c < 0x20)
        fail("a control character in a string");
      if (c == '\\')
        escaped(out);
      else if (c < 0x80)
        out += text[at++];
      else
        utf8(out);
    }
  }

  void utf8(std::string &out) {
    unsigned lead = static_cast<unsigned char>(text[at]);
    unsigned length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    bool good = lead >= 0xc2 && lead <= 0xf4 && at + length <= text.size();
    for (unsigned i = 1; good && i < length; ++i)
      good = (static_cast<unsigned char>(text[at + i]) & 0xc0) == 0x80;
    unsigned second = good ? static_cast<unsigned char>(text[at + 1]) : 0;
    bool longer = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
    bool surrogate = lead == 0xed && second > 0x9f, beyond = lead == 0xf4 && second > 0x8f;
    good = good && !longer && !surrogate && !beyond;
    if (!good)
      fail("the text is not UTF-8");
    out.append(text.substr(at, length));
    at += length;
  }

  void escaped(std::string &out) {
    constexpr std::string_view names = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    ++at;
    if (std::size_t which = names.find(peek()); at < text.size() && which != std::string_view::npos) {
      out += meanings[which];
      ++at;
      return;
    }
    if (!take("u"))
      fail("no such escape in a string");
    unsigned point = unit();
    if (point >= 0xd800 && point < 0xdc00 && text.substr(at, 2) == "\\u") {
      std::size_t before = at;
      at += 2;
      if (unsigned low = unit(); low >= 0xdc00 && low < 0xe000)
        point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
      else
        at = before;
    }
    encode(point, out);
  }

  unsigned unit() {
    unsigned result = 0;
    for (int i = 0; i < 4; ++i) {
      char c = peek();
      if (isDigit(c))
        result = result * 16 + static_cast<unsigned>(c - '0');
      else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
        result = result * 16 + static_cast<unsigned>((c | 0x20) - 'a' + 10);
      else
        fail("four hexadecimal digits are expected");
      ++at;
    }
    return result;
  }

  static void encode(unsigned point, std::string &out) {
    auto tail = [&](int shift) { out += static_cast<char>(0x80 | (point >> shift & 0x3f)); };
    if (point < 0x80) {
      out += static_cast<char>(point);
    } else if (point < 0x800) {
      out += static_cast<char>(0xc0 | point >> 6);
      tail(0);
    } else if (point < 0x10000) {
      out += static_cast<char>(0xe0 | point >> 12);
      tail(6);
      tail(0);
    } else {
      out += static_cast<char>(0xf0 | point >> 18);
      tail(12);
      tail(6);
      tail(0);
    }
  }

  std::string_view text;
  std::size_t at = 0;
};

} // namespace

std::string lineAndColumn(std::string_view text, std::size_t offset) {
  std::string_view before = text.substr(0, offset);
  std::size_t lineStart = before.rfind('\n') + 1; // npos + 1 is 0
  return std::to_string(1 + std::count(before.begin(), before.end(), '\n')) + ":" +
         std::to_string(1 + offset - lineStart);
}

placement::Result<Document> parseJson(std::string_view text, std::size_t *at) {
  try {
    Document document;
    document.json = Parser(text).document();
    std::size_t bracket = text.find_first_of("{[");
    bool indented = bracket != std::string_view::npos && bracket + 1 < text.size() && text[bracket + 1] == '\n';
    document.layout = indented ? Layout::Indented : Layout::Compact;
    return document;
  } catch (const Stop &stop) {
    if (at)
      *at = stop.at;
    return placement::Error{placement::ErrorKind::Malformed, stop.what};
  }
}

} // namespace ferry::sdfg
