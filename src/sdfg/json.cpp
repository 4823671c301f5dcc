// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdfg/json.h"

#include <algorithm>
#include <charconv>

namespace ferry::sdfg {

Json Json::number(std::string spelling) {
  Json json;
  json.value = Number{std::move(spelling)};
  return json;
}

std::optional<std::int64_t> Json::integer() const {
  const Number *text = number();
  if (!text)
    return std::nullopt;
  const char *end = text->spelling.data() + text->spelling.size();
  std::int64_t result = 0;
  auto [stopped, failed] = std::from_chars(text->spelling.data(), end, result);
  return failed == std::errc() && stopped == end ? std::optional(result) : std::nullopt;
}

const char *Json::kind() const {
  constexpr const char *names[] = {"null", "a boolean", "a number", "a string", "a list", "an object"};
  return names[value.index()];
}

const Json *Json::find(std::string_view name) const {
  const Object *members = object();
  if (!members)
    return nullptr;
  auto found = std::find_if(members->rbegin(), members->rend(), [&](const Member &m) { return m.name == name; });
  return found == members->rend() ? nullptr : &found->value;
}

Json *Json::find(std::string_view name) { return const_cast<Json *>(std::as_const(*this).find(name)); }

void Json::set(std::string_view name, Json to) {
  if (Json *there = find(name))
    *there = std::move(to);
  else if (Object *members = object())
    members->push_back({std::string(name), std::move(to)});
}

bool Json::erase(std::string_view name) {
  Object *members = object();
  return members && std::erase_if(*members, [&](const Member &m) { return m.name == name; }) > 0;
}

bool operator==(const Json &a, const Json &b) { return a.value == b.value; }

// --- Writing ---------------------------------------------------------------------------------------------------------

void JsonWriter::newLine() {
  if (layout == Layout::Compact)
    return;
  out += '\n';
  out.append(std::size_t{2} * depth, ' ');
}

void JsonWriter::separate() {
  if (afterKey) {
    afterKey = false;
    return;
  }
  if (!first)
    out += ',';
  if (depth > 0)
    newLine();
  first = false;
}

void JsonWriter::begin(char bracket) {
  separate();
  out += bracket;
  ++depth;
  first = true;
}

void JsonWriter::end(char bracket) {
  --depth;
  if (!first)
    newLine();
  out += bracket;
  first = false;
}

void JsonWriter::key(std::string_view name) {
  separate();
  string(name);
  out += layout == Layout::Compact ? ":" : ": ";
  afterKey = true;
}

void JsonWriter::value(const Json &json) {
  if (const Object *members = json.object()) {
    beginObject();
    for (const Member &each : *members)
      member(each.name, each.value);
    endObject();
    return;
  }
  if (const Array *elements = json.array()) {
    beginArray();
    for (const Json &each : *elements)
      value(each);
    endArray();
    return;
  }
  separate();
  if (const bool *truth = json.boolean())
    out += *truth ? "true" : "false";
  else if (const Json::Number *number = json.number())
    out += number->spelling;
  else if (const std::string *text = json.string())
    string(*text);
  else
    out += "null";
}

static void escape(std::string &out, unsigned unit) {
  constexpr const char *digits = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4)
    out += digits[unit >> shift & 15];
}

/// The code point that begins at `text[at]`; moves `at` behind it. The text is well-formed, surrogates aside.
static unsigned codePoint(std::string_view text, std::size_t &at) {
  unsigned lead = static_cast<unsigned char>(text[at++]);
  unsigned more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
  unsigned point = lead & (0x3fu >> more);
  for (; more > 0 && at < text.size(); --more)
    point = point << 6 | (static_cast<unsigned char>(text[at++]) & 0x3fu);
  return point;
}

/// As json.dump with ensure_ascii.
void JsonWriter::string(std::string_view text) {
  constexpr std::string_view special = "\"\\\n\r\t\f\b", names = "\"\\nrtfb";
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    unsigned char c = static_cast<unsigned char>(text[at]);
    if (std::size_t which = special.find(text[at]); which != std::string_view::npos) {
      out += '\\';
      out += names[which];
      ++at;
    } else if (c >= 0x20 && c < 0x80) {
      out += text[at++];
    } else if (c < 0x20) {
      escape(out, c);
      ++at;
    } else if (unsigned point = codePoint(text, at); point < 0x10000) {
      escape(out, point);
    } else {
      escape(out, 0xd7c0 + (point >> 10));
      escape(out, 0xdc00 + (point & 0x3ff));
    }
  }
  out += '"';
}

std::string toString(const Json &json, Layout layout) {
  std::string out;
  JsonWriter(out, layout).value(json);
  return out;
}

} // namespace ferry::sdfg
