// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/number.h"

#include <nlohmann/json.hpp>

namespace ferry::report {

/// Keeps members in the order they were added.
using Json = nlohmann::ordered_json;

/// A whole number that fits as a number, anything else as a string.
inline Json toJson(const placement::Rational &value) {
  constexpr placement::Wide kLimit = INT64_MAX;
  if (value.isInteger() && value.numerator() <= kLimit && value.numerator() >= -kLimit)
    return static_cast<std::int64_t>(value.numerator());
  return value.toString();
}

} // namespace ferry::report
