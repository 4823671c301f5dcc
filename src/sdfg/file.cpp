// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files: which version wrote them, what is said about a broken one, and how a written one takes over its name.

#include "sdfg/file.h"
#include "sdfg/check.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace ferry::sdfg {

using placement::Error;
using placement::ErrorKind;
using placement::Result;

// --- Reading ---------------------------------------------------------------------------------------------------------

namespace {

/// DaCe 1.x and 2.x; symbols are marked since 2.0.0a4.
Version versionOf(const Json &json) {
  const Json *found = json.find("dace_version");
  if (!found || !found->string())
    throw Malformed{{}, "it does not say which version of DaCe wrote it"};
  Version version{*found->string()};
  if (version.text.starts_with("1."))
    return version;
  if (!version.text.starts_with("2."))
    throw Malformed{{}, "it was written by DaCe " + version.text + "; 1.x and 2.x can be read"};
  bool unmarked = version.text == "2.0.0a1" || version.text == "2.0.0a2" || version.text == "2.0.0a3";
  version.dialect = unmarked ? Dialect::Plain : Dialect::Dollar;
  return version;
}

std::string message(const Malformed &malformed) {
  std::string text;
  for (const std::string &each : malformed.where)
    text += each + ", ";
  if (text.size() >= 2)
    text.replace(text.size() - 2, 2, ": ");
  return text + malformed.what;
}

/// Names from the file may hold anything; a message is one line.
std::string oneLine(std::string text) {
  constexpr std::size_t most = 600;
  if (text.size() > most)
    text = text.substr(0, most) + "...";
  for (char &c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      c = ' ';
  return text;
}

} // namespace

Result<Program> parseProgram(std::string_view bytes, const std::string &name) {
  auto refuse = [&](const std::string &what) { return Error{ErrorKind::Malformed, oneLine(name + ": " + what)}; };
  std::string unpacked;
  if (bytes.starts_with("\x1f\x8b")) {
    Result<std::string> text = decompress(bytes);
    if (!text)
      return refuse(text.error().message);
    unpacked = std::move(*text);
    bytes = unpacked;
  }
  Result<Document> document = parseJson(bytes);
  if (!document)
    return refuse("not JSON: " + document.error().message);
  try {
    Program program;
    program.layout = document->layout;
    if (!document->json.isObject())
      return refuse(std::string("not an SDFG but ") + document->json.kind());
    program.version = versionOf(document->json);
    readSdfg(program.root, std::move(document->json));
    requireWellFormed(program);
    return program;
  } catch (const Malformed &malformed) {
    return refuse(message(malformed));
  }
}

Result<Program> readProgram(const std::string &path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return Error{ErrorKind::Malformed, oneLine(path + ": it cannot be read")};
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  if (file)
    bytes << file.rdbuf();
  if (!file || file.bad() || bytes.bad())
    return Error{ErrorKind::Malformed, oneLine(path + ": it cannot be read")};
  return parseProgram(bytes.view(), path);
}

// --- Writing ---------------------------------------------------------------------------------------------------------

/// "cannot write X: the reason".
static Error failure(const std::string &path) {
  return {ErrorKind::Malformed, path + ": it cannot be written: " + std::strerror(errno)};
}

static bool writeAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

Result<void> writeProgram(const Program &program, const std::string &path) {
  std::string bytes = printProgram(program);
  if (path.ends_with(".sdfgz") || path.ends_with(".gz"))
    bytes = compress(bytes);
  struct stat there{};
  if (stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) { // a pipe or a device has no name to take over
    int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    bool written = file >= 0 && writeAll(file, bytes);
    Error error = failure(path);
    if (file >= 0)
      close(file);
    return written ? Result<void>() : Result<void>(error);
  }
  // A name of its own in the same folder, so that taking over the name is one step.
  std::string temporary = path + ".XXXXXX";
  int file = mkstemp(temporary.data());
  if (file < 0)
    return failure(path);
  mode_t mask = umask(0);
  umask(mask);
  bool done = writeAll(file, bytes) && fchmod(file, 0666 & ~mask) == 0;
  done = close(file) == 0 && done && std::rename(temporary.c_str(), path.c_str()) == 0;
  if (done)
    return {};
  Error error = failure(path);
  unlink(temporary.c_str());
  return error;
}

} // namespace ferry::sdfg
