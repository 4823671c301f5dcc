// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "futhark/types/typed.h"

#include <array>
#include <string_view>
#include <utility>

namespace ferry::futhark::types {

/// The built-in infix operators and their symbols. How they bind is the parser's matter (syntax/parser.h).
inline constexpr std::array<std::pair<std::string_view, typed::BinaryOp>, 21> builtInOperators = {{
    {"+", typed::BinaryOp::Add},           {"-", typed::BinaryOp::Sub},         {"*", typed::BinaryOp::Mul},
    {"/", typed::BinaryOp::Div},           {"%", typed::BinaryOp::Mod},         {"//", typed::BinaryOp::Quot},
    {"%%", typed::BinaryOp::Rem},          {"**", typed::BinaryOp::Pow},        {"<<", typed::BinaryOp::Shl},
    {">>", typed::BinaryOp::Shr},          {"&", typed::BinaryOp::And},         {"|", typed::BinaryOp::Or},
    {"^", typed::BinaryOp::Xor},           {"==", typed::BinaryOp::Equal},      {"!=", typed::BinaryOp::NotEqual},
    {"<", typed::BinaryOp::Less},          {"<=", typed::BinaryOp::LessEqual},  {">", typed::BinaryOp::Greater},
    {">=", typed::BinaryOp::GreaterEqual}, {"&&", typed::BinaryOp::LogicalAnd}, {"||", typed::BinaryOp::LogicalOr},
}};

/// As a program writes it.
inline std::string symbolOf(typed::BinaryOp op) {
  for (const auto &[symbol, candidate] : builtInOperators)
    if (candidate == op)
      return std::string(symbol);
  return "?";
}

} // namespace ferry::futhark::types
