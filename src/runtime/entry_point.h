// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entry points of compiled code: what they take and give, and how they are called.
//
// An entry takes eight-byte slots: of each argument the scalar, or the address and the extents; then of each result the
// scalar, or the block, the address and the extents.

#pragma once

#include "runtime/context.h"
#include "runtime/serial.h"
#include "runtime/values.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ferry::runtime {

/// The types that an entry's parameters and results have in the source language.
struct Signature {
  std::string name;
  std::vector<ExpectedValue> parameters, results;
  std::vector<bool> isConsumed; ///< of the parameters: the code may write over the argument
};

/// A parameter as its user wrote it: of a tuple or record, a value for each component.
struct Parameter {
  std::string name; ///< or empty
  std::string typeName;
  int64_t values = 1;
};

struct EntryPoint {
  Signature signature;
  std::vector<Parameter> parameters;
};

void write(const EntryPoint &entry, ByteWriter &to);
EntryPoint readEntryPoint(ByteReader &from);

/// Reads one value for each component of each parameter from standard input, in text or binary form. Nothing if a value
/// is missing, malformed, of another type or rank, or if more follow; `error` then says which parameter, and where.
std::optional<std::vector<Value>> readArguments(const EntryPoint &entry, std::string &error);

/// How the names of compiled entry points begin.
inline constexpr char entryPrefix[] = "ferry_entry_";

using EntryFunction = void (*)(FerryContext *, void *slots);

struct Run {
  std::vector<Value> results;
  double microseconds = 0; ///< of the entry alone: no time to make its arguments or to take its results out
};

/// Calls an entry. The arguments are of its parameter types (checked) and are not changed. Nothing on failure, with the
/// reason in `error`.
std::optional<Run> call(const Signature &entry, EntryFunction function, std::span<const Value> arguments,
                        FerryContext &context, ProgramError &error);

} // namespace ferry::runtime
