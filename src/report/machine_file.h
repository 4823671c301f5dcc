// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/machine.h"
#include "report/json.h"

#include <optional>
#include <set>
#include <stdexcept>
#include <string>

namespace ferry::report {

/// A file that is not of its form; the message names the object.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One object of a file, read member by member. Its errors name it; done() refuses members that were not asked for.
class Object {
public:
  Object(const Json &json, std::string name);

  void rename(std::string name) { title = std::move(name); }
  const std::string &name() const { return title; }
  [[noreturn]] void fail(const std::string &what) const { throw FileError(title + ": " + what); }

  const Json *find(const char *member); ///< Null if it is not there.
  std::string string(const char *member);
  bool boolean(const char *member);
  std::int64_t integer(const char *member, std::int64_t otherwise);
  std::optional<placement::Time> time(const char *member);
  placement::Rational rational(const char *member, const placement::Rational &otherwise);
  std::optional<placement::Side> side(const char *member);
  void done() const;

  std::int64_t integerOf(const Json &value, const char *member) const;
  std::string stringOf(const Json &value, const char *member) const;

private:
  const Json &json;
  std::string title;
  std::set<std::string> known;
};

placement::Machine machineFromJson(const Json &json);
Json machineToJson(const placement::Machine &machine);

/// The text as JSON. Throws Json::exception, and FileError if an object has a member twice.
Json parseJson(std::string_view text);

/// "line 3, column 7: no valid JSON: ..." of a syntax error.
std::string jsonError(std::string_view text, const Json::exception &error);

} // namespace ferry::report
