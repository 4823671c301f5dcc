// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between an entry point and the standard streams: arguments in, results out.

#pragma once

#include "codegen/Program.h"
#include "futhark/lower/lower.h"
#include "runtime/values.h"

#include <optional>
#include <string>
#include <vector>

namespace ferry {

/// The type in memory of a component.
runtime::ElementType elementType(futhark::types::Prim prim);

/// The entry point for the code generator: its components one by one.
codegen::Entry codegenEntry(const futhark::EntryPoint &entry);

/// Reads one value for each component of each parameter from standard input, in text or binary form. Nothing if a value
/// is missing, malformed, of another type or rank, or if more follow; `error` then says which parameter, and where.
std::optional<std::vector<runtime::Value>> readArguments(const futhark::EntryPoint &entry, std::string &error);

/// Writes results to standard output: text, one a line, or binary. The exit status, as writeOutput.
int writeResults(const std::vector<runtime::Value> &results, bool binary);

} // namespace ferry
