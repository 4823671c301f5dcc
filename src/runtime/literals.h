// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One literal of the text form of values: what is between two delimiters.

#pragma once

#include "runtime/values.h"

namespace ferry::runtime {

/// A place in the input, and why reading cannot go on from there.
struct LiteralError {
  const char *at = nullptr;
  std::string message;
};

/// Reads the number or bool at `p` into the byteSize(type) bytes at `out`, and moves `p` behind it. `type` is what
/// the literal must be, if anything; then it is what it is. False, with `error`, if it is none.
bool readLiteral(const char *&p, const char *end, std::optional<ElementType> &type, std::byte *out,
                 LiteralError &error);

/// Reads a string from its opening quote on.
bool readString(const char *&p, const char *end, std::vector<std::byte, ValueAllocator<std::byte>> &out,
                LiteralError &error);

/// Skips white space and comments.
void skipBlanks(const char *&p, const char *end);

} // namespace ferry::runtime
