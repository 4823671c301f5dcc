// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source texts and places in them. A `Sources` owns every file a compilation reads and outlives all trees made from
// them; files never move, so ranges point at them.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace ferry::futhark {

/// One source text. Lines and columns are counted from 1, columns in bytes.
class SourceFile {
public:
  SourceFile(std::string path, std::string text);

  const std::string &path() const { return filePath; }
  std::string_view text() const { return content; }

  struct Position {
    uint32_t line;
    uint32_t column;
  };
  /// Offsets beyond the end are those of the end.
  Position position(uint32_t offset) const;
  /// The line's text without its line break; empty for a line that does not exist.
  std::string_view line(uint32_t number) const;

private:
  std::string filePath;
  std::string content;
  std::vector<uint32_t> lineStarts;
};

/// The bytes [begin, end) of a file. A default range has no file: code that the compiler made.
struct SourceRange {
  const SourceFile *file = nullptr;
  uint32_t begin = 0;
  uint32_t end = 0;

  std::string_view text() const;
  /// "path:line:col" of the beginning; "<built-in>" without a file.
  std::string location() const;
};

/// From the beginning of one to the end of the other; both in the same file.
SourceRange join(const SourceRange &first, const SourceRange &last);

class Sources {
public:
  /// Null if the file cannot be read. A file loaded before is not read again.
  const SourceFile *load(const std::string &path);
  const SourceFile *add(std::string path, std::string text);
  /// Those that `load` read.
  const std::vector<const SourceFile *> &loaded() const { return fromFiles; }

private:
  std::deque<SourceFile> files;
  std::vector<const SourceFile *> fromFiles;
};

} // namespace ferry::futhark
