// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/solve.h"

#include <string>

/// \file
/// Internal: how reports name points and give reasons.
namespace ferry::report::wording {

/// "operation 'f'", "the start".
std::string point(const placement::Graph &graph, placement::PointId point);
/// The name of the statement a position is at; empty if it has none.
std::string statementName(const placement::Graph &graph, const placement::Position &position);
/// Where a copy is: "before the first trip of loop 'i'".
std::string place(const placement::Graph &graph, const placement::Copy &copy);
/// "written by operation 'f', wanted on the device by operation 'g'".
std::string reason(const placement::Graph &graph, const placement::Copy &copy, const placement::CopyReason &reason);

} // namespace ferry::report::wording
