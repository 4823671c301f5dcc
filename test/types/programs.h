// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small programs kept many to a file. Each begins after a line `-- == NAME`; one that is refused names a part of the
// message it gets in a line `-- error: TEXT`.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace ferry::test {

struct Program {
  std::string file;
  std::string name;
  std::string text;
  std::string error; ///< Empty for programs that are accepted.
};

/// All programs of all files of a folder, in order of their names.
std::vector<Program> programsIn(const std::string &folder);

/// A name for GoogleTest: letters, digits and underscores.
std::string identifier(const Program &program);

inline std::ostream &operator<<(std::ostream &stream, const Program &program) {
  return stream << program.file << ": " << program.name;
}

} // namespace ferry::test
