// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/file.h"

#include <string>

/// \file
/// Small graphs for tests, as text.
namespace ferry::sdfg::testing {

/// One state that copies the even half of A to B in a map: nodes 0 (A), 1 (entry), 2 (tasklet), 3 (exit), 4 (B).
extern const char *const kMapText;

/// `text` with the first `from` replaced by `to`; the test fails if there is none.
std::string with(std::string text, const std::string &from, const std::string &to);

/// A graph that must be well-formed.
Program program(const std::string &text);

/// What is wrong with a graph, without the line and the column; "nothing" if it can be read.
std::string refusal(const std::string &bytes);

} // namespace ferry::sdfg::testing
