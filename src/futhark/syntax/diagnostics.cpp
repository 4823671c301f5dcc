// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/syntax/diagnostics.h"

#include <algorithm>
#include <utility>

namespace ferry::futhark {

namespace {

// A program that is wrong everywhere need not be told so without end.
constexpr size_t maximumDiagnostics = 200;
// Longer source lines are not quoted.
constexpr size_t maximumQuotedLine = 400;

// Of longer messages the middle is left out: a type or a name of the program can be as long as a file.
constexpr size_t maximumMessage = 1000;

std::string shortened(const std::string &message) {
  if (message.size() <= maximumMessage)
    return message;
  auto isInsideCharacter = [&](size_t at) { return (static_cast<unsigned char>(message[at]) & 0xc0) == 0x80; };
  size_t begin = maximumMessage * 3 / 4, end = message.size() - maximumMessage / 4;
  while (begin > 0 && isInsideCharacter(begin))
    --begin;
  while (end < message.size() && isInsideCharacter(end))
    ++end;
  return message.substr(0, begin) + " ... " + message.substr(end);
}

const char *label(Severity severity) { return severity == Severity::Warning ? "warning" : "error"; }

std::string caretLine(std::string_view line, size_t column, size_t length) {
  std::string result;
  for (size_t i = 0; i + 1 < column && i < line.size(); ++i)
    result += line[i] == '\t' ? '\t' : ' ';
  result += '^';
  size_t room = line.size() > column ? line.size() - column : 0;
  result.append(std::min(length > 0 ? length - 1 : 0, room), '~');
  return result;
}

} // namespace

void Diagnostics::add(Diagnostic diagnostic) {
  // Code that is checked more than once, such as a parametric module's, is told about its errors once.
  for (const Diagnostic &other : diagnostics)
    if (other.range.file == diagnostic.range.file && other.range.begin == diagnostic.range.begin &&
        other.message == diagnostic.message)
      return;
  if (diagnostic.severity != Severity::Warning)
    ++errorCount;
  if (diagnostic.severity == Severity::Unsupported)
    ++unsupportedCount;
  if (diagnostics.size() < maximumDiagnostics)
    diagnostics.push_back(std::move(diagnostic));
}

void Diagnostics::error(const SourceRange &range, std::string message, std::string hint) {
  add({Severity::Error, range, std::move(message), std::move(hint)});
}

void Diagnostics::warning(const SourceRange &range, std::string message, std::string hint) {
  add({Severity::Warning, range, std::move(message), std::move(hint)});
}

void Diagnostics::unsupported(const SourceRange &range, const std::string &feature) {
  add({Severity::Unsupported, range, "not supported yet: " + feature, {}});
}

int Diagnostics::exitStatus() const {
  if (errorCount == 0)
    return 0;
  return errorCount == unsupportedCount ? 77 : 1;
}

std::string Diagnostics::render() const {
  std::string result;
  for (const Diagnostic &diagnostic : diagnostics)
    result += futhark::render(diagnostic);
  return result;
}

std::string render(const Diagnostic &diagnostic) {
  const SourceRange &range = diagnostic.range;
  std::string result =
      range.location() + ": " + label(diagnostic.severity) + ": " + shortened(diagnostic.message) + "\n";
  if (range.file) {
    SourceFile::Position position = range.file->position(range.begin);
    std::string_view line = range.file->line(position.line);
    if (line.size() <= maximumQuotedLine) {
      result.append(line);
      result += "\n" + caretLine(line, position.column, range.end - range.begin) + "\n";
    }
  }
  if (!diagnostic.hint.empty())
    result += "hint: " + shortened(diagnostic.hint) + "\n";
  return result;
}

} // namespace ferry::futhark
