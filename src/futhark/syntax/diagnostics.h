// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages of the front end. They are collected, never thrown, and printed as
//   file:line:col: error: what is wrong
//   the source line
//      ^~~~
//   hint: what would be right
#pragma once

#include "futhark/syntax/source.h"

#include <string>
#include <vector>

namespace ferry::futhark {

enum class Severity : uint8_t {
  Warning,
  Error,
  /// The program uses a feature of the language that Ferry does not implement.
  Unsupported,
};

struct Diagnostic {
  Severity severity;
  SourceRange range;
  std::string message;
  std::string hint; ///< Empty if there is nothing to add.
};

class Diagnostics {
public:
  void error(const SourceRange &range, std::string message, std::string hint = {});
  void warning(const SourceRange &range, std::string message, std::string hint = {});
  /// Reported as "not supported yet: <feature>".
  void unsupported(const SourceRange &range, const std::string &feature);

  const std::vector<Diagnostic> &all() const { return diagnostics; }
  /// Errors, unsupported features included.
  bool hasErrors() const { return errorCount != 0; }
  /// 0 without errors, 77 if every error is an unsupported feature, otherwise 1.
  int exitStatus() const;
  /// All messages as text, in the order of reporting.
  std::string render() const;

private:
  void add(Diagnostic diagnostic);

  std::vector<Diagnostic> diagnostics;
  size_t errorCount = 0;
  size_t unsupportedCount = 0;
};

std::string render(const Diagnostic &diagnostic);

} // namespace ferry::futhark
