// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes, `#[name]`, `#[7]` and `#[name(attr, ...)]`. They never change what a program computes.
#pragma once

#include "futhark/syntax/source.h"

#include <string>
#include <string_view>
#include <vector>

namespace ferry::futhark {

struct Attribute {
  SourceRange range;
  std::string name; ///< A number's digits for a numeric attribute.
  std::vector<Attribute> arguments;
  bool compound = false; ///< Written with parentheses.
};

using Attributes = std::vector<Attribute>;

/// The first attribute of that name, or null.
inline const Attribute *findAttribute(const Attributes &attributes, std::string_view name) {
  for (const Attribute &attribute : attributes)
    if (attribute.name == name)
      return &attribute;
  return nullptr;
}

} // namespace ferry::futhark
