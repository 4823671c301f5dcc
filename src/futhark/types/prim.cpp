// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "futhark/types/types.h"

#include <array>

namespace ferry::futhark::types {

namespace {

constexpr std::array<std::string_view, 12> names = {"i8",  "i16", "i32", "i64", "u8",  "u16",
                                                    "u32", "u64", "f16", "f32", "f64", "bool"};
constexpr std::array<unsigned, 12> widths = {8, 16, 32, 64, 8, 16, 32, 64, 16, 32, 64, 8};

} // namespace

std::string_view name(Prim prim) { return names[static_cast<size_t>(prim)]; }

std::optional<Prim> primNamed(std::string_view name) {
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name)
      return static_cast<Prim>(i);
  return std::nullopt;
}

bool isSigned(Prim prim) { return prim <= Prim::I64; }
bool isUnsigned(Prim prim) { return prim >= Prim::U8 && prim <= Prim::U64; }
bool isInteger(Prim prim) { return prim <= Prim::U64; }
bool isFloat(Prim prim) { return prim >= Prim::F16 && prim <= Prim::F64; }
unsigned bitWidth(Prim prim) { return widths[static_cast<size_t>(prim)]; }

} // namespace ferry::futhark::types
