// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a checked Futhark program to the array dialect.
//
// The module has one public function, named as the entry point: scalars are plain integers and floats, arrays tensors
// of dynamic extents, tuples and records their components, as `describe` lists them. Unsigned integers are signless
// integers of their width; the operations say which is meant. Private functions are those marked `#[cpu_function]`
// (with `array.pin`) or `#[noinline]`, and, without a body, functions of the C library. Operations have the source
// locations of their expressions; what makes a value that has a name in the source has a NameLoc around it.
#pragma once

#include "futhark/syntax/diagnostics.h"
#include "futhark/types/typed.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace ferry::futhark {

/// One argument or result of the entry's function.
struct EntryComponent {
  types::Prim prim;
  unsigned rank; ///< 0 for a scalar.
};

/// A parameter or result as the user wrote it.
struct EntryValue {
  std::string name;     ///< Empty for results and for parameters without a name.
  std::string typeName; ///< For messages.
  bool unique = false;  ///< The caller gives the argument away; the result shares no memory with an argument.
  std::vector<EntryComponent> components;
};

struct EntryPoint {
  std::string name;
  std::vector<EntryValue> parameters;
  std::vector<EntryValue> results; ///< One for each component of a tuple.
};

EntryPoint describe(const typed::Entry &entry);

/// Null if the program uses what is not supported, which is reported. Loads the dialects that it uses. Sizes that
/// several arguments share, and constant sizes, are checked when the function runs.
mlir::OwningOpRef<mlir::ModuleOp> lower(const typed::Entry &entry, mlir::MLIRContext &context,
                                        Diagnostics &diagnostics);

} // namespace ferry::futhark
