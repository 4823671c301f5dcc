// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads the compiler, and hands it the commands that are all its own.

#include "ferry/compiler.h"

#include "ferry/install.h"

#include <cstdio>
#include <dlfcn.h>
#include <filesystem>
#include <unistd.h>

namespace ferry {

const std::string &compilerPath() {
  static const std::string path = [] {
    std::error_code none;
    std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
    for (const char *place : {kCompilerInBuild, kCompilerInstalled})
      if (std::filesystem::path file = folder / place; std::filesystem::exists(file, none))
        return file.string();
    return std::string();
  }();
  return path;
}

const CompilerLibrary *compiler() {
  static const CompilerLibrary *const library = []() -> const CompilerLibrary * {
    void *handle = compilerPath().empty() ? nullptr : dlopen(compilerPath().c_str(), RTLD_NOW | RTLD_LOCAL);
    void *found = handle ? dlsym(handle, compilerSymbol) : nullptr;
    if (!found)
      std::fprintf(stderr, "ferry: error: the compiler cannot be loaded: %s\n",
                   compilerPath().empty() ? "there is no ferry-compiler.so where ferry is installed" : dlerror());
    return static_cast<const CompilerLibrary *>(found);
  }();
  return library;
}

int check(const CheckOptions &options) { return compiler() ? compiler()->check(options) : exitFailure; }
int explainProgram(const ExplainOptions &options) { return compiler() ? compiler()->explain(options) : exitFailure; }
int emit(const EmitOptions &options) { return compiler() ? compiler()->emit(options) : exitFailure; }

int calibrate(const CalibrateOptions &options) { return compiler() ? compiler()->calibrate(options) : exitFailure; }

int build(const BuildOptions &options) {
  BuildOptions complete = options;
  std::filesystem::path folder = std::filesystem::path(compilerPath()).parent_path();
  complete.runtime = folder / "libferry-standalone.a";
  return compiler() ? compiler()->build(complete) : exitFailure;
}

} // namespace ferry
