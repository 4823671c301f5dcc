// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/json.h"
#include "sdfg/symbolic.h"

#include <optional>
#include <string>
#include <string_view>

/// \file
/// What all elements of a graph have in common: the JSON object they came from. It is kept as it was, so that what
/// Ferry does not know survives; what the typed members beside it stand for is changed through their setters, which
/// keep both the same. Where a child stood, the object has a null, which the writer fills in.
namespace ferry::sdfg {

/// How the program writes symbols; DaCe 2.0 since 2.0.0a4 with `$`.
struct Version {
  std::string text;
  Dialect dialect = Dialect::Plain;
};

/// Where something stands in the source of the program it was made from, if the graph says so.
struct SourceLine {
  std::string file; ///< Empty if not known.
  std::int64_t line = 0, column = 0;
};

struct Element {
  Json json = Object{{"attributes", Object{}}};

  const Json &attributes() const;
  /// Null if it is left out, which DaCe does with defaults.
  const Json *attribute(std::string_view name) const { return attributes().find(name); }
  std::optional<std::string> stringAttribute(std::string_view name) const;
  bool flagAttribute(std::string_view name, bool otherwise = false) const;
  void setAttribute(std::string_view name, Json value);
  void dropAttribute(std::string_view name);
  /// "AccessNode", "Range".
  std::string type() const;
};

/// A piece of code, {"string_data": ..., "language": ...}.
struct Code {
  std::string text;
  std::string language = "Python";
  static std::optional<Code> fromJson(const Json *json);
  Json toJson() const { return Object{{"string_data", text}, {"language", language}}; }
};

} // namespace ferry::sdfg
