// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the compiler's library exports.

#include "ferry/compiler_commands.h"

#include "codegen/cuda/Libdevice.h"

#include <cstring>
#include <link.h>

using namespace ferry;

static std::vector<std::string> libraries() {
  std::vector<std::string> names;
  dl_iterate_phdr(
      [](dl_phdr_info *library, size_t, void *names) {
        if (std::strstr(library->dlpi_name, "libLLVM") || std::strstr(library->dlpi_name, "libMLIR"))
          static_cast<std::vector<std::string> *>(names)->push_back(library->dlpi_name);
        return 0;
      },
      &names);
  if (std::string file = codegen::cuda::libdeviceFile(); !file.empty())
    names.push_back(file);
  return names;
}

extern "C" const CompilerLibrary ferry_compiler;
const CompilerLibrary ferry_compiler = {
    compiler_commands::check,     compiler_commands::explain,  compiler_commands::emit,      compiler_commands::build,
    compiler_commands::calibrate, compiler_commands::startRun, compiler_commands::traceText, libraries};
