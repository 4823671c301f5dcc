// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ferry {

/// A whole file, or standard input for "-". Nothing if it cannot be read: `error` is then a line that names it.
std::optional<std::string> readFile(const std::string &path, std::string &error);

/// Replaces a file's content by `what`, "the report". False if that fails: `error` is then a line that names both.
bool writeFile(const std::string &path, std::string_view text, const char *what, std::string &error);

/// Writes to standard output, and everything that is still on its way there. The exit status; if it fails,
/// standard error has why.
int writeOutput(std::string_view text);

} // namespace ferry
