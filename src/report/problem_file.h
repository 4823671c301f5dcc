// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "placement/machine.h"
#include "placement/problem.h"
#include "placement/result.h"

#include <string>
#include <string_view>

/// \file
/// A placement problem as a JSON file, for compilers that do not link the engine. docs/problem-file.md is its
/// reference.
namespace ferry::report {

struct ProblemFile {
  placement::Machine machine;
  placement::Problem problem; ///< Statements are tagged in the order of the file, from 1.
};

/// Reads a problem. Errors name the object in one line: "operation 'f': no array 'x'". Members that the form does not
/// have are errors too. What the engine's check() refuses is not found here.
placement::Result<ProblemFile> readProblem(std::string_view json);

/// The inverse of readProblem: what it writes reads back as the same problem.
std::string writeProblem(const ProblemFile &file);

/// A machine profile: a shipped one's name, or an object as in a problem file.
placement::Result<placement::Machine> readMachine(std::string_view json);
std::string writeMachine(const placement::Machine &machine);

/// What `ferry solve` does: solves the problem in `json`; the plan as JSON. The message of an error is one line that
/// names the object.
placement::Result<std::string> solveFile(std::string_view json);

} // namespace ferry::report
