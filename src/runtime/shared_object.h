// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine code that is loaded into this process: a shared object (ELF) in memory, which the system's dynamic linker
// maps. The compiler links it (codegen/Link.h), just now or in an earlier run.
//
// Of the run-time (abi.h) it calls what its table of imports names, which is filled when it is loaded. A process may
// have the run-time twice, in `ferry` and in the compiler's library; code calls the one that loaded it. Whatever else
// it calls is in libraries that it names itself, those of C and of its mathematics.

#pragma once

#include "runtime/descriptor.h"

#include <memory>
#include <string>
#include <string_view>

namespace ferry::runtime {

/// An element of the table, which ends with one that has no name.
struct Import {
  const char *name;
  void *address; ///< when it is loaded
};

/// The table's name in the shared object.
inline constexpr char importTable[] = "ferry_imports";
/// How the names of the run-time's functions begin.
inline constexpr char importPrefix[] = "ferry_rt_";

class SharedObject {
public:
  /// Null, with a line in `error`, for what is no such file for this processor, or asks for what is not to be had. A
  /// damaged file is not always recognised: whoever has it from elsewhere compares a sum first.
  static std::unique_ptr<SharedObject> load(std::string_view content, std::string &error);
  ~SharedObject();
  SharedObject(const SharedObject &) = delete;
  SharedObject &operator=(const SharedObject &) = delete;

  /// A function or object that it exports, or a library that it names; null if there is none of that name.
  void *find(const std::string &symbol) const;

private:
  SharedObject();
  bool open(std::string_view content, std::string &error);
  bool resolveImports(std::string &error) const;

  Descriptor file;
  void *handle = nullptr;
};

} // namespace ferry::runtime
