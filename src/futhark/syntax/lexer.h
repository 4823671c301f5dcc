// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits a source text into tokens. Dotted paths are separate tokens; whether there was space before a token is kept,
// because `f[x]` and `f [x]`, `a.b` and `a . b` differ.
#pragma once

#include "futhark/syntax/ast.h"
#include "futhark/syntax/diagnostics.h"

#include <string_view>
#include <vector>

namespace ferry::futhark::syntax {

enum class TokenKind : uint8_t {
  End,
  Name,
  Keyword,
  Constructor, ///< `#name`; `text` is the name.
  Number,
  String,
  Char,
  Operator, ///< One or more of + - * / % = ! > < | & ^ and, after the first, `.`; also `=` and `->`.
  Punctuation,
};

struct Token {
  TokenKind kind = TokenKind::End;
  bool spaceBefore = false;
  SourceRange range;
  std::string_view text;  ///< Of the source; for constructors without `#`.
  NumberLiteral number;   ///< Number
  std::string bytes;      ///< String
  uint32_t codePoint = 0; ///< Char
};

/// A syntax error that ends lexing or parsing of a file; does not leave this room.
struct SyntaxError {
  SourceRange range;
  std::string message;
  std::string hint;
};

/// All tokens of the file, ending with End. Throws SyntaxError.
std::vector<Token> tokenize(const SourceFile &file);

} // namespace ferry::futhark::syntax
