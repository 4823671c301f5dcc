// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes are either parsed, or refused with messages that are places of the input and one line each.

#include "futhark/syntax/parse.h"

#include <cstdlib>

using namespace ferry::futhark;

static void require(bool holds) {
  if (!holds)
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Sources sources;
  const SourceFile *file = sources.add("input.fut", std::string(reinterpret_cast<const char *>(data), size));
  Diagnostics diagnostics;
  auto program = syntax::parse(*file, diagnostics);
  require(program != nullptr);
  require(diagnostics.hasErrors() == (diagnostics.exitStatus() != 0));
  for (const Diagnostic &diagnostic : diagnostics.all()) {
    require(diagnostic.range.file == file && diagnostic.range.begin <= diagnostic.range.end &&
            diagnostic.range.end <= size);
    require(!diagnostic.message.empty() && diagnostic.message.find('\n') == std::string::npos);
    require(render(diagnostic).rfind("input.fut:", 0) == 0);
  }
  return 0;
}
