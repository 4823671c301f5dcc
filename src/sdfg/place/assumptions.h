// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sdfg/names.h"
#include "sdfg/place/extract.h"

#include <set>
#include <string>
#include <vector>

/// \file
/// What explanations and notes say of the values that a plan is priced with.
namespace ferry::sdfg {

using Assumed = decltype(ExtractOptions::assume);

/// Symbols that the program is given when it is called: declared or in shapes, and nothing in it assigns to them.
std::set<std::string> givenSymbols(const Program &program);

/// A note for each assumption of what nothing in the program is called.
std::vector<std::string> unknownAssumptions(const Program &program, const Assumed &assumed);

/// A line that says which of the guessed symbols the program is given, by name or as arguments, and what stands for
/// them; empty if there are none.
std::string guesses(const Program &program, const std::set<std::string> &guessed);

} // namespace ferry::sdfg
