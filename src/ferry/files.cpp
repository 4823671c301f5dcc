// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ferry/files.h"

#include "ferry/options.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

std::optional<std::string> ferry::readFile(const std::string &path, std::string &error) {
  auto close = [](std::FILE *file) { return file == stdin ? 0 : std::fclose(file); };
  std::unique_ptr<std::FILE, decltype(close)> file(path == "-" ? stdin : std::fopen(path.c_str(), "rb"), close);
  std::string text;
  char piece[1 << 16];
  std::size_t count = 0;
  while (file && (count = std::fread(piece, 1, sizeof piece, file.get())) > 0)
    text.append(piece, count);
  if (file && !std::ferror(file.get()))
    return text;
  // The C library's words, begun as in the compiler's other messages.
  std::string reason = std::strerror(errno);
  error = path + ": cannot read the file: " + reason;
  return std::nullopt;
}

bool ferry::writeFile(const std::string &path, std::string_view text, const char *what, std::string &error) {
  std::FILE *file = std::fopen(path.c_str(), "wb");
  bool isWritten = file && std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
  if (!isWritten)
    error = path + ": cannot write " + what + ": " + std::strerror(errno);
  if (file)
    std::fclose(file);
  return isWritten;
}

int ferry::writeOutput(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0)
    return exitSuccess;
  std::fprintf(stderr, "ferry: error: cannot write to standard output: %s\n", std::strerror(errno));
  return exitFailure;
}
