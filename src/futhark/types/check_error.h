// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "futhark/syntax/source.h"

#include <string>

namespace ferry::futhark::types {

// Ends the checking of a definition; does not leave this room.
struct CheckError {
  enum class Kind : uint8_t { Error, Unsupported, Silent }; // Silent: caused by an error reported before.
  Kind kind;
  SourceRange range;
  std::string message;
  std::string hint;
};

} // namespace ferry::futhark::types
