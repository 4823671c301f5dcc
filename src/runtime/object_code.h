// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine code from a relocatable object file (ELF for x86-64, position-independent, small code model), loaded into
// this process: what LLVM writes is what runs, whether it was compiled just now or is read from a file.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace ferry::runtime {

class ObjectCode {
public:
  /// Null, with a line in `error`, for what is no such file, or if it asks for a symbol that is not to be had: code may
  /// call the run-time (abi.h), the C library and its mathematics.
  static std::unique_ptr<ObjectCode> load(std::string_view file, std::string &error);
  ~ObjectCode();
  ObjectCode(const ObjectCode &) = delete;
  ObjectCode &operator=(const ObjectCode &) = delete;

  /// A function or object that the file defines for others; null if it has none of that name.
  void *find(const std::string &symbol) const;

private:
  class Loader;
  ObjectCode() = default;

  void *memory = nullptr;
  size_t size = 0;
  std::unordered_map<std::string, void *> symbols;
};

} // namespace ferry::runtime
