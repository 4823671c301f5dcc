// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run took, part by part, as a file: `ferry run --trace` writes it, `ferry explain --against` reads it.

#pragma once

#include "array/place/PlacementReport.h"
#include "runtime/context.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ferry {

/// One line of a comparison: an operation on a side, what crosses the bus under an array's name, the host's element
/// accesses in an operation, or all scalars that are handed to kernels.
struct Part {
  runtime::Measured::Kind kind = runtime::Measured::host;
  std::string name;
  std::string location; ///< `f.fut:3:5` without folders; of operations.
  friend auto operator<=>(const Part &, const Part &) = default;
};

/// All of its executions in one run; of several runs the one that a quarter of them stay below, since what others take
/// of the machine only makes times longer, and the quickest and slowest.
struct TracedPart {
  Part part;
  int64_t count = 0;
  int64_t picoseconds = 0, least = 0, most = 0;
};

struct TraceFile {
  std::string program, plan; ///< Marks of what was run (programMark, planMark).
  std::string device;
  int runs = 0;
  std::vector<TracedPart> parts;
};

/// Equal for plans of equal programs, whatever is where.
std::string programMark(const array::PlacementReport &plan);
/// Equal for equal plans with equal sizes.
std::string planMark(const array::PlacementReport &plan);

/// Puts runs of one program together: what each of them measured.
std::vector<TracedPart> quarterOf(const std::vector<std::vector<runtime::Measured>> &runs);

std::string traceText(const TraceFile &trace);
/// Nothing if the file is no trace: `error` then has the file and what is wrong with it.
std::optional<TraceFile> readTrace(const std::string &path, std::string &error);

/// `folder/f.fut:3:5` without the folder.
std::string withoutFolder(const std::string &location);

} // namespace ferry
