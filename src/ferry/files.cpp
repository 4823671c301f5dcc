// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/files.h"

#include "ferry/options.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

std::optional<std::string> ferry::readFile(const std::string &path, std::string &error) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (buffer)
    return (*buffer)->getBuffer().str();
  error = path + ": cannot read the file: " + buffer.getError().message();
  return std::nullopt;
}

int ferry::writeOutput(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0)
    return exitSuccess;
  llvm::errs() << "ferry: error: cannot write to standard output: " << std::strerror(errno) << '\n';
  return exitFailure;
}
