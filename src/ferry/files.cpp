// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/files.h"

#include "llvm/Support/MemoryBuffer.h"

std::optional<std::string> ferry::readFile(const std::string &path, std::string &error) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (buffer)
    return (*buffer)->getBuffer().str();
  error = path + ": error: cannot read the file: " + buffer.getError().message();
  return std::nullopt;
}
