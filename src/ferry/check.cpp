// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/compiler_commands.h"

#include "futhark/types/check.h"

#include <cstdio>

int ferry::compiler_commands::check(const CheckOptions &options) {
  futhark::Sources sources;
  futhark::Diagnostics diagnostics;
  const futhark::SourceFile *file = sources.load(options.file);
  if (!file) {
    std::fprintf(stderr, "%s: error: cannot read the file\n", options.file.c_str());
    return exitFailure;
  }
  futhark::check(*file, sources, diagnostics);
  std::fputs(diagnostics.render().c_str(), stderr);
  return diagnostics.exitStatus();
}
