// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes are either a checked program, or refused with messages of one line.
#include "futhark/types/check.h"

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
  auto program = check(*file, sources, diagnostics);
  require((program == nullptr) == diagnostics.hasErrors());
  for (const Diagnostic &diagnostic : diagnostics.all())
    require(!diagnostic.message.empty() && render(diagnostic).rfind(diagnostic.range.location(), 0) == 0);
  if (program)
    for (const typed::Entry &entry : program->entries)
      require(entry.definition != nullptr && entry.parameters.size() == entry.definition->function.parameters.size());
  return 0;
}
