// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files: which version wrote them, what is said about a broken one, and how a written one takes over its name.

#include "sdfg/file.h"
#include "sdfg/check.h"

#include <algorithm>
#include <atomic>
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
  for (const Place &each : malformed.where)
    text += each.name + ", ";
  if (text.size() >= 2)
    text.replace(text.size() - 2, 2, ": ");
  return text + malformed.what;
}

/// Of the innermost element of which it is known, at least of the program.
std::size_t positionOf(const Malformed &malformed, std::size_t program) {
  auto known = std::find_if(malformed.where.rbegin(), malformed.where.rend(),
                            [](const Place &place) { return place.position.has_value(); });
  return known == malformed.where.rend() ? program : *known->position;
}

/// Names from the file may hold anything; a message is one line.
std::string oneLine(std::string text) {
  std::size_t most = 600;
  if (text.size() > most) {
    while ((static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) // not within a character
      --most;
    text = text.substr(0, most) + "...";
  }
  for (char &c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      c = ' ';
  return text;
}

} // namespace

Result<Program> parseProgram(std::string_view bytes, const std::string &name) {
  auto refuse = [&](const std::string &what, std::optional<std::size_t> at = {}) {
    std::string place = at ? name + ":" + lineAndColumn(bytes, *at) : name;
    return Error{ErrorKind::Malformed, oneLine(place + ": error: " + what)};
  };
  std::string unpacked;
  if (bytes.starts_with("\x1f\x8b")) {
    Result<std::string> text = decompress(bytes);
    if (!text)
      return refuse(text.error().message);
    unpacked = std::move(*text);
    bytes = unpacked;
  }
  std::size_t at = 0;
  Result<Document> document = parseJson(bytes, &at);
  if (!document)
    return refuse("not JSON: " + document.error().message, at);
  std::size_t begin = std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size());
  try {
    Program program;
    program.layout = document->layout;
    if (!document->json.isObject())
      return refuse(std::string("not an SDFG but ") + document->json.kind(), begin);
    program.version = versionOf(document->json);
    readSdfg(program.root, std::move(document->json));
    requireWellFormed(program);
    return program;
  } catch (const Malformed &malformed) {
    return refuse(message(malformed), positionOf(malformed, begin));
  }
}

/// "X: error: it cannot be read: the system's reason".
static Error failure(const std::string &path, const char *what, int reason) {
  return {ErrorKind::Malformed, oneLine(path + ": error: it cannot be " + what + ": " + std::strerror(reason))};
}

Result<Program> readProgram(const std::string &path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return failure(path, "read", EISDIR);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  if (file)
    bytes << file.rdbuf();
  if (!file || file.bad() || bytes.bad())
    return failure(path, "read", errno ? errno : EIO);
  return parseProgram(bytes.view(), path);
}

// --- Writing ---------------------------------------------------------------------------------------------------------

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

/// Where symbolic links lead, whether something is there or not.
static std::string followed(std::string path) {
  constexpr int most = 40; // as the system follows
  std::error_code error;
  for (int i = 0; i < most; ++i) {
    std::filesystem::path link = std::filesystem::read_symlink(path, error);
    if (error)
      break;
    path = (std::filesystem::path(path).parent_path() / link).string();
  }
  return path;
}

/// A new file in the same folder, with the mode of new files. Negative, with errno, if there can be none.
static int openBeside(const std::string &path, std::string &name) {
  static std::atomic<unsigned> count = 0;
  int file;
  do {
    name = path + "." + std::to_string(getpid()) + "-" + std::to_string(count++);
    file = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (file < 0 && errno == EEXIST);
  return file;
}

/// Of what has no name to take over, such as a pipe.
static Result<void> writeInto(const std::string &path, std::string_view bytes) {
  int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  bool written = file >= 0 && writeAll(file, bytes);
  int reason = errno;
  if (file >= 0)
    close(file);
  return written ? Result<void>() : Result<void>(failure(path, "written", reason));
}

Result<void> writeProgram(const Program &program, const std::string &path) {
  std::string bytes = printProgram(program);
  if (path.ends_with(".sdfgz") || path.ends_with(".gz")) {
    Result<std::string> packed = compress(bytes);
    if (!packed)
      return Error{ErrorKind::Internal, oneLine(path + ": error: it cannot be written: " + packed.error().message)};
    bytes = std::move(*packed);
  }
  struct stat there{};
  bool exists = stat(path.c_str(), &there) == 0;
  if (exists && !S_ISREG(there.st_mode))
    return writeInto(path, bytes);
  std::string target = followed(path), temporary;
  int file = openBeside(target, temporary);
  if (file < 0)
    return failure(path, "written", errno);
  bool done = writeAll(file, bytes) && (!exists || fchmod(file, there.st_mode & 07777) == 0);
  int reason = errno;
  if (close(file) != 0 && done) {
    done = false;
    reason = errno;
  }
  if (done && std::rename(temporary.c_str(), target.c_str()) == 0)
    return {};
  if (done)
    reason = errno;
  unlink(temporary.c_str());
  return failure(path, "written", reason);
}

} // namespace ferry::sdfg
