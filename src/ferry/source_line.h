// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "futhark/syntax/source.h"

#include <string>

namespace ferry {

/// The line below a message: the source's, and a caret below the column. Empty for a line that is empty or too long to
/// show.
std::string sourceLine(const futhark::SourceFile &file, unsigned line, unsigned column);

} // namespace ferry
