// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// \file
/// JSON as Python's `json` module writes and reads it, which is what an .sdfg file holds. It differs from RFC 8259 in
/// what DaCe's files really have: NaN and Infinity, integers of any size, lone surrogates. A value keeps what a hash of
/// the file would see: the order of an object's members and each number's spelling. What is read and written again with
/// the layout it had is the same bytes, if Python wrote them.
namespace ferry::sdfg {

class Json;

struct Member;
using Array = std::vector<Json>;
using Object = std::vector<Member>;

/// Arrays and objects nest at most this deep.
inline constexpr unsigned kMostJsonDepth = 1000;

/// A JSON value. Strings are UTF-8; a lone surrogate is encoded like any other code point.
class Json {
public:
  struct Number {
    std::string spelling;
    friend bool operator==(const Number &, const Number &) = default;
  };

  Json(std::nullptr_t = nullptr);
  Json(bool value);
  Json(std::int64_t number);
  Json(int number);
  Json(std::string text);
  Json(const char *text);
  Json(Array elements);
  Json(Object members);
  Json(const Json &other);
  Json(Json &&other) noexcept;
  Json &operator=(const Json &other);
  Json &operator=(Json &&other) noexcept;
  ~Json();
  static Json number(std::string spelling);

  bool isNull() const { return std::holds_alternative<std::monostate>(value); }
  bool isObject() const { return std::holds_alternative<Object>(value); }
  bool isArray() const { return std::holds_alternative<Array>(value); }
  /// Null where the value is of another kind.
  const bool *boolean() const { return std::get_if<bool>(&value); }
  const std::string *string() const { return std::get_if<std::string>(&value); }
  const Number *number() const { return std::get_if<Number>(&value); }
  const Array *array() const { return std::get_if<Array>(&value); }
  Array *array() { return std::get_if<Array>(&value); }
  const Object *object() const { return std::get_if<Object>(&value); }
  Object *object() { return std::get_if<Object>(&value); }
  /// An integer that fits 64 bits.
  std::optional<std::int64_t> integer() const;
  /// "an object", "a string": for messages.
  const char *kind() const;

  /// An object's member of this name, the last if there are several, as in Python; null if there is none or if this is
  /// no object.
  const Json *find(std::string_view name) const;
  Json *find(std::string_view name);
  /// Sets an object's member where it stands, or adds it at the end.
  void set(std::string_view name, Json to);
  /// Whether there was one.
  bool erase(std::string_view name);

  /// Of an object that was read: the offset of its bracket in the text. Copies keep it; it is no part of the value.
  std::optional<std::size_t> position() const { return offset == kNowhere ? std::nullopt : std::optional(offset); }
  void setPosition(std::size_t to) { offset = to; }

  friend bool operator==(const Json &a, const Json &b);

private:
  std::variant<std::monostate, bool, Number, std::string, Array, Object> value;
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
  std::size_t offset = kNowhere;
};

struct Member {
  std::string name;
  Json value;
  friend bool operator==(const Member &, const Member &) = default;
};

/// Here members are complete, which the variant's constructors need.
inline Json::Json(std::nullptr_t) {}
inline Json::Json(bool value) : value(value) {}
inline Json::Json(std::int64_t number) : value(Number{std::to_string(number)}) {}
inline Json::Json(int number) : Json(static_cast<std::int64_t>(number)) {}
inline Json::Json(std::string text) : value(std::move(text)) {}
inline Json::Json(const char *text) : value(std::string(text)) {}
inline Json::Json(Array elements) : value(std::move(elements)) {}
inline Json::Json(Object members) : value(std::move(members)) {}
inline Json::Json(const Json &other) = default;
inline Json::Json(Json &&other) noexcept = default;
inline Json &Json::operator=(const Json &other) = default;
inline Json &Json::operator=(Json &&other) noexcept = default;
inline Json::~Json() = default;

/// How a document is laid out: as `json.dump(..., indent=2)` (DaCe 1.0.2), or without any space (DaCe 2.0).
enum class Layout : std::uint8_t { Indented, Compact };

struct Document {
  Json json;
  Layout layout = Layout::Indented;
};

/// Where something is in a text: "3:7", line and column.
std::string lineAndColumn(std::string_view text, std::size_t offset);

/// The message of an error says what is wrong; `at`, if given, gets the offset of that.
placement::Result<Document> parseJson(std::string_view text, std::size_t *at = nullptr);

/// Writes a document piece by piece, so that a model can be written without making its tree first. Calls have to come
/// in an order that makes sense: key(), then what it names.
class JsonWriter {
public:
  JsonWriter(std::string &out, Layout layout) : out(out), layout(layout) {}

  void beginObject() { begin('{'); }
  void endObject() { end('}'); }
  void beginArray() { begin('['); }
  void endArray() { end(']'); }
  void key(std::string_view name);
  void value(const Json &json);
  void member(std::string_view name, const Json &json) {
    key(name);
    value(json);
  }

private:
  void begin(char bracket);
  void end(char bracket);
  void separate();
  void newLine();
  void string(std::string_view text);

  std::string &out;
  Layout layout;
  unsigned depth = 0;
  bool first = true;     ///< Nothing is written yet in the innermost bracket.
  bool afterKey = false; ///< What comes next stands behind its name.
};

std::string toString(const Json &json, Layout layout);

} // namespace ferry::sdfg
