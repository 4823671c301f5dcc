// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes are either read as a graph, which is then written and read back the same, or refused in one line. Its
// control flow is found or refused too.

#include "sdfg/control.h"
#include "sdfg/file.h"

#include <cstdint>
#include <cstdlib>

using namespace ferry::sdfg;

static void require(bool holds) {
  if (!holds)
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view input(reinterpret_cast<const char *>(data), size);
  auto program = parseProgram(input, "input");
  if (!program) {
    const std::string &message = program.error().message;
    require(message.starts_with("input: ") && message.find('\n') == std::string::npos);
    return 0;
  }
  std::string text = printProgram(*program);
  auto again = parseProgram(text, "again");
  require(again && printProgram(*again) == text);
  if (auto flow = ControlFlow::of(program->root))
    require(flow->rotated().loops.size() >= flow->loops.size());
  return 0;
}
