// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "futhark/syntax/source.h"

#include <string>

namespace ferry::futhark::types {

/// Thrown where a definition is found to be wrong, which ends its checking; caught where definitions are checked one
/// after the other, which reports it and goes on with the next. Does not leave this room.
struct CheckError {
  enum class Kind : uint8_t { Error, Unsupported, Silent }; ///< Silent: caused by an error reported before.
  Kind kind;
  SourceRange range;   ///< What the caret is under.
  std::string message; ///< What is wrong.
  std::string hint;    ///< What would be right; may be empty.
};

} // namespace ferry::futhark::types
