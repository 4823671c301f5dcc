// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes are either a checked program, or refused with messages of one line.
#include "futhark/types/checker.h"

#include <cstdlib>
#include <optional>

using namespace ferry::futhark;

static void require(bool holds) {
  if (!holds)
    std::abort();
}

// The prelude is checked once for many inputs, which is most of the time that one takes.
struct Session {
  Sources sources;
  Diagnostics diagnostics;
  typed::Program program;
  types::Checker checker{sources, diagnostics, program};
  unsigned inputs = 0;
};

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static std::optional<Session> session;
  if (!session || session->inputs == 500) // Every input leaves its trees behind.
    session.emplace();
  ++session->inputs;
  session->diagnostics = Diagnostics();
  session->program.entries.clear();
  session->checker.checkProgram(
      *session->sources.add("input.fut", std::string(reinterpret_cast<const char *>(data), size)));
  for (const Diagnostic &diagnostic : session->diagnostics.all())
    require(!diagnostic.message.empty() && render(diagnostic).rfind(diagnostic.range.location(), 0) == 0);
  for (const typed::Entry &entry : session->program.entries)
    require(entry.definition != nullptr && entry.parameters.size() == entry.definition->function.parameters.size());
  return 0;
}
