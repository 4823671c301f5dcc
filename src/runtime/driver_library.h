// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drivers' libraries, which are looked for when a program first asks for their devices.

#pragma once

#include <charconv>
#include <optional>
#include <string>

namespace ferry::runtime {

/// A driver's functions: what `load` fills in when this is first called, kept for ever. Null if it was false, with the
/// reason that it gave, each time.
template <typename Driver> const Driver *loadedOnce(bool (*load)(Driver &, std::string &), std::string &error) {
  static Driver driver;
  static std::string failure;
  static const bool isLoaded = load(driver, failure);
  error = failure;
  return isLoaded ? &driver : nullptr;
}

/// The number that names a device among several; nothing if it is named otherwise.
inline std::optional<size_t> deviceNumber(const std::string &which) {
  size_t number = 0;
  auto [end, code] = std::from_chars(which.data(), which.data() + which.size(), number);
  bool isNumber = !which.empty() && code == std::errc() && end == which.data() + which.size();
  return isNumber ? std::optional(number) : std::nullopt;
}

} // namespace ferry::runtime
