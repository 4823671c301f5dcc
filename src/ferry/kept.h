// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compilations that earlier runs left in the user's cache (runtime/cache.h).
//
// Two files belong to a run. One is found by what is known at once: this build of Ferry, the processor, the program's
// file and entry point. It lists the other files that were read, all with the sums of their contents, and has the
// entry's types, so that arguments can be read. The second one is found by that list, the options, and where something
// is placed, by the arguments' shapes and whole numbers, which plans go by. It has the code.

#pragma once

#include "ferry/compiler.h"

#include "runtime/cache.h"
#include "runtime/sha256.h"

#include <optional>
#include <string>
#include <vector>

namespace ferry {

class Kept {
public:
  Kept(const RunOptions &options, const ChosenDevice &device, const placement::Machine &machine);

  /// The entry point, and the warnings of its sources, if no source has changed since they were checked.
  struct Checked {
    runtime::EntryPoint entry;
    std::string messages;
  };
  std::optional<Checked> checked();
  /// Once `checked` had it, or `keep` was told: the code for such arguments.
  std::optional<CompiledEntry> compiled(const std::vector<runtime::Value> &arguments);

  /// What was just read and checked, and what was compiled from it.
  void keep(const RunCompiler &compiler);
  void keep(const CompiledEntry &made, const std::vector<runtime::Value> &arguments);

private:
  std::string compiledKey(const std::vector<runtime::Value> &arguments) const;

  const RunOptions &options;
  ChosenDevice device;
  const placement::Machine &machine;
  runtime::Cache cache;
  runtime::Sha256 build;    ///< of this build, the processor, the program's name and entry
  std::string checkedKey;   ///< empty: nothing can be kept
  runtime::Sha256 compiles; ///< of what compiled code depends on, arguments aside
};

} // namespace ferry
