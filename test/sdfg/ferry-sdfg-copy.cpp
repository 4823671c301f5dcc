// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: ferry-sdfg-copy [IN OUT]...
//
// Reads each IN and writes it as OUT, changing nothing. An error is one line; the others are copied all the same.

#include "sdfg/file.h"

#include <cstdio>

using namespace ferry::sdfg;

static bool copy(const std::string &from, const std::string &to) {
  auto program = readProgram(from);
  if (!program) {
    std::fprintf(stderr, "%s\n", program.error().message.c_str());
    return false;
  }
  auto written = writeProgram(*program, to);
  if (!written)
    std::fprintf(stderr, "%s\n", written.error().message.c_str());
  return static_cast<bool>(written);
}

int main(int count, char **arguments) {
  bool good = count % 2 == 1;
  for (int i = 1; i + 1 < count; i += 2)
    good &= copy(arguments[i], arguments[i + 1]);
  return good ? 0 : 1;
}
