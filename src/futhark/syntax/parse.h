// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parser: docs/language.md gives the grammar it accepts.
#pragma once

#include "futhark/syntax/ast.h"
#include "futhark/syntax/diagnostics.h"

#include <memory>

namespace ferry::futhark::syntax {

struct ParseOptions {
  /// Allow `val` declarations outside module types.
  bool allowIntrinsics = false;
};

/// Parses a file. Any bytes are accepted as input; what is wrong with them is reported. Parsing stops at the first
/// syntax error, and the declarations before it are in the result. Never null.
std::unique_ptr<Program> parse(const SourceFile &file, Diagnostics &diagnostics, const ParseOptions &options = {});

} // namespace ferry::futhark::syntax
