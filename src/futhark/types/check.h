// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checker: names, types, sizes, consumption, entry points. docs/language.md says what it accepts.
#pragma once

#include "futhark/syntax/diagnostics.h"
#include "futhark/types/typed.h"

#include <memory>

namespace ferry::futhark {

/// Parses and checks a program with everything it imports; import paths are relative to the importing file. What is
/// wrong is reported, and the result is null exactly if `diagnostics` has errors. The program refers to `sources`.
std::unique_ptr<typed::Program> check(const SourceFile &file, Sources &sources, Diagnostics &diagnostics);

} // namespace ferry::futhark
