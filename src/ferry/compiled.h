// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is left of a compilation when the compiler is done: all that a run of the program needs.

#pragma once

#include "placement/number.h"
#include "runtime/entry_point.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ferry {

/// What a run is to count, as its plan says, and the plan in words.
struct PlanAccount {
  bool exact = false; ///< Every size, trip count and condition is known.
  placement::Rational clock, uploads, uploadBytes, downloads, downloadBytes, peeks, pokes, launches;
  int64_t devicePeak = 0, leastDevicePeak = 0;
  std::vector<std::string> observationSites; ///< By the numbers that the code has.
  std::string explanation;                   ///< If it was asked for.
  std::string programMark, planMark;         ///< Of a trace, as of TraceFile.
};

struct CompiledEntry {
  runtime::EntryPoint entry;
  std::string code;                ///< A shared object that defines `void ferry_entry_NAME(context, slots)`.
  std::optional<PlanAccount> plan; ///< None where nothing is placed.
  std::string messages;            ///< Warnings and notes, as they are printed.
};

std::string toBytes(const CompiledEntry &compiled);
/// Nothing if these are no such bytes.
std::optional<CompiledEntry> compiledFromBytes(std::string_view bytes);

} // namespace ferry
