// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/source_line.h"

std::string ferry::sourceLine(const futhark::SourceFile &file, unsigned line, unsigned column) {
  constexpr size_t longest = 200; // as in the messages of the front end
  std::string_view text = file.line(line);
  if (text.empty() || text.size() > longest)
    return "";
  std::string shown = std::string(text) + "\n";
  for (unsigned at = 1; at < column && at <= text.size(); ++at)
    shown += text[at - 1] == '\t' ? '\t' : ' ';
  return shown + "^\n";
}
