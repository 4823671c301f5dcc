// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

namespace ferry::futhark {

/// How many characters have to be put in, left out or replaced to get from one to the other (Levenshtein's distance).
/// Time and memory grow with the product of the lengths.
unsigned editDistance(std::string_view left, std::string_view right);

} // namespace ferry::futhark
