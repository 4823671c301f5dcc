// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/syntax/source.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

namespace ferry::futhark {

SourceFile::SourceFile(std::string path, std::string text) : filePath(std::move(path)), content(std::move(text)) {
  lineStarts.push_back(0);
  for (size_t i = 0; i < content.size(); ++i)
    if (content[i] == '\n')
      lineStarts.push_back(static_cast<uint32_t>(i + 1));
}

SourceFile::Position SourceFile::position(uint32_t offset) const {
  offset = std::min(offset, static_cast<uint32_t>(content.size()));
  auto next = std::upper_bound(lineStarts.begin(), lineStarts.end(), offset);
  auto number = static_cast<uint32_t>(next - lineStarts.begin());
  return {number, offset - lineStarts[number - 1] + 1};
}

std::string_view SourceFile::line(uint32_t number) const {
  if (number == 0 || number > lineStarts.size())
    return {};
  size_t begin = lineStarts[number - 1];
  size_t end = number < lineStarts.size() ? lineStarts[number] - 1 : content.size();
  if (end > begin && content[end - 1] == '\r')
    --end;
  return std::string_view(content).substr(begin, end - begin);
}

std::string_view SourceRange::text() const {
  if (!file || begin >= file->text().size() || end <= begin)
    return {};
  return file->text().substr(begin, end - begin);
}

std::string SourceRange::location() const {
  if (!file)
    return "<built-in>";
  SourceFile::Position position = file->position(begin);
  return file->path() + ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
}

SourceRange join(const SourceRange &first, const SourceRange &last) {
  return {first.file, first.begin, std::max(first.end, last.end)};
}

const SourceFile *Sources::load(const std::string &path) {
  for (const SourceFile &file : files)
    if (file.path() == path)
      return &file;
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    return nullptr;
  std::string text;
  char part[1 << 14];
  while (stream.read(part, sizeof part), stream.gcount() > 0)
    text.append(part, static_cast<size_t>(stream.gcount()));
  if (stream.bad())
    return nullptr;
  return fromFiles.emplace_back(add(path, std::move(text)));
}

const SourceFile *Sources::add(std::string path, std::string text) {
  return &files.emplace_back(std::move(path), std::move(text));
}

} // namespace ferry::futhark
